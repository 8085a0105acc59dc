/** Rules for the trailer and the catalog: the permitted changes by later revisions. */
import { hash } from 'node:crypto';
import { SigningError } from '../../../errors.ts';
import { readStoredStream } from '../../long-term/security-store.ts';
import type { PdfDocument } from '../../reading/pdf-document.ts';
import { nameOf, numberOf, PdfReference, USAGE_RIGHTS } from '../../syntax/values.ts';
import type { PdfValue } from '../../syntax/values.ts';
import { placeOf } from '../object-places.ts';
import { differentKeys, documentsOf, sameThrough, sameValue } from '../same-value.ts';
import { compareForms } from './form-rules.ts';
import { gotSrgbIntents } from './output-intents.ts';
import { changeableEntry } from './changeable-entries.ts';
import { rehungNodes } from './page-tree-order.ts';
import { PDF_CHANGE_CODES, type PdfChangeCode } from '../pdf-facts.ts';
import { hasSameEntries, readTree, type TreeKind } from './tree-entries.ts';
import { forEachReference, TRAILER } from '../reference-index.ts';
import type { Step } from '../step-ledger.ts';
import { structureGrew } from './structure-rules.ts';

/** Entries of a trailer about its section (ISO 32000-2 §7.5.5, §7.5.8.2). */
const SECTION_ENTRIES = new Set(
  ['Size', 'Prev', 'XRefStm', 'Type', 'W', 'Index', 'Length', 'DL'].concat(['Filter', 'DecodeParms']),
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
  const { crossReference } = before.document;
  const { sections } = crossReference;
  const index = sections.findIndex((section) => section.trailer.has(key));
  const now = after.document.trailer.get(key) ?? null;
  // An entry of the previous trailer itself was not missing.
  if (index < 1) return false;
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
    if (
      SECTION_ENTRIES.has(key) ||
      changeableEntry('trailer', key) !== undefined ||
      key === 'Root' ||
      key === 'AdditionalStreams'
    )
      continue;
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

/** An extension: the base version, and the level of the extension (ISO 32000-2 Table 49). */
interface Extension {
  readonly base: number;
  readonly level: number;
}

/** The extensions by their developer; a developer has one dictionary or a list (ISO 32000-2 §7.12.2). */
function extensionsOf(document: PdfDocument): ReadonlyMap<string, readonly Extension[]> {
  const all = document.resolve(document.catalog.value.get('Extensions'));
  const found = new Map<string, readonly Extension[]>();
  for (const [developer, value] of all instanceof Map ? all : []) {
    const one = document.resolve(value);
    const list = (Array.isArray(one) ? one : [one]).map((entry) => document.resolve(entry));
    const extensions = list.flatMap((entry) => {
      const level = entry instanceof Map ? numberOf(document.resolve(entry.get('ExtensionLevel'))) : undefined;
      if (!(entry instanceof Map) || level === undefined) return [];
      return [{ base: Number(nameOf(document.resolve(entry.get('BaseVersion'))) ?? 0) || 0, level }];
    });
    found.set(developer, extensions);
  }
  return found;
}

/**
 * True when an extension went, or went back to a lower level. A revision only adds to a file, so that the file needs each
 * extension of the earlier revisions still.
 */
function lostExtensions({ before, after }: Step): boolean {
  const now = extensionsOf(after.document);
  return [...extensionsOf(before.document)].some(([developer, then]) => {
    const later = now.get(developer) ?? [];
    return then.some(
      ({ base, level }) => !later.some((one) => one.base > base || (one.base === base && one.level >= level)),
    );
  });
}

const STORE_LISTS = ['Certs', 'OCSPs', 'CRLs'] as const;

/** True when a certificate, an answer or a list of the earlier security store is missing from the later store. */
function lostMaterial(step: Step): boolean {
  const { before, after } = documentsOf(step);
  const [then, now] = [before, after].map((document) => document.resolve(document.catalog.value.get('DSS')));
  if (!(then instanceof Map)) return false;
  return STORE_LISTS.some((list) => {
    const [old, current] = [before.resolve(then.get(list)), after.resolve(now instanceof Map ? now.get(list) : null)];
    const rest = Array.isArray(current) ? current : [];
    const kept = new Set(rest.map((entry) => (entry instanceof PdfReference ? entry.number : -1)));
    // The same object may hold other material now.
    const isKept = ({ number }: PdfReference): boolean => kept.has(number) && !step.moved.touched.has(number);
    const missing = (Array.isArray(old) ? old : []).filter((entry) => entry instanceof PdfReference && !isKept(entry));
    if (missing.length === 0) return false;
    // Programs write the same material again under other numbers.
    const names = new Set(rest.map((entry) => nameOfStream(after, entry)));
    return missing.some((entry) => !names.has(nameOfStream(before, entry)));
  });
}

const nameOfStream = (document: PdfDocument, value: PdfValue): string | undefined => {
  const data = readStoredStream(document, value);
  return data === undefined ? undefined : hash('sha256', data, 'hex');
};

/** The security store may be changed in any way; the report tells of lost material. */
function compareSecurityStores(step: Step): void {
  compareWhole(step, 'DSS', lostMaterial(step) ? 'SECURITY_STORE_REMOVED' : 'SECURITY_STORE_UPDATED');
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
    case 'Pages':
      return 'PAGES_CHANGED';
    default:
      return 'CATALOG_CHANGED';
  }
}

