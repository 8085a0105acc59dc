import { readdir, readFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ServiceError } from '../../src/service/errors/index.ts';
import type { ValidationRequest, Validator } from '../../src/service/validation/index.ts';
import type { ValidationReport } from '../../src/signing/index.ts';
import { startTestServer, type TestServer } from '../http/start-test-server.ts';
import { MARIA_CPF, personWith } from '../pki/identities.ts';
import { check, reportOf, signatureReport, timestampReport } from '../service/validation/example-report.ts';

/** Endpoint 5 with a validator keeping its input, and giving answers chosen by a test. */

let server: TestServer;
let report: ValidationReport;
let good: ValidationReport;
let failure: Error | undefined;
const asked: {
  readonly request: ValidationRequest;
  readonly signature: string;
  readonly content: string | null;
  readonly records: readonly string[];
}[] = [];

const validator: Validator = {
  async validate(request) {
    const { signaturePath, contentPath } = request;
    const signature = await readFile(signaturePath, 'latin1');
    const content = contentPath === undefined ? null : await readFile(contentPath, 'latin1');
    const records = await Promise.all((request.recordPaths ?? []).map((path) => readFile(path, 'latin1')));
    asked.push({ request, signature, content, records });
    if (failure !== undefined) throw failure;
    return report;
  },
};

beforeAll(async () => {
  const maria = await personWith();
  const signature = signatureReport(maria, {
    level: 'B-T',
    timestamps: [timestampReport(maria)],
    counterSignatures: [signatureReport(maria, { id: '1.1' })],
    policy: { oid: '2.16.76.1.7.1.2.2.4', name: 'AD-RT 2.4', recognised: true, complete: true },
  });
  good = reportOf([signature]);
  server = await startTestServer({ validator });
});
afterAll(async () => server.stop());
beforeEach(() => {
  asked.length = 0;
  failure = undefined;
  report = good;
});

interface Body {
  readonly status: boolean | number;
  readonly code?: string;
  readonly detail: Readonly<Record<string, { readonly code: number }>>;
  readonly signatures: readonly Readonly<Record<string, unknown>>[];
  readonly errors?: readonly { readonly field: string; readonly code: string }[];
  readonly notice: { readonly text: string; readonly url: string };
}

type Parts = readonly (readonly [name: string, value: string | Buffer, fileName?: string])[];

async function send(parts: Parts, headers: Readonly<Record<string, string>> = {}): Promise<[number, Body]> {
  const form = new FormData();
  for (const [name, value, fileName] of parts) {
    if (fileName === undefined) form.append(name, String(value));
    else form.append(name, new Blob([new Uint8Array(Buffer.from(value))]), fileName);
  }
  const response = await fetch(`${server.url}/validator-service`, { method: 'POST', body: form, headers });
  return [response.status, (await response.json()) as Body];
}

const signature = ['signature', '0signature', 'a.p7s'] as const;
const document = ['document', 'the content', 'a.txt'] as const;

