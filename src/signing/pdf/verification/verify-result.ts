import type { CmsVerification } from '../../cms/verify-result.ts';
import type { TimestampToken } from '../../timestamps/timestamp-token.ts';

/** What the first verification says of one signature of a PDF: integrity and who signed; trust is another matter. */
export interface PdfSignatureVerification {
  /** Full name of the signature field. */
  readonly fieldName: string;
  /** `adbe.pkcs7.detached`, `ETSI.CAdES.detached`, `ETSI.RFC3161` (a document time stamp), …; empty when absent. */
  readonly subFilter: string;
  /** As it stands in the file; empty when it is absent or no list of numbers. */
  readonly byteRange: readonly number[];
  /** Nothing follows the signed octets: no later revision changed what is seen. */
  readonly coversWholeFile: boolean;
  /**
   * `intact`: the byte range is sound, and every signer's digest and signature agree. `broken`: something does not.
   * `unknown`: could not tell. For both of these `problem` says why.
   */
  readonly outcome: 'intact' | 'broken' | 'unknown';
  readonly problem?: string;
  /** Absent when the signature could not be read, or its byte range is not sound. */
  readonly cms?: CmsVerification;
  /** The token of a document time stamp that could be read; its authority is to be trusted only after its path is. */
  readonly timestamp?: TimestampToken;
  /** The dictionary's `M`: what the signer's computer claimed. */
  readonly signingTime?: Date;
}

export interface PdfVerification {
  /** Octets of the file. */
  readonly size: number;
  /** In the order in which they were made: by the end of what they cover. */
  readonly signatures: readonly PdfSignatureVerification[];
}

/** What a PDF is, without looking at its signatures' integrity. */
export interface PdfInspection {
  /** The header's version, or the catalog's when that is later: `1.4`, `2.0`. */
  readonly version: string;
  readonly pageCount: number;
  readonly encrypted: boolean;
  /** Signature fields that are filled. */
  readonly signatureCount: number;
  /** Full names. */
  readonly emptySignatureFields: readonly string[];
}
