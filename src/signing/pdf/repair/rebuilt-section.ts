import { identifiers, SECTION_ENTRIES, toRuns } from '../writing/appended-section.ts';
import type { AppendedObject } from '../writing/appended-section.ts';
import type { SectionWriter } from '../writing/incremental-update.ts';
import type { PdfDocument } from '../reading/pdf-document.ts';
import { serialize } from '../syntax/serialize.ts';
import { PdfName } from '../syntax/values.ts';
import type { PdfDictionary, PdfValue } from '../syntax/values.ts';
import type { ScannedEntry, ScannedSection } from './scanned-section.ts';

interface Listed {
  readonly number: number;
  readonly entry: ScannedEntry;
}

const FREE: ScannedEntry = { kind: 'free' };
const FREE_GENERATION = 65_535;
/** Gaps are listed as free objects, as readers prefer, unless the gaps are a multiple of the present objects. */
const GAP_FACTOR = 4;
const GAP_ALLOWANCE = 1000;
const ENTRY_LENGTH = 11;

/** All entries of the output in order, with gaps filled. Object 0 is always free (ISO 32000-2 §7.5.4). */
function listAll(
  section: ScannedSection,
  shift: number,
  appended: readonly AppendedObject[],
  size: number,
): readonly Listed[] {
  const entries = new Map<number, ScannedEntry>([[0, FREE]]);
  for (const [number, entry] of section.entries) {
    entries.set(number, entry.kind === 'offset' ? { ...entry, offset: entry.offset + shift } : entry);
  }
  for (const { number, offset, generation } of appended) entries.set(number, { kind: 'offset', offset, generation });
  if (size <= entries.size * GAP_FACTOR + GAP_ALLOWANCE) {
    for (let number = 0; number < size; number += 1) if (!entries.has(number)) entries.set(number, FREE);
  }
  return [...entries].map(([number, entry]) => ({ number, entry })).sort((a, b) => a.number - b.number);
}

function trailerOf(document: PdfDocument, size: number): PdfDictionary {
  const trailer: PdfDictionary = new Map([['Size', size]]);
  for (const [key, value] of document.trailer) if (!SECTION_ENTRIES.has(key)) trailer.set(key, value);
  const identifier = identifiers(document);
  if (identifier !== undefined) trailer.set('ID', identifier);
  return trailer;
}

function tableLine(entry: ScannedEntry): string {
  const [offset, generation] = entry.kind === 'offset' ? [entry.offset, entry.generation] : [0, FREE_GENERATION];
  const flag = entry.kind === 'offset' ? 'n' : 'f';
  return `${String(offset).padStart(10, '0')} ${String(generation).padStart(5, '0')} ${flag} \n`;
}

function writeTable(document: PdfDocument, listed: readonly Listed[], size: number): Buffer {
  const runs = toRuns(listed).map((run) => {
    const head = `${run[0]?.number ?? 0} ${run.length}\n`;
    return head + run.map(({ entry }) => tableLine(entry)).join('');
  });
  const trailer = serialize(trailerOf(document, size));
  return Buffer.concat([Buffer.from(`xref\n${runs.join('')}trailer\n`), trailer, Buffer.from('\n')]);
}

/** Fields of 1, 8 and 2 octets: any offset fits. */
function writeEntry(data: Buffer, position: number, entry: ScannedEntry): void {
  const [type, second, third] =
    entry.kind === 'free'
      ? [0, 0, FREE_GENERATION]
      : entry.kind === 'offset'
        ? [1, entry.offset, entry.generation]
        : [2, entry.stream, entry.index];
  data.writeUInt8(type, position);
  data.writeBigUInt64BE(BigInt(second), position + 1);
  data.writeUInt16BE(Math.min(third, FREE_GENERATION), position + 9);
}

function writeStream(document: PdfDocument, listed: readonly Listed[], size: number, offset: number): Buffer {
  const all = [...listed, { number: size, entry: { kind: 'offset', offset, generation: 0 } as const }];
  const data = Buffer.alloc(all.length * ENTRY_LENGTH);
  for (const [index, { entry }] of all.entries()) writeEntry(data, index * ENTRY_LENGTH, entry);
  const dictionary: PdfDictionary = new Map<string, PdfValue>([
    ['Type', new PdfName('XRef')],
    ['W', [1, 8, 2]],
    ['Index', toRuns(all).flatMap((run) => [run[0]?.number ?? 0, run.length])],
    ['Length', data.length],
    ...trailerOf(document, size + 1),
  ]);
  const head = Buffer.concat([Buffer.from(`${size} 0 obj\n`), serialize(dictionary), Buffer.from('\nstream\n')]);
  return Buffer.concat([head, data, Buffer.from('\nendstream\nendobj\n')]);
}

/**
 * Makes the writer of a section with every object of the file, so that no earlier section is needed: a table, or a
 * stream when objects are in object streams (ISO 32000-2 §7.5.4, §7.5.8).
 *
 * @param shift offset of the original's bytes in the output
 */
export function rebuiltSection(section: ScannedSection, shift: number): SectionWriter {
  return (document, appended, offset, size) => {
    const listed = listAll(section, shift, appended, size);
    const needsStream = listed.some(({ entry }) => entry.kind === 'compressed');
    const written = needsStream ? writeStream(document, listed, size, offset) : writeTable(document, listed, size);
    return Buffer.concat([written, Buffer.from(`startxref\n${offset}\n%%EOF\n`)]);
  };
}