describe('POST /validator-service › the form', () => {
  it.each(['CMS', 'cms', 'CAdES', 'CAdEs', 'cades', ' CAdES-detached '])('takes the type %s', async (type) => {
    const [status] = await send([['type', type], signature, document]);
    expect([status, asked[0]?.request.kind]).toEqual([200, 'cms']);
  });

  it.each(['PDF', 'pdf', 'PAdES', 'PDFSignature'])('takes the type %s for a PDF', async (type) => {
    const [status] = await send([['type', type], signature]);
    expect([status, asked[0]?.request.kind]).toEqual([200, 'pdf']);
  });

  it.each<[string, Parts]>([
    ['type last', [document, signature, ['type', 'CMS']]],
    ['document first', [document, ['type', 'CMS'], signature]],
    ['fields that it does not know', [['x', '1'], ['y', 'z', 'y.bin'], ['type', 'CMS'], signature, document]],
  ])('takes its parts in any order: %s', async (_name, parts) => {
    const [status] = await send(parts);
    expect([status, asked[0]?.signature, asked[0]?.content]).toEqual([200, '0signature', 'the content']);
  });

  it('takes a signature as text, base64 or PEM', async () => {
    await send([
      ['type', 'CMS'],
      ['signature', Buffer.from('0binary').toString('base64')],
    ]);
    await send([
      ['type', 'CMS'],
      ['signature', '-----BEGIN PKCS7-----\nMA==\n-----END PKCS7-----'],
    ]);
    expect(asked.map((one) => one.signature)).toEqual(['0binary', expect.stringContaining('BEGIN PKCS7')]);
  });

  it('takes an evidence record beside the signature, as a file or as base64', async () => {
    const record = Buffer.from('0record');
    await send([['type', 'CMS'], signature, ['evidence_record', record, 'a.er']]);
    await send([['type', 'CMS'], signature, ['evidence_record', record.toString('base64')]]);
    await send([['type', 'CMS'], signature]);
    expect(asked.map(({ records }) => records)).toEqual([['0record'], ['0record'], []]);
  });

  it('takes an empty document part, sent by browsers, for none', async () => {
    await send([['type', 'CMS'], signature, ['document', '', '']]);
    expect(asked[0]?.content).toBeNull();
  });

  it.each<[string, Parts, string[]]>([
    ['no type', [signature], ['type']],
    ['an unknown type', [['type', 'PGP'], signature], ['type']],
    ['no signature', [['type', 'CMS'], document], ['signature']],
    [
      'an empty signature',
      [
        ['type', 'CMS'],
        ['signature', '', 'a.p7s'],
      ],
      ['signature'],
    ],
    ['nothing', [['x', '1']], ['type', 'signature']],
  ])('answers 422 to %s, and names the parts', async (_name, parts, fields) => {
    const [status, body] = await send(parts);
    expect([status, body.code, body.errors?.map(({ field }) => field)]).toEqual([422, 'REQUEST_INVALID', fields]);
    expect(asked).toEqual([]);
  });

  it.each([
    ['XAdES', 'Sinete does not validate XAdES'],
    ['xades-detached', 'Sinete does not validate XAdES'],
    ['XMLDSig', 'Sinete does not validate XAdES'],
    ['JAdES', 'Sinete does not validate JAdES'],
    ['JWS', 'Sinete does not validate JAdES'],
    ['ASiC', 'Sinete does not validate ASiC'],
    ['ASiC-E', 'Sinete does not validate ASiC'],
  ])('answers 422 TYPE_NOT_SUPPORTED to the type %s, and says why', async (type, sentence) => {
    const [status, body] = await send([['type', type], signature]);
    const problem = { field: 'type', code: 'TYPE_NOT_SUPPORTED' };
    expect([status, body]).toMatchObject([422, { code: 'TYPE_NOT_SUPPORTED', errors: [problem] }]);
    expect(body.detail as unknown).toEqual(expect.stringContaining(sentence));
    expect(asked).toEqual([]);
  });

  it('answers 413 to a too large file, and 415 to other bodies than forms', async () => {
    const [tooLarge, body] = await send([['type', 'CMS'], ['signature', Buffer.alloc(1_000_001), 'a'], document]);
    expect([tooLarge, body.code]).toEqual([413, 'DOCUMENT_TOO_LARGE']);
    const other = await fetch(`${server.url}/validator-service`, { method: 'POST', body: '{}' });
    expect(other.status).toBe(415);
  });

  it('answers 400 to a form breaking off', async () => {
    const response = await fetch(`${server.url}/validator-service`, {
      method: 'POST',
      headers: { 'Content-Type': 'multipart/form-data; boundary=b' },
      body: '--b\r\nContent-Disposition: form-data; name="signature"; filename="a"\r\n\r\n0abc',
    });
    expect(response.status).toBe(400);
  });

  it('answers 400 to a form with an unreadable header, though followed by another part', async () => {
    const part = (name: string): string =>
      `--b\r\nContent-Disposition: form-data; name="x"; filename="${name}"\r\n\r\n0\r\n`;
    const response = await fetch(`${server.url}/validator-service`, {
      method: 'POST',
      headers: { 'Content-Type': 'multipart/form-data; boundary=b' },
      body: `${part('\0')}${part('a').replace('"x"', '"signature"')}--b--\r\n`,
      signal: AbortSignal.timeout(30_000),
    });
    expect([response.status, await response.json()]).toMatchObject([400, { code: 'REQUEST_MALFORMED' }]);
    expect(await readdir(server.spoolFolder)).toEqual([]);
  });

  it('keeps no file behind, in success and failure', async () => {
    await send([['type', 'CMS'], signature, document]);
    await send([['type', 'XAdES'], signature, document]);
    await send([['type', 'CMS'], ['signature', Buffer.alloc(1_000_001), 'a'], document]);
    failure = new ServiceError('NOT_A_SIGNATURE', 'x');
    await send([['type', 'CMS'], signature, document]);
    expect(await readdir(server.spoolFolder)).toEqual([]);
  });
});

