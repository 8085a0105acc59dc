import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { holdExchanges } from '../../../src/network/index.ts';
import { ServiceError, type ObjectAddress, type ObjectFile } from '../../../src/service/index.ts';
import { ConfiguredObjectStores, type ObjectStorePatience } from '../../../src/storage/object-stores/index.ts';
import type { OpenObjectStore } from '../../../src/storage/object-stores/index.ts';
import { s3Keys, startFaulty, startGcs, startS3, type ObjectServer } from './object-servers.ts';

const impatient: Partial<ObjectStorePatience> = { idleTimeout: 400, totalTimeout: 20_000, attempts: 2, retryDelay: 20 };

let folder: string;
let s3: ObjectServer;
let gcs: ObjectServer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'objects-'));
  s3 = await startS3(['papers']);
  gcs = await startGcs();
});

afterAll(async () => {
  await s3.stop();
  await gcs.stop();
  await rm(folder, { recursive: true });
});

const s3Store = (changes: Partial<OpenObjectStore> = {}): OpenObjectStore => ({
  ...{ id: 'one', kind: 's3', endpoint: s3.url, region: 'us-east-1', bucket: 'papers', prefix: 'in/' },
  ...{ pathStyle: true, overwrite: false, credentials: { kind: 'keys', ...s3Keys } },
  ...changes,
});

const gcsStore = (changes: Partial<OpenObjectStore> = {}): OpenObjectStore => ({
  ...{ id: 'two', kind: 'gcs', endpoint: gcs.url, bucket: 'letters', prefix: '' },
  ...{ pathStyle: true, overwrite: false, credentials: { kind: 'none' } },
  ...changes,
});

function storesOf(...opened: readonly OpenObjectStore[]): ConfiguredObjectStores {
  return new ConfiguredObjectStores({
    named: {
      list: async () => Promise.resolve(opened),
      open: async (id) => Promise.resolve(opened.find((one) => one.id === id) ?? failNow()),
    },
    hold: holdExchanges,
    patience: impatient,
  });
}

function failNow(): never {
  throw new Error('No such store.');
}

async function fileOf(content: Buffer, name: string): Promise<ObjectFile> {
  const path = join(folder, name.replaceAll('/', '_'));
  await writeFile(path, content);
  const checksum = createHash('sha256').update(content).digest('hex');
  return { path, size: content.length, checksum, mediaType: 'application/pdf' };
}

const readAll = async (stores: ConfiguredObjectStores, address: ObjectAddress): Promise<Buffer> =>
  stores.read(address, async ({ content }) => buffer(Readable.from(content)));

async function failure(action: Promise<unknown>): Promise<ServiceError> {
  const error: unknown = await action.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof ServiceError) return error;
  throw new Error('It did not fail as the service does.', { cause: error });
}

const kinds = [
  ['s3', (changes?: Partial<OpenObjectStore>) => s3Store(changes), 'papers', 'in/'],
  ['gcs', (changes?: Partial<OpenObjectStore>) => gcsStore(changes), 'letters', ''],
] as const;

