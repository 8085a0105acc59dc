import type { CmsSigner } from '../cms/cms-signer.ts';
import type { PdfKeys } from './encryption/standard-security.ts';

/**
 * What may be done to the file after a certification (DocMDP, ISO 32000-2 §12.8.2.2): nothing; filling in forms and
 * signing; annotations as well.
 */
export type Certification = 'no-changes' | 'form-filling' | 'annotations';

/** A corner of a page as it is displayed. */
export type PageCorner = 'bottom-left' | 'bottom-right' | 'top-left' | 'top-right';

/**
 * A stamp that shows the signature. Places are points from the bottom left corner of the page as it is shown: turned
 * pages and crop boxes are taken into account, and the stamp stands upright. At least text or image is given; with both,
 * the image stands to the left of the text.
 *
 * ISO 32000-2 §12.7.5.5 lets a signature field have one annotation only. So the first page holds the field, and each
 * other page a stamp annotation of the same looks, which the signature covers like everything else.
 *
 * An existing field that has a rectangle is drawn there; `pages` and the place then do not count.
 */
export interface SignatureAppearance {
  /** Page numbers: 1 is the first page, −1 the last. */
  readonly pages: readonly number[];
  readonly x: number;
  readonly y: number;
  /** From where `x` and `y` lead inwards; absent: the bottom left. */
  readonly corner?: PageCorner;
  readonly width: number;
  readonly height: number;
  /** Where a page has no room for the place, the stamp is made smaller, in proportion, and moved into the page. */
  readonly fit?: boolean;
  /** Shown as it is, in lines; `stampText` makes it from a template. Broken and scaled to fit, up to 12 points. */
  readonly text?: string;
  /** A PNG (with or without alpha) or a JPEG. */
  readonly image?: Uint8Array;
}

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
  /** Absent: the signature is invisible. */
  readonly appearance?: SignatureAppearance;
  /** Makes this the certification of the author; only the first signature of a file can be one. */
  readonly certify?: Certification;
}

/** As much of a `CmsSigner` as a PDF needs. */
export type DetachedSigner = Pick<CmsSigner, 'digest' | 'certificate' | 'detachedSizeLimit' | 'signDigest'>;

/** One PDF, signed as an incremental update: the input is byte for byte the prefix of the output. */
export interface SignPdfRequest extends PdfKeys {
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
