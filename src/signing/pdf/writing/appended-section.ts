import { randomBytes } from 'node:crypto';
import type { PdfDocument } from '../reading/pdf-document.ts';
import { unsupported } from '../syntax/pdf-error.ts';
import { serialize } from '../syntax/serialize.ts';
import { encodeHexadecimalToken } from '../syntax/text-string.ts';
import { PdfName, PdfString } from '../syntax/values.ts';
import type { PdfDictionary, PdfValue } from '../syntax/values.ts';

/** An object written by an update; `offset` is relative to the header. */
export interface AppendedObject {
  readonly number: number;
  readonly generation: number;
  readonly offset: number;
}

/** Entries about a single section that are not carried over to the next section. */
export const SECTION_ENTRIES = new Set(
  ['Type', 'W', 'Index', 'Filter', 'DecodeParms', 'Length', 'F', 'FFilter', 'FDecodeParms', 'DL'].concat([
    'Size',
    'Prev',
    'XRefStm',
    'ID',
  ]),
);
const MAX_TABLE_OFFSET = 9_999_999_999;

/** The first identifier is part of the encryption key and never changes; the second names this version (§14.4). */
export function identifiers(document: PdfDocument): PdfValue | undefined {
  const current = document.trailer.get('ID');
  const version = new PdfString(encodeHexadecimalToken(randomBytes(16)));
  const values = document.resolve(current);
  const first = Array.isArray(values) ? document.resolve(values[0]) : null;
  if (document.encrypted) return Array.isArray(current) && first instanceof PdfString ? [first, version] : current;
  return [first instanceof PdfString ? first : version, version];
}

function trailerEntries(document: PdfDocument, size: number, changes: ReadonlyMap<string, PdfValue>): PdfDictionary {
  const trailer: PdfDictionary = new Map([['Size', size]]);
  for (const [key, value] of document.trailer) {
    // No name may hold a null character (ISO 32000-2 §7.3.5): a damaged name is not carried over.
    if (!SECTION_ENTRIES.has(key) && !key.includes('\0')) trailer.set(key, value);
  }
  for (const [key, value] of changes) trailer.set(key, value);
  const identifier = identifiers(document);
  if (identifier !== undefined) trailer.set('ID', identifier);
  trailer.set('Prev', document.crossReference.start);
  return trailer;
}

/** Consecutive object numbers; `objects` are in order. */
export function toRuns<Listed extends { readonly number: number }>(objects: readonly Listed[]): readonly Listed[][] {
  const runs: Listed[][] = [];
  for (const object of objects) {
    const run = runs.at(-1);
    if (run !== undefined && run.at(-1)?.number === object.number - 1) run.push(object);
    else runs.push([object]);
  }
  return runs;
}

function tableSection(
  document: PdfDocument,
  objects: readonly AppendedObject[],
  offset: number,
  size: number,
  changes: ReadonlyMap<string, PdfValue>,
): Buffer {
  if (offset > MAX_TABLE_OFFSET) unsupported('The PDF is too large for the kind of cross-reference that it uses.');
  let table = 'xref\n';
  for (const run of toRuns(objects)) {
    table += `${run[0]?.number ?? 0} ${run.length}\n`;
    for (const entry of run) {
      table += `${String(entry.offset).padStart(10, '0')} ${String(entry.generation).padStart(5, '0')} n \n`;
    }
  }
  const trailer = serialize(trailerEntries(document, size, changes));
  return Buffer.concat([Buffer.from(`${table}trailer\n`), trailer, Buffer.from('\n')]);
}

/** The stream lists itself, under the number `size`. */
function streamSection(
  document: PdfDocument,
  objects: readonly AppendedObject[],
  offset: number,
  size: number,
  changes: ReadonlyMap<string, PdfValue>,
): Buffer {
  const all = [...objects, { number: size, generation: 0, offset }];
  const offsetWidth = offset > 0xffffffff ? 6 : 4;
  const data = Buffer.alloc(all.length * (offsetWidth + 3));
  for (const [index, entry] of all.entries()) {
    let position = index * (offsetWidth + 3);
    position = data.writeUInt8(1, position);
    position = data.writeUIntBE(entry.offset, position, offsetWidth);
    data.writeUInt16BE(entry.generation, position);
  }
  const dictionary: PdfDictionary = new Map<string, PdfValue>([
    ['Type', new PdfName('XRef')],
    ['W', [1, offsetWidth, 2]],
    ['Index', toRuns(all).flatMap((run) => [run[0]?.number ?? 0, run.length])],
    ['Length', data.length],
    ...trailerEntries(document, size + 1, changes),
  ]);
  return Buffer.concat([
    Buffer.from(`${size} 0 obj\n`),
    serialize(dictionary),
    Buffer.from('\nstream\n'),
    data,
    Buffer.from('\nendstream\nendobj\n'),
  ]);
}

/**
 * The section at the end of an update, with trailer, `startxref` and `%%EOF` (ISO 32000-2 §7.5.4 to §7.5.8), of the
 * same kind as the section before: readers refuse a mixture.
 *
 * @param objects in the order of their numbers
 * @param offset beginning of the section, relative to the header
 * @param size the highest object number in use plus 1
 * @param changes entries that differ from those of the trailer before
 */
export function appendedSection(
  document: PdfDocument,
  objects: readonly AppendedObject[],
  offset: number,
  size: number,
  changes: ReadonlyMap<string, PdfValue> = new Map(),
): Buffer {
  const write = document.newestSection.kind === 'table' ? tableSection : streamSection;
  const end = Buffer.from(`startxref\n${offset}\n%%EOF\n`);
  return Buffer.concat([write(document, objects, offset, size, changes), end]);
}
