import type { CmsVerification } from '../../signed-data/verify-result.ts';
import type { TimestampToken } from '../../timestamps/timestamp-token.ts';

/** The result of verifying a signature of a PDF: integrity and identity of the signer; trust is a separate step. */
export interface PdfSignatureVerification {
  /** Full name of the signature field. */
  readonly fieldName: string;
  /** `adbe.pkcs7.detached`, `ETSI.CAdES.detached`, `ETSI.RFC3161` (a document time stamp), …; empty when absent. */
  readonly subFilter: string;
  /** The numbers in the file; empty for an absent or malformed range. */
  readonly byteRange: readonly number[];
  /** True without bytes behind the signed bytes: no later revision changed the display. */
  readonly coversWholeFile: boolean;
  /**
   * `intact`: the byte range is sound, and every signer's digest and signature agree. `broken`: something does not.
   * `unknown`: could not tell. For both of these `problem` says why.
   */
  readonly outcome: 'intact' | 'broken' | 'unknown';
  readonly problem?: string;
  /** Absent when the signature could not be read, or its byte range is not sound. */
  readonly cms?: CmsVerification;
  /** The token of a readable document time stamp; trust in its authority needs a valid path. */
  readonly timestamp?: TimestampToken;
  /** The dictionary's `M`: a claim of the signer's computer. */
  readonly signingTime?: Date;
}

export interface PdfVerification {
  /** Octets of the file. */
  readonly size: number;
  /** In the order of signing: by the end of the covered bytes. */
  readonly signatures: readonly PdfSignatureVerification[];
}

/** Properties of a PDF, without the integrity of its signatures. */
export interface PdfInspection {
  /** The header's version, or a later version in the catalog: `1.4`, `2.0`. */
  readonly version: string;
  readonly pageCount: number;
  readonly encrypted: boolean;
  /** Number of filled signature fields. */
  readonly signatureCount: number;
  /** Full names. */
  readonly emptySignatureFields: readonly string[];
}
