import type { CmsSigner } from '../cms/cms-signer.ts';
import type { PdfKeys } from './encryption/standard-security.ts';
import type { InformationEntry } from './information/information-rules.ts';
import type { StandardWarning } from './signature/standard-warnings.ts';

/**
 * Permitted changes after a certification (DocMDP, ISO 32000-2 §12.8.2.2): none; filling in forms and signing;
 * annotations as well.
 */
export type Certification = 'no-changes' | 'form-filling' | 'annotations';

/** A corner of a page as displayed. */
export type PageCorner = 'bottom-left' | 'bottom-right' | 'top-left' | 'top-right';

/**
 * The visible stamp of a signature. Places are points from the bottom left corner of the page as displayed: rotated
 * pages and crop boxes are taken into account, and the stamp stands upright. At least text or image is given; with
 * both, the image is to the left of the text.
 *
 * ISO 32000-2 §12.7.5.5 allows a signature field a single annotation. The first page therefore holds the field, and
 * each other page a stamp annotation with the same appearance, covered by the signature like everything else.
 *
 * An existing field with a rectangle gets its stamp there; `pages` and the place are then ignored.
 */
export interface SignatureAppearance extends StampLook {
  /**
   * Page numbers: 1 is the first page, −1 the last, −100 every page. Other numbers below 1, and numbers beyond the end,
   * mean the last page; `adjustments` of the result says so.
   */
  readonly pages: readonly number[];
  /**
   * A small mark on each page without the stamp. A PDF with an earlier signature gets none, because annotations would
   * count as a change after that signature.
   */
  readonly initials?: StampLook;
}

/** Place and contents of a stamp on a page. */
export interface StampLook {
  readonly x: number;
  readonly y: number;
  /** The corner from which `x` and `y` count inwards; by default the bottom left. */
  readonly corner?: PageCorner;
  readonly width: number;
  readonly height: number;
  /** Shrinks the stamp in proportion and moves the stamp into the page, when the page has no room at the place. */
  readonly fit?: boolean;
  /**
   * Moves the stamp to the nearest part of the page on which nothing is drawn, and makes it smaller on a full page. The
   * stamp stays at its place where the page has no such part, or cannot be drawn.
   */
  readonly clear?: boolean;
  /**
   * Shown unchanged, in lines; `stampText` makes the text from a template. Broken and scaled to fit, up to 12 points.
   */
  readonly text?: string;
  /** A PNG or a GIF (with or without alpha) or a JPEG. */
  readonly image?: Uint8Array;
  /** A line of `text`, such as the signer's name: drawn larger than the others, and on a single line where it fits. */
  readonly title?: string;
  /** An opaque white ground with a thin frame, so that the text can be read over anything. */
  readonly framed?: boolean;
  /** A code to scan, at the right. */
  readonly code?: ScanCode;
}

/** The modules of a QR code: `size` rows of `size` modules, 1 for a dark module. */
export interface ScanCode {
  readonly size: number;
  readonly modules: Uint8Array;
}

/** Entries of the signature dictionary and its field (ISO 32000-2 §12.8.1). All texts are optional. */
export interface PdfSignatureOptions {
  /**
   * `adbe.pkcs7.detached` for PDFSignature, `ETSI.CAdES.detached` for PAdES (EN 319 142-1 §6.3), `PBAD.PAdES` for PAdES
   * under an ICP-Brasil policy (DOC-ICP-15.03 table A.18); its CMS has the policy and no signing time (table A.14).
   */
  readonly subFilter: 'adbe.pkcs7.detached' | 'ETSI.CAdES.detached' | 'PBAD.PAdES';
  readonly reason?: string;
  readonly location?: string;
  readonly contact?: string;
  /** Name of the signer; without a name, readers use the certificate's. */
  readonly name?: string;
  /**
   * Full name of an empty signature field to fill; absent: a new field is made. `?`: the only empty one; with several,
   * `PDF_FIELD_REQUIRED`; without one, a new field.
   */
  readonly fieldName?: string;
  /**
   * Without `fieldName`: fills the empty signature field of the file, if there is exactly one. With several, a warning
   * names them.
   */
  readonly fillsOnlyEmptyField?: boolean;
  /** Without `appearance`: the look of a filled field that has a place on a page; a new field stays invisible. */
  readonly fieldAppearance?: SignatureAppearance;
  /** The dictionary's `M`. */
  readonly signingTime: Date;
  /** Absent: the signature is invisible. */
  readonly appearance?: SignatureAppearance;
  /** Makes this signature the author's certification; only the first signature of a file can be a certification. */
  readonly certify?: Certification;
  /** Refuse with `PDF_STANDARD_LOST` where PDF/A or PDF/UA, claimed by the file, cannot be kept. */
  readonly keepStandard?: boolean;
  /**
   * Entries for the document information, in the dictionary and in the XMP as far as the file's standard allows. A
   * warning names entries that were left out.
   */
  readonly information?: readonly InformationEntry[];
}

/** The part of a `CmsSigner` needed for a PDF. */
export type DetachedSigner = Pick<CmsSigner, 'digest' | 'certificate' | 'detachedSizeLimit' | 'signDigest'>;

/** A request to sign a PDF in an incremental update: the input is byte for byte the prefix of the output. */
export interface SignPdfRequest extends PdfKeys {
  readonly inputPath: string;
  /** Created exclusively, flushed and closed; removed on failure. */
  readonly outputPath: string;
  readonly signer: DetachedSigner;
  readonly options: PdfSignatureOptions;
  readonly signal?: AbortSignal;
}

/** The signed PDF: its size in bytes, the field of the signature, and warnings. */
export interface SignPdfResult {
  readonly size: number;
  readonly fieldName: string;
  readonly byteRange: readonly [number, number, number, number];
  /** A sentence for each page into which its stamp was moved (`SignatureAppearance.fit`). */
  readonly adjustments: readonly string[];
  /**
   * The reason why the level's evidence is postponed (`OlderEvidence`), as a sentence; absent when the level is
   * reached.
   */
  readonly postponed?: string;
  /** Effects of the signature on the standards claimed by the file. */
  readonly warnings: readonly StandardWarning[];
}