describe.each(kinds)('a store of kind %s', (kind, store, bucket, prefix) => {
  const at = (name: string): ObjectAddress => ({ kind, bucket, key: `${prefix}${name}` });

  it.each([
    ['an empty one', 0],
    ['a short one', 300_000],
    ['one that goes in parts', 17 * 2 ** 20 + 5],
  ])('gives back what it was given: %s', async (name, size) => {
    const stores = storesOf(store());
    const content = randomBytes(size);
    const address = at(`folder/ação ${name} a+b&c.pdf`);
    const file = await fileOf(content, `${kind}-${size}`);
    await stores.write(address, file);
    expect((await readAll(stores, address)).equals(content)).toBe(true);
    expect(await stores.holds(address, file.size, file.checksum)).toBe(true);
    await stores.close();
  });

  it('never replaces an object, not even one of the same length', async () => {
    const stores = storesOf(store());
    const address = at('there.pdf');
    const first = randomBytes(1000);
    await stores.write(address, await fileOf(first, `${kind}-first`));
    const second = await fileOf(randomBytes(1000), `${kind}-second`);
    expect((await failure(stores.expectFree(address))).code).toBe('DESTINATION_EXISTS');
    expect((await failure(stores.write(address, second))).code).toBe('DESTINATION_EXISTS');
    expect((await readAll(stores, address)).equals(first)).toBe(true);
    expect(await stores.holds(address, second.size, second.checksum)).toBe(false);
  });

  it('lets one of two that write to one address at once win', async () => {
    const stores = storesOf(store());
    const files = [await fileOf(randomBytes(2000), `${kind}-a`), await fileOf(randomBytes(2000), `${kind}-b`)];
    const outcomes = await Promise.allSettled(files.map(async (file) => stores.write(at('race.pdf'), file)));
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('replaces where its owner says so', async () => {
    const stores = storesOf(store({ overwrite: true }));
    const address = at('again.pdf');
    const content = randomBytes(700);
    await stores.write(address, await fileOf(randomBytes(1000), `${kind}-before`));
    await stores.write(address, await fileOf(content, `${kind}-after`));
    expect((await readAll(stores, address)).equals(content)).toBe(true);
  });

  it('says that there is no such object', async () => {
    expect((await failure(readAll(storesOf(store()), at('nowhere.pdf')))).code).toBe('DOCUMENT_UNREADABLE');
  });

  it('refuses addresses outside of what is named, and says what is', async () => {
    const stores = storesOf(store({ prefix: 'inside/' }));
    const address = { kind, bucket, key: 'outside/x.pdf' };
    const error = await failure(stores.expectConfigured(kind, address));
    expect(error.code).toBe('STORE_NOT_CONFIGURED');
    expect(error.message).toContain(`${bucket}/inside/`);
    expect((await failure(readAll(stores, address))).code).toBe('STORE_NOT_CONFIGURED');
    expect((await failure(stores.write(address, await fileOf(randomBytes(1), 'x')))).code).toBe('STORE_NOT_CONFIGURED');
  });

  it('passes on what the reader of an object throws, and lets go of the connection', async () => {
    const stores = storesOf(store());
    const address = at('long.bin');
    await stores.write(address, await fileOf(randomBytes(3_000_000), `${kind}-long`));
    const tooLarge = new ServiceError('DOCUMENT_TOO_LARGE', 'Too large.');
    const reading = stores.read(address, async ({ content }) => {
      for await (const chunk of content) if (chunk.length > 0) throw tooLarge;
    });
    await expect(reading).rejects.toBe(tooLarge);
  });

  it('answers its owner whether it can be reached', async () => {
    await storesOf(store({ prefix: '' })).test(store().id);
  });

  it('is unavailable when nothing listens, and soon says so', async () => {
    const gone = await startFaulty(() => undefined);
    await gone.stop();
    const stores = storesOf(store({ endpoint: gone.url }));
    expect((await failure(readAll(stores, at('x.pdf')))).code).toBe('STORE_UNAVAILABLE');
    expect((await failure(stores.write(at('x.pdf'), await fileOf(randomBytes(9), 'g')))).code).toBe(
      'STORE_UNAVAILABLE',
    );
    expect((await failure(stores.test(store().id))).code).toBe('STORE_UNAVAILABLE');
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
  ] as const)('does not wait for ever for a server that %s', async (_name, answer) => {
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

  it('ends at once when who reads is gone', async () => {
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
    const stores = storesOf(store({ endpoint: server.url }));
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

describe('a server that does not keep what it is sent', () => {
  const spoilers: readonly (readonly [string, (content: Buffer) => Buffer, boolean])[] = [
    ['less', (content) => content.subarray(0, -1), true],
    ['the framing as content', (content) => Buffer.concat([content, Buffer.alloc(54)]), true],
    ['other octets, and tells their hash', (content) => Buffer.from(content.map((octet) => octet ^ 1)), true],
    ['other octets, and tells no hash', (content) => Buffer.from(content.map((octet) => octet ^ 1)), false],
  ];

  it.each(spoilers)('is found out and leaves nothing: it keeps %s', async (_name, spoil, tellsHash) => {
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

  it('is believed when it tells no hash and gives back the same octets', async () => {
    const kept = new Map<string, Buffer>();
    const server = await startFaulty((request, response) => {
      void answerAsStore(request, response, { kept, spoil: (content) => content, tellsHash: false });
    });
    const stores = storesOf(s3Store({ endpoint: server.url }));
    await stores.write({ kind: 's3', bucket: 'papers', key: 'in/x.pdf' }, await fileOf(randomBytes(5000), 'good'));
    expect(kept.size).toBe(1);
    await stores.close();
    await server.stop();
  });

  it('leaves no parts of a long file that broke off', async () => {
    const parts = { open: 0, ended: 0 };
    const server = await startFaulty((request, response) => {
      const { searchParams } = new URL(request.url ?? '', 'http://x');
      if (request.method === 'HEAD') response.writeHead(404).end();
      else if (request.method === 'POST' && searchParams.has('uploads')) {
        parts.open++;
        response.end('<InitiateMultipartUploadResult><UploadId>7</UploadId></InitiateMultipartUploadResult>');
      } else if (request.method === 'DELETE' && searchParams.get('uploadId') === '7') {
        parts.ended++;
        response.writeHead(204).end();
      } else request.socket.destroy();
    });
    const stores = storesOf(s3Store({ endpoint: server.url }));
    const file = await fileOf(randomBytes(17 * 2 ** 20), 'parts');
    const address = { kind: 's3', bucket: 'papers', key: 'in/long.pdf' } as const;
    expect((await failure(stores.write(address, file))).code).toBe('STORE_UNAVAILABLE');
    expect(parts.open).toBeGreaterThan(0);
    expect(parts.ended).toBe(parts.open);
    await stores.close();
    await server.stop();
  });
});

describe('an object that breaks off while it is read', () => {
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

describe('a bucket that is not there', () => {
  it('is refused on S3, by reading, writing and testing', async () => {
    const stores = storesOf(s3Store({ bucket: 'nobody', prefix: '' }));
    const address = { kind: 's3', bucket: 'nobody', key: 'x.pdf' } as const;
    expect((await failure(readAll(stores, address))).code).toBe('STORE_REFUSED');
    expect((await failure(stores.write(address, await fileOf(randomBytes(9), 'n')))).code).toBe('STORE_REFUSED');
    expect((await failure(stores.test('one'))).code).toBe('STORE_REFUSED');
  });
});

describe('a server in a private network', () => {
  it('is reached only where the endpoint names it', async () => {
    const stores = new ConfiguredObjectStores({
      named: { list: async () => Promise.resolve([s3Store()]), open: async () => Promise.resolve(s3Store()) },
      hold: async (limits, action) => holdExchanges({ ...limits, allow: [] }, action),
      patience: impatient,
    });
    expect((await failure(stores.test('one'))).code).toBe('STORE_REFUSED');
  });
});

/** Enough of S3 for one object: it keeps what `spoil` makes of it. */
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
