import { decodeStringToken } from './text-string.ts';

/** A name object, without the slash and with `#xx` decoded (ISO 32000-2 §7.3.5). */
export class PdfName {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** An indirect reference (ISO 32000-2 §7.3.10). */
export class PdfReference {
  readonly number: number;
  readonly generation: number;

  constructor(number: number, generation: number) {
    this.number = number;
    this.generation = generation;
  }
}

/** A number other than a plain non-negative integer, kept in its written form, so that rewriting changes nothing. */
export class PdfNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Encrypts and decrypts the strings and streams of an indirect object (ISO 32000-2 §7.6.2). */
export interface ObjectCipher {
  encryptString(plain: Uint8Array): Buffer;
  decryptString(stored: Uint8Array): Buffer;
  encryptStream(plain: Uint8Array): Buffer;
  decryptStream(stored: Uint8Array): Buffer;
}

/** A string object: the token in the file, and the key of the object around the token. */
export class PdfString {
  /** The whole token, delimiters included. */
  readonly token: Buffer;
  /** Decrypts this string; absent where strings are stored in clear. */
  readonly cipher: ObjectCipher | undefined;
  /** Offset of the token in the file; absent inside object streams and for strings made here. */
  readonly position: number | undefined;

  constructor(token: Buffer, cipher?: ObjectCipher, position?: number) {
    this.token = token;
    this.cipher = cipher;
    this.position = position;
  }

  /** The bytes as stored: still encrypted where strings are. */
  get stored(): Buffer {
    return decodeStringToken(this.token);
  }

  /** The bytes in clear. */
  get plain(): Buffer {
    return this.cipher === undefined ? this.stored : this.cipher.decryptString(this.stored);
  }
}

/** Keys are decoded names without the slash. */
export type PdfDictionary = Map<string, PdfValue>;

/** A stream object; its data stay in the file. */
export class PdfStream {
  readonly dictionary: PdfDictionary;
  /** Offset of the first byte of data in the file. */
  readonly position: number;

  constructor(dictionary: PdfDictionary, position: number) {
    this.dictionary = dictionary;
    this.position = position;
  }
}

/** Any PDF object (ISO 32000-2 §7.3). Non-negative integers are JavaScript numbers. */
export type PdfValue =
  null | boolean | number | PdfNumber | PdfName | PdfString | PdfReference | PdfStream | PdfValue[] | PdfDictionary;

/** The numeric value, or undefined when this is not a number. */
export function numberOf(value: PdfValue | undefined): number | undefined {
  if (typeof value === 'number') return value;
  if (!(value instanceof PdfNumber)) return undefined;
  const number = Number(value.text);
  return Number.isFinite(number) ? number : undefined;
}

/** An integer from 0 to 2^53 - 1, or undefined. */
export function countOf(value: PdfValue | undefined): number | undefined {
  const number = numberOf(value);
  return number !== undefined && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}

/** The text of a name, or undefined when this is not a name. */
export function nameOf(value: PdfValue | undefined): string | undefined {
  return value instanceof PdfName ? value.text : undefined;
}

/**
 * Names of the rights that Adobe gives to its program: entries of the catalog's permissions, and transform methods of
 * their signatures, which are no signatures of persons (ISO 32000-2 §12.8.2.3, Table 263).
 */
export const USAGE_RIGHTS: readonly string[] = ['UR', 'UR3'];
