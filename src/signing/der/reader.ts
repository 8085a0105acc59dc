/**
 * DER reader (X.690 §10): slices of the input, never copies, never re-encoded.
 *
 * Elements are parsed on demand, so the cost of hostile input is bounded by the parts in use. Depth, number of children
 * and lengths are limited. Indefinite lengths are refused here: `normalizeBer` turns BER into DER first. The file is
 * longer than others because all its functions rely on each other's checks.
 */
import { spend } from '../budget/budget.ts';
import { SigningError } from '../errors.ts';

/** Identifier bytes of the universal types in use here (X.680 §8.6). */
export const Tag = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  oid: 0x06,
  enumerated: 0x0a,
  utf8String: 0x0c,
  sequence: 0x30,
  set: 0x31,
  numericString: 0x12,
  printableString: 0x13,
  teletexString: 0x14,
  ia5String: 0x16,
  utcTime: 0x17,
  generalizedTime: 0x18,
  visibleString: 0x1a,
  universalString: 0x1c,
  bmpString: 0x1e,
} as const;

/** Identifier byte of the constructed context-specific tag `[number]`. */
export const contextTag = (number: number): number => 0xa0 | number;
/** Identifier byte of the primitive context-specific tag `[number]`. */
export const primitiveContextTag = (number: number): number => 0x80 | number;

const MAX_DEPTH = 64;
/**
 * Maximum number of children of an element. Longer lists (revocation lists) are scanned by offset, never held as
 * objects.
 */
const MAX_CHILDREN = 100_000;

function malformed(detail: string): never {
  throw new SigningError('DER_MALFORMED', `The DER data is damaged: ${detail}.`);
}

/** A tag-length-value of the input. All buffers are views of the input, made on demand. */
export class DerElement {
  /** The identifier byte; high tag numbers (more than one byte) are refused. */
  readonly tag: number;
  readonly #input: Buffer;
  readonly #offset: number;
  readonly #contentStart: number;
  readonly #end: number;
  readonly #depth: number;
  #bytes: Buffer | undefined;
  #content: Buffer | undefined;
  #children: readonly DerElement[] | undefined;

  /** Offsets of the element, of its content and of its end. */
  constructor(tag: number, input: Buffer, offset: number, contentStart: number, end: number, depth: number) {
    this.tag = tag;
    this.#input = input;
    this.#offset = offset;
    this.#contentStart = contentStart;
    this.#end = end;
    this.#depth = depth;
  }

