import { SigningError } from '../../errors.ts';
import type { CrossReferenceEntry, CrossReferenceSection } from '../reading/cross-reference.ts';
import type { PdfDocument } from '../reading/pdf-document.ts';
import { PdfReference, type PdfDictionary, type PdfValue, PdfName } from '../syntax/values.ts';
import type { FoundObject, ScannedFile } from './scan-objects.ts';
import { identifiers, SECTION_ENTRIES, toRuns, type AppendedObject } from '../writing/appended-section.ts';
import type { SectionWriter } from '../writing/incremental-update.ts';
import { serialize } from '../syntax/serialize.ts';

/** An entry with its place in an object stream. */
export type ScannedEntry =
  | Exclude<CrossReferenceEntry, { kind: 'compressed' }>
  | { readonly kind: 'compressed'; readonly stream: number; readonly index: number };

const MAX_OBJECT_NUMBER = 8_388_607;
const MAX_GENERATION = 65_534;
const DOCUMENT_ENTRIES = ['Root', 'Info', 'ID', 'Encrypt'];

/** The last value of each document entry (not section entry) in the trailers. */
function mergeTrailers(trailers: readonly PdfDictionary[]): PdfDictionary {
  const merged: PdfDictionary = new Map<string, PdfValue>();
  for (const trailer of trailers) {
    for (const key of DOCUMENT_ENTRIES) {
      const value = trailer.get(key);
      if (value !== undefined && value !== null) merged.set(key, value);
    }
  }
  return merged;
}

/** Where objects are, as found by reading the whole file. Offsets are positions in the file. */
export class ScannedSection implements CrossReferenceSection {
  readonly kind = 'stream';
  readonly runs = 1;
  readonly trailer: PdfDictionary;
  readonly entries = new Map<number, ScannedEntry>();
  readonly #found: ReadonlyMap<number, FoundObject>;

  constructor(scanned: ScannedFile) {
    this.#found = scanned.objects;
    this.trailer = mergeTrailers(scanned.trailers);
    for (const { number, generation, position } of scanned.objects.values()) {
      if (number === 0 || number > MAX_OBJECT_NUMBER || generation > MAX_GENERATION) continue;
      this.entries.set(number, { kind: 'offset', offset: position, generation });
    }
  }

  get limit(): number {
    let limit = 1;
    for (const number of this.entries.keys()) limit = Math.max(limit, number + 1);
    return limit;
  }

  find(objectNumber: number): CrossReferenceEntry | undefined {
    return this.entries.get(objectNumber);
  }

  *listed(): Generator<readonly [first: number, count: number]> {
    for (const number of this.entries.keys()) yield [number, 1];
  }

  /**
   * Lists the objects in object streams; the later of two with the same number counts. Unreadable streams are skipped.
   */
  addObjectStreams(document: PdfDocument): void {
    const streams = [...this.#found.values()].filter(({ type, stream }) => type === 'ObjStm' && stream !== undefined);
    const standsAt = new Map<number, number>();
    for (const { number: stream, position } of streams.sort((first, second) => first.position - second.position)) {
      for (const [index, number] of numbersIn(document, stream).entries()) {
        const rival = standsAt.get(number) ?? this.#found.get(number)?.position ?? -1;
        if (number === 0 || number > MAX_OBJECT_NUMBER || number === stream || rival > position) continue;
        this.entries.set(number, { kind: 'compressed', stream, index });
        standsAt.set(number, position);
      }
    }
  }

  /** A reference to a listed object. */
  referenceTo(number: number): PdfReference {
    const entry = this.entries.get(number);
    return new PdfReference(number, entry?.kind === 'offset' ? entry.generation : 0);
  }
}

function numbersIn(document: PdfDocument, stream: number): readonly number[] {
  try {
    return document.objectNumbersIn(stream);
  } catch (error) {
    if (error instanceof SigningError && !document.file.budget.exhausted) return [];
    throw error;
  }
}

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

function formatTableEntry(entry: ScannedEntry): string {
  const [offset, generation] = entry.kind === 'offset' ? [entry.offset, entry.generation] : [0, FREE_GENERATION];
  const flag = entry.kind === 'offset' ? 'n' : 'f';
  return `${String(offset).padStart(10, '0')} ${String(generation).padStart(5, '0')} ${flag} \n`;
}

function writeTable(document: PdfDocument, listed: readonly Listed[], size: number): Buffer {
  const runs = toRuns(listed).map((run) => {
    const head = `${run[0]?.number ?? 0} ${run.length}\n`;
    return head + run.map(({ entry }) => formatTableEntry(entry)).join('');
  });
  const trailer = serialize(trailerOf(document, size));
  return Buffer.concat([Buffer.from(`xref\n${runs.join('')}trailer\n`), trailer, Buffer.from('\n')]);
}

/** Fields of 1, 8 and 2 bytes: any offset fits. */
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
