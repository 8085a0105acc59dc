import type { SignatureType } from '../transaction.ts';

/** The signing core's parameters of a signature type. */
export interface SignatureForm {
  readonly container: 'cms' | 'pdf';
  /** The content is inside the signature; always false for PDF. */
  readonly attached: boolean;
  readonly profile: 'cms' | 'cades';
}

const forms: Readonly<Record<SignatureType, SignatureForm>> = {
  'CMS-attached': { container: 'cms', attached: true, profile: 'cms' },
  'CMS-detached': { container: 'cms', attached: false, profile: 'cms' },
  'CAdES-attached': { container: 'cms', attached: true, profile: 'cades' },
  'CAdES-detached': { container: 'cms', attached: false, profile: 'cades' },
  PDFSignature: { container: 'pdf', attached: false, profile: 'cms' },
  PAdES: { container: 'pdf', attached: false, profile: 'cades' },
};

export function signatureForm(type: SignatureType): SignatureForm {
  return forms[type];
}
