import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeDefaultCertificate } from '../../../src/service/certificates/index.ts';
import { ServiceError } from '../../../src/service/errors/index.ts';
import type { CreateTransaction } from '../../../src/service/transactions/index.ts';
import { parseCertificate } from '../../../src/signing/index.ts';
import { verifyWithOpenssl } from '../../oracles/openssl.ts';
import { JOAO_CPF, personWith } from '../../pki/identities.ts';
import { pem } from '../../pki/openssl.ts';
import { buildPdf, onePage } from '../../signing/pdf/build-pdf.ts';
import { expectValid } from '../../signing/pdf/workshop.ts';
import { createRequest, dataUrl, finished, bytesOf, openWorld, requester, type World } from './transaction-world.ts';

const HOUR = 3_600_000;
const maria = await personWith();
const joao = await personWith({ name: 'JOAO DE TESTE', cpf: JOAO_CPF });

let world: World;
beforeEach(async () => {
  world = await openWorld();
  await world.addKey(maria);
});
afterEach(() => world.end());

const create = (overrides: Partial<CreateTransaction>) =>
  world.transactions.create(createRequest(overrides), requester);

async function refusal(overrides: Partial<CreateTransaction>): Promise<ServiceError> {
  const error: unknown = await create(overrides).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ServiceError);
  expect(await world.transactions.recent(10)).toEqual([]);
  return error as ServiceError;
}

const hello = { documentsSource: 'DATA_URL', documents: [{ data: dataUrl('hello') }] } as const;

