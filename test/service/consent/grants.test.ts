/** Grants of sites and of folders over a store in memory, to the millisecond. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ConsentStore, SiteGrant } from '../../../src/service/consent/consent.ts';
import { FileGrants, readRoot, type FileGrant, type FileGrantStore } from '../../../src/service/consent/file-grants.ts';
import { Grants, PassingGrants } from '../../../src/service/consent/grants.ts';

const day = 24 * 3_600_000;
const site = 'https://b.example';

let now: Date;
const clock = (): Date => now;
const pass = (milliseconds: number): void => void (now = new Date(now.getTime() + milliseconds));

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  now = new Date('2026-03-01T12:00:00Z');
});
afterEach(() => void vi.useRealTimers());

/** A store whose rows and failures are set by tests. */
class MemoryStore {
  rows: SiteGrant[] = [];
  added: unknown[] = [];
  fails = false;
  /** Called while a row is removed, before the row has gone. */
  during: () => Promise<void> = () => Promise.resolve();

  grants = (): Promise<readonly SiteGrant[]> => Promise.resolve([...this.rows]);
  save = (grant: SiteGrant): Promise<void> => {
    this.rows = [...this.rows.filter(({ origin }) => origin !== grant.origin), grant];
    return Promise.resolve();
  };
  remove = async (origin: string): Promise<void> => {
    await this.during();
    this.rows = this.rows.filter((one) => one.origin !== origin);
  };
  addUses = (uses: readonly unknown[]): Promise<void> => {
    if (this.fails) return Promise.reject(new Error('no disk'));
    this.added.push(...uses);
    return Promise.resolve();
  };
}

describe('a grant for a single action', () => {
  let grants: PassingGrants;
  beforeEach(() => void (grants = new PassingGrants(clock)));

  it('ends five minutes after the last call, to the millisecond', () => {
    grants.add(site, ['sign']);
    pass(299_999);
    expect(grants.find(site)).toBeDefined();
    pass(1);
    expect(grants.find(site)).toBeUndefined();
    expect(grants.origins()).toEqual([]);
  });

  it('ends an hour after the question, however often the site calls', () => {
    grants.add(site, ['sign']);
    for (let minutes = 4; minutes < 60; minutes += 4) {
      pass(4 * 60_000);
      grants.countUse(site);
    }
    expect(grants.find(site)).toMatchObject({ uses: 14, expiresAt: new Date('2026-03-01T13:00:00Z') });
    pass(4 * 60_000);
    expect(grants.find(site)).toBeUndefined();
  });

  it('keeps its uses with a further permission, and begins without any', () => {
    expect(grants.add(site, ['sign'])).toMatchObject({ uses: 0, lastUsedAt: null, scopes: ['sign'] });
    grants.countUse(site);
    const at = now;
    pass(1000);
    expect(grants.add(site, ['user:read', 'sign'])).toMatchObject({ uses: 1, lastUsedAt: at, scopes: ['sign', 'user:read'] }); // prettier-ignore
    expect(grants.end(site)).toBe(true);
    expect(grants.end(site)).toBe(false);
    grants.countUse(site);
    expect(grants.find(site)).toBeUndefined();
  });
});

