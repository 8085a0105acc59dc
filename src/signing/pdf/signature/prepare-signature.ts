import type { PageInk } from '../appearance/page-ink.ts';
import type { TextSetter } from '../appearance/shape-text.ts';
import { addInformation } from '../information/add-information.ts';
import { declareAlgorithms, type AlgorithmChoice } from './algorithm-extensions.ts';
import { checkSigningAllowed } from './change-permission.ts';
import { addSignatureField, findEmptyField } from './signature-field.ts';
import { fieldsLeftEmpty, informationLeftOut } from './standard-warnings.ts';
import { SigningError } from '../../errors.ts';
import { isEmptyField, isSignatureField, walkFields } from '../reading/form-fields.ts';
import type { FormField } from '../reading/form-fields.ts';
import { IncrementalUpdate } from '../writing/incremental-update.ts';
import type { PdfDocument } from '../reading/pdf-document.ts';
import { malformed } from '../syntax/pdf-error.ts';
import { CERTIFICATION_PERMISSIONS, honourSeedValues } from './seed-values.ts';
import type { PdfSignatureOptions, SignPdfResult } from '../sign-request.ts';
import {
  buildSignatureDictionary,
  certificationReference,
  finishRevision,
  type UnsignedRevision,
  lockReference,
} from './signature-dictionary.ts';
import { PdfReference } from '../syntax/values.ts';
import type { PdfValue } from '../syntax/values.ts';

/** The update for signing a PDF; only the signature itself is missing. Offsets are into `bytes`. */
export interface PreparedSignature extends UnsignedRevision {
  readonly fieldName: string;
  readonly adjustments: SignPdfResult['adjustments'];
  readonly warnings: SignPdfResult['warnings'];
}

function lockReferences(document: PdfDocument, field: FormField | undefined): readonly PdfValue[] {
  const lock = document.resolve(field?.dictionary.get('Lock'));
  if (!(lock instanceof Map)) return [];
  const resolved = new Map([...lock].map(([key, value]) => [key, document.resolve(value)]));
  return [lockReference(resolved, document.trailer.get('Root') ?? null)];
}

/** The catalog names the certification (ISO 32000-2 §12.8.6). */
function nameCertification(document: PdfDocument, update: IncrementalUpdate, signature: PdfReference): void {
  const { value: catalog, holder } = update.locate(document.trailer.get('Root'));
  if (!(catalog instanceof Map)) malformed('its document catalog is missing');
  const permissions = update.locate(catalog.get('Perms'), holder);
  if (permissions.value instanceof Map) {
    permissions.value.set('DocMDP', signature);
    update.markChanged(permissions.holder);
  } else {
    catalog.set('Perms', new Map([['DocMDP', signature]]));
    update.markChanged(holder);
  }
}

/** The name that asks for a choice: the only empty field is filled, and several fields are an error. */
const CHOICE_NEEDED = '?';

/** The chosen field (undefined: a new one), and the empty fields that nobody chose. */
interface FieldChoice {
  readonly target: FormField | undefined;
  readonly leftEmpty: readonly string[];
}

/** The field to fill: the named field, or on request the only empty one. */
function chooseField(
  fields: readonly FormField[],
  { fieldName, fillsOnlyEmptyField }: PdfSignatureOptions,
): FieldChoice {
  if (fieldName !== undefined && fieldName !== CHOICE_NEEDED) {
    return { target: findEmptyField(fields, fieldName), leftEmpty: [] };
  }
  const empty = fieldName === CHOICE_NEEDED || fillsOnlyEmptyField === true ? fields.filter(isEmptyField) : [];
  if (empty.length < 2) return { target: empty[0], leftEmpty: [] };
  const leftEmpty = empty.map(({ fullName }) => fullName);
  if (fieldName !== CHOICE_NEEDED) return { target: undefined, leftEmpty };
  const names = leftEmpty.map((name) => `"${name}"`).join(', ');
  throw new SigningError(
    'PDF_FIELD_REQUIRED',
    `The PDF has several empty signature fields. Choose one of them: ${names}.`,
  );
}

/**
 * Prepares the incremental update for signing: the field, the form, the page and the signature dictionary with its byte
 * range. Reads the document, writes nothing.
 *
 * @param signer the hash function of the signature, which a field may demand, the certificate of its key, and the most
 *   bytes of a signature
 * @param drawing.setter opened for the texts of the appearances
 * @param drawing.ink what is drawn on the pages, for appearances that must be clear of it
 */
export function prepareSignature(
  document: PdfDocument,
  options: PdfSignatureOptions,
  signer: AlgorithmChoice & { readonly detachedSizeLimit: number },
  drawing: { readonly setter: TextSetter; readonly ink?: PageInk },
): PreparedSignature {
  const names = new Set<string>();
  const signatureFields: FormField[] = [];
  for (const field of walkFields(document)) {
    names.add(field.fullName);
    if (isSignatureField(field)) signatureFields.push(field);
  }
  const signed = signatureFields.filter((field) => !isEmptyField(field));
  const { target, leftEmpty } = chooseField(signatureFields, options);
  const appearance = options.appearance ?? (target === undefined ? undefined : options.fieldAppearance);
  const certify = target === undefined ? options.certify : honourSeedValues(document, target, options, signer.digest);
  // Initials do not count, because no initials are added after an earlier signature.
  const addsAnnotations = target === undefined && new Set(appearance?.pages).size > 1;
  const addsVisibleField = target === undefined && appearance !== undefined;
  const certifies = certify !== undefined;
  checkSigningAllowed(document, signed, { target: target?.fullName, addsAnnotations, addsVisibleField, certifies });

  const update = new IncrementalUpdate(document);
  const number = update.allocate();
  const signature = new PdfReference(number, 0);
  const {
    fullName,
    adjustments,
    warnings: found,
  } = addSignatureField(document, update, {
    signature,
    target,
    names,
    drawn: appearance === undefined ? undefined : { appearance, ...drawing },
    isFirst: signed.length === 0,
    keepStandard: options.keepStandard,
  });

  const references = [...lockReferences(document, target)];
  if (certify !== undefined) {
    references.unshift(certificationReference(CERTIFICATION_PERMISSIONS[certify]));
    nameCertification(document, update, signature);
  }
  declareAlgorithms(document, update, signer);
  const leftOut = addInformation(document, update, options.information ?? []);
  const warnings = [
    ...found,
    ...(leftEmpty.length === 0 ? [] : [fieldsLeftEmpty(leftEmpty)]),
    ...(leftOut.length === 0 ? [] : [informationLeftOut(leftOut)]),
  ];
  const dictionary = buildSignatureDictionary(
    options,
    signer.detachedSizeLimit,
    references,
    document.cipherOf(number, 0),
  );
  const revision = finishRevision(update, number, dictionary, document.file.size);
  return { ...revision, fieldName: fullName, adjustments, warnings };
}