describe('create with documents coming along', () => {
  it('signs a data URL, and OpenSSL accepts the signature', async () => {
    const created = await create(hello);
    expect(created.tcn).toMatch(/^[0-9A-Z]{26}$/);
    const view = await finished(world.transactions, created.tcn);
    expect(view).toMatchObject({
      status: 'SIGNED',
      waitingFor: null,
      documents: [{ id: '0', mediaType: 'text/plain', size: 5 }],
    });
    const result = await world.transactions.result(created.tcn, '0');
    expect(result).toMatchObject({ fileName: '0.p7s', mediaType: 'application/pkcs7-signature' });
    const content = join(world.home, 'hello');
    const trusted = join(world.home, 'root.pem');
    const signature = join(world.home, 'hello.p7s');
    writeFileSync(signature, bytesOf(result));
    writeFileSync(content, 'hello');
    writeFileSync(trusted, pem('CERTIFICATE', maria.chain.at(-1)!));
    expect(await verifyWithOpenssl({ signature, content, trusted, cades: true })).toMatchObject({ valid: true });
  });

  it('waits for the result in sync mode', async () => {
    expect(await create({ ...hello, mode: 'sync' })).toMatchObject({ status: 'SIGNED' });
  });

  it('waits no longer than the limit in sync mode', async () => {
    await world.end();
    world = await openWorld({ approve: 'ask', limits: { syncTimeout: 50 } });
    await world.addKey(maria);
    expect(await create({ ...hello, mode: 'sync' })).toMatchObject({ status: 'WAITING', waitingFor: 'approval' });
  });

  it.each([
    ['a path', (path: string) => path],
    ['a file: URL', (path: string) => pathToFileURL(path).href],
  ])('signs a file named by %s and writes the result beside the file', async (_name, name) => {
    const source = join(world.home, 'contract.txt');
    writeFileSync(source, 'a contract');
    const documents = [{ data: name(source) }];
    const view = await create({ documentsSource: 'FILE_PATH', documents, destination: 'FILE_PATH', mode: 'sync' });
    const resultPath = `${source}.p7s`;
    expect(view).toMatchObject({
      status: 'SIGNED',
      documents: [{ originalFileName: 'contract.txt', resultPath, lifetime: null }],
    });
    expect(readFileSync(resultPath)[0]).toBe(0x30);
    expect(readFileSync(source, 'utf8')).toBe('a contract');
  });

  it.each([
    ['the rights of its document', '644', 0n],
    ['no rights of another file in the place of its document', '600', 1n],
  ])('gives the result %s', async (_rights, expected, moved) => {
    await world.end();
    let stamps = 0n;
    world = await openWorld({}, undefined, ({ files }) => ({
      files: Object.assign(Object.create(files) as typeof files, {
        stamp: async (path: string) => {
          const found = await files.stamp(path);
          return { ...found, inode: found.inode + moved * stamps++ };
        },
        prepareDraft: async (path: string, key: string) => files.prepareDraft(path, key),
        deliver: async (...words: Parameters<typeof files.deliver>) => files.deliver(...words),
        inspect: async (...words: Parameters<typeof files.inspect>) => files.inspect(...words),
        checkDestination: async (...words: Parameters<typeof files.checkDestination>) =>
          files.checkDestination(...words),
      }),
    }));
    await world.addKey(maria);
    const source = join(world.home, 'contract.txt');
    writeFileSync(source, 'a contract', { mode: 0o644 });
    const documents = [{ data: source }];
    await create({ documentsSource: 'FILE_PATH', documents, destination: 'FILE_PATH', mode: 'sync' });
    expect((statSync(`${source}.p7s`).mode & 0o777).toString(8)).toBe(expected);
  });

  it("answers a result in a folder under the file's name there", async () => {
    const source = join(world.home, 'contract.txt');
    writeFileSync(source, 'a contract');
    const documents = [{ data: source, destinationFileName: join(world.home, 'contrato-assinado.p7s') }];
    const view = await create({ documentsSource: 'FILE_PATH', documents, destination: 'FILE_PATH', mode: 'sync' });
    expect((await world.transactions.result(view.tcn, '0')).fileName).toBe('contrato-assinado.p7s');
  });

  it('signs the file behind a symbolic link, under the name of the link', async () => {
    writeFileSync(join(world.home, 'real.txt'), 'a contract');
    symlinkSync('real.txt', join(world.home, 'link.txt'));
    const documents = [{ data: join(world.home, 'link.txt') }];
    const view = await create({ documentsSource: 'FILE_PATH', documents, mode: 'sync' });
    expect(view).toMatchObject({ status: 'SIGNED', documents: [{ originalFileName: 'link.txt', lifetime: 43_200 }] });
  });

  it('fails a document other than a PDF and signs the others', async () => {
    const documents = [{ data: dataUrl('hello') }, { data: dataUrl(buildPdf(onePage()), 'application/pdf') }];
    const view = await create({ ...hello, documents, type: 'PAdES', mode: 'sync' });
    expect(view.documents.map(({ status }) => status)).toEqual(['ERROR', 'SIGNED']);
    expect(view.documents[0]?.error?.code).toBe('DOCUMENT_NOT_A_PDF');
    expect(view.status).toBe('ERROR');
  });

  it.each(['PAdES', 'PDFSignature'] as const)('signs a PDF as %s and returns its CMS', async (type) => {
    const documents = [{ data: dataUrl(buildPdf(onePage())), originalFileName: 'contract.pdf' }];
    const settings = [{ id: 'default', reason: 'I agree', name: 'Maria' }];
    const view = await create({ ...hello, documents, settings, type, mode: 'sync', returnSignature: true });
    const result = await world.transactions.result(view.tcn, '0');
    expect(result.fileName).toBe('contract-signed.pdf');
    const path = join(world.home, result.fileName);
    writeFileSync(path, bytesOf(result));
    await expectValid(path, 1);
    const [document] = view.documents;
    const returned = Buffer.from(document?.signature ?? '', 'base64');
    expect(readFileSync(path, 'latin1').toLowerCase()).toContain(returned.toString('hex'));
    expect(returned.length).toBe(4 + returned.readUInt16BE(2));
  });

  it('gives documents without an id the free numbers', async () => {
    const data = dataUrl('x');
    const view = await create({ ...hello, documents: [{ data }, { data, id: '0' }, { data }] });
    expect(view.documents.map(({ id }) => id)).toEqual(['1', '0', '2']);
  });

  it('returns the signature on request', async () => {
    const view = await create({ ...hello, mode: 'sync', returnSignature: true });
    const bytes = bytesOf(await world.transactions.result(view.tcn, '0'));
    expect(view.documents[0]?.signature).toBe(bytes.toString('base64'));
  });
});

