import { SigningError } from '../../errors.ts';
import type { FormField } from '../reading/form-fields.ts';
import type { PdfDocument } from '../reading/pdf-document.ts';
import { decodeTextString } from '../syntax/text-string.ts';
import { nameOf, numberOf, PdfString } from '../syntax/values.ts';
import type { PdfDictionary, PdfValue } from '../syntax/values.ts';

function forbidden(why: string): never {
  throw new SigningError('PDF_CHANGE_FORBIDDEN', `${why} Ask its author for a version that may still be signed.`);
}

/** Transform methods and parameters of a signature's references (ISO 32000-2 §12.8.2). */
function* transforms(
  document: PdfDocument,
  signature: PdfValue,
): Generator<{ readonly method: string | undefined; readonly parameters: PdfDictionary }> {
  const references = signature instanceof Map ? document.resolve(signature.get('Reference')) : null;
  if (!Array.isArray(references)) return;
  for (const entry of references) {
    const reference = document.resolve(entry);
    if (!(reference instanceof Map)) continue;
    const parameters = document.resolve(reference.get('TransformParams'));
    const method = nameOf(document.resolve(reference.get('TransformMethod')));
    yield { method, parameters: parameters instanceof Map ? parameters : new Map<string, PdfValue>() };
  }
}

const permissionOf = (document: PdfDocument, parameters: PdfDictionary): number =>
  numberOf(document.resolve(parameters.get('P'))) ?? 2;

/** Does a FieldMDP transform or a lock dictionary name this field (ISO 32000-2 §12.8.2.4)? */
function locks(document: PdfDocument, parameters: PdfDictionary, fullName: string): boolean {
  const listed = document.resolve(parameters.get('Fields'));
  const names = (Array.isArray(listed) ? listed : [])
    .map((entry) => document.resolve(entry))
    .filter((entry) => entry instanceof PdfString)
    .map((entry) => decodeTextString(entry.plain));
  const named = names.some((name) => fullName === name || fullName.startsWith(`${name}.`));
  const action = nameOf(document.resolve(parameters.get('Action')));
  return action === 'All' || (action === 'Include' && named) || (action === 'Exclude' && !named);
}

/** Checks the certification signature named by the catalog (ISO 32000-2 §12.8.6). */
function checkCertification(
  document: PdfDocument,
  { addsAnnotations, addsVisibleField }: Pick<IntendedChange, 'addsAnnotations' | 'addsVisibleField'>,
): void {
  const permissions = document.resolve(document.catalog.value.get('Perms'));
  const certification = permissions instanceof Map ? document.resolve(permissions.get('DocMDP')) : null;
  for (const { method, parameters } of transforms(document, certification)) {
    if (method !== 'DocMDP') continue;
    const permission = permissionOf(document, parameters);
    if (permission === 1) forbidden('The author certified the PDF and allows no change to it, not even a signature.');
    if (permission === 2 && addsAnnotations) {
      forbidden('The author certified the PDF and allows no annotations, which stamps on several pages are.');
    }
    if (permission === 2 && addsVisibleField) {
      const message =
        'The author certified the PDF and allows signatures, but nothing put over its pages unasked. ' +
        'Sign invisibly, or fill a signature field that the PDF brings along.';
      throw new SigningError('PDF_CHANGE_FORBIDDEN', message);
    }
  }
}

/** The changes by signing. */
export interface IntendedChange {
  /** Full name of the field to fill, if any. */
  readonly target: string | undefined;
  /** True when annotations outside of the form will be added. */
  readonly addsAnnotations: boolean;
  /** True when a visible signature field will be added. */
  readonly addsVisibleField: boolean;
  readonly certifies: boolean;
}

/**
 * Throws `PDF_CHANGE_FORBIDDEN` when an earlier signature forbids this signature: DocMDP or a lock with P 1,
 * annotations or a new visible field without P 3 (both could cover certified content), or a lock on the field to fill
 * (FieldMDP). Throws the same for a certification after another signature, because a certification comes first (ISO
 * 32000-2 §12.8.2.2.1).
 */
export function checkSigningAllowed(
  document: PdfDocument,
  signedFields: readonly FormField[],
  { target, certifies, ...additions }: IntendedChange,
): void {
  if (certifies && signedFields.length > 0) {
    throw new SigningError(
      'PDF_CHANGE_FORBIDDEN',
      'Only the first signature of a PDF can certify it, and this one is signed already. Sign without certifying.',
    );
  }
  checkCertification(document, additions);
  for (const field of signedFields) {
    const lock = document.resolve(field.dictionary.get('Lock'));
    if (lock instanceof Map && numberOf(document.resolve(lock.get('P'))) === 1) {
      forbidden(`The signature in the field "${field.fullName}" locked the PDF.`);
    }
    for (const { method, parameters } of transforms(document, field.value.value)) {
      if (method === 'DocMDP' && permissionOf(document, parameters) === 1) {
        forbidden(`The signature in the field "${field.fullName}" allows no change to the PDF.`);
      }
      if (method === 'FieldMDP' && target !== undefined && locks(document, parameters, target)) {
        forbidden(`The signature in the field "${field.fullName}" locked the field "${target}".`);
      }
    }
  }
}
