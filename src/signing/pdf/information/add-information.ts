/**
 * Writes entries into the document information of a PDF in the revision of a signature: into the information dictionary
 * (ISO 32000-2 §14.3.3), and into the XMP where the file has XMP. Files that claim PDF/A keep their standard.
 */
import { SigningError } from '../../errors.ts';
import { readClaimedStandards } from '../reading/claimed-standards.ts';
import type { PdfDocument } from '../reading/pdf-document.ts';
import { plainString, serialize } from '../syntax/serialize.ts';
import { decodeTextString, encodeTextString } from '../syntax/text-string.ts';
import { PdfName, PdfStream, PdfString, type PdfDictionary, type PdfValue } from '../syntax/values.ts';
import type { IncrementalUpdate } from '../writing/incremental-update.ts';
import { isWrittenByPrograms, STANDARD_TEXTS, type InformationEntry } from './information-rules.ts';
import { withProperties } from './xmp-properties.ts';

/** Largest XMP that is rewritten, in bytes. */
const MOST_METADATA = 4 * 1024 * 1024;

/** The first part of PDF/A that allows no entries of one's own in the information dictionary (ISO 19005-4 §6.1.3). */
const NO_INFORMATION_SINCE = 4;

/** The last of several values for a name counts. */
const valuesOf = (entries: readonly InformationEntry[]): ReadonlyMap<string, string> =>
  new Map(entries.map(({ name, value }) => [name, value ?? '']));

/** Names are UTF-8 by convention (ISO 32000-2 §7.3.5); the characters of `PdfName` are bytes. */
const keyOf = (name: string): string => Buffer.from(name, 'utf8').toString('latin1');

/** Writes the entries into the information dictionary, which is made where the file has none. */
function writeDictionary(document: PdfDocument, update: IncrementalUpdate, values: ReadonlyMap<string, string>): void {
  const { value, holder } = update.locate(document.trailer.get('Info'));
  const dictionary: PdfDictionary = value instanceof Map ? value : new Map<string, PdfValue>();
  let isChanged = false;
  for (const [name, text] of values) {
    const before = document.resolve(dictionary.get(keyOf(name)));
    if (before instanceof PdfString && decodeTextString(before.plain) === text) continue;
    dictionary.set(keyOf(name), plainString(encodeTextString(text)));
    isChanged = true;
  }
  if (!isChanged) return;
  if (value instanceof Map && holder !== undefined) update.markChanged(holder);
  else update.setTrailerEntry('Info', update.create(dictionary));
}

/** The XMP of the file as text; undefined for XMP that is encrypted, in another encoding than UTF-8, or unreadable. */
function readPacket(document: PdfDocument): string | undefined {
  if (document.encrypted) return undefined;
  try {
    const data = document.readStream(document.catalog.value.get('Metadata'));
    if (data === undefined || data.length > MOST_METADATA || data.includes(0)) return undefined;
    return new TextDecoder('utf-8', { fatal: true }).decode(data);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    if (!(error instanceof SigningError) || document.file.budget.exhausted) throw error;
    return undefined;
  }
}

/** Writes the entries into the XMP; false for a file without XMP that can be changed. */
function writeMetadata(
  document: PdfDocument,
  update: IncrementalUpdate,
  values: ReadonlyMap<string, string>,
  needsSchema: boolean,
): boolean {
  const { holder } = document.locate(document.catalog.value.get('Metadata'));
  const packet = readPacket(document);
  if (holder === undefined || packet === undefined) return false;
  const changed = withProperties(packet, [...values], needsSchema);
  if (changed === undefined) return false;
  const data = Buffer.from(changed, 'utf8');
  const dictionary: PdfDictionary = new Map<string, PdfValue>([
    ['Type', new PdfName('Metadata')],
    ['Subtype', new PdfName('XML')],
    ['Length', data.length],
  ]);
  const parts = [serialize(dictionary), Buffer.from('\nstream\n'), data, Buffer.from('\nendstream')];
  update.replaceBody(holder, Buffer.concat(parts));
  return true;
}

const hasMetadata = (document: PdfDocument): boolean =>
  document.resolve(document.catalog.value.get('Metadata')) instanceof PdfStream;

/**
 * Writes the entries, and answers the names of entries that the file cannot take: entries that the standard defines in
 * another way, titles and the like of a file whose XMP has a title of its own, and all entries of a PDF/A-4 whose XMP
 * cannot be changed.
 */
export function addInformation(
  document: PdfDocument,
  update: IncrementalUpdate,
  entries: readonly InformationEntry[],
): readonly string[] {
  const given = valuesOf(entries);
  const { archivePart } = readClaimedStandards(document);
  const takesTexts = archivePart === undefined && !hasMetadata(document);
  const isKept = (name: string): boolean => !isWrittenByPrograms(name) && (takesTexts || !STANDARD_TEXTS.has(name));
  const values = new Map([...given].filter(([name]) => isKept(name)));
  const leftOut = [...given.keys()].filter((name) => !isKept(name));
  if (values.size === 0) return leftOut;
  const needsSchema = archivePart !== undefined && archivePart < NO_INFORMATION_SINCE;
  const isInMetadata = writeMetadata(document, update, values, needsSchema);
  if (archivePart === undefined || needsSchema) writeDictionary(document, update, values);
  else if (!isInMetadata) return [...given.keys()];
  return leftOut;
}
