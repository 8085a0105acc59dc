/** The documents of a data folder and of a bucket: a behaviour suite for both, and the bucket under failures. */
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders, RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { holdExchanges } from '../../../src/network/index.ts';
import type { DocumentStore } from '../../../src/service/transactions/index.ts';
import { FileDocumentStore } from '../../../src/storage/files/file-document-store.ts';
import { sharedInBucket } from '../../../src/storage/object-stores/bound-bucket.ts';
import { BucketDocumentStore, DocumentBucket, type DocumentBucketSettings } from '../../../src/storage/index.ts';
import { itNeeding } from '../../setup/needs.ts';
import { startFaulty, type ObjectServer } from '../object-stores/object-servers.ts';
import { standInS3 } from '../object-stores/stand-in-s3.ts';

const KEYS = ['a', 'b', 'c', 'd'].map((one) => one.repeat(32)) as [string, string, string, string];
const SECRET = 'kept-from-everybody';
const [KEY] = KEYS;

let root: string;
let server: ObjectServer;
/** Answers in the place of the store; undefined: the store answers. */
let fault: RequestListener | undefined;
let headers: { readonly method: string; readonly url: string; readonly headers: IncomingHttpHeaders }[];
let opened: { close(): Promise<void> }[];

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'sinete-documents-'));
  fault = undefined;
  headers = [];
  opened = [];
  const store = standInS3(['documents']);
  server = await startFaulty((request, response) => {
    headers.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers });
    (fault ?? store)(request, response);
  });
});
afterEach(async () => {
  for (const one of opened) await one.close();
  await server.stop();
  rmSync(root, { recursive: true });
});

function bucketOf(settings: Partial<DocumentBucketSettings> = {}): DocumentBucket {
  return new DocumentBucket(
    {
      bucket: 'documents',
      prefix: 'sinete',
      endpoint: server.url,
      region: 'us-east-1',
      pathStyle: true,
      credentials: { kind: 'keys', accessKeyId: 'node', secretAccessKey: SECRET },
      ...settings,
    },
    { hold: holdExchanges, patience: { attempts: 1, requestAttempts: { s3: 1, gcs: 1 } } },
  );
}

/** A node of its own, with a data folder of its own. */
function openNode(name: string, settings: Partial<DocumentBucketSettings> = {}): BucketDocumentStore {
  const store = new BucketDocumentStore(join(root, name), bucketOf(settings));
  opened.push(store);
  return store;
}

async function* chunks(...parts: readonly Buffer[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) {
    await Promise.resolve();
    yield part;
  }
}

async function keepOriginal(store: DocumentStore, key: string, content = Buffer.from('original')): Promise<void> {
  await store.receive(key, chunks(content));
  await store.keep([key]);
}

async function publish(store: DocumentStore, name: string, content: string | Buffer = 'result'): Promise<void> {
  writeFileSync(await store.prepareResult(name), content);
  await store.publishResults([name]);
}

const out: RequestListener = (_request, response) => response.writeHead(503).end();
const later = (): Date => new Date(Date.now() + 3_600_000);

/** The kinds of stores; a function for each opens the store, and then another on the same documents. */
const kinds: readonly (readonly [string, (name: string) => DocumentStore])[] = [
  ['FileDocumentStore', () => new FileDocumentStore(join(root, 'shared'))],
  ['BucketDocumentStore', (name) => openNode(name)],
];

describe.each(kinds)('%s', (_kind, open) => {
  it('gives a node the originals and results of another', async () => {
    const [one, other] = [open('one'), open('other')];
    const content = randomBytes(70_000);
    await keepOriginal(one, KEY, content);
    await one.confirm([KEY]);
    await publish(one, `${KEY}.n1`);
    const path = await other.fetchOriginal(KEY);
    expect(readFileSync(path)).toEqual(content);
    expect(readFileSync(await other.fetchResult(`${KEY}.n1`), 'utf8')).toBe('result');
  });

  itNeeding('Linux')('lets nobody but the owner of the process read the fetched files', async () => {
    const [one, other] = [open('one'), open('other')];
    await keepOriginal(one, KEY);
    await one.confirm([KEY]);
    expect(statSync(await other.fetchOriginal(KEY)).mode & 0o777).toBe(0o600);
  });

  it('publishes a result twice, and takes the newer content', async () => {
    const [one, other] = [open('one'), open('other')];
    await publish(one, KEY, 'earlier');
    await one.publishResults([KEY]);
    await publish(one, KEY, 'later');
    expect(readFileSync(await other.fetchResult(KEY), 'utf8')).toBe('later');
  });

  it('answers the path of a missing file for a document missing or removed', async () => {
    const [one, other] = [open('one'), open('other')];
    await keepOriginal(one, KEY);
    await publish(one, KEY);
    await one.removeOriginal(KEY);
    await one.removeResult(KEY);
    await one.removeResult(KEY);
    expect(existsSync(await other.fetchOriginal(KEY))).toBe(false);
    expect(existsSync(await other.fetchResult(KEY))).toBe(false);
    await expect(other.publishResults([KEY])).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
  });

  it('removes the files of a known document, and sets aside documents without a row', async () => {
    const [one, other] = [open('one'), open('other')];
    const [needed, finished, unanswered, lost] = KEYS;
    for (const key of [needed, finished, lost]) {
      await keepOriginal(one, key);
      await one.confirm([key]);
      await publish(one, key);
    }
    await keepOriginal(one, unanswered);
    const keep = new Set([needed]);
    const known = new Set([needed, finished]);
    const ask = async () => Promise.resolve({ originals: keep, results: keep, known });
    const earlier = new Date(Date.now() - 86_400_000);
    const nothing = { removed: 0, found: 0, unanswered: 0 };
    expect(await one.removeUnneeded(ask, earlier)).toEqual(nothing);
    const done = await one.removeUnneeded(ask, later());
    expect(done).toEqual({ removed: 2, found: 2, unanswered: 1 });
    expect(await one.removeUnneeded(ask, later())).toEqual(nothing);
    expect(existsSync(await other.fetchOriginal(needed))).toBe(true);
    expect(existsSync(await other.fetchOriginal(lost))).toBe(false);
    const [folder] = ['one', 'shared'].map((name) => join(root, name, 'lost+found')).filter((path) => existsSync(path));
    expect(readdirSync(folder ?? '').sort()).toEqual([
      'found.jsonl',
      `original-${lost}`,
      `result-${lost}`,
      `unanswered-${unanswered}`,
    ]);
  });
});

