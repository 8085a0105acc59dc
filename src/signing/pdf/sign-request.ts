import type { CmsSigner } from '../cms/cms-signer.ts';

/** What the signature dictionary and its field say (ISO 32000-2 §12.8.1). All texts are optional. */
export interface PdfSignatureOptions {
  /**
   * `adbe.pkcs7.detached` for PDFSignature, `ETSI.CAdES.detached` for PAdES (EN 319 142-1 §6.3), `PBAD.PAdES` for PAdES
   * under an ICP-Brasil policy (DOC-ICP-15.03 table A.18); its CMS has the policy and no signing time (table A.14).
   */
  readonly subFilter: 'adbe.pkcs7.detached' | 'ETSI.CAdES.detached' | 'PBAD.PAdES';
  readonly reason?: string;
  readonly location?: string;
  readonly contact?: string;
  /** Name of the person signing; readers take it from the certificate when it is absent. */
  readonly name?: string;
  /** Full name of an empty signature field to fill; absent: a new field is made. */
  readonly fieldName?: string;
  /** The dictionary's `M`. */
  readonly signingTime: Date;
}

/** As much of a `CmsSigner` as a PDF needs. */
export type DetachedSigner = Pick<CmsSigner, 'digest' | 'certificate' | 'detachedSizeLimit' | 'signDigest'>;

/** One PDF, signed as an incremental update: the input is byte for byte the prefix of the output. */
export interface SignPdfRequest {
  readonly inputPath: string;
  /** Created exclusively, flushed and closed; removed on failure. */
  readonly outputPath: string;
  readonly signer: DetachedSigner;
  readonly options: PdfSignatureOptions;
  readonly signal?: AbortSignal;
}

export interface SignPdfResult {
  readonly size: number;
  readonly fieldName: string;
  readonly byteRange: readonly [number, number, number, number];
}
