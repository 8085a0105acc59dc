import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { holdExchanges } from '../../../src/network/index.ts';
import type { ObjectAddress } from '../../../src/service/stores/index.ts';
import { ConfiguredObjectStores, type OpenObjectStore } from '../../../src/storage/object-stores/index.ts';
import { startFaulty, startGcs, startS3, type ObjectServer } from './object-servers.ts';
import { describeStore } from './store-behaviour.ts';
import {
  failure,
  gcsStoreAt,
  patientStoresOf,
  readAll,
  s3StoreAt,
  storesOf,
  twiceTryingStoresOf,
  useFiles,
} from './store-tools.ts';

let s3: ObjectServer;
let gcs: ObjectServer;

beforeAll(async () => {
  s3 = await startS3(['papers']);
  gcs = await startGcs();
});

afterAll(async () => {
  await s3.stop();
  await gcs.stop();
});

const fileOf = useFiles();
const s3Store = (changes: Partial<OpenObjectStore> = {}): OpenObjectStore => s3StoreAt(s3.url, changes);
const gcsStore = (changes: Partial<OpenObjectStore> = {}): OpenObjectStore => gcsStoreAt(gcs.url, changes);

describeStore('a store of kind s3', { kind: 's3', bucket: 'papers', prefix: 'in/', store: s3Store });
describeStore('a store of kind gcs', { kind: 'gcs', bucket: 'letters', prefix: '', store: gcsStore });

const kinds = [
  ['s3', s3Store, 'papers', 'in/'],
  ['gcs', gcsStore, 'letters', ''],
] as const;

describe.each(kinds)('a server of kind %s', (kind, store, bucket, prefix) => {
  const at = (name: string): ObjectAddress => ({ kind, bucket, key: `${prefix}${name}` });

  it('is unavailable when nothing listens, and soon says so', async () => {
    const gone = await startFaulty(() => undefined);
    await gone.stop();
    const stores = storesOf(store({ endpoint: gone.url }));
    expect((await failure(readAll(stores, at('x.pdf')))).code).toBe('STORE_UNAVAILABLE');
    expect((await failure(stores.write(at('x.pdf'), await fileOf(randomBytes(9), 'g')))).code).toBe(
      'STORE_UNAVAILABLE',
    );
    const tested = await failure(stores.test(store().id));
    expect([tested.code, tested.message]).toEqual(['STORE_UNAVAILABLE', expect.stringContaining('(ECONNREFUSED)')]);
  });

  it.each([
    ['never answers', () => undefined],
    [
      'begins to answer and stops',
      (_request: unknown, response: ServerResponse) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000', etag: '"x"' });
        response.write('{');
      },
    ],
    ['hangs up', (request: IncomingMessage) => request.socket.destroy()],
    ['answers with garbage', (_request: unknown, response: ServerResponse) => response.end('<html>not a store')],
    ['is overloaded', (_request: unknown, response: ServerResponse) => response.writeHead(503).end()],
  ] as const)('gives up a server that %s', async (_name, answer) => {
    const server = await startFaulty(answer);
    try {
      const stores = storesOf(store({ endpoint: server.url }));
      const file = await fileOf(randomBytes(2000), `${kind}-faulty`);
      expect((await failure(stores.write(at('x.pdf'), file))).code).toMatch(/^STORE_/);
      expect((await failure(readAll(stores, at('x.pdf')))).code).toMatch(/^STORE_/);
      await stores.close();
    } finally {
      await server.stop();
    }
  });

  it('ends at once when the reader is gone', async () => {
    const server = await startFaulty(() => undefined);
    const gone = new AbortController();
    setTimeout(() => gone.abort(), 100);
    const reading = storesOf(store({ endpoint: server.url })).read(
      at('x.pdf'),
      async () => Promise.resolve(),
      gone.signal,
    );
    expect((await failure(reading)).code).toBe('SIGNING_FAILED');
    await server.stop();
  });

  it('does not let us in with the wrong rights', async () => {
    const server = await startFaulty((_request, response) => response.writeHead(403).end());
    const stores = patientStoresOf(store({ endpoint: server.url }));
    expect((await failure(readAll(stores, at('x.pdf')))).code).toBe('STORE_REFUSED');
    expect((await failure(stores.write(at('x.pdf'), await fileOf(randomBytes(9), 'r')))).code).toBe('STORE_REFUSED');
    await server.stop();
  });

  it('does not lead to other computers by a redirect', async () => {
    const inner = { asked: 0 };
    const other = await startFaulty((_request, response) => {
      inner.asked++;
      response.end('secret');
    });
    const location = other.url;
    const server = await startFaulty((_request, response) => response.writeHead(302, { location }).end());
    expect((await failure(readAll(storesOf(store({ endpoint: server.url })), at('x.pdf')))).code).toMatch(/^STORE_/);
    expect(inner.asked).toBe(0);
    await server.stop();
    await other.stop();
  });
});

