import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { Storage } from '@google-cloud/storage';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { s3Keys, startFaulty, startGcs, startS3, type ObjectServer } from '../storage/object-stores/object-servers.ts';
import { startRealInstance, type Answer, type RealInstance } from './real-instance.ts';

let instance: RealInstance;
let s3: ObjectServer;
let gcs: ObjectServer;
let client: S3Client;
let storage: Storage;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stores-'));
  s3 = await startS3(['papers']);
  gcs = await startGcs();
  client = new S3Client({
    endpoint: s3.url,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: s3Keys,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  storage = new Storage({ apiEndpoint: gcs.url, projectId: 'demo', useAuthWithCustomEndpoint: false });
  instance = await startRealInstance({ approve: 'all' });
  await call('certificates.makeTestIdentity', { name: 'Maria da Silva', cpf: '52998224725' });
});

afterAll(async () => {
  await instance.stop();
  client.destroy();
  await s3.stop();
  await gcs.stop();
  await rm(folder, { recursive: true });
});

const call = async (name: string, input: unknown): Promise<unknown> => {
  const result = await instance.sinete.callUi(name, input);
  if (!result.ok) throw new Error(`${result.error.code}: ${result.error.message}`);
  return result.value;
};

const create = async (fields: Record<string, unknown>): Promise<Answer> =>
  instance.send('POST', '/signature-service', { json: { type: 'CMS-attached', mode: 'sync', ...fields } });

const firstDocument = ({ content }: Answer): Record<string, unknown> =>
  (content.documents as Record<string, unknown>[])[0] ?? {};

const problemsOf = ({ content }: Answer): { field: string; code: string }[] =>
  (content.errors as { field: string; code: string }[] | undefined) ?? [];

describe('an instance without stores', () => {
  it.each([
    ['documents_source', { documents_source: 'STORE_A_S3', documents: 'papers/x.txt' }],
    [
      'documents_destination',
      { documents_source: 'DATA_URL', documents: 'data:,x', documents_destination: 'STORE_B_STORAGE' },
    ],
  ])('refuses to use one, and names %s', async (field, fields) => {
    const answer = await create(fields);
    expect(answer.status).toBe(422);
    expect(answer.content.code).toBe('STORE_NOT_CONFIGURED');
    expect(problemsOf(answer).map((problem) => problem.field)).toEqual([field]);
  });
});

