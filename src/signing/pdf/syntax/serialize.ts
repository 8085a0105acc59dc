import { encodeHexadecimalToken, encodeLiteralToken } from './text-string.ts';
import { PdfName, PdfNumber, PdfReference, PdfStream, PdfString } from './values.ts';
import type { ObjectCipher, PdfDictionary, PdfValue } from './values.ts';

/** A new string, encrypted when written into an encrypted file. */
export function plainString(bytes: Uint8Array): PdfString {
  return new PdfString(encodeLiteralToken(bytes));
}

/** A number, rounded to a ten-thousandth: finer than any device shows a length in points. */
export function realNumber(value: number): PdfValue {
  const rounded = Math.round(value * 10_000) / 10_000;
  return Number.isSafeInteger(rounded) && rounded >= 0 ? rounded + 0 : new PdfNumber(rounded.toFixed(4));
}

const escapeName = (text: string): string =>
  text.replace(/[^!"$&'*+,\-.0-9:;=?@A-Z\\^_`a-z|~]/g, (character) => {
    return `#${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
  });

/** Strings of the same object stay byte for byte; all others are encrypted with its key. */
function serializeString(string: PdfString, cipher: ObjectCipher | undefined, keepStored: boolean): Buffer {
  if (cipher === undefined || (keepStored && string.cipher !== undefined)) return string.token;
  return encodeHexadecimalToken(cipher.encryptString(string.plain));
}

export interface SerializeOptions {
  /** The key of the written object; absent for strings in clear. */
  readonly cipher?: ObjectCipher;
  /** True when encrypted strings in the value came from this very object and may stay unchanged. */
  readonly keepStored?: boolean;
}

/** Writes a value as PDF syntax. A stream's data cannot be rewritten this way; its dictionary can. */
export function serialize(value: PdfValue, options: SerializeOptions = {}): Buffer {
  const parts: Buffer[] = [];
  const text = (syntax: string): void => void parts.push(Buffer.from(syntax, 'latin1'));
  const write = (item: PdfValue): void => {
    if (item instanceof PdfString) parts.push(serializeString(item, options.cipher, options.keepStored ?? false));
    else if (item instanceof PdfName) text(`/${escapeName(item.text)}`);
    else if (item instanceof PdfReference) text(`${item.number} ${item.generation} R`);
    else if (item instanceof PdfNumber) text(item.text);
    else if (item instanceof PdfStream) throw new TypeError('The data of a stream are not rewritten.');
    else if (Array.isArray(item)) writeArray(item);
    else if (item instanceof Map) writeDictionary(item);
    else text(String(item));
  };
  const writeArray = (items: readonly PdfValue[]): void => {
    text('[');
    for (const [index, item] of items.entries()) {
      if (index > 0) text(' ');
      write(item);
    }
    text(']');
  };
  const writeDictionary = (dictionary: PdfDictionary): void => {
    text('<<');
    for (const [key, item] of dictionary) {
      text(`/${escapeName(key)} `);
      write(item);
      text('\n');
    }
    text('>>');
  };
  write(value);
  return Buffer.concat(parts);
}
