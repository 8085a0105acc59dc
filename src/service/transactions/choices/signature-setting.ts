import type { Certification, SignatureAppearance } from '../../../signing/index.ts';

/** A named signature configuration of a transaction. */
export interface SignatureSetting {
  readonly id: string;
  readonly reason?: string;
  readonly location?: string;
  readonly contact?: string;
  readonly name?: string;
  /** Full name of an empty signature field to fill. */
  readonly fieldName?: string;
  /** Permitted changes of the PDF afterwards (DocMDP); absent: no certification. */
  readonly certify?: Certification;
  /** Absent: the signature is invisible. */
  readonly visible?: VisibleSignature;
  /** For a document that is a CMS signature: the index of the signer to counter-sign, from 0, or all signers. */
  readonly counterSign?: number | 'all';
}

/**
 * A stamp on a PDF, at a place in the signing core's form: points from a corner of the page as displayed, by default
 * the bottom left. With `fit`, a stamp that reaches over the edge of its page is moved, and made smaller if it must be,
 * into the page; else its document fails.
 */
export interface VisibleSignature extends Omit<SignatureAppearance, 'image' | 'text'> {
  /** Base64 of a PNG, a JPEG or a GIF. */
  readonly image?: string;
  /** A template; absent: the default template. */
  readonly text?: string;
  readonly extraInfo?: readonly { readonly label: string; readonly value: string }[];
}

/** The default place of a stamp: the lower left corner of the last page, smaller on a page that is too small. */
export const usualPlace = {
  pages: [-1],
  x: 36,
  y: 36,
  width: 230,
  height: 80,
  fit: true,
} as const satisfies VisibleSignature;