describe('an instance with stores', () => {
  beforeAll(async () => {
    const keys = { accessKeyId: s3Keys.accessKeyId, secretAccessKey: s3Keys.secretAccessKey };
    const common = { kind: 's3', endpoint: s3.url, pathStyle: true, ...keys };
    await call('stores.add', { id: 'office', bucket: 'papers', prefix: 'signed', ...common });
    await call('stores.add', { id: 'inbox', bucket: 'papers', prefix: '/in/', ...common });
    await call('stores.add', { id: 'cloud', bucket: 'letters', kind: 'gcs', endpoint: gcs.url });
  });

  it('lists and tests stores without showing their secrets', async () => {
    const list = (await call('stores.list', {})) as { id: string; prefix: string }[];
    expect(list.map(({ id, prefix }) => [id, prefix])).toEqual([
      ['office', 'signed/'],
      ['inbox', 'in/'],
      ['cloud', ''],
    ]);
    expect(JSON.stringify(list)).not.toContain(s3Keys.secretAccessKey);
    await call('stores.test', { id: 'office' });
    await expect(call('stores.test', { id: 'nobody' })).rejects.toThrow('NOT_FOUND');
  });

  it.each(['papers/in/ação.txt', 's3://papers/in/ação.txt'])(
    'signs %s from S3 and keeps the result here by default',
    async (data) => {
      await put('in/ação.txt', 'conteúdo');
      const answer = await create({ documents_source: 'STORE_A_S3', documents: data });
      expect(answer.status).toBe(201);
      const document = firstDocument(answer);
      expect(document).toMatchObject({ status: 'SIGNED', original_file_name: 'ação.txt', size: 9 });
      expect(document).not.toHaveProperty('destination_file_name');
      const result = await fetch(String(document.result));
      expect(result.status).toBe(200);
    },
  );

  it('signs from S3 into S3, beside the original, and tells where', async () => {
    await put('in/deep/contract.txt', 'a contract');
    const fields = { documents_source: 'store_a_s3', documents_destination: 'store_a_s3' };
    const answer = await create({ ...fields, documents: { data: 'papers/in/deep/contract.txt' } });
    const document = firstDocument(answer);
    expect(document).toMatchObject({
      status: 'SIGNED',
      result: 's3://papers/in/deep/contract.txt.p7m',
      lifetime: 43_200,
      destination_file_name: 'contract.txt.p7m',
    });
    expect((await get('in/deep/contract.txt.p7m')).includes('a contract')).toBe(true);
    const download = await instance.send('GET', `/file-transfer/${String(answer.content.tcn)}/${String(document.id)}`);
    expect(download.status).toBe(409);
    expect(download.content.code).toBe('RESULT_DELIVERED');
    expect(download.content.detail).toContain('s3://papers/in/deep/contract.txt.p7m');
  });

  it('signs from cloud storage into S3 by a name, and from data into cloud storage by an address', async () => {
    await storage.bucket('letters').file('mail/letter.txt').save('dear all', { resumable: false });
    const fromCloud = await create({
      documents_source: 'STORE_B_STORAGE',
      documents_destination: 'STORE_A_S3',
      documents: { data: 'gs://letters/mail/letter.txt', destination_file_name: '2026/letter.p7m' },
    });
    expect(firstDocument(fromCloud).result).toBe('s3://papers/signed/2026/letter.p7m');
    expect((await get('signed/2026/letter.p7m')).includes('dear all')).toBe(true);
    const toCloud = await create({
      documents_source: 'DATA_URL',
      documents_destination: 'STORE_B_STORAGE',
      documents: { data: 'data:text/plain,hello', destination_file_name: 'gs://letters/out/hello.p7m' },
    });
    expect(firstDocument(toCloud)).toMatchObject({ status: 'SIGNED', result: 'gs://letters/out/hello.p7m' });
    const [stored] = await storage.bucket('letters').file('out/hello.p7m').download();
    expect(stored.includes('hello')).toBe(true);
  });

  it('takes uploads and names each result after its upload', async () => {
    const begun = await instance.send('POST', '/signature-service', {
      json: { type: 'CMS-detached', documents_source: 'UPLOAD_REFERENCE', documents_destination: 'STORE_A_S3' },
    });
    const tcn = String(begun.content.tcn);
    const form = new FormData();
    form.append('document', new Blob(['uploaded']), 'upload.txt');
    const uploaded = await fetch(`${instance.url}/file-transfer/${tcn}/eot`, { method: 'POST', body: form });
    expect(uploaded.status).toBe(200);
    const done = await finished(tcn);
    expect(firstDocument(done)).toMatchObject({
      status: 'SIGNED',
      result: 's3://papers/signed/upload.txt.p7s',
      destination_file_name: 'upload.txt.p7s',
    });
    expect((await get('signed/upload.txt.p7s')).length).toBeGreaterThan(500);
  });

  it('carries a document in parts', async () => {
    const path = join(folder, 'large.bin');
    await writeFile(path, randomBytes(20 * 2 ** 20));
    const answer = await create({
      documents_source: 'FILE_PATH',
      documents_destination: 'STORE_A_S3',
      documents: { data: path, destination_file_name: 'large.p7m' },
    });
    expect(firstDocument(answer)).toMatchObject({ status: 'SIGNED', result: 's3://papers/signed/large.p7m' });
    expect((await get('signed/large.p7m')).length).toBeGreaterThan(20 * 2 ** 20);
  });

  it('refuses places elsewhere, and names the existing stores', async () => {
    const answer = await create({ documents_source: 'STORE_A_S3', documents: ['papers/x.txt', 'others/in/x.txt'] });
    expect(answer.status).toBe(422);
    expect(problemsOf(answer)).toMatchObject([
      { field: 'documents[0].data', code: 'STORE_NOT_CONFIGURED' },
      { field: 'documents[1].data', code: 'STORE_NOT_CONFIGURED' },
    ]);
    expect(JSON.stringify(answer.content)).toContain('s3://papers/in/');
  });

  it.each(['in/x.txt/../../y', 'gs://papers/in/x', 'papers', 'papers/', 'PAPERS!/x', 'papers//x', '/etc/passwd'])(
    'refuses %j as an address',
    async (data) => {
      const answer = await create({ documents_source: 'STORE_A_S3', documents: { data } });
      expect(answer.status).toBe(422);
      expect(problemsOf(answer)).toMatchObject([{ field: 'documents[0].data' }]);
    },
  );

  it.each(['../out.p7m', '/out.p7m', 's3://papers/out.p7m', 'gs://letters/x.p7m'])(
    'refuses %j as a destination',
    async (name) => {
      const answer = await create({
        documents_source: 'DATA_URL',
        documents_destination: 'STORE_A_S3',
        documents: { data: 'data:,x', destination_file_name: name },
      });
      expect(answer.status).toBe(422);
      expect(problemsOf(answer)[0]?.field).toBe('documents[0].destination_file_name');
    },
  );

  it('replaces nothing: neither an existing object, nor a sibling of the same request', async () => {
    await put('signed/taken.p7m', 'mine');
    const documents = { data: 'data:,x', destination_file_name: 'taken.p7m' };
    const fields = { documents_source: 'DATA_URL', documents_destination: 'STORE_A_S3' };
    const taken = await create({ ...fields, documents });
    expect([taken.status, taken.content.code]).toEqual([409, 'DESTINATION_EXISTS']);
    const twice = { data: 'data:,x', destination_file_name: 'twice.p7m' };
    const siblings = await create({ ...fields, documents: [twice, twice] });
    expect([siblings.status, siblings.content.code]).toEqual([409, 'DESTINATION_EXISTS']);
    expect((await get('signed/taken.p7m')).toString()).toBe('mine');
  });

  it('fails a document when its destination is taken during the signing', async () => {
    const begun = await instance.send('POST', '/signature-service', {
      json: { type: 'CMS-attached', documents_source: 'UPLOAD_REFERENCE', documents_destination: 'STORE_A_S3' },
    });
    await put('signed/late.txt.p7m', 'somebody else');
    const tcn = String(begun.content.tcn);
    const form = new FormData();
    form.append('document', new Blob(['x']), 'late.txt');
    await fetch(`${instance.url}/file-transfer/${tcn}/eot`, { method: 'POST', body: form });
    const done = await finished(tcn);
    expect(firstDocument(done)).toMatchObject({ status: 'ERROR', error: { code: 'DESTINATION_EXISTS' }, result: null });
    expect((await get('signed/late.txt.p7m')).toString()).toBe('somebody else');
  });

  it('tells of a missing object', async () => {
    const answer = await create({ documents_source: 'STORE_A_S3', documents: 'papers/in/nothing.txt' });
    expect([answer.status, answer.content.code]).toEqual([422, 'DOCUMENT_UNREADABLE']);
  });

  it('answers 503 with Retry-After and keeps nothing when a store is down', async () => {
    const gone = await startFaulty(() => undefined);
    await gone.stop();
    const keys = { accessKeyId: 'a', secretAccessKey: 'b' };
    await call('stores.add', { id: 'gone', kind: 's3', bucket: 'gone', endpoint: gone.url, pathStyle: true, ...keys });
    const kept = async (): Promise<readonly string[]> => {
      const list = (await call('transactions.list', { limit: 500 })) as readonly { readonly tcn: string }[];
      return list.map(({ tcn }) => tcn);
    };
    const before = await kept();
    const answer = await create({ documents_source: 'STORE_A_S3', documents: 'gone/x.txt' });
    expect([answer.status, answer.content.code]).toEqual([503, 'STORE_UNAVAILABLE']);
    expect(answer.headers['retry-after']).toBe('10');
    expect(await kept()).toEqual(before);
    await call('stores.remove', { id: 'gone' });
  });

  it('refuses two stores of a single place, and credentials other than a service account', async () => {
    const keys = { accessKeyId: 'a', secretAccessKey: 'b' };
    const rival = call('stores.add', { id: 'rival', kind: 's3', bucket: 'papers', prefix: 'in', ...keys });
    await expect(rival).rejects.toThrow('REQUEST_INVALID');
    const external = JSON.stringify({ type: 'external_account', credential_source: { executable: { command: 'id' } } });
    const account = call('stores.add', { id: 'odd', kind: 'gcs', bucket: 'odd', serviceAccount: external });
    await expect(account).rejects.toThrow('REQUEST_INVALID');
  });
});

/** A held query answers at any change; the last is wanted. */
async function finished(tcn: string): Promise<Answer> {
  for (;;) {
    const answer = await instance.send('GET', `/signature-service/${tcn}?wait=20`);
    if (answer.content.status !== 'WAITING') return answer;
  }
}

async function put(key: string, content: string): Promise<void> {
  await client.send(new PutObjectCommand({ Bucket: 'papers', Key: key, Body: content, ContentType: 'text/plain' }));
}

async function get(key: string): Promise<Buffer> {
  const { Body } = await client.send(new GetObjectCommand({ Bucket: 'papers', Key: key }));
  return Buffer.from((await Body?.transformToByteArray()) ?? []);
}
