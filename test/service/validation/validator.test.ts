import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createValidator,
  readableReport,
  summarizeReport,
  type ValidationJob,
  type ValidationRequest,
} from '../../../src/service/validation/index.ts';
import { SigningError, type SigningErrorCode, type ValidationReport } from '../../../src/signing/index.ts';
import { personWith } from '../../pki/identities.ts';
import { reportOf, signatureReport } from './example-report.ts';
import { writeZip } from '../../signing/certificates/trust/write-zip.ts';

let folder: string;
let good: ValidationReport;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sinete-validator-'));
  good = reportOf([signatureReport(await personWith())]);
});
afterAll(async () => rm(folder, { recursive: true }));

async function fileWith(content: string | Buffer): Promise<string> {
  const path = join(folder, `${Math.random()}.bin`);
  await writeFile(path, content);
  return path;
}

interface Run {
  readonly jobs: ValidationJob[];
  readonly validate: (request: ValidationRequest) => Promise<ValidationReport>;
}

function validatorThat(run: () => ValidationReport): Run {
  const jobs: ValidationJob[] = [];
  const validator = createValidator({
    run: async (job) => {
      jobs.push(job);
      return Promise.resolve().then(run);
    },
  });
  return { jobs, validate: async (request) => validator.validate(request) };
}

