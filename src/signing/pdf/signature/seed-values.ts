import { SigningError } from '../../errors.ts';
import type { SigningDigest } from '../../keys/signer.ts';
import type { FormField } from '../reading/form-fields.ts';
import type { PdfDocument } from '../reading/pdf-document.ts';
import { signatureFilter } from './signature-dictionary.ts';
import type { Certification, PdfSignatureOptions } from '../sign-request.ts';
import { decodeTextString } from '../syntax/text-string.ts';
import { nameOf, numberOf, PdfString } from '../syntax/values.ts';
import type { PdfDictionary, PdfValue } from '../syntax/values.ts';

/** Bits of `Ff` for mandatory seed values (ISO 32000-2 Table 237). */
const FILTER_REQUIRED = 0x01;
const SUB_FILTER_REQUIRED = 0x02;
const REASONS_REQUIRED = 0x08;
const DIGEST_REQUIRED = 0x40;

/** DocMDP's `P` (ISO 32000-2 Table 257). */
export const CERTIFICATION_PERMISSIONS: Readonly<Record<Certification, 1 | 2 | 3>> = {
  'no-changes': 1,
  'form-filling': 2,
  annotations: 3,
};

function refuse(field: FormField, demand: string): never {
  throw new SigningError('PDF_CHANGE_FORBIDDEN', `The field "${field.fullName}" ${demand}`);
}

/** Names or text strings of an array. */
function textsOf(document: PdfDocument, value: PdfValue | undefined): readonly string[] {
  const found = document.resolve(value);
  return (Array.isArray(found) ? found : [])
    .map((entry) => document.resolve(entry))
    .map((entry) => (entry instanceof PdfString ? decodeTextString(entry.plain) : nameOf(entry)))
    .filter((text) => text !== undefined);
}

function checkReason(field: FormField, allowed: readonly string[], reason: string | undefined): void {
  if (allowed.length === 0) return;
  // A single full stop forbids a reason.
  const none = allowed.length === 1 && allowed[0] === '.';
  if (none && reason !== undefined && reason !== '') refuse(field, 'allows no reason. Sign without one.');
  if (none || (reason !== undefined && allowed.includes(reason))) return;
  refuse(field, `asks for one of these reasons: ${allowed.map((text) => `"${text}"`).join(', ')}.`);
}

/** `MDP` of the seed values decides about certification; its `P` 0 demands an ordinary signature. */
function certificationOf(
  document: PdfDocument,
  field: FormField,
  seeds: PdfDictionary,
  certify: Certification | undefined,
): Certification | undefined {
  const demand = document.resolve(seeds.get('MDP'));
  const permission = demand instanceof Map ? numberOf(document.resolve(demand.get('P'))) : undefined;
  if (permission === undefined) return certify;
  const levels = Object.keys(CERTIFICATION_PERMISSIONS) as Certification[];
  const wanted = levels.find((level) => CERTIFICATION_PERMISSIONS[level] === permission);
  if (certify !== undefined && certify !== wanted) {
    const what = wanted === undefined ? 'does not certify' : `certifies with "${wanted}"`;
    refuse(field, `asks for a signature that ${what}. Choose this, or another field.`);
  }
  return wanted;
}

/**
 * Checks the signature against the mandatory seed values of its field (ISO 32000-2 §12.7.5.5): filter, subfilter,
 * digest, reason. Throws `PDF_CHANGE_FORBIDDEN` for a violation.
 *
 * @returns the certification: as requested, or as the field demands
 */
export function honourSeedValues(
  document: PdfDocument,
  field: FormField,
  options: PdfSignatureOptions,
  digest: SigningDigest | undefined,
): Certification | undefined {
  const seeds = document.resolve(field.dictionary.get('SV'));
  if (!(seeds instanceof Map)) return options.certify;
  const flags = numberOf(document.resolve(seeds.get('Ff'))) ?? 0;
  const requires = (bit: number, key: string): boolean => (flags & bit) !== 0 && seeds.has(key);
  const filter = nameOf(document.resolve(seeds.get('Filter')));
  if (requires(FILTER_REQUIRED, 'Filter') && filter !== signatureFilter(options.subFilter)) {
    refuse(field, `asks for the signature handler "${filter ?? ''}", which only its maker has. Choose another field.`);
  }
  const subFilters = textsOf(document, seeds.get('SubFilter'));
  if (requires(SUB_FILTER_REQUIRED, 'SubFilter') && !subFilters.includes(options.subFilter)) {
    refuse(field, `asks for a signature of one of these kinds: ${subFilters.join(', ')}.`);
  }
  const digests = textsOf(document, seeds.get('DigestMethod'));
  const isAllowed = digests.some((name) => name.replaceAll('-', '').toLowerCase() === digest);
  if (requires(DIGEST_REQUIRED, 'DigestMethod') && digest !== undefined && !isAllowed) {
    refuse(field, `asks for one of these digests: ${digests.join(', ')}. Choose one of them.`);
  }
  if (requires(REASONS_REQUIRED, 'Reasons')) {
    checkReason(field, textsOf(document, seeds.get('Reasons')), options.reason);
  }
  return certificationOf(document, field, seeds, options.certify);
}
