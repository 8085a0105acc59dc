import { malformed } from '../syntax/pdf-error.ts';
import type { PdfFile } from './pdf-file.ts';
import { SyntaxReader } from '../syntax/syntax-reader.ts';
import { scanValue, type Scan } from './reference-scanner.ts';
import { PdfStream, type ObjectCipher, type PdfValue } from '../syntax/values.ts';

export interface IndirectObject {
  readonly number: number;
  readonly generation: number;
  readonly value: PdfValue;
}

/** Gives the key of an object; undefined where nothing is encrypted. */
export type CipherOf = (number: number, generation: number) => ObjectCipher | undefined;

/** Moves past `stream` and its line end (ISO 32000-2 §7.3.8.1); false when no stream follows. */
function acceptStreamStart(reader: SyntaxReader): boolean {
  reader.skipSpace();
  if (reader.atEnd() || !reader.accept('stream')) return false;
  reader.accept('\r');
  reader.accept('\n');
  return true;
}

/** Reads `12 0 obj …` at `position` (ISO 32000-2 §7.3.10). White space in front is allowed. */
export function readIndirectObject(file: PdfFile, position: number, cipherOf?: CipherOf): IndirectObject {
  return readIndirectObjectWithEnd(file, position, cipherOf);
}

/** Like `readIndirectObject`, with the offset after the value in the file; for a stream, the offset of its data. */
export function readIndirectObjectWithEnd(
  file: PdfFile,
  position: number,
  cipherOf?: CipherOf,
): IndirectObject & { readonly end: number } {
  return file.parse(position, (reader) => {
    const { number, generation } = readHead(reader, position);
    reader.cipher = cipherOf?.(number, generation);
    const value = reader.readValue();
    const isStream = value instanceof Map && acceptStreamStart(reader);
    const end = position + reader.position;
    return { number, generation, value: isStream ? new PdfStream(value, end) : value, end };
  });
}

function readHead(reader: SyntaxReader, position: number): { number: number; generation: number } {
  reader.skipSpace();
  const number = reader.readWord();
  reader.skipSpace();
  const generation = reader.readWord();
  reader.skipSpace();
  if (!/^\d{1,10}$/.test(number) || !/^\d{1,5}$/.test(generation) || !reader.accept('obj')) {
    malformed(`no object begins at byte ${position}, where its cross-reference says one does`);
  }
  return { number: Number(number), generation: Number(generation) };
}

/** The decoded content of an object stream (ISO 32000-2 §7.5.7). Its strings are not encrypted on their own. */
export class ObjectStream {
  readonly #data: Buffer;
  readonly #offsets = new Map<number, number>();

  /** `count` and `first` are the dictionary's `N` and `First`. */
  constructor(data: Buffer, count: number, first: number) {
    this.#data = data;
    if (count > data.length / 2) malformed(`an object stream claims to hold ${count} objects`);
    const reader = new SyntaxReader(data);
    for (let index = 0; index < count; index += 1) {
      const number = reader.readCount('an object number in an object stream');
      const offset = reader.readCount('an offset in an object stream');
      this.#offsets.set(number, first + offset);
    }
  }

  /** Bytes of decoded data. */
  get size(): number {
    return this.#data.length;
  }

  /** Numbers of the objects in the stream's order. */
  get numbers(): readonly number[] {
    return [...this.#offsets.keys()];
  }

  /** The object, or null for an object outside of the stream. */
  read(objectNumber: number): PdfValue {
    const offset = this.#offsets.get(objectNumber);
    return offset === undefined ? null : new SyntaxReader(this.#data, offset).readValue();
  }

  /** Scans an object for references to `targets`; undefined for an object outside of the stream. */
  scan(objectNumber: number, targets: ReadonlySet<number>): Scan | undefined {
    const offset = this.#offsets.get(objectNumber);
    return offset === undefined ? undefined : scanValue(this.#data, offset, targets);
  }
}

/** Maximum number of bytes of all cached objects, and of a single object. */
const MAX_BYTES = 1024 * 1024;
const MAX_OBJECT = 64 * 1024;
/** Cost of a repeated read in the work budget. */
const COST = 64;

/**
 * A cache of objects by their place in the file, for callers that read the same objects through many revisions and
 * change none. All callers have to use the same encryption keys.
 */
export class RecentObjects {
  readonly #objects = new Map<number, IndirectObject>();
  #bytes = 0;

  read(file: PdfFile, position: number, cipherOf: CipherOf): IndirectObject {
    const kept = this.#objects.get(position);
    if (kept !== undefined) {
      file.budget.spend(COST);
      return kept;
    }
    const { end, ...object } = readIndirectObjectWithEnd(file, position, cipherOf);
    const size = end - position;
    if (size > MAX_OBJECT) return object;
    if (this.#bytes + size > MAX_BYTES) {
      this.#objects.clear();
      this.#bytes = 0;
    }
    this.#objects.set(position, object);
    this.#bytes += size;
    return object;
  }
}
