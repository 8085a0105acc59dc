import { detectFileKind } from '../../../src/values/file-kind.ts';
import { describe, expect, it } from 'vitest';
import {
  detectContent,
  mediaTypeOf,
  type DetectedContent,
} from '../../../src/service/transactions/documents/content-kind.ts';

const bytes = (...parts: readonly (string | number)[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.of(part))));
const text = (encoding: DetectedContent['encoding']): DetectedContent => ({
  kind: 'text',
  mediaType: 'text/plain',
  encoding,
});
const other = (kind: DetectedContent['kind'], mediaType: string | null): DetectedContent => ({
  kind,
  mediaType,
  encoding: null,
});

const rows: readonly (readonly [title: string, head: Buffer, found: DetectedContent])[] = [
  ['a PDF', bytes('%PDF-1.7\n'), other('pdf', 'application/pdf')],
  ['a PDF behind other bytes', bytes('x'.repeat(1000), '%PDF-1.7'), other('pdf', 'application/pdf')],
  ['a PDF that begins like a picture', bytes('GIF89a', '%PDF-1.7'), other('pdf', 'application/pdf')],
  ['a PNG', bytes(0x89, 'PNG\r\n', 0x1a, '\n', 0, 0), other('image', 'image/png')],
  ['a JPEG', bytes(0xff, 0xd8, 0xff, 0xe0, 0), other('image', 'image/jpeg')],
  ['a GIF', bytes('GIF89a', 0), other('image', 'image/gif')],
  ['a WebP picture', bytes('RIFF', 0, 0, 0, 0, 'WEBPVP8 '), other('image', 'image/webp')],
  ['an archive, also of an office program', bytes('PK', 3, 4, 0), other('other', 'application/zip')],
  ['a program of Windows', bytes('MZ', 0x90, 0), other('other', 'application/vnd.microsoft.portable-executable')],
  ['unknown bytes', bytes(0, 1, 2), other('other', null)],
  ['a drawing in XML, as its text', bytes('<svg onload="x()"/>'), text('utf-8')],
  ['a page of the web, as its text', bytes('<!doctype html><script>'), text('utf-8')],
  ['a text that begins like a program', bytes('MZ: a note'), text('utf-8')],
  ['a text in UTF-8', Buffer.from('ação'), text('utf-8')],
  ['a text in UTF-8 whose last character is cut', Buffer.from('açã').subarray(0, 4), text('utf-8')],
  ['a text in Windows-1252', bytes('a', 0xe7, 0xe3, 'o'), text('windows-1252')],
  ['a text in UTF-16', bytes(0xff, 0xfe, 'a', 0), text('utf-16le')],
  ['a text in UTF-16, high byte first', bytes(0xfe, 0xff, 0, 'a'), text('utf-16be')],
  ['an empty document', bytes(), text('utf-8')],
];

describe('detectContent', () => {
  it.each(rows)('finds %s', (_title, head, found) => {
    expect(detectContent(head, head.includes(0))).toEqual(found);
  });

  it('finds no text when a zero byte comes later', () => {
    expect(detectContent(bytes('text'), true)).toEqual(other('other', null));
  });
});

describe('the media type of a received document', () => {
  const pdf = bytes('%PDF-1.7\n');
  const png = bytes(0x89, 'PNG\r\n', 0x1a, '\n', 0, 0);
  it.each([
    ['PAdES', pdf, undefined, 'application/pdf'],
    ['PDFSignature', pdf, 'text/plain', 'application/pdf'],
    ['PAdES', pdf, 'application/octet-stream', 'application/pdf'],
    ['PAdES', bytes('no PDF'), 'application/pdf', 'text/plain'],
    ['CAdES-attached', pdf, undefined, 'application/pdf'],
    ['CAdES-attached', pdf, 'text/plain', 'application/pdf'],
    ['CMS-detached', png, 'application/octet-stream', 'image/png'],
    ['CMS-detached', png, 'image/x-own', 'image/x-own'],
    ['CAdES-attached', bytes('a note'), undefined, 'text/plain'],
    ['CAdES-attached', bytes('a note'), 'text/plain; charset=utf-8', 'text/plain; charset=utf-8'],
    ['CAdES-attached', bytes('a note'), 'text/markdown', 'text/markdown'],
    ['CAdES-attached', bytes('<?xml version="1.0"?><a/>'), undefined, 'application/xml'],
    ['CAdES-attached', bytes('{"a": 1}'), undefined, 'application/json'],
    ['CAdES-attached', bytes(0, 1, 2), undefined, 'application/octet-stream'],
    ['CAdES-attached', bytes(0, 1, 2), 'text/plain', 'application/octet-stream'],
  ] as const)('of %s over %j, declared as %s, is %s', (type, head, declared, expected) => {
    expect(mediaTypeOf(type, { head, kind: detectFileKind(head) }, declared)).toBe(expected);
  });
});
