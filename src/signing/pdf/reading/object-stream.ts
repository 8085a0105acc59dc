import { malformed } from '../syntax/pdf-error.ts';
import { SyntaxReader } from '../syntax/syntax-reader.ts';
import type { PdfValue } from '../syntax/values.ts';

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

  /** Octets of decoded data. */
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
}
