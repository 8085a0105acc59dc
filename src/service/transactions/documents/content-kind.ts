import type { PdfExamination, SignedAttributesSummary } from '../../../signing/index.ts';
import { signatureForm, type SignatureType } from '../../signature-types/index.ts';
import { detectFileKind, type DetectedFile, type FileKind } from '../../../values/file-kind.ts';

/** The ways to show a document. `other`: the window cannot show the document. */
export type ContentKind = 'pdf' | 'text' | 'image' | 'other';

export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/** The kind of a document by its bytes; names and media types from callers are not trusted. */
export interface DetectedContent {
  readonly kind: ContentKind;
  /** The detected media type; null for an unknown kind of file. */
  readonly mediaType: string | null;
  /** For texts only. */
  readonly encoding: TextEncoding | null;
}

/**
 * Content of a PDF that a signer should know about. `encrypted`: the password is missing or wrong. `unreadable`: the
 * structure cannot be read.
 */
export type ExaminedPdf =
  ({ readonly state: 'examined' } & PdfExamination) | { readonly state: 'encrypted' | 'unreadable' };

/** An original before its signature, as the approval shows it. */
export interface OriginalInspection extends DetectedContent {
  readonly size: number;
  /** Lower-case hex SHA-256 of the inspected bytes: the recorded checksum. */
  readonly checksum: string;
  /** Bytes of each part except the last. */
  readonly partSize: number;
  /** For PDFs only. */
  readonly pdf: ExaminedPdf | null;
  /** The password of the request, which opens the PDF; null without one. Only for the owner's window. */
  readonly password: string | null;
  /** The statements of bytes to sign, if they are the signed attributes of a CMS signature. */
  readonly signedAttributes?: SignedAttributesSummary;
}

/** Signatures of files: offset, bytes as Latin-1, media type. Only the images can be shown. */
const signatures: readonly (readonly [offset: number, bytes: string, mediaType: string])[] = [
  [0, '\u0089PNG\r\n\u001a\n', 'image/png'],
  [0, '\u00ff\u00d8\u00ff', 'image/jpeg'],
  [0, 'GIF87a', 'image/gif'],
  [0, 'GIF89a', 'image/gif'],
  [8, 'WEBP', 'image/webp'],
  [0, 'PK\u0003\u0004', 'application/zip'],
  [0, '\u00d0\u00cf\u0011\u00e0', 'application/x-ole-storage'],
  [0, 'MZ', 'application/vnd.microsoft.portable-executable'],
  [0, '\u007fELF', 'application/x-elf'],
];

/** Detects a document's kind from its first bytes; `hasZeroByte` is about the whole document. */
export function detectContent(head: Buffer, hasZeroByte: boolean, detected = detectFileKind(head)): DetectedContent {
  const { kind, form } = detected;
  if (kind === 'pdf' && form === 'none') {
    return { kind: 'pdf', mediaType: 'application/pdf', encoding: null };
  }
  const start = head.toString('latin1', 0, 16);
  const found = signatures.find(([offset, bytes]) => start.startsWith(bytes, offset))?.[2];
  const encoding = textEncoding(head, hasZeroByte);
  if (found?.startsWith('image/') === true) return { kind: 'image', mediaType: found, encoding: null };
  // A text may begin with the letters of a binary format, so texts are recognized first.
  if (encoding !== null) return { kind: 'text', mediaType: 'text/plain', encoding };
  return { kind: 'other', mediaType: found ?? null, encoding: null };
}

/** Media types of kinds of files that a text may be as well. */
const ofKind: Readonly<Partial<Record<FileKind, string>>> = {
  xml: 'application/xml',
  json: 'application/json',
  html: 'text/html',
  cms: 'application/pkcs7-mime',
  pdf: 'application/pdf',
};

/**
 * The media type of a received document: for a signature of PDFs by its content, whatever was declared; else the
 * declared one, or without one that of its content. Forms call every part `text/plain` that says nothing (RFC 7578
 * §4.4), so that this type counts for texts only.
 */
export function mediaTypeOf(
  type: SignatureType,
  { head, kind: detected }: { readonly head: Buffer; readonly kind: DetectedFile },
  declared: string | null | undefined,
): string {
  const found = detectContent(head, head.includes(0), detected);
  const isSaid = typeof declared === 'string' && !/^application\/octet-stream\b/i.test(declared);
  const isFree = signatureForm(type).container !== 'pdf';
  if (isFree && isSaid && (found.kind === 'text' || !/^text\/plain\b/i.test(declared))) return declared;
  const { kind, form } = detected;
  return (form === 'none' ? ofKind[kind] : undefined) ?? found.mediaType ?? 'application/octet-stream';
}

function textEncoding(head: Buffer, hasZeroByte: boolean): TextEncoding | null {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  if (hasZeroByte) return null;
  if (isUtf8Text(head)) return 'utf-8';
  return /[\u0001-\u0008\u000e-\u001a\u001c-\u001f]/.test(head.toString('latin1')) ? null : 'windows-1252';
}

function isUtf8Text(head: Buffer): boolean {
  try {
    // The last character may be incomplete, because only the first bytes are decoded.
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return true;
  } catch {
    return false;
  }
}
