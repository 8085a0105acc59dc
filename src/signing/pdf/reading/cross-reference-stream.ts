import type { CrossReferenceEntry, CrossReferenceSection } from './cross-reference-section.ts';
import { readIndirectObject } from './indirect-object.ts';
import { malformed } from '../syntax/pdf-error.ts';
import type { PdfFile } from './pdf-file.ts';
import { decodeStream, MAX_DECODED } from './stream-filters.ts';
import { countOf, nameOf, PdfStream } from '../syntax/values.ts';
import type { PdfDictionary, PdfValue } from '../syntax/values.ts';

interface Run {
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

function readRuns(dictionary: PdfDictionary, width: number, length: number): readonly Run[] {
  const index = dictionary.get('Index') ?? [0, dictionary.get('Size') ?? null];
  if (!Array.isArray(index)) malformed('a cross-reference stream has an Index that is no array');
  const runs: Run[] = [];
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
  readonly #runs: readonly Run[];

  constructor(trailer: PdfDictionary, data: Buffer, widths: Widths) {
    this.#data = data;
    this.#widths = widths;
    this.#runs = readRuns(trailer, widths[0] + widths[1] + widths[2], data.length);
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
      this.#data.subarray(offset, offset + width).reduce((number, octet) => number * 256 + octet, 0);
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
    malformed(`the object at octet ${position} is not a cross-reference stream`);
  }
  const length = countOf(value.dictionary.get('Length'));
  if (length === undefined || length > MAX_DECODED) malformed('a cross-reference stream has no usable length');
  const data = decodeStream(file.read(value.position, length), value.dictionary, direct);
  file.budget.spend(data.length >> 2);
  return new StreamSection(value.dictionary, data, readWidths(value.dictionary));
}