describe('create with something wrong in meaning', () => {
  const data = dataUrl('x');
  const twoSettings = [{ id: 'a' }, { id: 'b' }];
  const inFile = { documentsSource: 'FILE_PATH', destination: 'FILE_PATH', documents: [{ data: '/x.p7s' }] } as const;
  const counterSigned = { ...inFile, type: 'CAdES-detached', settings: [{ id: 'a', counterSign: 'all' }] } as const;
  const rows: readonly [string, Partial<CreateTransaction>, string, string][] = [
    [
      'two documents with one id',
      {
        documents: [
          { id: 'a', data },
          { id: 'a', data },
        ],
      },
      'REQUEST_INVALID',
      'documents[1].id',
    ],
    ['an id with a slash', { documents: [{ id: 'a/b', data }] }, 'REQUEST_INVALID', 'documents[0].id'],
    [
      'two settings with one id',
      { settings: [{ id: 'a' }, { id: 'a' }], documents: [{ data, signatureSetting: 'a' }] },
      'REQUEST_INVALID',
      'signature_settings[1].id',
    ],
    [
      'an unknown setting',
      { documents: [{ data, signatureSetting: 'b' }] },
      'SIGNATURE_SETTING_UNKNOWN',
      'documents[0].signature_setting',
    ],
    [
      'several settings and none named',
      { settings: twoSettings },
      'SIGNATURE_SETTING_REQUIRED',
      'documents[0].signature_setting',
    ],
    [
      'a data URL that is not base64',
      { documents: [{ data: 'data:text/plain;base64,%%%' }] },
      'REQUEST_INVALID',
      'documents[0].data',
    ],
    ['no data', { documents: [{}] }, 'REQUEST_INVALID', 'documents[0].data'],
    ['no document', { documents: [] }, 'NO_DOCUMENTS', 'documents'],
    ['a policy that needs CAdES', { type: 'CMS-detached', policy: 'B-B' }, 'POLICY_NOT_SUPPORTED', 'policy'],
    [
      'a counter-signature of what is no signature in a file',
      { type: 'PAdES', settings: [{ id: 'a', counterSign: 0 }] },
      'FEATURE_NOT_SUPPORTED',
      'type',
    ],
    ['a counter-signature at a level', { ...counterSigned, policy: 'B-T' }, 'POLICY_NOT_SUPPORTED', 'policy'],
    ['an object store', { documentsSource: 'STORE_A_S3' }, 'STORE_NOT_CONFIGURED', 'documents_source'],
    ['a certificate nobody has', { certificateAlias: 'NOBODY' }, 'CERTIFICATE_NOT_FOUND', 'certificate_alias'],
    [
      'a relative path',
      { documentsSource: 'FILE_PATH', documents: [{ data: 'x.txt' }] },
      'REQUEST_INVALID',
      'documents[0].data',
    ],
    [
      'a path that is not there',
      { documentsSource: 'FILE_PATH', documents: [{ data: '/nowhere/x.txt' }] },
      'DOCUMENT_UNREADABLE',
      'documents[0].data',
    ],
    [
      'a folder',
      { documentsSource: 'FILE_PATH', documents: [{ data: '/tmp' }] },
      'DOCUMENT_UNREADABLE',
      'documents[0].data',
    ],
    [
      'a device',
      { documentsSource: 'FILE_PATH', documents: [{ data: '/dev/zero' }] },
      'DOCUMENT_UNREADABLE',
      'documents[0].data',
    ],
    [
      'a destination without a path to be beside',
      { destination: 'FILE_PATH' },
      'REQUEST_INVALID',
      'documents[0].destination_file_name',
    ],
    [
      'data for documents that are uploaded',
      { documentsSource: 'UPLOAD_REFERENCE' },
      'REQUEST_INVALID',
      'documents[0].data',
    ],
  ];
  it.each(rows)('refuses %s, names the field and keeps nothing', async (_name, overrides, code, field) => {
    const error = await refusal({ ...hello, ...overrides });
    expect(error.code).toBe(code);
    expect(error.problems.map((problem) => problem.field)).toContain(field);
  });

  it('tells every problem at once', async () => {
    const error = await refusal({
      ...hello,
      policy: 'B-B',
      type: 'CMS-attached',
      documents: [{ id: '', data }, { data: 'x' }],
    });
    expect(error.code).toBe('REQUEST_INVALID');
    expect(error.problems.map(({ field }) => field)).toEqual(['policy', 'documents[0].id', 'documents[1].data']);
  });

  it('refuses more documents than the limit and says the limit', async () => {
    const error = await refusal({ ...hello, documents: Array.from({ length: 10_001 }, () => ({ data })) });
    expect(error).toMatchObject({ code: 'TOO_MANY_DOCUMENTS', message: expect.stringContaining('10000') as string });
  });

  it('refuses a file over the limit and says the limit', async () => {
    await world.end();
    world = await openWorld({ limits: { documentSize: 2048 } });
    await world.addKey(maria);
    const big = join(world.home, 'big');
    writeFileSync(big, Buffer.alloc(2049));
    for (const overrides of [
      { documentsSource: 'FILE_PATH', documents: [{ data: big }] },
      { documentsSource: 'DATA_URL', documents: [{ data: dataUrl(Buffer.alloc(2049)) }] },
    ] as const) {
      const error = await refusal(overrides);
      expect(error).toMatchObject({ code: 'DOCUMENT_TOO_LARGE', message: expect.stringContaining('2 KiB') as string });
    }
  });

  it('never replaces an existing file at a destination', async () => {
    const source = join(world.home, 'a.txt');
    writeFileSync(source, 'a');
    writeFileSync(`${source}.p7s`, 'mine');
    const error = await refusal({
      documentsSource: 'FILE_PATH',
      destination: 'FILE_PATH',
      documents: [{ data: source }],
    });
    expect(error.code).toBe('DESTINATION_EXISTS');
    expect(readFileSync(`${source}.p7s`, 'utf8')).toBe('mine');
  });

  it('refuses two documents with a single destination', async () => {
    const destinationFileName = join(world.home, 'out.p7s');
    const document = { data, destinationFileName };
    const error = await refusal({ ...hello, destination: 'FILE_PATH', documents: [document, document] });
    expect(error.code).toBe('DESTINATION_EXISTS');
  });

  it('keeps its own folder out of bounds, as a source and as a destination', async () => {
    const own = join(world.folder, 'sinete.db');
    const source = await refusal({ documentsSource: 'FILE_PATH', documents: [{ data: own }] });
    expect(source.code).toBe('PATH_NOT_ALLOWED');
    const documents = [{ data, destinationFileName: join(world.folder, 'results', 'x') }];
    const destination = await refusal({ ...hello, destination: 'FILE_PATH', documents });
    expect(destination.code).toBe('PATH_NOT_ALLOWED');
    mkdirSync(join(world.home, 'in'));
    symlinkSync(world.folder, join(world.home, 'in', 'link'));
    const linked = await refusal({
      documentsSource: 'FILE_PATH',
      documents: [{ data: join(world.home, 'in', 'link', 'sinete.db') }],
    });
    expect(linked.code).toBe('PATH_NOT_ALLOWED');
  });
});