  /** The whole element: identifier, length and content bytes. */
  get bytes(): Buffer {
    return (this.#bytes ??= this.#input.subarray(this.#offset, this.#end));
  }

  /** The content bytes alone. */
  get content(): Buffer {
    return (this.#content ??= this.#input.subarray(this.#contentStart, this.#end));
  }

  /** The content bytes as Latin-1 text, without making a view of the input. */
  get latin1(): string {
    return this.#input.toString('latin1', this.#contentStart, this.#end);
  }

  /** Number of content bytes. */
  get contentLength(): number {
    return this.#end - this.#contentStart;
  }

  /** Bytes of the whole element. */
  get size(): number {
    return this.#end - this.#offset;
  }

  /** True for SEQUENCE, SET and constructed context tags. */
  get constructed(): boolean {
    return (this.tag & 0x20) !== 0;
  }

  /** The elements inside; read once, on first use. A primitive element is an error. */
  get children(): readonly DerElement[] {
    if (this.#children === undefined) {
      if (!this.constructed) malformed(`tag 0x${this.tag.toString(16)} has no inner elements`);
      this.#children = readElements(this.#input, this.#contentStart, this.#end, this.#depth + 1);
    }
    return this.#children;
  }

  /** The child at `index`; the error for a missing child names `what`. */
  child(index: number, what: string): DerElement {
    return this.children[index] ?? malformed(`${what} is missing`);
  }

  /** This element when its tag is `tag`, else an error that names `what`. */
  expect(tag: number, what: string): this {
    if (this.tag !== tag) {
      malformed(`${what} has tag 0x${this.tag.toString(16)} instead of 0x${tag.toString(16)}`);
    }
    return this;
  }

  /** The first child with this tag, or undefined. */
  find(tag: number): DerElement | undefined {
    return this.children.find((element) => element.tag === tag);
  }
}

/** The header of an element. */
export interface DerHeader {
  readonly tag: number;
  /** Where the content bytes begin, counted like `offset`. */
  readonly contentStart: number;
  /** Bytes of content, not necessarily inside the input. */
  readonly length: number;
}

/**
 * Reads identifier and length bytes at `offset`, for elements longer than the buffer. The header must end before
 * `limit`.
 */
export function readDerHeader(input: Buffer, offset: number, limit: number = input.length): DerHeader {
  const tag = input[offset];
  if (tag === undefined || offset >= limit) malformed('it ends where an element should begin');
  if ((tag & 0x1f) === 0x1f) malformed('it uses a tag number above 30');
  const first = input[offset + 1];
  if (first === undefined || offset + 1 >= limit) malformed('it ends inside a length');
  const start = offset + 2;
  if (first < 0x80) return { tag, contentStart: start, length: first };
  if (first === 0x80) malformed('it uses an indefinite length, which is BER');
  const count = first & 0x7f;
  if (count > 6) malformed('a length has more than six bytes');
  if (start + count > limit) malformed('it ends inside a length');
  const length = input.readUIntBE(start, count);
  if (length < 0x80 || input[start] === 0) malformed('a length is not in its shortest form');
  return { tag, contentStart: start + count, length };
}

function readElementAt(input: Buffer, offset: number, limit: number, depth: number): DerElement {
  const { tag, contentStart, length } = readDerHeader(input, offset, limit);
  const end = contentStart + length;
  if (end > limit) malformed('an element is longer than what is left');
  return new DerElement(tag, input, offset, contentStart, end, depth);
}

function readElements(input: Buffer, start: number, end: number, depth: number): readonly DerElement[] {
  if (depth > MAX_DEPTH) malformed(`it is nested deeper than ${MAX_DEPTH} levels`);
  const elements: DerElement[] = [];
  for (let offset = start; offset < end;) {
    if (elements.length === MAX_CHILDREN) malformed(`an element has more than ${MAX_CHILDREN} inner elements`);
    const element = readElementAt(input, offset, end, depth);
    elements.push(element);
    offset += element.size;
  }
  spend('objects', elements.length);
  return elements;
}

/** Reads exactly one element. Bytes after the element are an error, because forgers use such padding. */
export function readDer(input: Uint8Array): DerElement {
  const element = readDerPrefix(input);
  if (element.size !== input.length) malformed('something follows the outermost element');
  return element;
}

/** Reads the first element and ignores the rest (padded `Contents` of a PDF signature). */
export function readDerPrefix(input: Uint8Array): DerElement {
  return readElementAt(Buffer.from(input.buffer, input.byteOffset, input.byteLength), 0, input.length, 0);
}

/** Cache of dotted forms by content bytes: a few dozen identifiers recur. */
const knownOids = new Map<string, string>();
const MAX_KNOWN_OIDS = 1000;

/** The dotted form of an OBJECT IDENTIFIER. Arcs above 2^53 are kept exact. */
export function readOid(element: DerElement, what = 'an object identifier'): string {
  if (element.expect(Tag.oid, what).contentLength > 32) return decodeOid(element.content, what);
  const bytes = element.latin1;
  const known = knownOids.get(bytes);
  if (known !== undefined) return known;
  const dotted = decodeOid(element.content, what);
  if (knownOids.size < MAX_KNOWN_OIDS) knownOids.set(bytes, dotted);
  return dotted;
}

function decodeOid(content: Buffer, what: string): string {
  if (content.length === 0 || (content.at(-1) ?? 0) & 0x80) malformed(`${what} is cut off`);
  if (content.length > 128) malformed(`${what} is longer than 128 bytes`);
  const arcs: string[] = [];
  let [start, arc] = [0, 0];
  for (let index = 0; index < content.length; index += 1) {
    const byte = content[index] ?? 0;
    if (index === start && byte === 0x80) malformed(`${what} has a padded arc at byte ${index}`);
    arc = arc * 128 + (byte & 0x7f);
    if (byte & 0x80) continue;
    const value = Number.isSafeInteger(arc) ? arc : readLongArc(content.subarray(start, index + 1));
    if (arcs.length > 0) arcs.push(String(value));
    else if (value < 80) arcs.push(String(Math.floor(Number(value) / 40)), String(Number(value) % 40));
    else arcs.push('2', String(typeof value === 'bigint' ? value - 80n : value - 80));
    [start, arc] = [index + 1, 0];
  }
  return arcs.join('.');
}

const readLongArc = (bytes: Buffer): bigint => bytes.reduce((arc, byte) => (arc << 7n) | BigInt(byte & 0x7f), 0n);

/** A non-negative INTEGER within the range of a JavaScript number. */
export function readSmallInteger(element: DerElement, what: string): number {
  element.expect(Tag.integer, what);
  const { content } = element;
  if (content.length === 0 || content.length > 6) malformed(`${what} is not a small number`);
  if ((content[0] ?? 0) & 0x80) malformed(`${what} is negative`);
  return content.readUIntBE(0, content.length);
}

/** The bits of a BIT STRING whose number of unused bits is zero (keys, signatures). */
export function readBitStringBytes(element: DerElement, what: string): Buffer {
  element.expect(Tag.bitString, what);
  if (element.content[0] !== 0) malformed(`${what} does not hold whole bytes`);
  return element.content.subarray(1);
}

/** The numbers of the bits set in a BIT STRING (key usage: RFC 5280 §4.2.1.3). */
export function readNamedBits(element: DerElement, what: string): readonly number[] {
  element.expect(Tag.bitString, what);
  const bits: number[] = [];
  for (const [index, byte] of element.content.subarray(1).entries()) {
    for (let bit = 0; bit < 8; bit++) if (byte & (0x80 >> bit)) bits.push(index * 8 + bit);
  }
  return bits;
}

/** BOOLEAN; DER allows only 00 and FF, BER any non-zero byte for true. */
export function readBoolean(element: DerElement, what: string): boolean {
  element.expect(Tag.boolean, what);
  if (element.content.length !== 1) malformed(`${what} is not one byte long`);
  return element.content[0] !== 0;
}

const latin1 = (bytes: Buffer): string => bytes.toString('latin1');

function readBmp(bytes: Buffer): string {
  return Buffer.from(bytes.subarray(0, bytes.length & ~1))
    .swap16()
    .toString('utf16le');
}

function readUniversal(bytes: Buffer): string {
  let text = '';
  for (let offset = 0; offset + 4 <= bytes.length; offset += 4) {
    const point = bytes.readUInt32BE(offset);
    text += point <= 0x10ffff ? String.fromCodePoint(point) : '\u{fffd}';
  }
  return text;
}

/** The text of any ASN.1 string type; characters outside the type's set are kept, damaged UTF-8 is replaced. */
export function readString(element: DerElement, what: string): string {
  switch (element.tag) {
    case Tag.utf8String:
      return element.content.toString('utf8');
    case Tag.bmpString:
      return readBmp(element.content);
    case Tag.universalString:
      return readUniversal(element.content);
    case Tag.printableString:
    case Tag.ia5String:
    case Tag.teletexString:
    case Tag.visibleString:
    case Tag.numericString:
      return latin1(element.content);
    default:
      return malformed(`${what} is not a string`);
  }
}

const TIME = /^(\d{2}|\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})?(?:\.\d+)?(Z|[+-]\d{4})$/;

/** UTCTime or GeneralizedTime (RFC 5280 §4.1.2.5); UTCTime years 50–99 are 19xx. Seconds may be missing in BER. */
export function readTime(element: DerElement, what: string): Date {
  const isUtc = element.tag === Tag.utcTime;
  if (!isUtc) element.expect(Tag.generalizedTime, what);
  const match = TIME.exec(element.latin1);
  const yearText = match?.[1];
  if (match === null || yearText === undefined || yearText.length !== (isUtc ? 2 : 4))
    malformed(`${what} is not a time`);
  const year = isUtc ? Number(yearText) + (Number(yearText) < 50 ? 2000 : 1900) : Number(yearText);
  const part = (index: number): number => Number(match[index] ?? '0');
  const zone = match[7] ?? 'Z';
  const offset =
    zone === 'Z' ? 0 : (Number(zone.slice(1, 3)) * 60 + Number(zone.slice(3))) * (zone.startsWith('-') ? -1 : 1);
  const [month, day, hour, minute, second] = [part(2), part(3), part(4), part(5), part(6)];
  if (month < 1 || month > 12 || day < 1 || day > 31 || hour > 23 || minute > 59 || second > 60) {
    malformed(`${what} is not a time`);
  }
  return new Date(Date.UTC(year, month - 1, day, hour, minute - offset, second));
}