describe('createValidator › the kind of a file', () => {
  it.each<[string, string | Buffer, 'cms' | 'pdf']>([
    ['a PDF', '%PDF-1.7\n', 'pdf'],
    ['a PDF with garbage in front', 'x\r\n\r\n%PDF-1.7\n', 'pdf'],
    ['DER', Buffer.from('3080060930', 'hex'), 'cms'],
    ['a signature that holds a PDF', Buffer.concat([Buffer.from('3082ffff', 'hex'), Buffer.from('%PDF-1.7')]), 'cms'],
    ['PEM', '-----BEGIN PKCS7-----\n%PDF-\n', 'cms'],
    ['an S/MIME message', 'MIME-Version: 1.0\nContent-Type: multipart/signed\n\n%PDF-1.7', 'cms'],
    ['nothing', '', 'cms'],
  ])('recognises %s', async (_name, content, kind) => {
    const { jobs, validate } = validatorThat(() => good);
    await validate({ kind: 'detect', signaturePath: await fileWith(content) });
    expect(jobs.map((job) => job.kind)).toEqual([kind]);
  });

  const utf16 = (text: string, end: 'le' | 'be'): Buffer => {
    const bytes = Buffer.from(text, 'utf16le');
    return end === 'le' ? bytes : bytes.swap16();
  };
  const archive = (...names: readonly string[]): Buffer =>
    writeZip(names.map((name) => ({ name, content: Buffer.from(`<${name}/>`) })));
  const many = Array.from({ length: 500 }, (_, index) => `photos/${index}.jpg`);

  it.each<[string, Buffer]>([
    ['an archive', archive('META-INF/MANIFEST.MF', 'letter.txt')],
    ['a signed archive of Java', archive('META-INF/MANIFEST.MF', 'META-INF/ANA.SF', 'META-INF/ANA.RSA')],
    ['a text in UTF-16', utf16('\ufeffDear Ana', 'le')],
    ['a page in UTF-16 without a mark', utf16('<!doctype html>', 'le')],
    ['a page in UTF-16', utf16('\ufeff<!DOCTYPE html>', 'be')],
  ])('takes %s for none of the named formats', async (_, content) => {
    const { jobs, validate } = validatorThat(() => good);
    await validate({ kind: 'detect', signaturePath: await fileWith(content) });
    expect(jobs.map((job) => job.kind)).toEqual(['cms']);
  });

  it.each<[string, string | Buffer, RegExp]>([
    [
      'an invoice in XML',
      '<?xml version="1.0"?><nfeProc><Signature xmlns="http://www.w3.org/2000/09/xmldsig#"/>',
      /XAdES/,
    ],
    ['XML with a byte order mark', '\ufeff  <ds:Signature>', /XAdES/],
    ['a compact JWS', 'eyJhbGciOiJFUzI1NiJ9.e30.AAAA', /JAdES/],
    [
      'a compact JWS whose header has certificates',
      `${Buffer.from(JSON.stringify({ alg: 'RS256', x5c: ['A'.repeat(3000)] })).toString('base64url')}.e30.AAAA`,
      /JAdES/,
    ],
    ['a JWS in JSON', '{"payload":"e30","signatures":[]}', /JAdES/],
    ['XAdES', '<ds:Signature xmlns:ds="http://www.w3.org/2000/09/xmldsig#">', /^Sinete does not validate XAdES/],
    ['an ASiC container', 'PK\x03\x04mimetypeapplication/vnd.etsi.asic-e+zip%PDF-1.7', /ASiC/],
    ['XML in UTF-16 with its mark, little end first', utf16('\ufeff<?xml version="1.0"?><s/>', 'le'), /XAdES/],
    ['XML in UTF-16 with its mark, big end first', utf16('\ufeff  <s/>', 'be'), /XAdES/],
    ['XML in declared UTF-16, little end first', utf16('<?xml version="1.0" encoding="UTF-16"?>', 'le'), /XAdES/],
    ['XML in declared UTF-16, big end first', utf16('<?xml version="1.0" encoding="UTF-16"?>', 'be'), /XAdES/],
    ['a container whose type is not its first file', archive('letter.txt', 'META-INF/signatures.xml'), /ASiC/],
    ['a container with CAdES in it', archive('a', 'META-INF/manifest.xml', 'META-INF/signature001.p7s'), /ASiC/],
    ['a container with a signature of any name', archive('a', 'META-INF/ana.p7s'), /ASiC/],
    ['a container with a time stamp', archive('a', 'META-INF/timestamp.tst'), /ASiC/],
    ['a container with many files', archive(...many, 'META-INF/signatures001.xml'), /ASiC/],
    ['a signed document of an office', archive('content.xml', 'META-INF/documentsignatures.xml'), /XAdES/],
    ['a signed document of another office', archive('word/document.xml', '_xmlsignatures/sig1.xml'), /XAdES/],
  ])('names %s, and judges nothing', async (_, content, name) => {
    const { jobs, validate } = validatorThat(() => good);
    const request = validate({ kind: 'detect', signaturePath: await fileWith(content) });
    const message: unknown = expect.stringMatching(name);
    await expect(request).rejects.toMatchObject({ code: 'TYPE_NOT_SUPPORTED', message });
    expect(jobs).toEqual([]);
  });

  it.each<[string, string | Buffer, RegExp]>([
    ['an empty file', '', /^This is an empty file, and not a signature\. Copy or download/],
    ['a page of a login', '<!doctype html><title>Entrar</title>', /^This is a web page.*download the file again/],
    ['an archive', archive('letter.txt'), /^This is a ZIP archive.*Unpack it/],
    [
      'a key file',
      Buffer.from('301a020103301506092a864886f70d010701a0080406303006030401', 'hex'),
      /^This is a key file.*secret/,
    ],
    ['a Java key store', Buffer.from('feedfeed00000002', 'hex'), /^This is a Java key store/],
    ['a text', 'Dear Ana', /^This is a text, and not a signature/],
    ['a PDF in base64', Buffer.from('%PDF-1.7 and more').toString('base64'), /^This is a PDF written as base64/],
    ['a damaged signature', Buffer.from('3080060a2a864886f70d010702a080', 'hex'), /damaged beyond reading/],
  ])('names %s and the remedy', async (_, content, sentence) => {
    const { validate } = validatorThat(() => {
      throw new SigningError('CMS_MALFORMED', 'An element of another type was expected.');
    });
    const request = validate({ kind: 'detect', signaturePath: await fileWith(content) });
    const message: unknown = expect.stringMatching(sentence);
    await expect(request).rejects.toMatchObject({ code: 'NOT_A_SIGNATURE', message });
  });

  it('tells of a signature where a time stamp was announced', async () => {
    const request = validatorThat(() => good).validate({ kind: 'timestamp', signaturePath: await fileWith('0') });
    const message: unknown = expect.stringContaining('not a time stamp');
    await expect(request).rejects.toMatchObject({ code: 'NOT_A_SIGNATURE', message });
  });

  it('tells the right type for a PDF sent as CMS', async () => {
    const { jobs, validate } = validatorThat(() => good);
    const request = validate({ kind: 'cms', signaturePath: await fileWith('%PDF-1.7') });
    await expect(request).rejects.toMatchObject({
      code: 'NOT_A_SIGNATURE',
      message: expect.stringContaining('PAdES') as string,
    });
    expect(jobs).toEqual([]);
  });

  it('tells the right type for a CMS signature sent as PDF', async () => {
    const request = validatorThat(() => good).validate({ kind: 'pdf', signaturePath: await fileWith('0') });
    await expect(request).rejects.toMatchObject({
      code: 'NOT_A_SIGNATURE',
      message: expect.stringContaining('CAdES') as string,
    });
  });

  it('gives content to a signature only, and a password to a PDF only', async () => {
    const { jobs, validate } = validatorThat(() => good);
    const recordPaths = ['/r.er'];
    const both = { kind: 'detect', contentPath: '/c', recordPaths, password: 'p', offline: true } as const;
    const pdf = await fileWith('%PDF-1.7');
    const cms = await fileWith('0');
    await validate({ ...both, signaturePath: pdf });
    await validate({ ...both, signaturePath: cms });
    expect(jobs).toEqual([
      { kind: 'pdf', signaturePath: pdf, recordPaths, password: 'p', offline: true },
      { kind: 'cms', signaturePath: cms, contentPath: '/c', recordPaths, offline: true },
    ]);
  });
});

