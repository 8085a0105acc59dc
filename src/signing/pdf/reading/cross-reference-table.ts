import type { CrossReferenceEntry, CrossReferenceSection } from './cross-reference-section.ts';
import { malformed } from '../syntax/pdf-error.ts';
import type { PdfFile } from './pdf-file.ts';
import { countOf } from '../syntax/values.ts';
import type { PdfDictionary } from '../syntax/values.ts';

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
    if (match === null) malformed(`its cross-reference table is not readable at octet ${end}`);
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

/** Finds the runs and the place behind the word `trailer`, looking only at the ends of each run. */
function readRuns(file: PdfFile, start: number): { runs: readonly Run[]; trailer: number } {
  const runs: Run[] = [];
  let position = start;
  for (;;) {
    file.budget.spend(128);
    const text = file.text(position, 128);
    const trailer = /^\s*trailer/.exec(text);
    if (trailer !== null) return { runs, trailer: position + trailer[0].length };
    const head = /^\s*(\d{1,10})\s+(\d{1,10})[ \t]*(?:\r\n|\r|\n|(?=\d))/.exec(text);
    if (head === null) malformed(`its cross-reference table is not readable at octet ${position}`);
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

function readEntry(file: PdfFile, run: Run, objectNumber: number): CrossReferenceEntry {
  const index = objectNumber - run.first;
  if (run.entries !== undefined) return run.entries[index] ?? { kind: 'free' };
  const text = file.text(run.position + index * ENTRY_LENGTH, ENTRY_LENGTH);
  if (!/^\d{10} \d{5} [nf]/.test(text))
    malformed(`the cross-reference entry of object ${objectNumber} is not readable`);
  return toEntry(text.slice(0, 10), text.slice(11, 16), text.slice(17, 18));
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
 * `position` is behind the word `xref`; `readHidden` reads the stream of `XRefStm`.
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
