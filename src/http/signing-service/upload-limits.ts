/** What an upload may be, and where parts wait that arrive out of order. */
export interface UploadLimits {
  /** Octets of one document. */
  readonly documentSize: number;
  /** Documents of one request. */
  readonly documents: number;
  /** A folder that only the owner can read. */
  readonly spoolFolder: string;
}
