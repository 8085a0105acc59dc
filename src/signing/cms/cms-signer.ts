import type { DigestAlgorithm, SignatureScheme } from '../keys/signer.ts';

/** What every signature of one signer has in common; encoded once by `prepareCmsSigner`. */
export interface CmsSignerOptions {
  readonly digest: DigestAlgorithm;
  /** `cades` adds signingCertificateV2 (RFC 5035 §3, EN 319 122-1 §5.2.2); both sign contentType and messageDigest. */
  readonly profile: 'cms' | 'cades';
  /** Default: the key's first scheme. */
  readonly scheme?: SignatureScheme;
  /** Leave out the signing-time attribute: PAdES says the time in the signature dictionary (EN 319 142-1 §6.3). */
  readonly omitSigningTime?: boolean;
}

/** Makes CMS SignedData (RFC 5652 §5) with one key. Calls may overlap. */
export interface CmsSigner {
  readonly digest: DigestAlgorithm;
  readonly certificate: Buffer;
  /** An upper bound of the DER length of a detached SignedData, for a PDF's `Contents`. */
  readonly detachedSizeLimit: number;
  /** Detached SignedData over content whose digest is given. */
  signDigest(contentDigest: Uint8Array, signingTime: Date): Promise<Buffer>;
  /** Attached SignedData over content held in memory. */
  signContent(content: Uint8Array, signingTime: Date): Promise<Buffer>;
  /**
   * Streams a file into a new file in constant memory: detached (`.p7s`) or attached in definite-length DER (`.p7m`).
   * The output is created exclusively, flushed to disk and closed; on failure it is removed.
   */
  signFile(request: SignFileRequest): Promise<SignFileResult>;
}

export interface SignFileRequest {
  readonly inputPath: string;
  readonly outputPath: string;
  readonly attached: boolean;
  readonly signingTime: Date;
  readonly signal?: AbortSignal;
}

export interface SignFileResult {
  /** Octets of the output file. */
  readonly size: number;
  /** Lower-case hex digest of the content, by the signer's digest algorithm. */
  readonly contentDigest: string;
}
