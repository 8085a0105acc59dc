import { type PdfDictionary, countOf, nameOf, PdfStream, type PdfValue } from '../syntax/values.ts';
import { readIndirectObject } from './indirect-object.ts';
import { malformed } from '../syntax/pdf-error.ts';
import type { PdfFile } from './pdf-file.ts';
import { decodeStream, MAX_DECODED } from './stream-filters.ts';

/** Where an object is (ISO 32000-2 §7.5.4, §7.5.8.3). Offsets are as written: relative to the header. */
export type CrossReferenceEntry =
  | { readonly kind: 'free' }
  | { readonly kind: 'offset'; readonly offset: number; readonly generation: number }
  | { readonly kind: 'compressed'; readonly stream: number };

/** A cross-reference section with its trailer. */
export interface CrossReferenceSection {
  readonly kind: 'table' | 'stream';
  readonly trailer: PdfDictionary;
  /** The highest object number in the section plus 1. */
  readonly limit: number;
  /** Number of runs of consecutive entries: the cost of a `find`. */
  readonly runs: number;
  find(objectNumber: number): CrossReferenceEntry | undefined;
  /** The runs: first object number, and how many follow each other. */
  listed(): Iterable<readonly [first: number, count: number]>;
  /** In a hybrid file, the part invisible to readers of PDF 1.4 (ISO 32000-2 §7.5.8.4); `find` includes this part. */
  readonly hidden?: CrossReferenceSection;
  /** The entry of the visible part alone; absent when the whole section is visible. */
  findVisible?(objectNumber: number): CrossReferenceEntry | undefined;
}

interface StreamRun {
  readonly first: number;
  readonly count: number;
  /** Offset in the decoded data. */
  readonly offset: number;
}

type Widths = readonly [type: number, second: number, third: number];

/** Everything in a cross-reference stream's dictionary is direct (ISO 32000-2 §7.5.8.2). */
const direct = (value: PdfValue | undefined): PdfValue => value ?? null;

function readWidths(dictionary: PdfDictionary): Widths {
  const value = dictionary.get('W');
  const [type, second, third] = Array.isArray(value) ? value.map(countOf) : [];
  if (type === undefined || second === undefined || third === undefined || Math.max(type, second, third) > 8) {
    malformed('a cross-reference stream has no usable field widths');
  }
  if (type + second + third === 0) malformed('a cross-reference stream has empty entries');
  return [type, second, third];
}

function readStreamRuns(dictionary: PdfDictionary, width: number, length: number): readonly StreamRun[] {
  const index = dictionary.get('Index') ?? [0, dictionary.get('Size') ?? null];
  if (!Array.isArray(index)) malformed('a cross-reference stream has an Index that is no array');
  const runs: StreamRun[] = [];
  let offset = 0;
  for (let pair = 0; pair + 1 < index.length && offset < length; pair += 2) {
    const first = countOf(index[pair]);
    const count = countOf(index[pair + 1]);
    if (first === undefined || count === undefined) malformed('a cross-reference stream has an Index without numbers');
    const present = Math.min(count, Math.floor((length - offset) / width));
    if (present > 0) runs.push({ first, count: present, offset });
    offset += count * width;
  }
  return runs;
}

class StreamSection implements CrossReferenceSection {
  readonly kind = 'stream';
  readonly trailer: PdfDictionary;
  readonly limit: number;
  readonly runs: number;
  readonly #data: Buffer;
  readonly #widths: Widths;
  readonly #runs: readonly StreamRun[];

  constructor(trailer: PdfDictionary, data: Buffer, widths: Widths) {
    this.#data = data;
    this.#widths = widths;
    this.#runs = readStreamRuns(trailer, widths[0] + widths[1] + widths[2], data.length);
    this.trailer = trailer;
    this.runs = this.#runs.length;
    this.limit = this.#runs.reduce((limit, run) => Math.max(limit, run.first + run.count), 0);
  }