describe('BucketDocumentStore with a failing store', () => {
  it('keeps nothing while the store is out of reach, and goes on after the return of the store', async () => {
    const store = openNode('one');
    await store.receive(KEY, chunks(Buffer.from('original')));
    fault = out;
    await expect(store.keep([KEY])).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE', retryAfter: 10 });
    await expect(publish(store, KEY)).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
    fault = undefined;
    await publish(store, KEY);
    expect(readFileSync(await openNode('other').fetchResult(KEY), 'utf8')).toBe('result');
  });

  it('tells an outage from a missing document', async () => {
    await publish(openNode('one'), KEY);
    const other = openNode('other');
    fault = out;
    await expect(other.fetchResult(KEY)).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE', retryAfter: 10 });
    fault = undefined;
    expect(existsSync(await other.fetchResult(KEY))).toBe(true);
  });

  it('takes no copy ending early', async () => {
    await publish(openNode('one'), KEY, 'a whole result');
    const other = openNode('other');
    fault = (_request, response) => {
      response.writeHead(200, { 'content-length': 14, etag: '"0"' });
      response.write('a whole');
      response.destroy();
    };
    await expect(other.fetchResult(KEY)).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
    expect(readdirSync(join(root, 'other', 'bucket', 'results'))).toEqual([]);
  });

  it('refuses a store keeping other bytes than sent', async () => {
    const store = openNode('one');
    fault = (request, response) => {
      request.resume();
      request.on('end', () => {
        const entity = { etag: `"${createHash('md5').update('RESULT').digest('hex')}"`, 'content-length': 6 };
        if (request.method === 'PUT' || request.method === 'DELETE')
          response.writeHead(200, { etag: entity.etag }).end();
        else response.writeHead(200, entity).end(request.method === 'HEAD' ? undefined : 'RESULT');
      });
    };
    await expect(publish(store, KEY)).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
  });

  it('never shows the secret of the store in an error', async () => {
    fault = (_request, response) => response.writeHead(403).end();
    const failure: unknown = await openNode('one')
      .removeResult(KEY)
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
    expect(JSON.stringify(failure, Object.getOwnPropertyNames(failure))).not.toContain(SECRET);
  });
});

describe('BucketDocumentStore on a node', () => {
  it('removes unused copies, and fetches the documents again', async () => {
    const store = openNode('one');
    await publish(store, KEY);
    await store.removeCopies(later().getTime());
    expect(readdirSync(join(root, 'one', 'bucket', 'results'))).toEqual([]);
    expect(readFileSync(await store.fetchResult(KEY), 'utf8')).toBe('result');
    await store.removeCopies(Date.now() - 86_400_000);
    expect(readdirSync(join(root, 'one', 'bucket', 'results'))).toEqual([KEY]);
  });

  it('removes copies of an earlier process on opening', async () => {
    await publish(openNode('one'), KEY);
    openNode('one');
    expect(readdirSync(join(root, 'one', 'bucket', 'results'))).toEqual([]);
  });

  it.each([
    [undefined, undefined, undefined],
    [{ kind: 'sse-s3' as const }, 'AES256', undefined],
    [{ kind: 'sse-kms' as const }, 'aws:kms', undefined],
    [{ kind: 'sse-kms' as const, keyId: 'key-1' }, 'aws:kms', 'key-1'],
  ])('asks for the encryption %j', async (encryption, algorithm, key) => {
    const store = openNode('one', encryption === undefined ? {} : { encryption });
    await publish(store, KEY, 'short');
    await publish(store, KEYS[1], Buffer.alloc(17 * 2 ** 20));
    const begins = headers.filter(
      ({ method, url }) => (method === 'PUT' && url.includes(KEY)) || (method === 'POST' && url.includes('uploads')),
    );
    const asked = begins.map((one) => [
      one.headers['x-amz-server-side-encryption'],
      one.headers['x-amz-server-side-encryption-aws-kms-key-id'],
    ]);
    expect(asked).toEqual([
      [algorithm, key],
      [algorithm, key],
    ]);
  });

  it('knows the database of the bucket', async () => {
    const bucket = bucketOf();
    opened.push(bucket);
    const shared = sharedInBucket(bucket, root);
    expect(await shared.boundTo()).toBeUndefined();
    await shared.bind('0'.repeat(32));
    expect(await shared.boundTo()).toBe('0'.repeat(32));
    fault = out;
    await expect(shared.boundTo()).rejects.toMatchObject({ name: 'StorageError', code: 'STORAGE_UNAVAILABLE' });
  });
});
