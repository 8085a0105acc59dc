/** Checks the coverage of a signature and its place (ISO 32000-2 §12.8.1). */
import { isEmptyField, isSignatureField } from '../reading/form-fields.ts';
import type { CrossReferenceSection } from '../reading/cross-reference.ts';
import type { FormField } from '../reading/form-fields.ts';
import type { PdfDocument } from '../reading/pdf-document.ts';
import type { PdfFile } from '../reading/pdf-file.ts';
import { nameOf, numberOf, PdfName, PdfReference, PdfString } from '../syntax/values.ts';
import type { PdfDictionary, PdfValue } from '../syntax/values.ts';
import type { PdfStructureCode, PdfStructureProblem } from './pdf-facts.ts';
import { isAmbiguous } from './object-places.ts';
import { endsSomeRevision, revisionEndingAt } from './revisions.ts';
import type { Revision } from './revisions.ts';

const SENTENCES: Readonly<Record<PdfStructureCode, string>> = {
  VALUE_NOT_DICTIONARY: 'The signature field holds something that is no signature.',
  TYPE_WRONG: 'The dictionary in the signature field says that it is something else than a signature.',
  BYTE_RANGE_MISSING: 'The signature does not say which part of the file it covers.',
  BYTE_RANGE_MALFORMED: 'The signature does not cover the file in two parts, as it must.',
  BYTE_RANGE_START: 'The signature does not cover the beginning of the file.',
  BYTE_RANGE_OUTSIDE: 'The signature says that it covers what the file does not have; perhaps the file was cut off.',
  BYTE_RANGE_OVERLAP: 'The two parts of the file that the signature covers overlap.',
  CONTENTS_MISSING: 'The signature is empty.',
  CONTENTS_INDIRECT: 'The bytes of the signature stand outside its dictionary, where they can be exchanged.',
  HOLE_NOT_CONTENTS: 'The signature leaves out more of the file than itself.',
  DUPLICATE_KEYS: 'The signature says the same thing twice, so that programs may read it differently.',
  CONTENTS_SHARED: 'Several fields claim the same signature.',
  REVISION_SHARED: 'Another signature claims to close the same revision of the file.',
  END_NOT_REVISION: 'What the signature covers does not end where a version of the file ends.',
  NOT_IN_SIGNED_REVISION: 'The signature or its field was not part of the version of the file that it covers.',
  SIGNATURE_UNREACHABLE:
    'No version of the document leads to this signature: the versions before were cut off from it.',
  SIGNATURE_AMBIGUOUS: 'Programs read different signatures: the two cross-references of the file disagree.',
};

export const problemOf = (code: PdfStructureCode): PdfStructureProblem => ({ code, sentence: SENTENCES[code] });

/** A filled signature field of the last revision. */
export interface FoundSignature {
  readonly field: FormField;
  /** Empty when the field's value is none. */
  readonly dictionary: PdfDictionary;
  readonly isDictionary: boolean;
  /** The object with the signature dictionary. */
  readonly holder: number | undefined;
}

/** All signature fields with a value. */
export function findSignatures(fields: readonly FormField[]): readonly FoundSignature[] {
  const found: FoundSignature[] = [];
  for (const field of fields) {
    if (!isSignatureField(field) || isEmptyField(field)) continue;
    const { value, holder } = field.value;
    const isDictionary = value instanceof Map;
    const dictionary = isDictionary ? value : new Map<string, PdfValue>();
    found.push({ field, dictionary, isDictionary, holder: holder ?? field.number });
  }
  return found;
}

/** The numbers of a byte range, unchanged; empty when an element is not an integer. */
export function readRange(document: PdfDocument, dictionary: PdfDictionary): readonly number[] {
  const value = document.resolve(dictionary.get('ByteRange'));
  const numbers = Array.isArray(value) ? value.map((entry) => numberOf(document.resolve(entry)) ?? NaN) : [];
  return numbers.every(Number.isSafeInteger) ? numbers : [];
}

function rangeProblem(numbers: readonly number[], size: number): PdfStructureCode | undefined {
  if (numbers.length === 0) return 'BYTE_RANGE_MISSING';
  const [start, firstLength = -1, secondStart = -1, secondLength = -1] = numbers;
  if (numbers.length !== 4 || Math.min(...numbers) < 0) return 'BYTE_RANGE_MALFORMED';
  if (start !== 0) return 'BYTE_RANGE_START';
  if (secondStart <= firstLength) return 'BYTE_RANGE_OVERLAP';
  return secondStart + secondLength > size ? 'BYTE_RANGE_OUTSIDE' : undefined;
}

/** Readers ignore other characters between the digits, so hidden data would go unseen (ISO 32000-2 §7.3.4.3). */
const HEXADECIMAL = /^<[\dA-Fa-f\0\t\n\f\r ]*>$/;

