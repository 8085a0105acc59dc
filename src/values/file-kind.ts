/** Recognises files by their content. Names and declared media types are not evidence of a kind. */
import { findWrittenBytes, latinOf, textOfBytes, type TextForm } from './written-bytes.ts';

/**
 * Kinds of files that the product tells apart. `cms`: any CMS message (RFC 5652). `time-stamp`: the response of a
 * time-stamp server (RFC 3161 §2.4.2). `private-key`: a private key in PEM or PKCS#8, encrypted or not. `mime`: an
 * S/MIME message. `text` and `other`: readable characters, and anything else.
 */
export type FileKind =
  | 'empty'
  | 'pdf'
  | 'cms'
  | 'pkcs12'
  | 'certificate'
  | 'time-stamp'
  | 'private-key'
  | 'java-key-store'
  | 'mime'
  | 'zip'
  | 'html'
  | 'xml'
  | 'json'
  | 'image'
  | 'program'
  | 'text'
  | 'other';

/** A kind, and the text form that wraps it: `none` for a plain file. */
export interface DetectedFile {
  readonly kind: FileKind;
  readonly form: TextForm | 'none';
}

/** The first bytes, which decide. Readers of PDFs accept the header anywhere here (ISO 32000-2 Annex I). */
export const KIND_HEAD = 1024;

/** The bytes in which objects of a PDF are looked for when the first ones tell no kind. */
export const KIND_SEARCH = 2 ** 20;

/** Texts may be wrapped once more: base64 of base64, base64 of PEM. */
const MOST_WRAPPINGS = 3;

/**
 * Detects the kind of a file from its first `KIND_HEAD` bytes. With more bytes, a PDF is recognised whose header is
 * missing, or stands behind other bytes: by its objects in the first `KIND_SEARCH` bytes.
 */
export function detectFileKind(start: Uint8Array): DetectedFile {
  const detected = detectWrapped(start.subarray(0, KIND_HEAD), 0);
  return isUndecided(detected) && hasPdfObjects(start) ? { kind: 'pdf', form: 'none' } : detected;
}

/** True for bytes that begin as no kind with a shape of its own: more bytes may tell more. */
const isUndecided = ({ kind }: DetectedFile): boolean => kind === 'other' || kind === 'text';

/** Detects the kind of a file; `readStart` answers at most the given number of its first bytes. */
export async function detectKindOf(readStart: (length: number) => Promise<Uint8Array>): Promise<DetectedFile> {
  const detected = detectFileKind(await readStart(KIND_HEAD));
  return isUndecided(detected) ? detectFileKind(await readStart(KIND_SEARCH)) : detected;
}

/** Detects the kind of a file while its bytes pass. */
export class PassingKind {
  readonly #start: Uint8Array[] = [];
  #size = 0;
  #wanted = KIND_HEAD;

