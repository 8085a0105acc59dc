import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenObjectStore } from '../../../src/storage/object-stores/index.ts';
import type { ObjectServer } from './object-servers.ts';
import { describeStore } from './store-behaviour.ts';
import { failure, patientStoresOf, readAll, s3StoreAt, useFiles } from './store-tools.ts';
import { startSwift, swiftKeys } from './swift-server.ts';

/**
 * Swift's S3 layer differs from s3rver where servers differ: Swift knows no conditions and no framed bodies, and checks
 * signatures.
 */

let swift: ObjectServer;
beforeAll(async () => {
  swift = await startSwift(['papers']);
});
afterAll(async () => swift.stop());

const fileOf = useFiles();
const store = (changes: Partial<OpenObjectStore> = {}): OpenObjectStore =>
  s3StoreAt(swift.url, { credentials: { kind: 'keys', ...swiftKeys }, ...changes });

describeStore('a store in OpenStack Swift', { kind: 's3', bucket: 'papers', prefix: 'in/', store });

describe('OpenStack Swift', () => {
  const address = { kind: 's3', bucket: 'papers', key: 'in/rights.pdf' } as const;

  it('refuses everything under a wrong secret', async () => {
    const credentials = { kind: 'keys', ...swiftKeys, secretAccessKey: 'wrong' } as const;
    const stores = patientStoresOf(store({ credentials }));
    expect((await failure(stores.test('one'))).code).toBe('STORE_REFUSED');
    expect((await failure(readAll(stores, address))).code).toBe('STORE_REFUSED');
    expect((await failure(stores.write(address, await fileOf(randomBytes(9), 'w')))).code).toBe('STORE_REFUSED');
  });

  it('has no such bucket', async () => {
    const stores = patientStoresOf(store({ bucket: 'nobody', prefix: '' }));
    expect((await failure(stores.test('one'))).code).toBe('STORE_REFUSED');
    const nowhere = { kind: 's3', bucket: 'nobody', key: 'x.pdf' } as const;
    expect((await failure(stores.write(nowhere, await fileOf(randomBytes(9), 'n')))).code).toBe('STORE_REFUSED');
  });

  it('keeps a long file in parts, read back to the last byte', async () => {
    const stores = patientStoresOf(store());
    const content = randomBytes(40 * 2 ** 20 + 3);
    const long = { ...address, key: 'in/forty.bin' };
    await stores.write(long, await fileOf(content, 'long'));
    expect((await readAll(stores, long)).equals(content)).toBe(true);
    await stores.close();
  });
});
