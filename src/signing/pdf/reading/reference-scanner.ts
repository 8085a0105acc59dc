/**
 * Finds objects that may refer to given objects, by scanning the tokens of objects as bytes without building values.
 * The result may contain a few objects too many, but never misses an object readable by `SyntaxReader`.
 */

/** `unclear`: the bytes end before the object does, or it begins in an unusual form. */
type ScanOutcome = 'refers' | 'refers-not' | 'unclear';

export interface Scan {
  readonly outcome: ScanOutcome;
  /** Number of bytes that the scan passed. */
  readonly passed: number;
}

const byteSet = (bytes: string): Uint8Array => {
  const set = new Uint8Array(256);
  for (const byte of Buffer.from(bytes, 'latin1')) set[byte] = 1;
  return set;
};
const WHITE_SPACE = byteSet('\0\t\n\f\r ');
const NOT_REGULAR = byteSet('\0\t\n\f\r ()<>[]{}/%');

/** Position after the literal string at `at`, or after the last byte. */
function skipLiteralString(bytes: Buffer, at: number): number {
  let open = 0;
  let position = at;
  do {
    const byte = bytes[position];
    if (byte === 0x5c) position += 1;
    else if (byte === 0x28) open += 1;
    else if (byte === 0x29) open -= 1;
    position += 1;
  } while (open > 0 && position < bytes.length);
  return open > 0 ? bytes.length : position;
}

function skipLine(bytes: Buffer, at: number): number {
  let position = at;
  while (position < bytes.length && bytes[position] !== 0x0a && bytes[position] !== 0x0d) position += 1;
  return position;
}

/** Passes over the tokens of a value, and keeps the two integers in front of the present token. */
class TokenScan {
  readonly #bytes: Buffer;
  readonly #targets: ReadonlySet<number>;
  #position: number;
  #depth = 0;
  /** The integers before; -1 for another token. */
  #last = -1;
  #lastButOne = -1;

  constructor(bytes: Buffer, position: number, targets: ReadonlySet<number>) {
    this.#bytes = bytes;
    this.#position = position;
    this.#targets = targets;
  }

  run(): Scan {
    const start = this.#position;
    const outcome = this.#run();
    return { outcome, passed: this.#position - start };
  }

  #run(): ScanOutcome {
    const bytes = this.#bytes;
    while (this.#position < bytes.length) {
      const byte = bytes[this.#position] ?? 0;
      if (WHITE_SPACE[byte] === 1) {
        this.#position += 1;
        continue;
      }
      if (byte === 0x25) {
        this.#position = skipLine(bytes, this.#position);
        continue;
      }
      const outcome = NOT_REGULAR[byte] === 1 ? this.#passDelimiter(byte) : this.#passWord();
      if (outcome !== undefined) return outcome;
    }
    return 'unclear';
  }

  #passDelimiter(byte: number): ScanOutcome | undefined {
    const bytes = this.#bytes;
    this.#forgetIntegers();
    const isDouble = bytes[this.#position + 1] === byte;
    switch (byte) {
      case 0x28:
        this.#position = skipLiteralString(bytes, this.#position);
        break;
      case 0x2f:
        this.#position += 1;
        while (this.#position < bytes.length && NOT_REGULAR[bytes[this.#position] ?? 0] !== 1) this.#position += 1;
        break;
      case 0x3c:
        if (isDouble) {
          this.#depth += 1;
          this.#position += 2;
        } else {
          const end = bytes.indexOf(0x3e, this.#position);
          this.#position = end < 0 ? bytes.length : end + 1;
        }
        break;
      case 0x5b:
        this.#depth += 1;
        this.#position += 1;
        break;
      case 0x3e:
      case 0x5d:
        this.#depth -= 1;
        this.#position += byte === 0x3e && isDouble ? 2 : 1;
        return this.#depth <= 0 ? 'refers-not' : undefined;
      default:
        // Braces and a lone parenthesis are no part of an object: the reader stops here too.
        return 'refers-not';
    }
    if (this.#position >= bytes.length) return 'unclear';
    return this.#depth <= 0 ? 'refers-not' : undefined;
  }

  #passWord(): ScanOutcome | undefined {
    const bytes = this.#bytes;
    const start = this.#position;
    let value = 0;
    let isInteger = true;
    let position = start;
    for (; position < bytes.length; position += 1) {
      const byte = bytes[position] ?? 0;
      if (NOT_REGULAR[byte] === 1) break;
      const digit = byte - 0x30;
      if (digit < 0 || digit > 9) isInteger = false;
      else value = value * 10 + digit;
    }
    this.#position = position;
    // A word at the end of the bytes may continue after the last byte.
    if (position >= bytes.length) return 'unclear';
    if (isInteger) {
      this.#lastButOne = this.#last;
      this.#last = value;
      return undefined;
    }
    const isReference = position - start === 1 && bytes[start] === 0x52 && this.#lastButOne >= 0;
    if (isReference && this.#targets.has(this.#lastButOne)) return 'refers';
    this.#forgetIntegers();
    return this.#depth === 0 ? 'refers-not' : undefined;
  }

  #forgetIntegers(): void {
    this.#last = -1;
    this.#lastButOne = -1;
  }
}

/** Scans the value at `position`. White space and comments in front are allowed. */
export const scanValue = (bytes: Buffer, position: number, targets: ReadonlySet<number>): Scan =>
  new TokenScan(bytes, position, targets).run();

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39;

/** Scans the object `12 0 obj …` at `position` (ISO 32000-2 §7.3.10). */
export function scanIndirectObject(bytes: Buffer, position: number, targets: ReadonlySet<number>): Scan {
  let at = position;
  const passBlanks = (): void => {
    while (at < bytes.length && WHITE_SPACE[bytes[at] ?? 0] === 1) at += 1;
  };
  for (let word = 0; word < 2; word += 1) {
    passBlanks();
    const start = at;
    while (isDigit(bytes[at])) at += 1;
    // The head of the object has an unusual form, so `SyntaxReader` has to read the object.
    if (at === start) return { outcome: 'unclear', passed: at - position };
  }
  passBlanks();
  if (bytes[at] !== 0x6f || bytes[at + 1] !== 0x62 || bytes[at + 2] !== 0x6a)
    return { outcome: 'unclear', passed: at - position };
  return scanValue(bytes, at + 3, targets);
}