describe('POST /validator-service › the answer', () => {
  it('has the documented body, with the findings beside, and no whole CPF', async () => {
    const [status, body] = await send([['type', 'CAdES'], signature]);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: true,
      detail: {
        signature: { status: true, code: 1185, message: 'All digital signatures of the document are intact' },
        date: { status: true, code: 1187, message: 'Date of certificate is valid' },
        crl: { status: true, code: 1191, message: 'CRL is valid' },
        trust: { status: true, code: 1189, chain: expect.stringMatching(/^MARIA .* > .* > AC Raiz/) as string },
      },
      indication: 'TOTAL-PASSED',
      sub_indication: null,
    });
    expect(body.signatures[0]).toMatchObject({
      holder: { name: 'MARIA DE TESTE', taxpayer_number: '***.982.247-**' },
      level: 'AD-RT 2.4',
      hierarchy: 'test',
      signer_certificate: { policy_type: 'A1' },
      timestamps: [{ role: 'signature', indication: 'TOTAL-PASSED' }],
      counter_signatures: [{ id: '1.1', status: true }],
      pdf: null,
    });
    expect(JSON.stringify(body)).not.toContain(MARIA_CPF);
    expect(body.notice).toMatchObject({ url: 'https://validar.iti.gov.br' });
  });

  it('tells the findings in the language of the caller', async () => {
    const [, portuguese] = await send([['type', 'CMS'], signature], { 'Accept-Language': 'pt-BR,pt;q=0.9,en;q=0.5' });
    const [, english] = await send([['type', 'CMS'], signature], { 'Accept-Language': 'en-US' });
    expect([portuguese.notice.text, english.notice.text]).toEqual([
      expect.stringContaining('não substitui'),
      expect.stringContaining('does not replace'),
    ]);
  });

  it('answers 200 with status false for a broken signature', async () => {
    const broken = {
      indication: 'TOTAL-FAILED',
      subIndication: 'HASH_FAILURE',
      checks: [check('CONTENT_CHANGED')],
    } as const;
    report = reportOf([signatureReport(await personWith(), broken)]);
    const [status, body] = await send([['type', 'CMS'], signature]);
    expect([status, body.status, body.detail.signature?.code]).toEqual([200, false, 1186]);
  });

  it.each([
    ['NOT_A_SIGNATURE', 422],
    ['TYPE_NOT_SUPPORTED', 422],
    ['DOCUMENT_UNREADABLE', 422],
    ['DOCUMENT_ENCRYPTED', 422],
  ] as const)('answers %s with %i', async (code, expected) => {
    failure = new ServiceError(code, 'Send a signature.');
    const [status, body] = await send([['type', 'CMS'], signature]);
    expect([status, body.code]).toEqual([expected, code]);
  });
});
