/**
 * DER writer (X.690 §10). Every function returns the finished element; larger elements are composed of finished
 * elements. SET OF is sorted here (X.690 §11.6), so that no caller can forget the sorting.
 */
import { SigningError } from '../errors.ts';
import { Tag, contextTag, primitiveContextTag } from './reader.ts';

/** Identifier and length bytes of an element with `length` content bytes (up to 2^48 − 1, for streamed content). */
export function derHeader(tag: number, length: number): Buffer {
  if (length < 0x80) return Buffer.of(tag, length);
  let count = 1;
  for (let rest = length; rest > 0xff; rest = Math.floor(rest / 256)) count++;
  const header = Buffer.allocUnsafe(2 + count);
  header[0] = tag;
  header[1] = 0x80 | count;
  header.writeUIntBE(length, 2, count);
  return header;
}

/** The element with this identifier byte around the content given in parts. */
export const derElement = (tag: number, ...content: readonly Uint8Array[]): Buffer => derElementOf(tag, content);

/** Like `derElement`, for lists longer than the limit on call arguments. */
export function derElementOf(tag: number, content: readonly Uint8Array[]): Buffer {
  let length = 0;
  for (const part of content) length += part.length;
  return Buffer.concat([derHeader(tag, length), ...content]);
}

/** SEQUENCE and SEQUENCE OF, in the order given. */
export const derSequence = (...elements: readonly Uint8Array[]): Buffer => derElement(Tag.sequence, ...elements);

/** The elements in DER's order for a SET OF: by their encodings (X.690 §11.6). */
export function sortSetOf(elements: readonly Uint8Array[]): readonly Uint8Array[] {
  return [...elements].sort((left, right) => Buffer.compare(left, right));
}

/** True when the elements are in the order of `sortSetOf`. */
export const isSortedSetOf = (elements: readonly Uint8Array[]): boolean =>
  elements.every((element, index) => index === 0 || Buffer.compare(elements[index - 1] ?? element, element) <= 0);

/** SET OF, sorted. */
export const derSetOf = (...elements: readonly Uint8Array[]): Buffer => derSetOfList(elements);

/** Like `derSetOf`, for lists of any length from foreign files. */
export const derSetOfList = (elements: readonly Uint8Array[]): Buffer => derElementOf(Tag.set, sortSetOf(elements));

/** INTEGER from a number, a bigint, or big-endian unsigned bytes. */
export function derInteger(value: number | bigint | Uint8Array): Buffer {
  if (typeof value === 'object') {
    let start = 0;
    while (start < value.length - 1 && value[start] === 0) start++;
    const bytes = value.subarray(start);
    const sign = (bytes[0] ?? 0) & 0x80 || bytes.length === 0 ? [0] : [];
    return derElement(Tag.integer, Buffer.from(sign), bytes);
  }
  if (value < 0) throw new SigningError('DER_MALFORMED', 'Negative integers are not written.');
  const hex = value.toString(16);
  return derInteger(Buffer.from(hex.length % 2 ? `0${hex}` : hex, 'hex'));
}

function base128(arc: bigint): number[] {
  const bytes = [Number(arc & 0x7fn)];
  for (let rest = arc >> 7n; rest > 0n; rest >>= 7n) bytes.unshift(Number(rest & 0x7fn) | 0x80);
  return bytes;
}

/** OBJECT IDENTIFIER from its dotted form. */
export function derOid(dotted: string): Buffer {
  const [root, second, ...rest] = dotted.split('.').map(BigInt);
  if (root === undefined || second === undefined)
    throw new SigningError('DER_MALFORMED', `${dotted} is not an object identifier.`);
  return derElement(Tag.oid, Buffer.from([root * 40n + second, ...rest].flatMap(base128)));
}

/** OCTET STRING. */
export const derOctetString = (bytes: Uint8Array): Buffer => derElement(Tag.octetString, bytes);
/** BIT STRING of whole bytes. */
export const derBitString = (bytes: Uint8Array): Buffer => derElement(Tag.bitString, Buffer.of(0), bytes);
/** NULL. */
export const derNull = (): Buffer => Buffer.from([Tag.null, 0]);
/** BOOLEAN. */
export const derBoolean = (value: boolean): Buffer => Buffer.from([Tag.boolean, 1, value ? 0xff : 0]);
/** UTF8String. */
export const derUtf8String = (text: string): Buffer => derElement(Tag.utf8String, Buffer.from(text, 'utf8'));
/** PrintableString; the caller checks the character set. */
export const derPrintableString = (text: string): Buffer =>
  derElement(Tag.printableString, Buffer.from(text, 'latin1'));
/** IA5String. */
export const derIa5String = (text: string): Buffer => derElement(Tag.ia5String, Buffer.from(text, 'latin1'));
/** `[number]` EXPLICIT, or IMPLICIT around constructed content. */
export const derContext = (number: number, ...content: readonly Uint8Array[]): Buffer =>
  derElement(contextTag(number), ...content);
/** `[number]` IMPLICIT around primitive content. */
export const derPrimitiveContext = (number: number, content: Uint8Array): Buffer =>
  derElement(primitiveContextTag(number), content);

/** BIT STRING of named bits, trailing zero bits removed (X.690 §11.2.2). */
export function derNamedBits(bits: readonly number[]): Buffer {
  const highest = Math.max(-1, ...bits);
  const bytes = Buffer.alloc(Math.floor(highest / 8) + 1);
  for (const bit of bits) bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) | (0x80 >> (bit & 7));
  return derElement(Tag.bitString, Buffer.of(highest < 0 ? 0 : 7 - (highest & 7)), bytes);
}

const twoDigits = (number: number): string => (number < 10 ? `0${number}` : `${number}`);

/** UTCTime for 1950–2049, else GeneralizedTime (RFC 5280 §4.1.2.5), to the second, in UTC. */
export function derTime(date: Date): Buffer {
  const year = date.getUTCFullYear();
  const isUtc = year >= 1950 && year < 2050;
  const day = twoDigits(date.getUTCMonth() + 1) + twoDigits(date.getUTCDate());
  const time = twoDigits(date.getUTCHours()) + twoDigits(date.getUTCMinutes()) + twoDigits(date.getUTCSeconds());
  const text = `${isUtc ? twoDigits(year % 100) : String(year).padStart(4, '0')}${day}${time}Z`;
  return derElement(isUtc ? Tag.utcTime : Tag.generalizedTime, Buffer.from(text, 'latin1'));
}