  find(objectNumber: number): CrossReferenceEntry | undefined {
    const run = this.#runs.find(({ first, count }) => objectNumber >= first && objectNumber < first + count);
    if (run === undefined) return undefined;
    const [typeWidth, secondWidth, thirdWidth] = this.#widths;
    const start = run.offset + (objectNumber - run.first) * (typeWidth + secondWidth + thirdWidth);
    const field = (offset: number, width: number): number =>
      this.#data.subarray(offset, offset + width).reduce((number, byte) => number * 256 + byte, 0);
    const type = typeWidth === 0 ? 1 : field(start, typeWidth);
    const second = field(start + typeWidth, secondWidth);
    const third = field(start + typeWidth + secondWidth, thirdWidth);
    if (type === 1 && second > 0) return { kind: 'offset', offset: second, generation: third };
    if (type === 2) return { kind: 'compressed', stream: second };
    return { kind: 'free' };
  }

  *listed(): Generator<readonly [first: number, count: number]> {
    for (const { first, count } of this.#runs) yield [first, count];
  }
}

/** Reads a cross-reference stream (ISO 32000-2 §7.5.8), which is never encrypted. */
export function readCrossReferenceStream(file: PdfFile, position: number): CrossReferenceSection {
  const { value } = readIndirectObject(file, position);
  if (!(value instanceof PdfStream) || nameOf(value.dictionary.get('Type')) !== 'XRef') {
    malformed(`the object at byte ${position} is not a cross-reference stream`);
  }
  const length = countOf(value.dictionary.get('Length'));
  if (length === undefined || length > MAX_DECODED) malformed('a cross-reference stream has no usable length');
  const data = decodeStream(file.read(value.position, length), value.dictionary, direct);
  file.budget.spend(data.length >> 2);
  return new StreamSection(value.dictionary, data, readWidths(value.dictionary));
}

/** A run of entries, either in the file (20 bytes each), or in memory. */
interface Run {
  readonly first: number;
  readonly count: number;
  readonly position: number;
  readonly entries?: readonly CrossReferenceEntry[];
}

const ENTRY_LENGTH = 20;
const REGULAR_ENTRY = /^\d{10} \d{5} [nf](?: \r| \n|\r\n)$/;
const IRREGULAR_ENTRY = /^\s*(\d{1,10})[ \t]+(\d{1,5})[ \t]+([nf])[^\r\n]{0,64}(?:\r\n|\r|\n)/;

function toEntry(offset: string, generation: string, flag: string): CrossReferenceEntry {
  // An object cannot begin at byte 0; producers mean "free" by this entry.
  if (flag === 'f' || Number(offset) === 0) return { kind: 'free' };
  return { kind: 'offset', offset: Number(offset), generation: Number(generation) };
}

/** Reads entries of other lengths than 20 bytes, like many readers. */
function readIrregularRun(file: PdfFile, first: number, count: number, position: number): { run: Run; end: number } {
  const entries: CrossReferenceEntry[] = [];
  let text = '';
  let end = position;
  while (entries.length < count) {
    let match = IRREGULAR_ENTRY.exec(text);
    if (match === null) {
      text += file.text(end + text.length, 64 * 1024);
      file.budget.spend(text.length);
      match = IRREGULAR_ENTRY.exec(text);
    }
    if (match === null) malformed(`its cross-reference table is not readable at byte ${end}`);
    const [whole, offset = '', generation = '', flag = ''] = match;
    entries.push(toEntry(offset, generation, flag));
    text = text.slice(whole.length);
    end += whole.length;
  }
  return { run: { first, count, position, entries }, end };
}

function isRegularRun(file: PdfFile, position: number, count: number): boolean {
  const isEntry = (at: number): boolean => REGULAR_ENTRY.test(file.text(at, ENTRY_LENGTH));
  const end = position + count * ENTRY_LENGTH;
  return isEntry(position) && isEntry(end - ENTRY_LENGTH) && /^\s*(trailer|\d+\s+\d+)/.test(file.text(end, 40));
}

/** Finds the runs and the offset after the word `trailer`, reading only the ends of each run. */
function readRuns(file: PdfFile, start: number): { runs: readonly Run[]; trailer: number } {
  const runs: Run[] = [];
  let position = start;
  for (;;) {
    file.budget.spend(128);
    const text = file.text(position, 128);
    const trailer = /^\s*trailer/.exec(text);
    if (trailer !== null) return { runs, trailer: position + trailer[0].length };
    const head = /^\s*(\d{1,10})\s+(\d{1,10})[ \t]*(?:\r\n|\r|\n|(?=\d))/.exec(text);
    if (head === null) malformed(`its cross-reference table is not readable at byte ${position}`);
    const [whole, first, count] = [head[0], Number(head[1]), Number(head[2])];
    position += whole.length;
    if (count * (ENTRY_LENGTH - 2) > file.size) malformed(`its cross-reference table claims ${count} entries`);
    if (count === 0) continue;
    if (isRegularRun(file, position, count)) {
      runs.push({ first, count, position });
      position += count * ENTRY_LENGTH;
    } else {
      const { run, end } = readIrregularRun(file, first, count, position);
      runs.push(run);
      position = end;
    }
  }
}

/** The digits from `at` to `end` as a number; NaN for another character. */
function digitsOf(bytes: Buffer, at: number, end: number): number {
  let value = 0;
  for (let index = at; index < end; index += 1) {
    const digit = (bytes[index] ?? 0) - 0x30;
    if (digit < 0 || digit > 9) return NaN;
    value = value * 10 + digit;
  }
  return value;
}

const SPACE = 0x20;
const LETTER_N = 0x6e;
const LETTER_F = 0x66;
const FREE: CrossReferenceEntry = { kind: 'free' };

/** An entry of 20 bytes: `0000000016 00000 n`, with a line end that is ignored. */
function readEntry(file: PdfFile, run: Run, objectNumber: number): CrossReferenceEntry {
  const index = objectNumber - run.first;
  if (run.entries !== undefined) return run.entries[index] ?? FREE;
  return file.glance(run.position + index * ENTRY_LENGTH, ENTRY_LENGTH, (bytes) => {
    const [offset, generation, flag] = [digitsOf(bytes, 0, 10), digitsOf(bytes, 11, 16), bytes[17]];
    const isEntry = bytes[10] === SPACE && bytes[16] === SPACE && (flag === LETTER_N || flag === LETTER_F);
    if (!isEntry || Number.isNaN(offset + generation)) {
      malformed(`the cross-reference entry of object ${objectNumber} is not readable`);
    }
    // An object cannot begin at byte 0; producers mean "free" by this entry.
    return flag === LETTER_F || offset === 0 ? FREE : { kind: 'offset', offset, generation };
  });
}

class TableSection implements CrossReferenceSection {
  readonly kind = 'table';
  readonly trailer: PdfDictionary;
  readonly limit: number;
  readonly runs: number;
  readonly #file: PdfFile;
  readonly #runs: readonly Run[];
  readonly hidden: CrossReferenceSection | undefined;

