import type { Dispatch } from 'react';
import type { ArchivePlace } from '../../../../src/ui-contract/archive-calls.ts';
import type { CallInput } from '../../../../src/ui-contract/ui-contract.ts';
import type { FileStamp } from '../../../../src/ui-contract/stamp-calls.ts';
import { optionsForType } from '../../../../src/request/derive.ts';
import { requestOptions, settingOptions } from '../../../../src/request/signature-request.ts';
import { cadesTypes, pdfTypes as inPdf, documentTypes } from '../../../../src/request/signature-types.ts';
import { policiesWithoutStamp, type signaturePolicies } from '../../../../src/request/signature-policies.ts';
import { ownStampOf, textOfInitials, type StampOptions } from './stamp-options.ts';

/** The types of signatures of documents: the window signs no hashes by itself. */
export type SignatureType = Exclude<CallInput<'sign.create'>['type'], 'RAW'>;

const byPreference = documentTypes.toReversed();

/** The types of signatures of PDFs, and of other files, the usual ones first. */
export const pdfTypes = byPreference.filter((type) => inPdf.includes(type) || cadesTypes.includes(type));
export const otherTypes = byPreference.filter((type) => !inPdf.includes(type));

/** A level or a policy; `none` is the bare signature of the type. */
export type Policy = (typeof signaturePolicies)[number];

/** Permitted changes of a PDF after its signature (DocMDP); `none` is no certification. */
export const certifications = ['none', ...settingOptions.certify.values] as const;

/** The options of a batch for the core; the type depends on each file. Empty texts are left out. */
export interface SigningOptions {
  readonly alias: string;
  readonly pdfType: SignatureType;
  readonly otherType: SignatureType;
  readonly digest: CallInput<'sign.create'>['digest'];
  readonly policy: Policy;
  /** Empty: the first configured server. */
  readonly timestampServer: string;
  /** The role that the signer claims; empty: none. */
  readonly claimedRole: string;
  readonly reason: string;
  readonly location: string;
  readonly certify: (typeof certifications)[number];
  /** Null: the signature is not visible. */
  readonly stamp: StampOptions | null;
  /** Of encrypted PDFs. */
  readonly password: string;
  /** Repair damaged PDFs before their signature. */
  readonly repair: boolean;
  /** Where the results go; null keeps results in Sinete for their lifetime. */
  readonly place: ArchivePlace | null;
  /** Sign a document beside the signers of a signature file in the batch, where possible. */
  readonly beside: boolean;
}

/** Input of each part of the options. */
export interface OptionPartProps {
  readonly options: SigningOptions;
  readonly onChange: Dispatch<Partial<SigningOptions>>;
}

export const initialOptions: SigningOptions = {
  alias: '',
  pdfType: 'PAdES',
  otherType: 'CAdES-detached',
  digest: 'sha256',
  policy: 'none',
  timestampServer: '',
  claimedRole: '',
  reason: '',
  location: '',
  certify: 'none',
  stamp: null,
  password: '',
  repair: false,
  place: null,
  beside: true,
};

/**
 * True if a signature of this type can follow the policy: CMS knows none, and ICP-Brasil knows CAdES and PAdES. PAdES
 * has no AD-RV (DOC-ICP-15.03).
 */
export function suits(type: SignatureType, policy: Policy): boolean {
  if (policy === 'none' || type.startsWith('CAdES')) return true;
  if (type === 'PAdES') return policy !== 'AD-RV';
  return type === 'PDFSignature' && policy.startsWith('B-');
}

/** The options, with a permitted type in place of a chosen type that the level does not support. */
export function withTypesThatSuit(options: SigningOptions): SigningOptions {
  const { policy, pdfType, otherType } = options;
  const suiting = (types: readonly SignatureType[], chosen: SignatureType): SignatureType =>
    suits(chosen, policy) ? chosen : (types.find((type) => suits(type, policy)) ?? chosen);
  return { ...options, pdfType: suiting(pdfTypes, pdfType), otherType: suiting(otherTypes, otherType) };
}

/** True if signatures under this policy carry a time stamp. */
export const needsTimestamp = (policy: Policy): boolean => !policiesWithoutStamp.includes(policy);

/** True for signature types that can show a stamp. */
export const showsStamp = (type: SignatureType): boolean => settingOptions.visible.types.includes(type);

/** The type and the options in the form of the signing calls, without options that signatures of the type do not have. */
export function requestOf(type: SignatureType, options: SigningOptions): Omit<CallInput<'sign.create'>, 'files'> {
  const {
    alias,
    digest,
    policy,
    timestampServer,
    claimedRole,
    reason,
    location,
    certify,
    stamp,
    password,
    repair,
    place,
  } = options;
  const chosen = {
    policy: policy === 'none' ? undefined : policy,
    timestampServer: timestampServer === '' || !needsTimestamp(policy) ? undefined : timestampServer,
    claimedRole: claimedRole === '' ? undefined : claimedRole,
    reason: reason === '' ? undefined : reason,
    location: location === '' ? undefined : location,
    certify: certify === 'none' ? undefined : certify,
    visible: stamp === null ? undefined : placeOf(stamp),
  };
  return {
    type,
    alias,
    digest,
    ...optionsForType({ ...requestOptions, ...settingOptions }, chosen, type),
    ...(inPdf.includes(type) && password !== '' ? { password } : {}),
    ...(inPdf.includes(type) && repair ? { autoFix: true } : {}),
    ...(place === null ? {} : { place }),
  };
}

/** Text and image of a stamp in the form of the calls. Without either, the default text is shown. */
export function lookOf({ text, image }: StampOptions): { readonly text?: string; readonly image?: string } {
  return {
    ...(text.trim() === '' && image === null ? {} : { text }),
    image: image ?? undefined,
  };
}

function placeOf(stamp: StampOptions): NonNullable<CallInput<'sign.create'>['visible']> {
  const { page, position, initials } = stamp;
  const mark = initials === null ? {} : { initials: { ...initials.position, text: textOfInitials(initials) } };
  return { pages: [numberOf(page)], ...position, fit: true, ...lookOf(stamp), ...mark };
}

const numberOf = (page: StampOptions['page']): number => (page === 'first' ? 1 : page === 'last' ? -1 : page);

/** The stamp of one file, where it differs from the batch; only for types that show a stamp. */
export function fileStampOf(
  type: SignatureType,
  { stamp }: SigningOptions,
  id: number,
): { readonly stamp?: FileStamp } {
  const own = stamp === null || !showsStamp(type) ? null : ownStampOf(stamp, id);
  if (own === null) return {};
  if (own.kind !== 'place') return { stamp: own };
  return { stamp: { kind: 'place', pages: [numberOf(own.page)], ...own.position } };
}