  add(chunk: Uint8Array): void {
    while (this.#size < this.#wanted && chunk.length > 0) {
      const part = chunk.slice(0, this.#wanted - this.#size);
      this.#start.push(part);
      this.#size += part.length;
      chunk = chunk.subarray(part.length);
      if (this.#size === KIND_HEAD && isUndecided(this.finish())) this.#wanted = KIND_SEARCH;
    }
  }

  /** The first bytes, at most `KIND_HEAD`. */
  get head(): Uint8Array {
    return joined(this.#start, this.#size).slice(0, KIND_HEAD);
  }

  finish(): DetectedFile {
    return detectFileKind(joined(this.#start, this.#size));
  }
}

function joined(parts: readonly Uint8Array[], size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** A line that begins an object (ISO 32000-2 §7.3.10). */
const OBJECT_LINE = /(?:^|[\r\n])\d{1,10} \d{1,5} obj[\s<[(/]/;

function hasPdfObjects(start: Uint8Array): boolean {
  const text = latinOf(start.subarray(0, KIND_SEARCH));
  return text.includes('endobj') && OBJECT_LINE.test(text);
}

function detectWrapped(head: Uint8Array, depth: number): DetectedFile {
  if (head.length === 0) return { kind: 'empty', form: 'none' };
  const binary = binaryKind(head);
  if (binary !== undefined) return { kind: binary, form: 'none' };
  const text = textOfBytes(head);
  const written = depth < MOST_WRAPPINGS ? findWrittenBytes(text) : undefined;
  if (written !== undefined) {
    const label = kindOfLabel(written.label);
    if (label !== undefined) return { kind: label, form: written.form };
    const { kind } = detectWrapped(decodeHead(written.base64), depth + 1);
    if (!shapeless.has(kind)) return { kind, form: written.form };
  }
  return { kind: textKind(text, head), form: 'none' };
}

/** Kinds that any bytes may happen to have: what decodes to them was no base64. */
const shapeless: ReadonlySet<FileKind> = new Set(['empty', 'text', 'other', 'program', 'image', 'java-key-store']);

/** Decodes the complete groups of four; the last one may be cut. */
function decodeHead(base64: string): Uint8Array {
  const letters = base64.replace(/[\s=]/g, '');
  const whole = letters.slice(0, letters.length - (letters.length % 4 === 1 ? 1 : 0));
  return Uint8Array.from(atob(whole), (letter) => letter.charCodeAt(0));
}

/** Labels of RFC 7468, and those of OpenSSL and Java. */
const labels: readonly (readonly [label: RegExp, kind: FileKind])[] = [
  [/PRIVATE KEY$/, 'private-key'],
  [/CERTIFICATE$/, 'certificate'],
  [/^(?:PKCS ?#?7.*|CMS|SIGNED DATA)$/, 'cms'],
  [/^(?:PKCS ?#?12|PFX)$/, 'pkcs12'],
];

const kindOfLabel = (label: string | null): FileKind | undefined =>
  label === null ? undefined : labels.find(([pattern]) => pattern.test(label))?.[1];

/** Signatures of files: offset, bytes as Latin-1. */
const signatures: readonly (readonly [offset: number, bytes: string, kind: FileKind])[] = [
  [0, '\u00fe\u00ed\u00fe\u00ed', 'java-key-store'],
  [0, '\u00ce\u00ce\u00ce\u00ce', 'java-key-store'],
  [0, 'PK\u0003\u0004', 'zip'],
  [0, 'PK\u0005\u0006', 'zip'],
  [0, '\u0089PNG\r\n\u001a\n', 'image'],
  [0, '\u00ff\u00d8\u00ff', 'image'],
  [0, 'GIF87a', 'image'],
  [0, 'GIF89a', 'image'],
  [8, 'WEBP', 'image'],
  [0, '\u007fELF', 'program'],
];

/** Headers of a MIME message (RFC 5322 §2.2) with a type of RFC 8551. */
const MIME = /^(?!data:)[A-Za-z-]{1,60}:[^]*(?:pkcs7-(?:mime|signature)|multipart\/signed)/i;

function binaryKind(head: Uint8Array): FileKind | undefined {
  const latin = latinOf(head);
  const found = signatures.find(([offset, bytes]) => latin.startsWith(bytes, offset))?.[2];
  // A picture can be a PDF as well, and readers of PDFs show the PDF.
  if (found !== undefined && found !== 'image') return found;
  // The content of DER, PEM and MIME may have the header of a PDF, so these forms come first.
  const der = kindOfDer(head);
  if (der !== undefined) return der;
  if (MIME.test(latin)) return 'mime';
  const isOtherForm = latin.startsWith('-----BEGIN ') || /^0[\u0080-\u0088]/.test(latin);
  return !isOtherForm && latin.includes('%PDF-') ? 'pdf' : found;
}

/** Object identifiers 1.2.840.113549.1.7 (PKCS#7) and 1.2.840.113549.1.9.16.1 (S/MIME content types), encoded. */
const CONTENT_TYPES = ['\u002a\u0086H\u0086\u00f7\r\u0001\u0007', '\u002a\u0086H\u0086\u00f7\r\u0001\t\u0010\u0001'];

const SEQUENCE = 0x30;
const INTEGER = 0x02;
const OID = 0x06;
const OCTET_STRING = 0x04;
const VERSION_FIELD = 0xa0;

/** The header of the element at `at`, in DER or BER; undefined where the bytes are none. */
function elementAt(bytes: Uint8Array, at: number): { tag: number; start: number; end: number } | undefined {
  const [tag, first] = [bytes[at], bytes[at + 1]];
  if (tag === undefined || first === undefined) return undefined;
  if (first < 0x80) return { tag, start: at + 2, end: at + 2 + first };
  if (first === 0x80) return { tag, start: at + 2, end: Infinity };
  const count = first & 0x7f;
  if (count > 8 || at + 2 + count > bytes.length) return undefined;
  const length = bytes.subarray(at + 2, at + 2 + count).reduce((value, byte) => value * 256 + byte, 0);
  return { tag, start: at + 2 + count, end: at + 2 + count + length };
}

/** The kind of the structure that begins a file: its first elements decide. */
function kindOfDer(bytes: Uint8Array): FileKind | undefined {
  const outer = elementAt(bytes, 0);
  if (outer?.tag !== SEQUENCE) return undefined;
  const first = elementAt(bytes, outer.start);
  if (first === undefined) return undefined;
  if (isContentType(bytes, first)) return 'cms';
  const second = elementAt(bytes, first.end);
  const inner = elementAt(bytes, first.start);
  if (first.tag === INTEGER) {
    const version = bytes[first.end - 1];
    const content = second && elementAt(bytes, second.start);
    // PFX (RFC 7292 §4): version 3 and a ContentInfo.
    if (second?.tag === SEQUENCE && content && isContentType(bytes, content)) return 'pkcs12';
    // PrivateKeyInfo (RFC 5958 §2), RSAPrivateKey (RFC 8017 A.1.2) and ECPrivateKey (RFC 5915 §3).
    if (version === 0 && (second?.tag === INTEGER || content?.tag === OID)) return 'private-key';
    return version === 1 && (second?.tag === OCTET_STRING || content?.tag === OID) ? 'private-key' : undefined;
  }
  if (first.tag !== SEQUENCE || inner === undefined) return undefined;
  // TBSCertificate of version 2 or 3 begins with its version in [0] (RFC 5280 §4.1).
  if (inner.tag === VERSION_FIELD) return 'certificate';
  if (inner.tag === OID && second?.tag === OCTET_STRING) return 'private-key';
  const token = second && elementAt(bytes, second.start);
  return inner.tag === INTEGER && token && isContentType(bytes, token) ? 'time-stamp' : undefined;
}

function isContentType(bytes: Uint8Array, { tag, start }: { tag: number; start: number }): boolean {
  const value = latinOf(bytes.subarray(start, start + 11));
  return tag === OID && CONTENT_TYPES.some((arc) => value.startsWith(arc));
}

/** Kinds of texts, by their beginning. */
const texts: readonly (readonly [start: RegExp, kind: FileKind])[] = [
  [/^(?:<\?xml[^>]*>\s*)?(?:<!--[^>]*-->\s*)?<(?:!doctype html|html|head|body)\b/i, 'html'],
  [/^<(?:\?xml|[A-Za-z!])/, 'xml'],
  [/^[{[]/, 'json'],
];

function textKind(text: string, head: Uint8Array): FileKind {
  const start = text.replace(/^(?:\ufeff|\s)+/, '');
  const found = texts.find(([pattern]) => pattern.test(start))?.[1];
  if (found !== undefined) return found;
  // A byte order mark of UTF-16 was decoded; otherwise zero bytes and control characters are no text.
  const isBinary = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/.test(text);
  if (isBinary) return head[0] === 0x4d && head[1] === 0x5a ? 'program' : 'other';
  return 'text';
}

/** True for a text with a private key in PEM. Programs write the certificate before or after its key. */
export const hasPrivateKey = (text: string): boolean => /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----/.test(text);

/** English names of kinds, for sentences such as "This is a web page, and not a signature." */
export const kindNames: Readonly<Record<FileKind, string>> = {
  empty: 'an empty file',
  pdf: 'a PDF',
  cms: 'a CMS message (PKCS#7)',
  pkcs12: 'a key file (PKCS#12)',
  certificate: 'a certificate',
  'time-stamp': 'a time stamp',
  'private-key': 'a private key',
  'java-key-store': 'a Java key store (JKS)',
  mime: 'an S/MIME message',
  zip: 'a ZIP archive',
  html: 'a web page',
  xml: 'an XML file',
  json: 'a JSON file',
  image: 'a picture',
  program: 'a program',
  text: 'a text',
  other: 'a file of an unknown kind',
};