/** Name trees of the catalog (ISO 32000-2 Table 32), compared by their entries. */
function hasSameNames(step: Step, then: PdfValue, now: PdfValue): boolean {
  const documents = documentsOf(step);
  const { before, after } = documents;
  const [old, current] = [before.resolve(then), after.resolve(now)];
  if (!(old instanceof Map) || !(current instanceof Map)) return false;
  return [...new Set([...old.keys(), ...current.keys()])].every((key) =>
    isSameTree(step, 'Names', old.get(key), current.get(key)),
  );
}

function isSameTree(step: Step, kind: TreeKind, then: PdfValue | undefined, now: PdfValue | undefined): boolean {
  const documents = documentsOf(step);
  if (sameThrough(documents, then, now)) return true;
  const [old, current] = [readTree(documents.before, kind, then), readTree(documents.after, kind, now)];
  return old !== undefined && current !== undefined && hasSameEntries(documents, old, current);
}

/** True for an entry with the same meaning, written in another way. */
function isSameEntry(step: Step, key: string, then: PdfValue | undefined, now: PdfValue | undefined): boolean {
  if (sameThrough(documentsOf(step), then, now, key)) return true;
  if (then === undefined || now === undefined) return false;
  if (key === 'Names') return hasSameNames(step, then, now);
  return key === 'PageLabels' && isSameTree(step, 'Nums', then, now);
}

/** Explains nodes of name trees and of the page labels that a revision wrote anew, where the trees have the same entries. */
function settleTrees(step: Step): void {
  const { before, after, ledger } = step;
  const names = (document: PdfDocument): PdfValue => document.resolve(document.catalog.value.get('Names'));
  const [then, now] = [names(before.document), names(after.document)];
  const roots: (readonly [TreeKind, PdfValue | undefined, PdfValue | undefined])[] = [
    ['Nums', before.document.catalog.value.get('PageLabels'), after.document.catalog.value.get('PageLabels')],
  ];
  if (then instanceof Map && now instanceof Map) {
    for (const key of then.keys()) roots.push(['Names', then.get(key), now.get(key)]);
  }
  for (const [kind, old, current] of roots) {
    const [earlier, later] = [readTree(before.document, kind, old), readTree(after.document, kind, current)];
    if (earlier === undefined || later === undefined) continue;
    const moved = ledger.unaccounted().filter((number) => earlier.nodes.has(number) || later.nodes.has(number));
    if (moved.length === 0 || !hasSameEntries(documentsOf(step), earlier, later)) continue;
    for (const number of moved) {
      ledger.settle(number);
      ledger.anchor(number);
    }
  }
}

/** True when permissions lost usage rights, and nothing else (ISO 32000-2 Table 263). */
function lostUsageRights(step: Step, then: PdfValue | undefined, now: PdfValue | undefined): boolean {
  const { before, after } = documentsOf(step);
  const [old, current] = [before.resolve(then), after.resolve(now)];
  if (!(old instanceof Map)) return false;
  const rest = current instanceof Map ? current : new Map<string, PdfValue>();
  return [...differentKeys(old, rest)].every((key) => USAGE_RIGHTS.includes(key) && !rest.has(key));
}

/** The change of an entry of the catalog; undefined for an allowed change, or one that another rule reports. */
function catalogChange(
  step: Step,
  key: string,
  then: PdfValue | undefined,
  now: PdfValue | undefined,
): PdfChangeCode | undefined {
  const entry = changeableEntry('catalog', key);
  switch (entry) {
    case undefined:
      return isSameEntry(step, key, then, now) ? undefined : changedEntry(key);
    case 'AcroForm':
    case 'DSS':
    case 'Extensions':
    case 'Metadata':
      return undefined;
    case 'Version':
      return versionOf(step.after.document) < versionOf(step.before.document) ? 'CATALOG_CHANGED' : undefined;
    case 'OutputIntents':
      // PDFBox gives each dictionary in an array an object of its own.
      if (sameThrough(documentsOf(step), then, now)) return undefined;
      return gotSrgbIntents(step) ? 'OUTPUT_INTENT_ADDED' : 'CATALOG_CHANGED';
    case 'StructTreeRoot':
      // A structure root inside the catalog; a root with its own object is judged by its own rule.
      return now instanceof Map && structureGrew(step) ? 'STRUCTURE_UPDATED' : 'CATALOG_CHANGED';
    case 'Pages':
      return rehungNodes(step) === undefined ? changedEntry(key) : undefined;
    case 'Perms':
      if (sameThrough(documentsOf(step), then, now)) return undefined;
      return lostUsageRights(step, then, now) ? 'USAGE_RIGHTS_REMOVED' : changedEntry(key);
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
    const code = catalogChange(step, key, then.value.get(key), now.value.get(key));
    if (code !== undefined) ledger.add(code, PDF_CHANGE_CODES[code] === 'other' ? { objectNumber: now.holder } : {});
  }
  compareForms(step);
  compareSecurityStores(step);
  compareWhole(step, 'Extensions', lostExtensions(step) ? 'CATALOG_CHANGED' : 'EXTENSIONS_UPDATED');
  compareWhole(step, 'Metadata', 'METADATA_UPDATED');
  if (ledger.unaccounted().length > 0) settleTrees(step);
}