describe('create without a certificate alias', () => {
  const fingerprintOf = (der: Buffer): string => parseCertificate(der).fingerprint;
  const nameOf = (der: Buffer): string => parseCertificate(der).commonName;

  it('takes the only certificate', async () => {
    expect(await create(hello)).toMatchObject({ certificateAlias: nameOf(maria.certificate) });
  });

  it('refuses when several can sign, and lists their aliases', async () => {
    await world.addKey(joao);
    const error = await refusal(hello);
    expect(error.code).toBe('CERTIFICATE_AMBIGUOUS');
    expect(error.message).toContain(nameOf(joao.certificate));
    expect(error.message).toContain(nameOf(maria.certificate));
  });

  it('takes the default of several', async () => {
    await world.addKey(joao);
    await writeDefaultCertificate(world.storage.settings, fingerprintOf(joao.certificate));
    expect(await create(hello)).toMatchObject({ certificateAlias: nameOf(joao.certificate) });
  });

  it('does not sign with another when the default is missing', async () => {
    await writeDefaultCertificate(world.storage.settings, fingerprintOf(joao.certificate));
    expect((await refusal(hello)).code).toBe('CERTIFICATE_NOT_FOUND');
  });

  it('takes the only valid certificate and leaves the expired aside', async () => {
    const expired = await personWith({
      name: 'ANTIGA DE TESTE',
      notBefore: new Date(Date.now() - 48 * HOUR),
      notAfter: new Date(Date.now() - HOUR),
    });
    await world.addKey(expired);
    expect(await create(hello)).toMatchObject({ certificateAlias: nameOf(maria.certificate) });
    const error = await refusalOf({ ...hello, certificateAlias: nameOf(expired.certificate) });
    expect(error.code).toBe('CERTIFICATE_NOT_VALID');
  });

  it('tells the first day of a certificate of a time to come, and does not call the certificate unknown', async () => {
    const notBefore = new Date(Date.now() + 24 * HOUR);
    const future = await personWith({ name: 'FUTURA DE TESTE', notBefore, notAfter: new Date(Date.now() + 48 * HOUR) });
    await world.addKey(future);
    const error = await refusalOf({ ...hello, certificateAlias: nameOf(future.certificate) });
    expect([error.code, error.problems[0]?.detail]).toEqual([
      'CERTIFICATE_NOT_VALID',
      expect.stringContaining('is not valid before'),
    ]);
  });

  const refusalOf = async (overrides: Partial<CreateTransaction>): Promise<ServiceError> =>
    (await create(overrides).catch((reason: unknown) => reason)) as ServiceError;
});

describe('create with an idempotency key', () => {
  const idempotency = { key: 'order 1', bodyDigest: 'a'.repeat(64) };

  it('answers the first transaction again for the same body', async () => {
    const first = await create({ ...hello, idempotency });
    const second = await create({ ...hello, idempotency });
    expect(second.tcn).toBe(first.tcn);
  });

  it('makes one transaction of two simultaneous requests', async () => {
    const views = await Promise.all([create({ ...hello, idempotency }), create({ ...hello, idempotency })]);
    expect(new Set(views.map(({ tcn }) => tcn)).size).toBe(1);
    expect(await world.transactions.recent(10)).toHaveLength(1);
  });

  it('refuses the same key with another body', async () => {
    await create({ ...hello, idempotency });
    const other = { ...idempotency, bodyDigest: 'b'.repeat(64) };
    await expect(create({ ...hello, idempotency: other })).rejects.toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' });
  });

  it('forgets the key after a day', async () => {
    const first = await create({ ...hello, idempotency });
    world.advance(24 * HOUR + 1000);
    const second = await create({ ...hello, idempotency });
    expect(second.tcn).not.toBe(first.tcn);
  });
});