describe('a server not keeping the sent bytes', () => {
  const spoilers: readonly (readonly [string, (content: Buffer) => Buffer, boolean])[] = [
    ['less', (content) => content.subarray(0, -1), true],
    ['the framing as content', (content) => Buffer.concat([content, Buffer.alloc(54)]), true],
    ['other bytes, and tells their hash', (content) => Buffer.from(content.map((byte) => byte ^ 1)), true],
    ['other bytes, and tells no hash', (content) => Buffer.from(content.map((byte) => byte ^ 1)), false],
  ];

  it.each(spoilers)('is found out and leaves nothing: keeps %s', async (_name, spoil, tellsHash) => {
    const kept = new Map<string, Buffer>();
    const server = await startFaulty((request, response) => {
      void answerAsStore(request, response, { kept, spoil, tellsHash });
    });
    const stores = storesOf(s3Store({ endpoint: server.url }));
    const address = { kind: 's3', bucket: 'papers', key: 'in/x.pdf' } as const;
    expect((await failure(stores.write(address, await fileOf(randomBytes(5000), 'spoilt')))).code).toBe(
      'STORE_UNAVAILABLE',
    );
    expect(kept.size).toBe(0);
    await stores.close();
    await server.stop();
  });

  it('is believed without a hash when giving back the same bytes', async () => {
    const kept = new Map<string, Buffer>();
    const server = await startFaulty((request, response) => {
      void answerAsStore(request, response, { kept, spoil: (content) => content, tellsHash: false });
    });
    const stores = patientStoresOf(s3Store({ endpoint: server.url }));
    await stores.write({ kind: 's3', bucket: 'papers', key: 'in/x.pdf' }, await fileOf(randomBytes(5000), 'good'));
    expect(kept.size).toBe(1);
    await stores.close();
    await server.stop();
  });

  it('leaves no parts of a long broken upload', async () => {
    const uploads = { begun: 0, open: new Set<string>() };
    const server = await startFaulty((request, response) => {
      const { searchParams } = new URL(request.url ?? '', 'http://x');
      if (request.method === 'HEAD') response.writeHead(404).end();
      else if (request.method === 'POST' && searchParams.has('uploads')) {
        const id = `upload-${++uploads.begun}`;
        uploads.open.add(id);
        response.end(`<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`);
      } else if (request.method === 'DELETE' && uploads.open.delete(searchParams.get('uploadId') ?? '')) {
        response.writeHead(204).end();
      } else request.socket.destroy();
    });
    const stores = twiceTryingStoresOf(s3Store({ endpoint: server.url }));
    const file = await fileOf(randomBytes(17 * 2 ** 20), 'parts');
    const address = { kind: 's3', bucket: 'papers', key: 'in/long.pdf' } as const;
    expect((await failure(stores.write(address, file))).code).toBe('STORE_UNAVAILABLE');
    expect(uploads).toEqual({ begun: 2, open: new Set() });
    await stores.close();
    await server.stop();
  });
});

describe('an object breaking off during a read', () => {
  it.each(['s3', 'gcs'] as const)('is never taken for whole: %s', async (kind) => {
    const server = await startFaulty((request, response) => {
      const isMedia = kind === 's3' || request.url?.includes('alt=media') === true;
      if (!isMedia) {
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ size: '1000', contentType: 'application/pdf', generation: '1' }));
        return;
      }
      if (kind === 's3') response.setHeader('content-length', '1000');
      response.writeHead(200, { etag: '"x"' });
      response.write(Buffer.alloc(600), () => (kind === 's3' ? request.socket.destroy() : response.end()));
    });
    const store = kind === 's3' ? s3Store({ endpoint: server.url }) : gcsStore({ endpoint: server.url });
    const stores = storesOf(store);
    const address = { kind, bucket: store.bucket, key: `${store.prefix}x.pdf` };
    expect((await failure(readAll(stores, address))).code).toBe('STORE_UNAVAILABLE');
    await stores.close();
    await server.stop();
  });
});

describe('a missing bucket', () => {
  it('is refused on S3, by reading, writing and testing', async () => {
    const stores = patientStoresOf(s3Store({ bucket: 'nobody', prefix: '' }));
    const address = { kind: 's3', bucket: 'nobody', key: 'x.pdf' } as const;
    expect((await failure(readAll(stores, address))).code).toBe('STORE_REFUSED');
    expect((await failure(stores.write(address, await fileOf(randomBytes(9), 'n')))).code).toBe('STORE_REFUSED');
    expect((await failure(stores.test('one'))).code).toBe('STORE_REFUSED');
  });
});

describe('a server in a private network', () => {
  it('is reached only where named by the endpoint', async () => {
    const stores = new ConfiguredObjectStores({
      named: { list: async () => Promise.resolve([s3Store()]), open: async () => Promise.resolve(s3Store()) },
      hold: async (limits, action) => holdExchanges({ ...limits, allow: [] }, action),
    });
    expect((await failure(stores.test('one'))).code).toBe('STORE_REFUSED');
  });
});

/** Enough of S3 for a single object; keeps the bytes in the form made by `spoil`. */
async function answerAsStore(
  request: IncomingMessage,
  response: ServerResponse,
  { kept, spoil, tellsHash }: { kept: Map<string, Buffer>; spoil: (content: Buffer) => Buffer; tellsHash: boolean },
): Promise<void> {
  const key = request.url?.split('?')[0] ?? '';
  const sent = await buffer(request);
  const object = kept.get(key);
  const tagOf = (content: Buffer): string =>
    tellsHash ? `"${createHash('md5').update(content).digest('hex')}"` : '"0-1"';
  if (request.method === 'PUT') {
    kept.set(key, spoil(sent));
    response.writeHead(200, { etag: tagOf(sent) }).end();
  } else if (request.method === 'DELETE') {
    kept.delete(key);
    response.writeHead(204).end();
  } else if (object === undefined) response.writeHead(404).end();
  else {
    response.writeHead(200, { etag: tagOf(object), 'content-length': object.length });
    response.end(request.method === 'HEAD' ? undefined : object);
  }
}
