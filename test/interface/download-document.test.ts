import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ServiceError } from '../../src/service/errors/index.ts';
import type { ResultFile } from '../../src/service/transactions/index.ts';
import { exampleResult } from '../http/fake-transactions.ts';
import { plainRequest, startTestServer, type TestServer } from '../http/start-test-server.ts';

/** A result in a file, the same in memory, like small results, and in a file checked during the read. */
const places = ['a file', 'memory', 'checked blocks'] as const;

let server: TestServer;
let result: Awaited<ReturnType<typeof exampleResult>>;
const path = '/file-transfer/T/0';

beforeAll(async () => {
  server = await startTestServer();
  result = await exampleResult(Buffer.from('0123456789'));
  server.transactions.resultFile = result.file;
});
afterAll(async () => {
  await server.stop();
  await result.remove();
});

/** Gives three bytes at a time. */
const blocksOf = (content: Buffer) =>
  async function* ({ start, end }: { readonly start: number; readonly end: number }): AsyncGenerator<Buffer, void> {
    await Promise.resolve();
    for (let at = start; at <= end; at += 3) yield content.subarray(at, Math.min(at + 3, end + 1));
  };

describe.each(places)('GET /file-transfer/<tcn>/<document id> of a result in %s', (place) => {
  const resultHere = (): ResultFile => {
    const file = { ...result.file, read: undefined };
    switch (place) {
      case 'a file':
        return result.file;
      case 'memory':
        return { ...file, path: undefined, bytes: result.content };
      case 'checked blocks':
        return { ...file, path: '/none', read: blocksOf(result.content) };
    }
  };
  beforeEach(() => {
    server.transactions.resultFile = resultHere();
  });

  it('sends the bytes with type, length, name, ETag and Digest, although the client accepts only JSON', async () => {
    const answer = await plainRequest(server, { path, headers: { Accept: 'application/json' } });
    expect(answer.status).toBe(200);
    expect(answer.body).toBe('0123456789');
    expect(answer.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-length': '10',
      'content-disposition': 'attachment; filename=contract-signed.pdf',
      etag: `"${result.file.checksum}"`,
      digest: `sha-256=${Buffer.from(result.file.checksum, 'hex').toString('base64')}`,
      'accept-ranges': 'bytes',
      'cache-control': 'no-store',
    });
  });

  it.each([
    ['application/pkcs7-mime; smime-type=signed-data', 'contract.txt.p7m'],
    ['application/pkcs7-signature', 'contract.txt.p7s'],
  ] as const)('sends %s', async (mediaType, fileName) => {
    server.transactions.resultFile = { ...resultHere(), mediaType, fileName };
    const answer = await plainRequest(server, { path });
    expect(answer.headers['content-type']).toBe(mediaType);
    expect(answer.headers['content-disposition']).toBe(`attachment; filename=${fileName}`);
  });

  it('sends a name in UTF-8 beside one in ASCII (RFC 6266)', async () => {
    server.transactions.resultFile = { ...resultHere(), fileName: 'petição "x" €.pdf' };
    const answer = await plainRequest(server, { path });
    expect(answer.headers['content-disposition']).toContain(
      "filename*=UTF-8''peti%C3%A7%C3%A3o%20%22x%22%20%E2%82%AC.pdf",
    );
  });

  it.each([
    ['bytes=0-3', 206, '0123', 'bytes 0-3/10'],
    ['bytes=-2', 206, '89', 'bytes 8-9/10'],
    ['bytes=5-', 206, '56789', 'bytes 5-9/10'],
  ])('sends the range %s', async (range, status, body, contentRange) => {
    const answer = await plainRequest(server, { path, headers: { Range: range } });
    expect([answer.status, answer.body, answer.headers['content-range']]).toEqual([status, body, contentRange]);
  });

  it.each([
    ['two ranges', { Range: 'bytes=0-1,4-5' }],
    ['a range of another unit', { Range: 'pages=1-2' }],
    ['a range of another version', { Range: 'bytes=0-3', 'If-Range': '"another"' }],
    ['a range of an earlier time', { Range: 'bytes=0-3', 'If-Range': 'Thu, 01 Jan 1970 00:00:00 GMT' }],
  ])('sends the whole for %s', async (_name, headers) => {
    const answer = await plainRequest(server, { path, headers });
    expect([answer.status, answer.body]).toEqual([200, '0123456789']);
  });

  it('sends a range of the same version', async () => {
    const headers = { Range: 'bytes=0-3', 'If-Range': `"${result.file.checksum}"` };
    const answer = await plainRequest(server, { path, headers });
    expect([answer.status, answer.body]).toEqual([206, '0123']);
  });

  it('answers 416 with the size for a range outside the file', async () => {
    const answer = await plainRequest(server, { path, headers: { Range: 'bytes=20-30' } });
    expect([answer.status, answer.headers['content-range']]).toEqual([416, 'bytes */10']);
    expect(JSON.parse(answer.body)).toMatchObject({ code: 'RANGE_NOT_SATISFIABLE' });
  });

  it('answers 304 to a client with the file, and only headers to HEAD', async () => {
    const etag = `"${result.file.checksum}"`;
    const known = await plainRequest(server, { path, headers: { 'If-None-Match': etag } });
    const head = await plainRequest(server, { method: 'HEAD', path });
    expect([known.status, known.body]).toEqual([304, '']);
    expect([head.status, head.body, head.headers['content-length']]).toEqual([200, '', '10']);
  });
});