describe('the grants of sites', () => {
  let store: MemoryStore;
  const open = async (...configured: { origin: string; scopes: readonly ['sign'] }[]): Promise<Grants> =>
    Grants.open(store as unknown as ConsentStore, clock, configured);
  beforeEach(() => void (store = new MemoryStore()));

  it('end at their last millisecond', async () => {
    const grants = await open();
    await grants.allow({ origin: site, scopes: ['sign'], days: 1 });
    pass(day - 1);
    expect(grants.find(site)).toBeDefined();
    pass(1);
    expect(grants.find(site)).toBeUndefined();
    expect(grants.list()).toEqual([]);
  });

  it('are listed by origin', async () => {
    const grants = await open({ origin: 'https://c.example', scopes: ['sign'] });
    await grants.allow({ origin: site, scopes: ['sign'], days: null });
    await grants.allow({ origin: 'https://a.example', scopes: ['sign'], days: 'once' });
    expect(grants.list().map(({ origin }) => origin)).toEqual(['https://a.example', site, 'https://c.example']);
  });

  it('store their uses after five seconds, once, and not those of the configuration', async () => {
    const grants = await open({ origin: 'https://c.example', scopes: ['sign'] });
    await grants.allow({ origin: site, scopes: ['sign'], days: null });
    const first = grants.countUse({ origin: site });
    expect(first).toMatchObject({ uses: 1, lastUsedAt: now });
    grants.countUse({ origin: site });
    grants.countUse({ origin: 'https://c.example' });
    await vi.advanceTimersByTimeAsync(4999);
    expect(store.added).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(store.added).toEqual([{ origin: site, uses: 2, lastUsedAt: now }]);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(store.added).toHaveLength(1);
    expect(grants.countUse({ origin: 'https://none.example' })).toBeUndefined();
  });

  it('write nothing without uses, and end their timer with a flush', async () => {
    const grants = await open();
    await grants.flush();
    expect(store.added).toEqual([]);
    await grants.allow({ origin: site, scopes: ['sign'], days: null });
    grants.countUse({ origin: site });
    await grants.flush();
    expect(vi.getTimerCount()).toBe(0);
    expect(store.added).toHaveLength(1);
  });

  it('keep uses that could not be stored, with later ones', async () => {
    const grants = await open();
    await grants.allow({ origin: site, scopes: ['sign'], days: null });
    grants.countUse({ origin: site });
    store.fails = true;
    await expect(grants.flush()).rejects.toThrow('no disk');
    pass(10);
    grants.countUse({ origin: site });
    store.fails = false;
    await grants.flush();
    expect(store.added).toEqual([{ origin: site, uses: 2, lastUsedAt: now }]);
  });

  it('keep beginning and uses when changed, and end a grant for a single action', async () => {
    const grants = await open();
    await grants.allow({ origin: site, scopes: ['user:read'], days: 'once' });
    await grants.allow({ origin: site, scopes: ['sign', 'sign'], days: 1 });
    expect(grants.find(site)?.scopes).toEqual(['sign']);
    const at = now;
    grants.countUse({ origin: site });
    pass(1000);
    const changed = await grants.allow({ origin: site, scopes: ['sign'], days: null });
    expect(changed).toMatchObject({ createdAt: at, uses: 1, lastUsedAt: at, expiresAt: null });
    await grants.allow({ origin: site, scopes: ['user:read'], days: 'once' });
    expect(grants.find(site)?.scopes).toEqual(['sign', 'user:read']);
  });

  it('need a permission, and plain http no more than signatures', async () => {
    const grants = await open({ origin: 'https://c.example', scopes: ['sign'] });
    await expect(grants.allow({ origin: site, scopes: [], days: 1 })).rejects.toThrow('at least one');
    const plain = { origin: 'http://b.example', insecure: true, days: 1 } as const;
    const refused = grants.allow({ ...plain, scopes: ['sign', 'user:read'] });
    const detail = 'A plain http site can only be let in to ask for signatures: choose "sign" alone.';
    await expect(refused).rejects.toMatchObject({ problems: [{ field: 'scopes', code: 'INVALID_VALUE', detail }] });
    await grants.allow({ ...plain, scopes: ['sign'] });
    for (const change of [
      grants.allow({ origin: 'https://c.example', scopes: ['sign'], days: 1 }),
      grants.revoke('https://c.example'),
    ]) {
      // prettier-ignore
      await expect(change).rejects.toThrow('configuration');
    }
  });

  it('are gone at once when revoked, also with a refresh during the removal', async () => {
    const grants = await open();
    await grants.allow({ origin: site, scopes: ['sign'], days: null });
    grants.countUse({ origin: site });
    let seen: unknown = 'not asked';
    store.during = async () => {
      seen = grants.find(site);
      await grants.refresh();
    };
    expect(await grants.revoke(site)).toBe(site);
    expect(seen).toBeUndefined();
    expect(grants.find(site)).toBeUndefined();
    await grants.flush();
    expect(store.added).toEqual([]);
    await expect(grants.revoke(site)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await grants.allow({ origin: site, scopes: ['sign'], days: 'once' });
    expect(await grants.revoke(site)).toBe(site);
    expect(grants.find(site)).toBeUndefined();
  });

  it('are read again when this node changed one while others were read', async () => {
    const grants = await open({ origin: 'https://c.example', scopes: ['sign'] });
    const read = store.grants;
    let reads = 0;
    store.grants = async () => {
      const rows = await read();
      reads += 1;
      if (reads === 1) await grants.allow({ origin: site, scopes: ['sign'], days: null });
      if (reads === 2) await grants.revoke(site);
      return rows;
    };
    await grants.refresh();
    expect(reads).toBe(3);
    expect(grants.list().map(({ origin }) => origin)).toEqual(['https://c.example']);
  });
});

describe('the grants of folders', () => {
  let rows: FileGrant[];
  let counted: unknown[];
  const store: FileGrantStore = {
    fileGrants: () => Promise.resolve([...rows]),
    saveFileGrant: (grant) => Promise.resolve(void rows.push(grant)),
    removeFileGrant: (caller, root) => {
      rows = rows.filter((one) => one.caller !== caller || one.root !== root);
      return Promise.resolve();
    },
    countFileUse: (...use) => Promise.resolve(void counted.push(use)),
  };
  const fixed = { caller: 'crm', root: '/srv/fixed', access: 'read', until: null } as const;
  const open = async (): Promise<FileGrants> => FileGrants.open(store, clock, [fixed]);
  beforeEach(() => {
    rows = [];
    counted = [];
  });
  const given = (caller: string, root: string) => ({ caller, root, access: 'read', days: null }) as const;

  it('are listed by caller, then by root', async () => {
    const grants = await open();
    for (const [caller, root] of [
      ['crm', '/srv/z'],
      ['abc', '/srv/b'],
      ['crm', '/srv/a'],
      ['abc', '/srv/a'],
    ] as const) {
      // prettier-ignore
      await grants.allow(given(caller, root));
    }
    expect(grants.list().map(({ caller, root }) => `${caller} ${root}`)).toEqual([
      'abc /srv/a',
      'abc /srv/b',
      'crm /srv/a',
      'crm /srv/fixed',
      'crm /srv/z',
    ]);
  });

  it('count a use of exactly one folder of one caller, and store those of the owner alone', async () => {
    const grants = await open();
    for (const [caller, root] of [
      ['crm', '/srv/a'],
      ['crm', '/srv/b'],
      ['abc', '/srv/a'],
    ] as const) {
      await grants.allow(given(caller, root));
    }
    await grants.countUse({ caller: 'crm', root: '/srv/b' });
    await grants.countUse({ caller: 'crm', root: '/srv/fixed' });
    await grants.countUse({ caller: 'abc', root: '/srv/b' });
    expect(grants.list().map(({ caller, root, uses }) => `${caller} ${root} ${uses}`)).toEqual([
      'abc /srv/a 0',
      'crm /srv/a 0',
      'crm /srv/b 1',
      'crm /srv/fixed 1',
    ]);
    expect(counted).toEqual([['crm', '/srv/b', now]]);
  });

  it('are settled by the configuration for its own folder only', async () => {
    const grants = await open();
    const detail = 'The configuration decides about this folder.';
    const problems = [{ field: 'root', code: 'INVALID_VALUE', detail }];
    await expect(grants.allow(given('crm', '/srv/fixed'))).rejects.toMatchObject({ problems });
    await expect(grants.revoke('crm', '/srv/fixed')).rejects.toMatchObject({ problems });
    await grants.allow(given('crm', '/srv/other'));
    await grants.allow(given('abc', '/srv/fixed'));
    await grants.revokeAll('crm');
    expect(grants.of('crm').map(({ root }) => root)).toEqual(['/srv/fixed']);
    expect(grants.of('abc')).toHaveLength(1);
    await expect(grants.revoke('crm', '/srv/other')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('keep their own uses when changed, not those of another folder', async () => {
    const grants = await open();
    await grants.allow(given(' crm ', '/srv/a'));
    await grants.countUse({ caller: 'crm', root: '/srv/a' });
    expect(await grants.allow({ ...given('crm', '/srv/b'), days: 1 })).toMatchObject({ uses: 0, lastUsedAt: null });
    expect(await grants.allow({ ...given('crm', '/srv/a'), access: 'write' })).toMatchObject({
      uses: 1,
      lastUsedAt: now,
    });
    pass(day);
    expect(grants.of('crm').map(({ root }) => root)).toEqual(['/srv/a', '/srv/fixed']);
  });

  it('are read again when this node changed one while others were read', async () => {
    const grants = await open();
    let reads = 0;
    const read = async (): Promise<readonly FileGrant[]> => Promise.resolve([...rows]);
    vi.spyOn(store, 'fileGrants').mockImplementation(async () => {
      const found = await read();
      reads += 1;
      if (reads === 1) await grants.allow(given('crm', '/srv/a'));
      if (reads === 2) await grants.revoke('crm', '/srv/a');
      return found;
    });
    await grants.refresh();
    vi.restoreAllMocks();
    expect(reads).toBe(3);
    expect(grants.list().map(({ root }) => root)).toEqual(['/srv/fixed']);
  });

  it.each([
    [' /srv/a/// ', 'linux', '/srv/a'],
    ['/srv//a/../b', 'linux', '/srv/b'],
    ['S3://bucket/prefix//', 'linux', 's3://bucket/prefix'],
    ['gs://bucket', 'linux', 'gs://bucket'],
    ['C:\\srv\\a\\\\', 'win32', 'C:\\srv\\a'],
    ['\\\\host\\share\\', 'win32', '\\\\host\\share'],
  ] as const)('name %j on %s as %s', (text, platform, root) => {
    expect(readRoot(text, platform)).toBe(root);
  });

  it.each([
    ['', 'linux'],
    ['srv/a', 'linux'],
    ['/', 'linux'],
    ['///', 'linux'],
    ['/srv/a\0b', 'linux'],
    ['s3://', 'linux'],
    ['xs3://bucket/a', 'linux'],
    ['C:', 'win32'],
    ['C:\\', 'win32'],
    ['C:\\\\', 'win32'],
    ['\\srv', 'win32'],
    ['\\\\?\\C:\\a', 'win32'],
    ['\\\\.\\pipe\\a', 'win32'],
    ['xC:\\a', 'win32'],
  ] as const)('name no folder by %j on %s', (text, platform) => {
    expect(() => readRoot(text, platform)).toThrow();
  });
});
