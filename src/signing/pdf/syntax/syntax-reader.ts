import { malformed } from './pdf-error.ts';
import { noteRepeatedKey } from './repeated-keys.ts';
import { PdfName, PdfNumber, PdfReference, PdfString } from './values.ts';
import type { ObjectCipher, PdfDictionary, PdfValue } from './values.ts';

/** Thrown when the buffer ends before the value does, while the file goes on; the caller reads more and starts over. */
export class NeedMoreInput extends Error {}

/** Thrown often and never shown: a single instance avoids the cost of stack traces. */
const needMoreInput = new NeedMoreInput();

export interface SyntaxReaderOptions {
  /** Offset in the file of the buffer's first byte; absent for decoded data. */
  readonly origin?: number;
  /** True when nothing follows the buffer. Default: true. */
  readonly complete?: boolean;
}

const MAX_DEPTH = 200;
/** Object numbers above this are beyond every reader's limit. */
const MAX_OBJECT_NUMBER = 0x7fffffff;
const MAX_GENERATION = 99_999;

const byteSet = (bytes: string): Uint8Array => {
  const set = new Uint8Array(256);
  for (const byte of Buffer.from(bytes, 'latin1')) set[byte] = 1;
  return set;
};
const WHITE_SPACE = byteSet('\0\t\n\f\r ');
const DELIMITER = byteSet('()<>[]{}/%');

/** Reads PDF tokens and objects from a buffer (ISO 32000-2 §7.2, §7.3). */
export class SyntaxReader {
  position: number;
  /** Attached to all strings read from now on. */
  cipher: ObjectCipher | undefined;
  readonly #buffer: Buffer;
  readonly #options: SyntaxReaderOptions;
  #depth = 0;

  constructor(buffer: Buffer, position = 0, options: SyntaxReaderOptions = {}) {
    this.#buffer = buffer;
    this.position = position;
    this.#options = options;
  }

