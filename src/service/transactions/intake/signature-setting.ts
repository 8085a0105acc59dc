import type { Certification, SignatureAppearance } from '../../../signing/index.ts';

/** One named signature configuration of a transaction. */
export interface SignatureSetting {
  readonly id: string;
  readonly reason?: string;
  readonly location?: string;
  readonly contact?: string;
  readonly name?: string;
  /** Full name of an empty signature field to fill. */
  readonly fieldName?: string;
  /** What may be done to the PDF afterwards (DocMDP); absent: nothing is said. */
  readonly certify?: Certification;
  /** Absent: the signature is invisible. */
  readonly visible?: VisibleSignature;
  /** The document is a CMS signature whose signer, counted from 0, is counter-signed, or each of its signers. */
  readonly counterSign?: number | 'all';
}

/**
 * A stamp on a PDF, at a place as the signing core takes it: points from a corner of the page as it is displayed, the
 * bottom left unless named. With `fit`, a page without room for the place gets a smaller stamp, moved into it; else its
 * document fails.
 */
export interface VisibleSignature extends Omit<SignatureAppearance, 'image' | 'text'> {
  /** Base64 of a PNG or a JPEG. */
  readonly image?: string;
  /** A template; absent: the usual one. */
  readonly text?: string;
  readonly extraInfo?: readonly { readonly label: string; readonly value: string }[];
}
