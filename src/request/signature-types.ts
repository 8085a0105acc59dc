/** The signature types, and the parameters of the signing core that each of them stands for. */

/** The types of signatures of documents, spelled as the interface answers them. */
export const documentTypes = [
  'CMS-attached',
  'CMS-detached',
  'CAdES-attached',
  'CAdES-detached',
  'PDFSignature',
  'PAdES',
] as const;

/** All signature types; `RAW` is a bare signature, over a hash or over bytes to sign. */
export const signatureTypes = [...documentTypes, 'RAW'] as const;

export type SignatureType = (typeof signatureTypes)[number];

/** Names on the wire that stand for one of the types. */
export const typeAliases = { CMS: 'CMS-attached', CAdES: 'CAdES-attached' } as const satisfies Readonly<
  Record<string, SignatureType>
>;

/** The signing core's parameters of a signature type. */
export interface SignatureForm {
  readonly container: 'cms' | 'pdf' | 'raw';
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
  RAW: { container: 'raw', attached: false, profile: 'cms' },
};

export function signatureForm(type: SignatureType): SignatureForm {
  return forms[type];
}

/** The types whose signature is part of a PDF. */
export const pdfTypes: readonly SignatureType[] = documentTypes.filter((type) => forms[type].container === 'pdf');

/** The types whose signature is a CMS signature of its own. */
export const cmsTypes: readonly SignatureType[] = documentTypes.filter((type) => forms[type].container === 'cms');

/** The types of signatures of hashes: the document is not part of the signature. */
export const hashTypes = ['CMS-detached', 'CAdES-detached', 'RAW'] as const satisfies readonly SignatureType[];

/** The types with the attributes of EN 319 122-1. */
export const cadesTypes: readonly SignatureType[] = documentTypes.filter((type) => forms[type].profile === 'cades');

/** `CAdES and PAdES`: the types in a sentence, attached and detached ones under one name. */
export function nameTypes(types: readonly SignatureType[]): string {
  const names = [...new Set(types.map((type) => type.replace(/-(?:at|de)tached$/, '')))];
  return [names.slice(0, -1).join(', '), names.at(-1)].filter((part) => part !== '').join(' and ');
}
