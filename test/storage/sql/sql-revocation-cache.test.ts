import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Storage } from '../../../src/storage/index.ts';
import { openTestStorage } from '../engine.ts';

let folder: string;
let storage: Storage;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sinete-cache-'));
  storage = await openTestStorage(folder);
});
afterEach(async () => {
  await storage.close();
  rmSync(folder, { recursive: true });
});

const key = { issuerKey: 'ab'.repeat(32), kind: 'crl', locator: 'http://acraiz.example/lcr.crl' } as const;
const later = (milliseconds: number): Date => new Date(Date.now() + milliseconds);
const data = (changes: object = {}) => ({
  kind: 'data' as const,
  der: Buffer.from('list'),
  index: Buffer.from('index'),
  freshUntil: later(60_000),
  ...changes,
});

describe('SqlRevocationCache', () => {
  it('gives back data and failures, also after a restart', async () => {
    const response = { kind: 'data', der: Buffer.from('response'), freshUntil: later(60_000) } as const;
    const failure = { kind: 'failure', code: 'UNREACHABLE', sentence: 'It is away.', freshUntil: later(9000) } as const;
    const list = data();
    await storage.revocationCache.put(key, list);
    await storage.revocationCache.put({ ...key, kind: 'ocsp' }, response);
    await storage.revocationCache.put({ ...key, locator: 'http://b.example/' }, failure);
    await storage.close();
    storage = await openTestStorage(folder);
    expect(await storage.revocationCache.get(key)).toEqual(list);
    expect(await storage.revocationCache.get({ ...key, kind: 'ocsp' })).toEqual(response);
    expect(await storage.revocationCache.get({ ...key, locator: 'http://b.example/' })).toEqual(failure);
  });

  it.each([
    ['another issuer', { ...key, issuerKey: 'cd'.repeat(32) }],
    ['another kind', { ...key, kind: 'issuer' as const }],
    ['another address', { ...key, locator: 'http://acraiz.example/other.crl' }],
  ])('gives nothing for %s', async (_name, other) => {
    await storage.revocationCache.put(key, data());
    expect(await storage.revocationCache.get(other)).toBeUndefined();
  });

  it('replaces an entry, and gives no stale entry', async () => {
    await storage.revocationCache.put(key, data());
    await storage.revocationCache.put(key, data({ der: Buffer.from('next') }));
    expect(await storage.revocationCache.get(key)).toMatchObject({ der: Buffer.from('next') });
    await storage.revocationCache.put(key, data({ freshUntil: later(-1) }));
    expect(await storage.revocationCache.get(key)).toBeUndefined();
  });

  it('forgets stale entries when something is added', async () => {
    await storage.revocationCache.put(key, data({ freshUntil: later(-1) }));
    await storage.revocationCache.put({ ...key, kind: 'ocsp' }, data());
    const rows = await storage.database.selectFrom('revocation_cache').select('kind').execute();
    expect(rows).toEqual([{ kind: 'ocsp' }]);
  });
});
