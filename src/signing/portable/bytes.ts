/**
 * The part of Node's `Buffer` that the PDF writer uses, for runtimes without one. The build of the portable PDF helpers
 * puts this class in its place.
 */

type Encoding = 'latin1' | 'ascii' | 'hex' | 'utf8' | 'utf16le';

/** `Uint8Array` without its static methods, whose types differ from those of `Buffer`. */
const Base = Uint8Array as unknown as {
  new (length: number): Uint8Array<ArrayBuffer>;
  new (buffer: ArrayBuffer, offset?: number, length?: number): Uint8Array<ArrayBuffer>;
};

/** Characters of a call of `String.fromCharCode`, which takes a limited number of arguments. */
const CALL = 0x2000;

function encode(text: string, encoding: Encoding): Uint8Array<ArrayBuffer> {
  if (encoding === 'utf8') return new TextEncoder().encode(text);
  if (encoding === 'hex') {
    const digits = /^(?:[\da-f]{2})*/i.exec(text)?.[0] ?? '';
    return Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  }
  if (encoding === 'utf16le') {
    const codes = Uint16Array.from(text, (_letter, index) => text.charCodeAt(index));
    return Uint8Array.from(
      { length: 2 * codes.length },
      (_one, at) => ((codes[at >> 1] ?? 0) >> (8 * (at & 1))) & 0xff,
    );
  }
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at);
  return bytes;
}

function order(first: Uint8Array, second: Uint8Array): number {
  const shared = Math.min(first.length, second.length);
  for (let at = 0; at < shared; at += 1) {
    const difference = (first[at] ?? 0) - (second[at] ?? 0);
    if (difference !== 0) return Math.sign(difference);
  }
  return Math.sign(first.length - second.length);
}

/** Bytes with the methods of Node's `Buffer` of the same names. */
export class Bytes extends Base {
  static from(
    source: string | ArrayBuffer | readonly number[] | Uint8Array,
    encodingOrOffset: Encoding | number = 'utf8',
    length?: number,
  ): Bytes {
    if (typeof source === 'string') return Bytes.#over(encode(source, encodingOrOffset as Encoding));
    const isMemory = source instanceof ArrayBuffer;
    return isMemory ? new Bytes(source, Number(encodingOrOffset) || 0, length) : Bytes.#over(Uint8Array.from(source));
  }

  static alloc(length: number, value = 0): Bytes {
    const bytes = new Bytes(length);
    if (value !== 0) bytes.fill(value);
    return bytes;
  }

  static allocUnsafe(length: number): Bytes {
    return new Bytes(length);
  }

  static allocUnsafeSlow(length: number): Bytes {
    return new Bytes(length);
  }

  static concat(parts: readonly Uint8Array[]): Bytes {
    const whole = new Bytes(parts.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const part of parts) {
      whole.set(part, at);
      at += part.length;
    }
    return whole;
  }

  static compare(first: Uint8Array, second: Uint8Array): number {
    return order(first, second);
  }

  static #over(bytes: Uint8Array<ArrayBuffer>): Bytes {
    return new Bytes(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  override toString(encoding: Encoding = 'utf8', start = 0, end = this.length): string {
    const part = this.subarray(Math.max(0, start), Math.max(0, end));
    if (encoding === 'hex') return Array.from(part, (byte) => byte.toString(16).padStart(2, '0')).join('');
    if (encoding === 'utf8') return new TextDecoder('utf-8', { ignoreBOM: true }).decode(part);
    if (encoding === 'utf16le') {
      return new TextDecoder('utf-16le', { ignoreBOM: true }).decode(part.subarray(0, part.length & ~1));
    }
    let text = '';
    for (let at = 0; at < part.length; at += CALL) text += String.fromCharCode(...part.subarray(at, at + CALL));
    return text;
  }

  equals(other: Uint8Array): boolean {
    return order(this, other) === 0;
  }

  compare(other: Uint8Array): number {
    return order(this, other);
  }

  copy(target: Uint8Array, targetStart = 0, start = 0, end = this.length): number {
    const part = this.subarray(start, Math.min(end, start + target.length - targetStart));
    target.set(part, targetStart);
    return part.length;
  }

  override indexOf(wanted: number | string | Uint8Array, from = 0): number {
    if (typeof wanted === 'number') return super.indexOf(wanted & 0xff, from);
    const bytes = typeof wanted === 'string' ? encode(wanted, 'latin1') : wanted;
    const first = bytes[0];
    if (first === undefined) return from;
    for (let at = super.indexOf(first, from); at >= 0; at = super.indexOf(first, at + 1)) {
      if (this.#hasAt(bytes, at)) return at;
    }
    return -1;
  }

  override lastIndexOf(wanted: number | string | Uint8Array, from = this.length - 1): number {
    if (typeof wanted === 'number') return super.lastIndexOf(wanted & 0xff, from);
    const bytes = typeof wanted === 'string' ? encode(wanted, 'latin1') : wanted;
    for (let at = Math.min(from, this.length - bytes.length); at >= 0; at -= 1) if (this.#hasAt(bytes, at)) return at;
    return -1;
  }

  override includes(wanted: number | string | Uint8Array, from = 0): boolean {
    return this.indexOf(wanted, from) >= 0;
  }

  #hasAt(bytes: Uint8Array, at: number): boolean {
    return at + bytes.length <= this.length && bytes.every((byte, index) => this[at + index] === byte);
  }

  readUIntBE(offset: number, count: number): number {
    let value = 0;
    for (let at = offset; at < offset + count; at += 1) value = value * 256 + (this[at] ?? 0);
    return value;
  }

  readUInt8(offset = 0): number {
    return this.readUIntBE(offset, 1);
  }

  readUInt16BE(offset = 0): number {
    return this.readUIntBE(offset, 2);
  }

  readUInt32BE(offset = 0): number {
    return this.readUIntBE(offset, 4);
  }

  writeUIntBE(value: number, offset: number, count: number): number {
    for (let at = count - 1, left = value; at >= 0; at -= 1, left = Math.floor(left / 256))
      this[offset + at] = left % 256;
    return offset + count;
  }

  writeUInt8(value: number, offset = 0): number {
    return this.writeUIntBE(value, offset, 1);
  }

  writeUInt16BE(value: number, offset = 0): number {
    return this.writeUIntBE(value, offset, 2);
  }

  write(text: string, offset = 0, encoding: Encoding = 'utf8'): number {
    const bytes = encode(text, encoding).subarray(0, this.length - offset);
    this.set(bytes, offset);
    return bytes.length;
  }

  swap16(): this {
    for (let at = 0; at + 1 < this.length; at += 2) this.set([this[at + 1] ?? 0, this[at] ?? 0], at);
    return this;
  }
}
