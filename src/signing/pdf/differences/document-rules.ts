/** Rules for the trailer and the catalog: the permitted changes by later revisions. */
import { SigningError } from '../../errors.ts';
import type { PdfDocument } from '../reading/pdf-document.ts';
import { nameOf, PdfReference } from '../syntax/values.ts';
import type { PdfValue } from '../syntax/values.ts';
import { placeOf } from './object-places.ts';
import { differentKeys, sameThrough, sameValue } from './same-value.ts';
import { compareForms } from './form-rules.ts';
import { gotSrgbIntents } from './output-intents.ts';
import type { PdfChangeCode } from './pdf-facts.ts';
import { forEachReference, TRAILER } from './reference-index.ts';
import type { Step } from './step-ledger.ts';
import { structureGrew } from './structure-rules.ts';

/** Entries of a trailer about its section, or about the version of the file. */
const SECTION_ENTRIES = new Set(
  ['Size', 'Prev', 'XRefStm', 'ID', 'Type', 'W', 'Index', 'Length', 'Filter', 'DecodeParms'].concat(['DL', 'Info']),
);

/** Matches the beginning of a ZIP or XML file: every OpenDocument file has one of these forms. */
const OPEN_DOCUMENT = /^(?:PK|(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?[\s\0]*<)/;

/** True for a stream that LibreOffice could open, or that cannot be read here. */
function isOpenDocument(document: PdfDocument, value: PdfValue): boolean {
  try {
    const data = document.readStream(value);
    return data !== undefined && OPEN_DOCUMENT.test(data.toString('latin1', 0, 64));
  } catch (error) {
    if (!(error instanceof SigningError) || document.file.budget.exhausted) throw error;
    return true;
  }
}

const referencesIn = (value: PdfValue): readonly PdfReference[] => {
  const references: PdfReference[] = [];
  forEachReference(value, (reference) => references.push(reference));
  return references;
};

/**
 * True when an entry missing from the previous trailer is restored from the newest trailer with this entry, and the
 * objects of its value have unchanged bytes. A trailer must repeat the entries of the previous trailer (ISO 32000-2
 * §7.5.6), but some programs leave entries out, and others merge the trailers of all revisions.
 */
function cameBack({ before, after }: Step, key: string): boolean {
  const { trailer, crossReference } = before.document;
  const { sections } = crossReference;
  const index = sections.findIndex((section) => section.trailer.has(key));
  const now = after.document.trailer.get(key);
  if (trailer.has(key) || index < 0 || now === undefined) return false;
  const older = before.document.seenThrough({ ...crossReference, sections: sections.slice(index) });
  const isInPlace = ({ number }: PdfReference): boolean => placeOf(older, number) === placeOf(after.document, number);
  return sameValue(older.trailer.get(key), now) && referencesIn(now).every(isInPlace);
}

/**
 * A hybrid PDF of LibreOffice names its OpenDocument file in the trailer, and LibreOffice shows that file in place of
 * the pages. Programs that rewrite the trailer break this reference: the file is lost, which changes no page. The same
 * file may come back. Another file in its place is a change of the document.
 */
function compareSourceFile(step: Step): void {
  const { before, after, moved, ledger } = step;
  const [then, now] = [before, after].map(({ document }) => document.trailer.get('AdditionalStreams'));
  const references = referencesIn(now ?? null);
  const hasMoved = references.some(({ number }) => moved.added.has(number) || moved.touched.has(number));
  if (sameValue(then, now) && !hasMoved) return;
  if (!references.some((reference) => isOpenDocument(after.document, reference))) ledger.add('SOURCE_FILE_LOST');
  else ledger.add(cameBack(step, 'AdditionalStreams') ? 'SOURCE_FILE_RESTORED' : 'TRAILER_CHANGED');
}

/** The first identifier is part of the encryption key and names the document (ISO 32000-2 §14.4). */
const firstIdentifier = (document: PdfDocument): PdfValue => {
  const identifiers = document.resolve(document.trailer.get('ID'));
  return Array.isArray(identifiers) ? document.resolve(identifiers[0]) : null;
};

/**
 * True when an entry unknown to ISO 32000-2 was left out, as by programs that write a new trailer, or restored.
 * LibreOffice's mark of an unchanged file may also be new, because only LibreOffice reads the mark, together with its
 * OpenDocument file.
 */
function isHarmlessEntry(step: Step, key: string): boolean {
  const [then, now] = [step.before.document.trailer, step.after.document.trailer];
  if (!now.has(key) || cameBack(step, key)) return true;
  return key === 'DocChecksum' && !then.has(key) && !now.has('AdditionalStreams');
}

export function compareTrailers(step: Step): void {
  const { before, after, moved, ledger } = step;
  const [then, now] = [before.document.trailer, after.document.trailer];
  for (const key of differentKeys(then, now)) {
    // The catalog and the OpenDocument file have their own rules.
    if (SECTION_ENTRIES.has(key) || key === 'Root' || key === 'AdditionalStreams') continue;
    if (key === 'Encrypt') ledger.add('ENCRYPTION_CHANGED');
    else if (!isHarmlessEntry(step, key)) ledger.add('TRAILER_CHANGED');
  }
  compareSourceFile(step);
  const identifier = firstIdentifier(before.document);
  if (before.document.encrypted && !sameValue(identifier, firstIdentifier(after.document))) {
    ledger.add('ENCRYPTION_CHANGED');
  }
  const encryption = now.get('Encrypt');
  if (encryption instanceof PdfReference && moved.touched.has(encryption.number)) {
    ledger.settle(encryption.number);
    ledger.add('ENCRYPTION_CHANGED', { objectNumber: encryption.number });
  }
  const site = { holder: TRAILER, path: '/Info' };
  const isMoved = [before, after].map(({ document }) => ledger.claim(document, document.trailer.get('Info'), site));
  if (isMoved.includes(true) || !sameValue(then.get('Info'), now.get('Info'))) ledger.add('METADATA_UPDATED');
}

/** Allows any change to this part of the catalog. */
function compareWhole(step: Step, key: string, code: PdfChangeCode): void {
  const { before, after, ledger } = step;
  const values = [before, after].map(({ document }) => document.catalog.value.get(key));
  const moved = [before, after].map(({ document }) =>
    ledger.claim(document, document.catalog.value.get(key), { holder: document.catalog.holder, path: `/${key}` }),
  );
  if (moved.includes(true) || !sameValue(values[0], values[1])) ledger.add(code);
}

/** The later version of header and catalog (ISO 32000-2 Table 29). */
const versionOf = (document: PdfDocument): number =>
  Math.max(Number(document.version), Number(nameOf(document.resolve(document.catalog.value.get('Version'))) ?? 0) || 0);

function changedEntry(key: string): PdfChangeCode {
  switch (key) {
    case 'Perms':
      return 'CERTIFICATION_CHANGED';
    case 'OCProperties':
      return 'OPTIONAL_CONTENT_CHANGED';
    default:
      return 'CATALOG_CHANGED';
  }
}

/** Compares the catalog and its contents, apart from the pages (ISO 32000-2 §7.7.2). */
export function compareCatalogs(step: Step): void {
  const { before, after, ledger } = step;
  const [then, now] = [before.document.catalog, after.document.catalog];
  // A program may write the catalog under a new number. A catalog in an existing object would be another document.
  if (then.holder !== now.holder && !step.moved.added.has(now.holder)) {
    ledger.add('TRAILER_CHANGED');
    return;
  }
  ledger.settle(now.holder);
  ledger.anchor(now.holder);
  for (const key of differentKeys(then.value, now.value)) {
    switch (key) {
      case 'AcroForm':
      case 'DSS':
      case 'Extensions':
      case 'Metadata':
        break;
      case 'Version':
        if (versionOf(after.document) < versionOf(before.document)) ledger.add('CATALOG_CHANGED');
        break;
      case 'OutputIntents':
        // PDFBox gives each dictionary in an array an object of its own.
        if (sameThrough(before.document, after.document, then.value.get(key), now.value.get(key))) break;
        if (gotSrgbIntents(step)) ledger.add('OUTPUT_INTENT_ADDED');
        else ledger.add('CATALOG_CHANGED', { objectNumber: now.holder });
        break;
      case 'StructTreeRoot':
        // A structure root inside the catalog; a root with its own object is judged by its own rule.
        if (now.value.get(key) instanceof Map && structureGrew(step)) ledger.add('STRUCTURE_UPDATED');
        else ledger.add('CATALOG_CHANGED', { objectNumber: now.holder });
        break;
      default:
        ledger.add(changedEntry(key), { objectNumber: now.holder });
    }
  }
  compareForms(step);
  const isStoreGone = then.value.has('DSS') && !now.value.has('DSS');
  compareWhole(step, 'DSS', isStoreGone ? 'SECURITY_STORE_REMOVED' : 'SECURITY_STORE_UPDATED');
  compareWhole(step, 'Extensions', 'EXTENSIONS_UPDATED');
  compareWhole(step, 'Metadata', 'METADATA_UPDATED');
}