  constructor(file: PdfFile, runs: readonly Run[], trailer: PdfDictionary, hidden: CrossReferenceSection | undefined) {
    this.#file = file;
    this.#runs = runs;
    this.hidden = hidden;
    this.trailer = trailer;
    this.runs = runs.length + (hidden?.runs ?? 0);
    this.limit = runs.reduce((limit, run) => Math.max(limit, run.first + run.count), hidden?.limit ?? 0);
  }

  /**
   * In a hybrid file, objects to be hidden from old readers are free in the table and present in the stream (§7.5.8.4).
   */
  find(objectNumber: number): CrossReferenceEntry | undefined {
    const entry = this.findVisible(objectNumber);
    if (entry?.kind === 'offset') return entry;
    const hidden = this.hidden?.find(objectNumber);
    return hidden === undefined || hidden.kind === 'free' ? (entry ?? hidden) : hidden;
  }

  findVisible(objectNumber: number): CrossReferenceEntry | undefined {
    const run = this.#runs.find(({ first, count }) => objectNumber >= first && objectNumber < first + count);
    return run === undefined ? undefined : readEntry(this.#file, run, objectNumber);
  }

  *listed(): Generator<readonly [first: number, count: number]> {
    for (const { first, count } of this.#runs) yield [first, count];
    if (this.hidden !== undefined) yield* this.hidden.listed();
  }
}

/**
 * Reads a cross-reference table and its trailer (ISO 32000-2 §7.5.4, §7.5.5). Entries stay in the file until needed.
 * `position` is the offset after the word `xref`; `readHidden` reads the stream of `XRefStm`.
 */
export function readCrossReferenceTable(
  file: PdfFile,
  position: number,
  readHidden: (offset: number) => CrossReferenceSection,
): CrossReferenceSection {
  const { runs, trailer: trailerPosition } = readRuns(file, position);
  const trailer = file.parse(trailerPosition, (reader) => reader.readValue());
  if (!(trailer instanceof Map)) malformed('a trailer is not a dictionary');
  const hidden = countOf(trailer.get('XRefStm'));
  return new TableSection(file, runs, trailer, hidden === undefined ? undefined : readHidden(hidden));
}

/** The whole chain, newest section first. */
export interface CrossReference {
  readonly sections: readonly CrossReferenceSection[];
  /** Value of the last `startxref`: where the newest section begins, relative to the header. */
  readonly start: number;
  /** Offset of the header: all offsets in the file are relative to the header. */
  readonly base: number;
  /** Where in the file each section begins, in the same order; absent where the file's own sections are not used. */
  readonly positions?: readonly number[];
  /** Lengths of streams with a wrong dictionary, by the position of their data. */
  readonly streamLengths?: ReadonlyMap<number, number>;
}

const MAX_SECTIONS = 4096;
const MAX_TAIL = 64 * 1024;

/** The number after the last `startxref` (ISO 32000-2 §7.5.5). */
function readStartOffset(file: PdfFile): number {
  for (let length = 2048; ; length *= 4) {
    const tail = file.text(Math.max(0, file.size - length), length);
    const at = tail.lastIndexOf('startxref');
    if (at >= 0) {
      const digits = /^startxref\s*(\d{1,15})/.exec(tail.slice(at, at + 64))?.[1];
      if (digits === undefined) malformed('no offset follows its last "startxref"');
      return Number(digits);
    }
    if (length >= MAX_TAIL || length >= file.size) malformed('its end is missing: there is no "startxref"');
  }
}

const beginsSection = (text: string): boolean => /^\s*(xref\b|\d+\s+\d+\s+obj)/.test(text);

/** True when the text begins with a cross-reference section, and not with another object. */
function isSection(text: string): boolean {
  const head = text.split(/\b(?:stream|endobj)\b/, 1)[0] ?? '';
  return head.startsWith('xref') || (/^\d+\s+\d+\s+obj/.test(head) && head.includes('/XRef'));
}

/** The header's offset when the file counts from there, else 0. Junk in front of the header shifts every offset. */
function findBase(file: PdfFile, headerOffset: number, start: number): number {
  const window = 4096;
  if (headerOffset === 0 || isSection(file.text(start, window))) return 0;
  return isSection(file.text(start + headerOffset, window).trimStart()) ? headerOffset : 0;
}

function readSection(file: PdfFile, base: number, offset: number): CrossReferenceSection {
  const position = base + offset;
  const text = file.text(position, 64);
  if (/^\s*xref/.test(text)) {
    const readHidden = (hidden: number): CrossReferenceSection => readCrossReferenceStream(file, base + hidden);
    return readCrossReferenceTable(file, position + text.indexOf('xref') + 4, readHidden);
  }
  if (!beginsSection(text)) malformed(`there is no cross-reference section at byte ${position}`);
  return readCrossReferenceStream(file, position);
}

function previousOffset(file: PdfFile, base: number, trailer: PdfDictionary): number | undefined {
  const previous = trailer.get('Prev');
  if (previous === undefined || previous === null) return undefined;
  const offset = countOf(previous);
  if (offset === undefined) malformed('a trailer has a Prev entry that is no offset');
  // Some producers write "Prev 0" for "none".
  return offset === 0 && !beginsSection(file.text(base, 64)) ? undefined : offset;
}

/** Reads all sections from the last `startxref` back to the first (ISO 32000-2 §7.5.6). */
export function readCrossReference(file: PdfFile, headerOffset: number): CrossReference {
  const start = readStartOffset(file);
  const base = findBase(file, headerOffset, start);
  const sections: CrossReferenceSection[] = [];
  const seen = new Set<number>();
  for (let offset: number | undefined = start; offset !== undefined;) {
    if (seen.has(offset)) malformed('its cross-reference sections refer to each other in a circle');
    if (seen.size === MAX_SECTIONS) malformed(`it has more than ${MAX_SECTIONS} cross-reference sections`);
    seen.add(offset);
    const section = readSection(file, base, offset);
    sections.push(section);
    offset = previousOffset(file, base, section.trailer);
  }
  return { sections, start, base, positions: [...seen].map((offset) => base + offset) };
}
