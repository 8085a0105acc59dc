import { describe, expect, it } from 'vitest';
import { derContext, derInteger, derNull, derOctetString, derOid, derSequence, Oid } from '../../src/signing/index.ts';
import { detectFileKind, type FileKind } from '../../src/values/file-kind.ts';
import type { TextForm } from '../../src/values/written-bytes.ts';
import { personWith } from '../pki/identities.ts';

const BOM = Buffer.from([0xef, 0xbb, 0xbf]);
const CMS = derSequence(
  derOid(Oid.signedData),
  derContext(0, derSequence(derInteger(1), derOctetString(Buffer.alloc(900)))),
);
const PFX = derSequence(derInteger(3), derSequence(derOid(Oid.data), derContext(0, derOctetString(Buffer.alloc(90)))));
const INDEFINITE_CMS = Buffer.concat([Buffer.from([0x30, 0x80]), derOid(Oid.signedData), Buffer.from([0xa0, 0x80])]);
const base64 = (bytes: Buffer): string => bytes.toString('base64');
const inLines = (text: string): string => text.replace(/.{64}/g, '$&\r\n');
const pem = (label: string, bytes: Buffer): string =>
  `-----BEGIN ${label}-----\n${inLines(base64(bytes))}\n-----END ${label}-----\n`;
const PDF_OBJECT = '\n1 0 obj\n<< /Type /Catalog >>\nendobj\n';
const utf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le');

const rows: readonly (readonly [title: string, file: Buffer | string, kind: FileKind, form?: TextForm])[] = [
  ['no bytes', '', 'empty'],
  ['a PDF', '%PDF-1.7\n', 'pdf'],
  ['a PDF behind bytes of a mail server', 'HTTP/1.1 200 OK\r\n\r\n%PDF-1.4\n', 'pdf'],
  ['a PDF behind a byte order mark', Buffer.concat([BOM, Buffer.from('%PDF-1.4\n')]), 'pdf'],
  ['a PDF without a header', '1 0 obj\n<< /Type /Catalog >>\nendobj\n', 'pdf'],
  ['a PDF behind more bytes than readers skip', `${'x'.repeat(5000)}\n%PDF-1.4\n${PDF_OBJECT}`, 'pdf'],
  ['a PDF whose first bytes were overwritten', Buffer.concat([Buffer.alloc(2000, 7), Buffer.from(PDF_OBJECT)]), 'pdf'],
  ['a text that names objects of a PDF', 'Each object begins as in 1 0 obj and ends with endobj.', 'text'],
  ['a PDF in base64', base64(Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj')), 'pdf', 'base64'],
  ['a signature in DER', CMS, 'cms'],
  ['a signature in BER of indefinite length', INDEFINITE_CMS, 'cms'],
  ['a signature that encloses a PDF', Buffer.concat([CMS.subarray(0, 40), Buffer.from('%PDF-1.7')]), 'cms'],
  ['a signature in PEM', pem('CMS', CMS), 'cms', 'pem'],
  ['a signature in PEM with the label PKCS7', pem('PKCS7', CMS), 'cms', 'pem'],
  ['a signature in PEM, longer than the head', pem('PKCS #7 SIGNED DATA', CMS), 'cms', 'pem'],
  ['a signature in base64 behind a byte order mark', Buffer.concat([BOM, Buffer.from(base64(CMS))]), 'cms', 'base64'],
  ['a signature in base64 lines', inLines(base64(CMS)), 'cms', 'base64'],
  ['a signature in base64 of UTF-16, as PowerShell writes', utf16(base64(CMS)), 'cms', 'base64'],
  ['a signature in base64 twice', base64(Buffer.from(inLines(base64(CMS)))), 'cms', 'base64'],
  ['a signature in base64url', CMS.toString('base64url'), 'cms', 'base64'],
  ['a signature in a data URL', `data:application/pkcs7-mime;base64,${base64(CMS)}`, 'cms', 'data-url'],
  ['an S/MIME message', 'MIME-Version: 1.0\r\nContent-Type: application/pkcs7-mime; name=x\r\n\r\nMII', 'mime'],
  ['a key file', PFX, 'pkcs12'],
  ['a key file in base64', base64(PFX), 'pkcs12', 'base64'],
  ['a key file in PEM', pem('PKCS12', PFX), 'pkcs12', 'pem'],
  ['a private key in PEM', pem('ENCRYPTED PRIVATE KEY', PFX), 'private-key', 'pem'],
  [
    'a private key of PKCS#8',
    derSequence(derInteger(0), derSequence(derOid('1.2.840.10045.2.1'), derNull())),
    'private-key',
  ],
  ['a Java key store', Buffer.from('feedfeed0000000200000001', 'hex'), 'java-key-store'],
  ['a Java key store of JCEKS', Buffer.from('cececece0000000200000001', 'hex'), 'java-key-store'],
  ['a time-stamp response', derSequence(derSequence(derInteger(0)), CMS), 'time-stamp'],
  ['a ZIP archive', 'PK\u0003\u0004\u0014\u0000', 'zip'],
  ['a page of a login', '\r\n<!DOCTYPE html><html lang="pt">', 'html'],
  ['a page behind an XML declaration', '<?xml version="1.0"?>\n<html xmlns="x">', 'html'],
  ['an XML file in UTF-16', utf16('<?xml version="1.0"?><NFe/>'), 'xml'],
  ['a JSON file', ' {"a": 1}', 'json'],
  ['a text', 'Contrato de locação', 'text'],
  ['a word that is base64 as well', 'contrato', 'text'],
  ['bytes of no known kind', Buffer.from([0x30, 0x01, 0x00, 0x07]), 'other'],
];

describe('detectFileKind', () => {
  it.each(rows)('recognises %s', (...[, file, kind, form]) => {
    const bytes = typeof file === 'string' ? Buffer.from(file) : (file ?? Buffer.alloc(0));
    expect(detectFileKind(bytes)).toEqual({ kind, form: form ?? 'none' });
  });

  it('recognises certificates and their keys by their structure', async () => {
    const { certificate, privateKey } = await personWith();
    expect(detectFileKind(certificate).kind).toBe('certificate');
    expect(detectFileKind(privateKey).kind).toBe('private-key');
    expect(detectFileKind(Buffer.from(pem('CERTIFICATE', certificate))).kind).toBe('certificate');
    expect(detectFileKind(Buffer.from(base64(certificate))).kind).toBe('certificate');
  });
});
