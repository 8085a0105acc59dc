/** Finds the objects that may refer to given objects, by scanning the bytes of objects without parsing values. */
import { SigningError } from '../../errors.ts';
import type { PdfDocument } from '../reading/pdf-document.ts';
import type { PdfFile } from '../reading/pdf-file.ts';
import { scanIndirectObject } from '../reading/reference-scanner.ts';
import type { Revision } from './revisions.ts';

/** Bytes of the file in memory at once. */
const WINDOW = 256 * 1024;
/**
 * Bytes of an object to read first. A larger object is read again. An object larger than the window is left to the
 * object reader, which has its own limits.
 */
const USUAL_SIZE = 2048;
const GROWTH = 8;
/** Objects farther apart than this are read one by one: the bytes between are mostly data of streams. */
const LARGE_GAP = 16 * 1024;

/** Cost in the work budget of an object and of each byte. */
const COST = 16;
const COST_SHIFT = 2;

type NumberRun = readonly [first: number, behind: number];

/** The numbers that these revisions list, as runs in rising order that do not overlap. */
export function runsOf(revisions: readonly Revision[]): readonly NumberRun[] {
  const listed: NumberRun[] = [];
  for (const { structure, ownSections } of revisions) {
    for (const section of structure.sections.slice(0, ownSections)) {
      for (const [first, count] of section.listed()) listed.push([first, first + count]);
    }
  }
  listed.sort(([first], [second]) => first - second);
  const runs: [number, number][] = [];
  for (const [first, behind] of listed) {
    const last = runs.at(-1);
    if (last === undefined || first > last[1]) runs.push([first, behind]);
    else last[1] = Math.max(last[1], behind);
  }
  return runs;
}

/** Objects with a place of their own in the file, in the order of their places. */
interface PlacedObjects {
  readonly numbers: Uint32Array;
  /** Positions in the file, not relative to the header. */
  readonly positions: Float64Array;
}

/**
 * Limits below which a position and an index fit together into one number. Sorting numbers is faster than sorting
 * pairs.
 */
const INDEXES = 2 ** 20;
const POSITIONS = 2 ** 33;

/** Indexes of the positions in rising order. */
function orderOf(positions: Float64Array): Uint32Array {
  const fits = positions.length <= INDEXES && positions.every((position) => position < POSITIONS);
  if (!fits) {
    return Uint32Array.from(positions.keys()).sort(
      (first, second) => (positions[first] ?? 0) - (positions[second] ?? 0),
    );
  }
  const keys = positions.map((position, index) => position * INDEXES + index).sort();
  const order = new Uint32Array(keys.length);
  for (let index = 0; index < keys.length; index += 1) order[index] = (keys[index] ?? 0) % INDEXES;
  return order;
}

function inOrderOfPlaces({ numbers, positions }: PlacedObjects): PlacedObjects {
  const order = orderOf(positions);
  const sorted = { numbers: new Uint32Array(order.length), positions: new Float64Array(order.length) };
  for (let place = 0; place < order.length; place += 1) {
    const index = order[place] ?? 0;
    sorted.numbers[place] = numbers[index] ?? 0;
    sorted.positions[place] = positions[index] ?? 0;
  }
  return sorted;
}

/** The objects with these numbers: by place, and those in object streams by stream. */
function sortByPlace(
  document: PdfDocument,
  runs: readonly NumberRun[],
): { readonly placed: PlacedObjects; readonly packed: ReadonlyMap<number, readonly number[]> } {
  const total = runs.reduce((sum, [first, behind]) => sum + behind - first, 0);
  const [numbers, positions] = [new Uint32Array(total), new Float64Array(total)];
  const packed = new Map<number, number[]>();
  let count = 0;
  for (const [first, behind] of runs) {
    for (let number = first; number < behind; number += 1) {
      const entry = document.entry(number);
      if (entry?.kind === 'offset') {
        numbers[count] = number;
        positions[count] = document.crossReference.base + entry.offset;
        count += 1;
      } else if (entry?.kind === 'compressed') {
        const inside = packed.get(entry.stream);
        if (inside === undefined) packed.set(entry.stream, [number]);
        else inside.push(number);
      }
    }
  }
  return {
    placed: inOrderOfPlaces({ numbers: numbers.subarray(0, count), positions: positions.subarray(0, count) }),
    packed,
  };
}

/** The bytes of objects in the order of their places. Objects close to each other are read in one window. */
class ObjectBytes {
  readonly #file: PdfFile;
  readonly #positions: Float64Array;
  readonly #buffer: Buffer;
  #start = 0;
  #bytes: Buffer = Buffer.alloc(0);

  constructor(file: PdfFile, positions: Float64Array) {
    this.#file = file;
    this.#positions = positions;
    this.#buffer = Buffer.allocUnsafe(Math.min(WINDOW, file.size));
  }

  /** False when the object at this index certainly refers to none of the targets. */
  mayRefer(index: number, targets: ReadonlySet<number>): boolean {
    const position = this.#positions[index] ?? 0;
    if (position < this.#start || position + USUAL_SIZE > this.#start + this.#bytes.length) this.#fill(index);
    for (let size = USUAL_SIZE; ; size *= GROWTH) {
      const { outcome, passed } = scanIndirectObject(this.#bytes, position - this.#start, targets);
      this.#file.budget.spend(COST + (passed >> COST_SHIFT));
      if (outcome !== 'unclear') return outcome === 'refers';
      const isWhole = position + size >= this.#file.size;
      if (isWhole || size * GROWTH > this.#buffer.length) return true;
      this.#load(position, size * GROWTH);
    }
  }

  /** Reads this object, and the objects that follow closely. */
  #fill(index: number): void {
    const position = this.#positions[index] ?? 0;
    let last = position;
    for (let next = index + 1; next < this.#positions.length; next += 1) {
      const begin = this.#positions[next] ?? 0;
      if (begin - last > LARGE_GAP || begin + USUAL_SIZE - position > this.#buffer.length) break;
      last = begin;
    }
    this.#load(position, last + USUAL_SIZE - position);
  }

  #load(position: number, size: number): void {
    this.#start = position;
    this.#bytes = this.#file.readInto(this.#buffer.subarray(0, size), position);
  }
}

/** True for errors of the object stream itself. An exceeded work budget is not caught. */
const isDamage = (document: PdfDocument, error: unknown): boolean =>
  error instanceof SigningError && !document.file.budget.exhausted;

function mayReferInStream(
  document: PdfDocument,
  stream: number,
  number: number,
  targets: ReadonlySet<number>,
): boolean {
  try {
    const scan = document.scanPacked(stream, number, targets);
    document.file.budget.spend(COST + ((scan?.passed ?? 0) >> COST_SHIFT));
    return scan !== undefined && scan.outcome !== 'refers-not';
  } catch (error) {
    if (!isDamage(document, error)) throw error;
    return false;
  }
}

/**
 * Numbers of the objects among `runs` that may refer to a target, possibly a few too many. Objects come in the order of
 * the file, then objects in object streams by stream, so that each stream is decoded once.
 */
export function* possibleHolders(
  document: PdfDocument,
  runs: readonly NumberRun[],
  targets: ReadonlySet<number>,
): Generator<number> {
  const { placed, packed } = sortByPlace(document, runs);
  const bytes = new ObjectBytes(document.file, placed.positions);
  for (let index = 0; index < placed.numbers.length; index += 1) {
    const number = placed.numbers[index];
    if (number !== undefined && bytes.mayRefer(index, targets)) yield number;
  }
  for (const [stream, numbers] of packed) {
    for (const number of numbers) if (mayReferInStream(document, stream, number, targets)) yield number;
  }
}