function contentsProblem(
  contents: PdfValue | undefined,
  [, hole, behind]: readonly number[],
): PdfStructureCode | undefined {
  if (contents instanceof PdfReference) return 'CONTENTS_INDIRECT';
  if (!(contents instanceof PdfString) || contents.stored.length === 0) return 'CONTENTS_MISSING';
  const { position, token } = contents;
  const fits = position === hole && position !== undefined && position + token.length === behind;
  return fits && HEXADECIMAL.test(token.toString('latin1')) ? undefined : 'HOLE_NOT_CONTENTS';
}

function typeProblem(document: PdfDocument, { dictionary }: FoundSignature): PdfStructureCode | undefined {
  const type = document.resolve(dictionary.get('Type'));
  // Type may be absent (Table 255).
  return type === null || ['Sig', 'DocTimeStamp'].includes(nameOf(type) ?? '') ? undefined : 'TYPE_WRONG';
}

/**
 * Checks the dictionary by itself: its type, its range, and the hole, which has to be the `Contents` with its brackets.
 */
export function ownProblem(document: PdfDocument, found: FoundSignature): PdfStructureCode | undefined {
  if (!found.isDictionary) return 'VALUE_NOT_DICTIONARY';
  const numbers = readRange(document, found.dictionary);
  return (
    typeProblem(document, found) ??
    rangeProblem(numbers, document.file.size) ??
    contentsProblem(found.dictionary.get('Contents'), numbers) ??
    duplicateProblem(document, found)
  );
}

/** Reads the keys of the dictionary around `Contents` again, because programs differ in handling duplicate keys. */
function duplicateProblem(document: PdfDocument, found: FoundSignature): PdfStructureCode | undefined {
  const entry = found.holder === undefined ? undefined : document.entry(found.holder);
  const contents = found.dictionary.get('Contents');
  if (entry?.kind !== 'offset' || !(contents instanceof PdfString)) return 'HOLE_NOT_CONTENTS';
  // A dictionary inside its field is read together with the field's own keys.
  return hasDuplicateKeys(document.file, document.crossReference.base + entry.offset) ? 'DUPLICATE_KEYS' : undefined;
}

/** True when the outermost dictionary of the object at `position` has a key twice. */
export function hasDuplicateKeys(file: PdfFile, position: number): boolean {
  return file.parse(position, (reader) => {
    reader.readCount('an object number');
    reader.readCount('a generation');
    reader.skipSpace();
    reader.accept('obj');
    reader.skipSpace();
    if (!reader.accept('<<')) return false;
    const keys = new Set<string>();
    for (;;) {
      reader.skipSpace();
      if (reader.accept('>>')) return false;
      const key = reader.readValue();
      if (!(key instanceof PdfName) || keys.has(key.text)) return true;
      keys.add(key.text);
      reader.readValue();
    }
  });
}

const endOf = (range: readonly number[]): number => (range[2] ?? 0) + (range[3] ?? 0);

/**
 * The revision closed by a range, or the reason for no revision; `undefined` for both when the revision is no longer
 * there.
 */
export function closedRevision(
  file: PdfFile,
  revisions: readonly Revision[],
  range: readonly number[],
): { readonly revision?: Revision; readonly problem?: PdfStructureCode } {
  const end = endOf(range);
  const revision = revisionEndingAt(file, revisions, end);
  if (revision !== undefined) return { revision };
  return endsSomeRevision(file, end) ? {} : { problem: 'END_NOT_REVISION' };
}

/**
 * Checks that the signature is part of the revision closed by its range, unchanged since, in a place visible to all
 * programs.
 *
 * @param view the document as of this revision
 * @param values objects with values of signature fields in the view
 */
export function placeProblem(
  document: PdfDocument,
  view: PdfDocument,
  revision: Revision,
  found: FoundSignature,
  values: ReadonlySet<number>,
): PdfStructureCode | undefined {
  const { holder } = found;
  if (holder === undefined || !values.has(holder)) return 'NOT_IN_SIGNED_REVISION';
  const [then, now] = [view.entry(holder), document.entry(holder)];
  if (then?.kind !== 'offset' || now?.kind !== 'offset' || then.offset !== now.offset) return 'NOT_IN_SIGNED_REVISION';
  const position = view.crossReference.base + then.offset;
  const { start, end = 0 } = revision;
  if (position < start || position >= end) return 'NOT_IN_SIGNED_REVISION';
  const newest = (number: number | undefined): CrossReferenceSection | undefined =>
    number === undefined
      ? undefined
      : view.crossReference.sections.find((section) => section.find(number) !== undefined);
  const isUnclear = [holder, found.field.number].some((number) => {
    const section = newest(number);
    return section !== undefined && number !== undefined && isAmbiguous(section, number);
  });
  return isUnclear ? 'SIGNATURE_AMBIGUOUS' : undefined;
}
