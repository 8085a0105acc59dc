/** Bytes that were written as text: PEM, base64, base64url and data URLs, with or without a byte order mark. */

/** The ways to write bytes as text. */
export type TextForm = 'pem' | 'base64' | 'data-url';

/** Bytes found in a text, still in base64. */
export interface WrittenBytes {
  readonly form: TextForm;
  /** The label of PEM (`CMS`, `PKCS12`); null for the other forms. */
  readonly label: string | null;
  /** Base64 of RFC 4648 §4; may have white space. */
  readonly base64: string;
}

const byteOrderMarks: readonly (readonly [mark: readonly number[], encoding: string])[] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
];

/** Node's own conversion, which takes a fiftieth of the time; browsers have none. */
const { Buffer: NodeBuffer } = globalThis as {
  readonly Buffer?: {
    from(bytes: ArrayBufferLike, start: number, length: number): { toString(encoding: 'latin1'): string };
  };
};

/** A character for each byte. `TextDecoder` reads `latin1` as Windows-1252. */
export function latinOf(bytes: Uint8Array): string {
  if (NodeBuffer !== undefined) return NodeBuffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  let text = '';
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return text;
}

/** Text of a file in UTF-8 or UTF-16 with a byte order mark; without a mark, a character for each byte. */
export function textOfBytes(bytes: Uint8Array): string {
  const encoding = byteOrderMarks.find(([mark]) => mark.every((byte, at) => bytes[at] === byte))?.[1];
  return encoding === undefined ? latinOf(bytes) : new TextDecoder(encoding).decode(bytes);
}

/** RFC 7468 §3. Any text may stand around the block; the end may be missing, as in the first bytes of a file. */
const PEM = /-----BEGIN ([A-Z0-9 #]{1,60})-----([A-Za-z0-9+/=\s]*)(?:-----END \1-----|$)/;

/** RFC 2397. */
const DATA_URL = /^data:[^,]{0,200};base64,/i;

/** Base64 in lines. No two parts of the patterns take the same character: each search ends after one pass. */
const BASE64 = /^[A-Za-z0-9+/\s]+={0,2}$/;
const BASE64URL = /^[A-Za-z0-9_\-\s]+={0,2}$/;

/** Finds the bytes that a text writes. Undefined: the text is none of the forms. The bytes may still be meaningless. */
export function findWrittenBytes(text: string): WrittenBytes | undefined {
  const [, label, block] = PEM.exec(text) ?? [];
  if (label !== undefined && block !== undefined) return { form: 'pem', label, base64: block };
  const written = text.trim();
  const prefix = DATA_URL.exec(written)?.[0] ?? '';
  const form = prefix === '' ? 'base64' : 'data-url';
  const body = written.slice(prefix.length);
  if (BASE64.test(body)) return { form, label: null, base64: body };
  if (!BASE64URL.test(body)) return undefined;
  return { form, label: null, base64: body.replaceAll('-', '+').replaceAll('_', '/') };
}