describe('GET /file-transfer/<tcn>/<document id> of a damaged long result', () => {
  const damagedAfter = (good: number): ResultFile => ({
    ...result.file,
    path: '/none',
    read: async function* () {
      await Promise.resolve();
      if (good > 0) yield result.content.subarray(0, good);
      throw new ServiceError('RESULT_DAMAGED', 'It is damaged.');
    },
  });

  it('answers 500 where the first block is damaged', async () => {
    server.transactions.resultFile = damagedAfter(0);
    const answer = await plainRequest(server, { path });
    expect([answer.status, (JSON.parse(answer.body) as { code: string }).code]).toEqual([500, 'RESULT_DAMAGED']);
  });

  it.each<Readonly<Record<string, string>>>([{}, { Range: 'bytes=0-8' }])(
    'breaks the connection before a later damaged block (%o)',
    async (headers) => {
      server.transactions.resultFile = damagedAfter(5);
      await expect(plainRequest(server, { path, headers })).rejects.toThrow(/aborted|hang up|reset/i);
      server.transactions.resultFile = result.file;
    },
  );
});

describe('GET /file-transfer/<tcn>/<document id>', () => {
  it('answers 410 when the file was erased in between', async () => {
    server.transactions.resultFile = { ...result.file, path: `${result.file.path}-gone` };
    const answer = await plainRequest(server, { path });
    expect(answer.status).toBe(410);
    expect(JSON.parse(answer.body)).toMatchObject({ code: 'LIFETIME_OVER' });
    expect(answer.body).not.toContain('sinete-result');
    server.transactions.resultFile = result.file;
  });

  it.each([
    ['NOT_SIGNED_YET', 409],
    ['SIGNING_FAILED', 409],
    ['LIFETIME_OVER', 410],
    ['DOCUMENT_NOT_FOUND', 404],
    ['TRANSACTION_NOT_FOUND', 404],
  ] as const)('answers %s with %i', async (code, status) => {
    server.transactions.failure = new ServiceError(code, 'x');
    const answer = await plainRequest(server, { path });
    server.transactions.failure = undefined;
    expect([answer.status, (JSON.parse(answer.body) as { code: string }).code]).toEqual([status, code]);
    if (code === 'NOT_SIGNED_YET') expect(answer.headers['retry-after']).toBe('1');
  });

  const navigation = { 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' };

  it('lets a person follow the address of a result from any page, and no page embed it', async () => {
    const ours = await plainRequest(server, { path, headers: { ...navigation, 'Sec-Fetch-Site': 'same-origin' } });
    const other = await plainRequest(server, { path, headers: { ...navigation, 'Sec-Fetch-Site': 'cross-site' } });
    const embedded = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Dest': 'iframe' };
    const frame = await plainRequest(server, { path, headers: { ...navigation, ...embedded } });
    expect([ours.status, other.status, frame.status]).toEqual([200, 200, 403]);
  });
});
