/** String tokens (ISO 32000-2 §7.3.4): literal `(…)` and hexadecimal `<…>`. */

const ESCAPES = new Map<number, number>([
  [0x6e, 0x0a],
  [0x72, 0x0d],
  [0x74, 0x09],
  [0x62, 0x08],
  [0x66, 0x0c],
]);

const isOctal = (byte: number | undefined): byte is number => byte !== undefined && byte >= 0x30 && byte <= 0x37;

function decodeHexadecimal(token: Buffer): Buffer {
  // Node stops at the first byte other than a digit: a complete result means that there was nothing to skip.
  const plain = Buffer.from(token.toString('latin1', 1, token.length - 1), 'hex');
  if (plain.length * 2 === token.length - 2) return plain;
  const digits = token.toString('latin1').replace(/[^0-9a-fA-F]/g, '');
  return Buffer.from(digits.length % 2 === 0 ? digits : `${digits}0`, 'hex');
}

/** Reads the escape sequence with its backslash at `index`; `byte` is absent for a line continuation. */
function readEscape(token: Buffer, index: number, end: number): { byte?: number; next: number } {
  const escaped = index + 1 < end ? token[index + 1] : undefined;
  if (escaped === undefined) return { next: end };
  if (isOctal(escaped)) {
    let value = 0;
    let next = index + 1;
    for (let digit = token[next]; next < index + 4 && next < end && isOctal(digit); digit = token[next]) {
      value = value * 8 + digit - 0x30;
      next += 1;
    }
    return { byte: value & 0xff, next };
  }
  if (escaped === 0x0a) return { next: index + 2 };
  if (escaped === 0x0d) return { next: token[index + 2] === 0x0a ? index + 3 : index + 2 };
  return { byte: ESCAPES.get(escaped) ?? escaped, next: index + 2 };
}

function decodeLiteral(token: Buffer): Buffer {
  const end = token.length - 1;
  const output = Buffer.allocUnsafe(token.length);
  let length = 0;
  for (let index = 1; index < end;) {
    const byte = token[index] ?? 0;
    if (byte === 0x5c) {
      const escape = readEscape(token, index, end);
      if (escape.byte !== undefined) output[length++] = escape.byte;
      index = escape.next;
    } else if (byte === 0x0d) {
      output[length++] = 0x0a;
      index += token[index + 1] === 0x0a ? 2 : 1;
    } else {
      output[length++] = byte;
      index += 1;
    }
  }
  return output.subarray(0, length);
}

/** The bytes of a string token. */
export function decodeStringToken(token: Buffer): Buffer {
  return token[0] === 0x3c ? decodeHexadecimal(token) : decodeLiteral(token);
}

/** A literal string token. Line ends are escaped, because readers may change bare line ends. */
export function encodeLiteralToken(bytes: Uint8Array): Buffer {
  const token: number[] = [0x28];
  for (const byte of bytes) {
    if (byte === 0x0d) token.push(0x5c, 0x72);
    else if (byte === 0x0a) token.push(0x5c, 0x6e);
    else if (byte === 0x28 || byte === 0x29 || byte === 0x5c) token.push(0x5c, byte);
    else token.push(byte);
  }
  token.push(0x29);
  return Buffer.from(token);
}

/** A hexadecimal string token. */
export function encodeHexadecimalToken(bytes: Uint8Array): Buffer {
  return Buffer.from(`<${Buffer.from(bytes).toString('hex')}>`, 'latin1');
}

/** Text strings and dates (ISO 32000-2 §7.9.2, §7.9.4; PDFDocEncoding: Annex D.3). */

/** PDFDocEncoding from 0x18 to 0x1f. */
const LOW = '\u02d8\u02c7\u02c6\u02d9\u02dd\u02db\u02da\u02dc';
/** PDFDocEncoding from 0x80 to 0xa0. */
const HIGH =
  '\u2022\u2020\u2021\u2026\u2014\u2013\u0192\u2044\u2039\u203a\u2212\u2030\u201e\u201c\u201d\u2018' +
  '\u2019\u201a\u2122\ufb01\ufb02\u0141\u0152\u0160\u0178\u017d\u0131\u0142\u0153\u0161\u017e\ufffd\u20ac';

/** Encodes a text: a byte per character where unambiguous, else UTF-16 with its mark. */
export function encodeTextString(text: string): Buffer {
  if (/^[\t\n\r\x20-\x7e\xa1-\xac\xae-\xff]*$/.test(text) && !/^\xfe\xff|^\xff\xfe|^\xef\xbb\xbf/.test(text)) {
    return Buffer.from(text, 'latin1');
  }
  return Buffer.from(`\ufeff${text}`, 'utf16le').swap16();
}

/** The text in PDFDocEncoding, or undefined for a character outside of PDFDocEncoding. */
export function encodePdfDocText(text: string): Buffer | undefined {
  const bytes: number[] = [];
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    const high = HIGH.indexOf(character);
    const low = LOW.indexOf(character);
    if (high >= 0 && character !== '\ufffd') bytes.push(0x80 + high);
    else if (low >= 0) bytes.push(0x18 + low);
    else if (code < 0x80 || (code > 0xa0 && code <= 0xff)) bytes.push(code);
    else return undefined;
  }
  return Buffer.from(bytes);
}

function decodePdfDocEncoding(bytes: Buffer): string {
  let text = '';
  for (const byte of bytes) {
    if (byte >= 0x18 && byte <= 0x1f) text += LOW[byte - 0x18] ?? '';
    else if (byte >= 0x80 && byte <= 0xa0) text += HIGH[byte - 0x80] ?? '';
    else text += String.fromCharCode(byte);
  }
  return text;
}

/** Decodes a text string of any usual encoding; damaged characters are replaced. */
export function decodeTextString(bytes: Buffer): string {
  const even = bytes.subarray(2, bytes.length - (bytes.length % 2));
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return Buffer.from(even).swap16().toString('utf16le');
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return even.toString('utf16le');
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return bytes.toString('utf8', 3);
  return decodePdfDocEncoding(bytes);
}

/** A date in UTC, to the second. */
export function formatDate(date: Date): string {
  const digits = date.toISOString().replace(/\D/g, '').slice(0, 14);
  return `D:${digits}+00'00'`;
}

/** Reads `D:YYYYMMDDHHmmSSOHH'mm'`; parts from the right may be missing. Undefined for other texts. */
export function parseDate(text: string): Date | undefined {
  const match =
    /^(?:D:)?(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:Z|([-+])(\d\d)'?(\d\d)?)?/.exec(text) ?? undefined;
  if (match === undefined) return undefined;
  const part = (index: number, otherwise: number): number => Number(match[index] ?? otherwise);
  const utc = Date.UTC(part(1, 0), part(2, 1) - 1, part(3, 1), part(4, 0), part(5, 0), part(6, 0));
  const shift = (part(8, 0) * 60 + part(9, 0)) * 60_000 * (match[7] === '-' ? -1 : 1);
  const date = new Date(utc - shift);
  return Number.isNaN(date.getTime()) ? undefined : date;
}
