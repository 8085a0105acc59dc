import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readRoot } from '../../../src/service/consent/file-grants.ts';
import { openConsent, type Consent, type ConsentDependencies } from '../../../src/service/consent/index.ts';
import { SqlConsentStore, type Storage } from '../../../src/storage/index.ts';
import { openTestStorage } from '../../storage/engine.ts';

const portal = 'https://portal.example';
const day = 24 * 3_600_000;
let folder: string;
let storage: Storage;
let passed: number;
let consent: Consent;

const open = async (changes: Partial<ConsentDependencies> = {}): Promise<Consent> =>
  openConsent({
    store: new SqlConsentStore(storage.database),
    configured: [],
    canAsk: () => true,
    now: () => new Date(Date.parse('2026-03-04T00:00:00Z') + passed),
    ...changes,
  });
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sinete-file-grants-'));
  storage = await openTestStorage(folder);
  passed = 0;
  consent = await open();
});
afterEach(async () => {
  await consent.close();
  await storage.close();
  rmSync(folder, { recursive: true });
});

const reading = { caller: portal, root: '/srv/in', access: 'read', days: 30 } as const;

describe('a folder opened to a site', () => {
  it('is listed with its end and its last use, also after a restart', async () => {
    await consent.allowFiles({ ...reading, caller: 'https://PORTAL.example', root: '/srv/./in/' });
    passed = 1000;
    await consent.countFileUse(reading);
    await consent.countFileUse(reading);
    for (const one of [consent, await open()]) {
      expect(one.fileGrants()).toEqual([
        {
          caller: portal,
          root: '/srv/in',
          access: 'read',
          source: 'user',
          uses: 2,
          createdAt: new Date('2026-03-04T00:00:00.000Z'),
          expiresAt: new Date('2026-04-03T00:00:00.000Z'),
          lastUsedAt: new Date('2026-03-04T00:00:01.000Z'),
        },
      ]);
    }
  });

  it('is no longer open after its end', async () => {
    await consent.allowFiles(reading);
    await consent.allowFiles({ ...reading, root: '/srv/out', days: null });
    passed = 30 * day;
    expect(consent.fileGrants().map(({ root }) => root)).toEqual(['/srv/out']);
  });

  it('changes what the site may do there, and keeps its uses', async () => {
    await consent.allowFiles(reading);
    await consent.countFileUse(reading);
    await consent.allowFiles({ ...reading, access: 'both', days: 1 });
    expect(consent.fileGrants()).toMatchObject([{ access: 'both', uses: 1 }]);
  });

  it('is taken back by itself, and with the site', async () => {
    await consent.allowFiles(reading);
    await consent.allowFiles({ ...reading, root: '/srv/out' });
    await consent.allowFiles({ ...reading, caller: 'another-client' });
    await consent.revokeFiles(portal, '/srv/out/');
    expect(consent.fileGrants().map(({ root }) => root)).toEqual(['/srv/in', '/srv/in']);
    await consent.allow({ origin: portal, scopes: ['sign'], days: null });
    await consent.revoke(portal);
    for (const one of [consent, await open()]) {
      expect(one.fileGrants().map(({ caller }) => caller)).toEqual(['another-client']);
    }
    await expect(consent.revokeFiles(portal, '/srv/in')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('is changed by nobody when the configuration opened it, and ends with its day', async () => {
    const until = new Date('2026-03-05T00:00:00Z');
    const fixed = await open({ configuredFiles: [{ ...reading, until }] });
    expect(fixed.fileGrants()).toMatchObject([{ source: 'configuration', expiresAt: until }]);
    await expect(fixed.allowFiles(reading)).rejects.toMatchObject({ code: 'REQUEST_INVALID' });
    await expect(fixed.revokeFiles(portal, '/srv/in')).rejects.toMatchObject({ code: 'REQUEST_INVALID' });
    passed = day;
    expect(fixed.fileGrants()).toEqual([]);
  });

  it('is told to the windows', async () => {
    let told = 0;
    consent.onChange(() => (told += 1));
    await consent.allowFiles(reading);
    await consent.revokeFiles(portal, '/srv/in');
    expect(told).toBe(2);
  });
});

describe('the root of a grant', () => {
  it.each([
    ['/srv/in', 'linux', '/srv/in'],
    ['/srv//in/../out/', 'linux', '/srv/out'],
    ['s3://bucket/in/', 'linux', 's3://bucket/in'],
    ['gs://bucket', 'linux', 'gs://bucket'],
    ['c:\\Docs\\', 'win32', 'c:\\Docs'],
    ['\\\\host\\share\\', 'win32', '\\\\host\\share'],
    ['//host/share/in', 'win32', '\\\\host\\share\\in'],
  ] as const)('%s on %s is %s', (text, platform, root) => {
    expect(readRoot(text, platform)).toBe(root);
  });

  it.each([
    ['srv/in', 'linux'],
    ['/', 'linux'],
    ['/srv/..', 'linux'],
    ['/srv\0', 'linux'],
    ['s3://', 'linux'],
    ['s3://bucket/../other', 'linux'],
    ['C:\\', 'win32'],
    ['\\Docs', 'win32'],
    ['\\\\?\\UNC\\host\\share', 'win32'],
    ['\\\\.\\C:\\x', 'win32'],
  ] as const)('is not %s on %s', (text, platform) => {
    expect(() => readRoot(text, platform)).toThrow(expect.objectContaining({ code: 'REQUEST_INVALID' }));
  });
});