describe('createValidator › files beyond validation', () => {
  it.each<[SigningErrorCode, string]>([
    ['CMS_MALFORMED', 'NOT_A_SIGNATURE'],
    ['CMS_UNSUPPORTED', 'NOT_A_SIGNATURE'],
    ['DER_MALFORMED', 'NOT_A_SIGNATURE'],
    ['PDF_MALFORMED', 'NOT_A_SIGNATURE'],
    ['PDF_ENCRYPTED', 'DOCUMENT_ENCRYPTED'],
    ['PASSWORD_INCORRECT', 'PASSWORD_INCORRECT'],
    ['LIMIT_EXCEEDED', 'DOCUMENT_UNREADABLE'],
  ])('answers %s with %s', async (code, expected) => {
    const { validate } = validatorThat(() => {
      throw new SigningError(code, 'x');
    });
    const request = validate({ kind: 'detect', signaturePath: await fileWith('0') });
    await expect(request).rejects.toMatchObject({ code: expected });
  });

  it.each(['detect', 'cms', 'timestamp'] as const)('answers the report of a limit, asked for as %s', async (kind) => {
    const check = { area: 'format', outcome: 'unknown', code: 'LIMIT_REACHED', sentence: 'Too much.' } as const;
    const report: ValidationReport = { ...reportOf([]), indication: 'INDETERMINATE', checks: [check] };
    const { validate } = validatorThat(() => report);
    await expect(validate({ kind, signaturePath: await fileWith('0') })).resolves.toBe(report);
    expect(summarizeReport(report)).toMatchObject({
      status: false,
      detail: { signature: { code: 1193 }, date: { code: 1193 }, crl: { code: 1193 }, trust: { code: 1193 } },
    });
    expect(readableReport(report, { file: 'a.p7s', content: null }, 'en')).toMatchObject({
      indication: 'INDETERMINATE',
      sentence: 'The file requires more work than an ordinary signature, and the validation stopped before the end.',
      remarks: [{ code: 'LIMIT_REACHED', detail: 'Too much.' }],
    });
  });

  it.each(['%PDF-1.7', '0'])('answers NOT_A_SIGNATURE for %s without a signature', async (content) => {
    const { validate } = validatorThat(() => reportOf([]));
    const request = validate({ kind: 'detect', signaturePath: await fileWith(content) });
    await expect(request).rejects.toMatchObject({ code: 'NOT_A_SIGNATURE' });
  });

  it('answers DOCUMENT_UNREADABLE for a missing file', async () => {
    const request = validatorThat(() => good).validate({ kind: 'detect', signaturePath: join(folder, 'none') });
    await expect(request).rejects.toMatchObject({ code: 'DOCUMENT_UNREADABLE' });
  });
});