  /** True at the end of the input; throws `NeedMoreInput` when only the buffer ends. */
  atEnd(): boolean {
    if (this.position < this.#buffer.length) return false;
    if (this.#options.complete === false) throw needMoreInput;
    return true;
  }

  /** Skips white space and comments (ISO 32000-2 §7.2.3, §7.2.4). */
  skipSpace(): void {
    while (!this.atEnd()) {
      const byte = this.#peek();
      if (WHITE_SPACE[byte] === 1) this.position += 1;
      else if (byte === 0x25) this.#skipLine();
      else return;
    }
  }

  /** The regular characters from here on; empty before a delimiter or at the end. */
  readWord(): string {
    const start = this.position;
    while (!this.atEnd()) {
      if (!this.#isRegular(this.position)) break;
      this.position += 1;
    }
    return this.#buffer.toString('latin1', start, this.position);
  }

  /** A non-negative integer after white space; errors name `what`. */
  readCount(what: string): number {
    this.skipSpace();
    const word = this.readWord();
    if (!/^\d{1,15}$/.test(word)) malformed(`${what} is not a number`);
    return Number(word);
  }

  /** True, and moves on, when the bytes here are exactly `keyword`. */
  accept(keyword: string): boolean {
    const end = this.position + keyword.length;
    if (end > this.#buffer.length && this.#options.complete === false) throw needMoreInput;
    if (this.#buffer.toString('latin1', this.position, end) !== keyword) return false;
    this.position = end;
    return true;
  }

  readValue(): PdfValue {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) malformed(`its objects are nested deeper than ${MAX_DEPTH} levels`);
    this.skipSpace();
    if (this.atEnd()) malformed('it ends where an object should begin');
    const value = this.#readByFirstByte(this.#peek());
    this.#depth -= 1;
    return value;
  }

  #readByFirstByte(byte: number): PdfValue {
    switch (byte) {
      case 0x2f:
        return new PdfName(this.#readName());
      case 0x28:
        return this.#readLiteralString();
      case 0x5b:
        return this.#readArray();
      case 0x3c:
        return this.accept('<<') ? this.#readDictionary() : this.#readHexadecimalString();
      default:
        return this.#readNumberOrKeyword();
    }
  }

  #peek(): number {
    return this.#buffer[this.position] ?? 0;
  }

  #skipLine(): void {
    while (!this.atEnd() && this.#peek() !== 0x0a && this.#peek() !== 0x0d) this.position += 1;
  }

  #readName(): string {
    this.position += 1;
    const word = this.readWord();
    if (!word.includes('#')) return word;
    return word.replace(/#([0-9a-fA-F]{2})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
  }

  #string(start: number): PdfString {
    const token = Buffer.from(this.#buffer.subarray(start, this.position));
    const { origin } = this.#options;
    return new PdfString(token, this.cipher, origin === undefined ? undefined : origin + start);
  }

  #readLiteralString(): PdfString {
    const start = this.position;
    let open = 0;
    do {
      if (this.atEnd()) malformed('a string is not closed');
      const byte = this.#peek();
      if (byte === 0x5c) this.position += 1;
      else if (byte === 0x28) open += 1;
      else if (byte === 0x29) open -= 1;
      this.position += 1;
    } while (open > 0);
    return this.#string(start);
  }

  #readHexadecimalString(): PdfString {
    const start = this.position;
    const end = this.#buffer.indexOf(0x3e, start);
    this.position = end < 0 ? this.#buffer.length : end + 1;
    if (end < 0 && this.atEnd()) malformed('a hexadecimal string is not closed');
    return this.#string(start);
  }

  #readArray(): PdfValue[] {
    this.position += 1;
    const values: PdfValue[] = [];
    for (;;) {
      this.skipSpace();
      if (this.atEnd()) malformed('an array is not closed');
      if (this.#peek() === 0x5d) break;
      values.push(this.readValue());
    }
    this.position += 1;
    return values;
  }

  #readDictionary(): PdfDictionary {
    const dictionary: PdfDictionary = new Map();
    for (;;) {
      this.skipSpace();
      if (this.atEnd()) malformed('a dictionary is not closed');
      if (this.#peek() !== 0x2f) break;
      const [name, value] = [this.#readName(), this.readValue()];
      if (dictionary.has(name)) noteRepeatedKey(dictionary, name, value);
      dictionary.set(name, value);
    }
    if (!this.accept('>>')) malformed('a dictionary has a key that is not a name');
    return dictionary;
  }

  #readNumberOrKeyword(): PdfValue {
    const integer = this.#acceptInteger();
    if (integer !== undefined) return this.#acceptReferenceRest(integer) ?? integer;
    const word = this.readWord();
    if (word === 'true') return true;
    if (word === 'false') return false;
    if (word === 'null') return null;
    if (/^[-+.\d]/.test(word)) return new PdfNumber(word);
    malformed(word === '' ? 'a delimiter stands where an object should' : `the word "${printable(word)}" is no object`);
  }

  /** A word of 1 to 15 digits; undefined, and nothing moves, for anything else. */
  #acceptInteger(): number | undefined {
    let end = this.position;
    let value = 0;
    for (; end < this.#buffer.length; end += 1) {
      const digit = (this.#buffer[end] ?? 0) - 0x30;
      if (digit < 0 || digit > 9) break;
      value = value * 10 + digit;
    }
    const length = end - this.position;
    if (length === 0 || length > 15) return undefined;
    if (end === this.#buffer.length && this.#options.complete === false) throw needMoreInput;
    if (end < this.#buffer.length && this.#isRegular(end)) return undefined;
    this.position = end;
    return value;
  }

  #isRegular(position: number): boolean {
    const byte = this.#buffer[position] ?? 0;
    return WHITE_SPACE[byte] !== 1 && DELIMITER[byte] !== 1;
  }

  /** The rest of `12 0 R`, or undefined and back to the start of the rest. */
  #acceptReferenceRest(number: number): PdfReference | undefined {
    const start = this.position;
    this.skipSpace();
    const generation = this.#acceptInteger();
    if (generation !== undefined && generation <= MAX_GENERATION) {
      this.skipSpace();
      if (!this.atEnd() && this.#peek() === 0x52 && this.readWord() === 'R') {
        if (number > MAX_OBJECT_NUMBER) malformed(`it refers to object ${number}`);
        return new PdfReference(number, generation);
      }
    }
    this.position = start;
    return undefined;
  }
}

const printable = (word: string): string => word.slice(0, 20).replace(/[^\x20-\x7e]/g, '?');
