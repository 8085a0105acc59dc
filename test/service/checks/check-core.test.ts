import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  checkCore,
  describeCheck,
  type Check,
  type CoreParts,
  type Finding,
} from '../../../src/service/checks/index.ts';
import { RecentTries } from '../../../src/service/monitoring/index.ts';
import { pretendSystem } from '../pretend-system.ts';
import type { StaleTrust } from '../../../src/service/certificates/index.ts';
import type { RoomView } from '../../../src/service/space/index.ts';

let dataFolder: string;
beforeEach(() => {
  dataFolder = mkdtempSync(join(tmpdir(), 'sinete-health-'));
});
afterEach(() => rmSync(dataFolder, { recursive: true }));

const roomy: RoomView = {
  state: 'enough',
  cause: undefined,
  free: 23.5e9,
  leastFree: 2e8,
  kept: 1.5e9,
  awaited: 0,
  quota: 2e9,
};

/** Lost rows with a known kind and unknown numbers. */
const lostRows = (kind: 'rows-missing' | 'other-history' | 'database-gone'): Partial<CoreParts> => ({
  lostRows: () => ({ kind, rows: undefined, transactions: undefined, documents: undefined, signed: undefined }),
});
const withRoom = (changes: Partial<RoomView>): Partial<CoreParts> => ({
  room: { view: () => Promise.resolve({ ...roomy, ...changes }) },
});

const healthy = (): CoreParts => ({
  database: { writeAndReadBack: () => Promise.resolve() },
  newestTransaction: () => Promise.resolve(undefined),
  dataFolder,
  room: { view: () => Promise.resolve(roomy) },
  lostRows: () => undefined,
  isDamaged: () => false,
  markFailure: () => undefined,
  clock: () => ({ doubted: false, ahead: undefined, accepted: undefined }),
  foundDocuments: () => Promise.resolve({ lost: 0, unanswered: 0 }),
  damagedResults: () => [],
  keySources: { health: () => Promise.resolve([{ id: 'files', name: 'PKCS#12 files', state: 'ok' }]) },
  secretStore: { probe: () => Promise.resolve({ state: 'ok' }) },
  timestampServers: { probe: () => Promise.resolve([{ id: 'act' }]) },
  staleTrust: () => Promise.resolve([]),
  system: pretendSystem,
  tries: new RecentTries(),
  now: () => new Date(),
});

const fail = () => Promise.reject(new Error('It broke.'));

/** The checks with their words for programs, and whether all is well. */
async function checkHealth(parts: CoreParts) {
  const checks = (await checkCore(parts)).map((check: Check) => ({
    ...check,
    ...describeCheck(check),
    ok: check.outcome === 'ok',
  }));
  return { status: checks.every(({ ok }) => ok) ? 'OK' : 'ERROR', checks };
}

describe('checkCore', () => {
  it('is OK when every check is', async () => {
    const { status, checks } = await checkHealth(healthy());
    expect(status).toBe('OK');
    expect(checks.map(({ id }) => id)).toEqual([
      'database',
      'data-folder',
      'database-rows',
      'lost-and-found',
      'results',
      'key-source:files',
      'secret-store',
      'timestamp-server:act',
      'trust-data',
      'clock',
    ]);
    expect(checks.every(({ ok, remedy }) => ok && remedy === null)).toBe(true);
  });

  it('looks at the object store of the documents, where used', async () => {
    const documentStore = { probe: () => Promise.resolve() };
    const { status, checks } = await checkHealth({ ...healthy(), documentStore });
    expect(status).toBe('OK');
    expect(checks.find(({ id }) => id === 'document-store')).toMatchObject({ ok: true, finding: 'store-works' });
  });

  it.each(['ENOSPC: no space left on device, write', 'EIO: i/o error, fsync'])(
    'leads to the disk, and not to a new start, when writing fails with %s',
    async (reason) => {
      const write = async (): Promise<never> => Promise.reject(new Error(reason));
      const system = { ...pretendSystem, tryWriting: write };
      const { status, checks } = await checkHealth({ ...healthy(), system, database: { writeAndReadBack: write } });
      expect(status).toBe('ERROR');
      const wrong = checks.filter(({ ok }) => !ok);
      expect(wrong.map(({ id }) => id)).toEqual(['database', 'data-folder']);
      for (const { message, remedy } of wrong) {
        expect(message).toContain(reason);
        expect(remedy).toContain('disk');
        expect(remedy).not.toMatch(/start/i);
      }
    },
  );

  it('writes once a second at most, and tells of a folder removed after this second', async () => {
    const state = { now: 0, writes: 0, isGone: false };
    const tries = new RecentTries(() => state.now);
    const write = async (): Promise<void> => {
      state.writes += 1;
      return state.isGone ? Promise.reject(new Error('The folder is gone.')) : Promise.resolve();
    };
    const system = { ...pretendSystem, tryWriting: write };
    const secretStore = { probe: async () => write().then(() => ({ state: 'ok' }) as const) };
    const check = async (): Promise<string> =>
      (await checkHealth({ ...healthy(), tries, system, secretStore, database: { writeAndReadBack: write } })).status;
    const statuses = [await check(), await check(), await check()];
    expect([statuses, state.writes]).toEqual([['OK', 'OK', 'OK'], 3]);
    state.isGone = true;
    state.now = 1000;
    expect([await check(), state.writes]).toEqual(['ERROR', 6]);
    state.isGone = false;
    expect([await check(), state.writes]).toEqual(['OK', 9]);
  });

  it('tells of trust data ended or ending soon, and stays OK', async () => {
    const end = new Date('2029-03-02T12:00:00Z');
    const root = { kind: 'root', name: 'Raiz v5', end, hasEnded: false } as const;
    const list = { kind: 'policy-list', name: '', end: new Date('2025-09-10T12:00:00Z'), hasEnded: true } as const;
    const many = Array.from({ length: 7 }, () => root);
    const messageFor = async (stale: readonly StaleTrust[]): Promise<string | undefined> => {
      const { status, checks } = await checkHealth({ ...healthy(), staleTrust: () => Promise.resolve(stale) });
      expect(status).toBe('OK');
      return checks.find(({ id }) => id === 'trust-data')?.message;
    };
    expect(await messageFor([list, root])).toMatch(/policies ended on 2025-09-10.*Raiz v5 ends on 2029-03-02\.$/);
    expect(await messageFor(many)).toContain('2 more end soon');
  });

  it('tells of documents without answers to their requests, and stays OK', async () => {
    const foundDocuments = () => Promise.resolve({ lost: 0, unanswered: 2 });
    const { status, checks } = await checkHealth({ ...healthy(), foundDocuments });
    expect(status).toBe('OK');
    expect(checks.find(({ id }) => id === 'lost-and-found')).toMatchObject({
      finding: 'found-unanswered',
      values: { count: 2 },
    });
  });

  const rows: readonly [string, string, Finding, Partial<CoreParts>][] = [
    ['the database cannot be written', 'database', 'database-fails', { database: { writeAndReadBack: fail } }],
    [
      'the database server is out of reach',
      'database',
      'database-server-fails',
      { databaseIsServer: true, database: { writeAndReadBack: fail } },
    ],
    ['the store of the documents is out of reach', 'document-store', 'store-fails', { documentStore: { probe: fail } }],
    [
      'the data folder cannot be written',
      'data-folder',
      'folder-fails',
      { system: { ...pretendSystem, tryWriting: fail } },
    ],
    [
      'the disk is nearly full',
      'data-folder',
      'folder-scarce',
      withRoom({ state: 'scarce', cause: 'disk', free: 4e8 }),
    ],
    ['the disk is low', 'data-folder', 'folder-full', withRoom({ state: 'none', cause: 'disk', free: 1e8 })],
    ['the quota is used up', 'data-folder', 'folder-quota', withRoom({ state: 'none', cause: 'quota', kept: 2e9 })],
    [
      'rows are missing',
      'database-rows',
      'rows-missing',
      { lostRows: () => ({ kind: 'rows-missing', rows: 9, transactions: 3, documents: 4, signed: 2 }) },
    ],
    ['an unknown number of rows is missing', 'database-rows', 'rows-unknown', lostRows('rows-missing')],
    ['the database has another history', 'database-rows', 'other-history', lostRows('other-history')],
    ['a check beside the work has found damage', 'database', 'database-damaged', { isDamaged: () => true }],
    ['the database is gone', 'database-rows', 'database-gone', lostRows('database-gone')],
    ['the mark cannot be written', 'database-rows', 'mark-unwritten', { markFailure: () => new Error('ENOSPC') }],
    [
      'another clock differs',
      'clock',
      'clock-ahead',
      { clock: () => ({ doubted: true, ahead: 86_400_000, accepted: undefined }) },
    ],
    [
      'this clock is behind another',
      'clock',
      'clock-behind',
      { clock: () => ({ doubted: true, ahead: -86_400_000, accepted: undefined }) },
    ],
    ['the clock cannot be compared', 'clock', 'clock-fails', { newestTransaction: fail }],
    ['the lost documents cannot be listed', 'lost-and-found', 'found-fails', { foundDocuments: fail }],
    ['the secrets cannot be read', 'secret-store', 'secrets-fail', { secretStore: { probe: fail } }],
    ['the trust data cannot be read', 'trust-data', 'check-failed', { staleTrust: fail }],
    ['the clocks of nodes differ', 'clock', 'clocks-differ', { clockSpread: () => Promise.resolve(31_000) }],
    [
      'documents have no row',
      'lost-and-found',
      'found-documents',
      { foundDocuments: () => Promise.resolve({ lost: 1, unanswered: 1 }) },
    ],
    [
      'a result is missing',
      'results',
      'results-damaged',
      { damagedResults: () => [{ reason: 'missing' }, { reason: 'changed' }] },
    ],
    ['the key sources do not answer', 'key-sources', 'sources-fail', { keySources: { health: fail } }],
    [
      'a driver fails',
      'key-source:a',
      'source-fails',
      {
        keySources: { health: () => Promise.resolve([{ id: 'a', name: 'A', state: 'failing', detail: 'It hangs.' }]) },
      },
    ],
    [
      'a driver is quarantined',
      'key-source:a',
      'source-quarantined',
      { keySources: { health: () => Promise.resolve([{ id: 'a', name: 'A', state: 'quarantined' }]) } },
    ],
    [
      'the keychain is locked',
      'secret-store',
      'secrets-unreadable',
      { secretStore: { probe: () => Promise.resolve({ state: 'unavailable', reason: 'It is locked.' }) } },
    ],
    [
      'the time-stamp servers cannot be listed',
      'timestamp-servers',
      'servers-fail',
      { timestampServers: { probe: fail } },
    ],
    [
      'a time-stamp server does not answer',
      'timestamp-server:act',
      'server-silent',
      { timestampServers: { probe: () => Promise.resolve([{ id: 'act', problem: 'It is away.' }]) } },
    ],
    [
      'the clock went back',
      'clock',
      'clock-early',
      { newestTransaction: () => Promise.resolve(new Date(Date.now() + 3_600_000)) },
    ],
    ['the clock was never set', 'clock', 'clock-early', { now: () => new Date(0) }],
  ];
  it.each(rows)('is ERROR when %s, and tells the remedy', async (_name, id, finding, broken) => {
    const { status, checks } = await checkHealth({ ...healthy(), ...broken });
    expect(status).toBe('ERROR');
    const wrong = checks.filter(({ ok }) => !ok);
    expect(wrong).toMatchObject([{ id, finding }]);
    expect(wrong[0]?.remedy).toMatch(/\w+.*\.$/);
    for (const check of checks) {
      for (const language of ['en', 'pt-BR'] as const) {
        expect(JSON.stringify(describeCheck(check, language, 'window'))).not.toMatch(/undefined|\{\{/);
      }
    }
  });
});

describe('the check of the clock, with a transaction of a time to come', () => {
  const ahead = new Date(Date.now() + 86_400_000);
  const clockOf = async (accepted: Date | undefined): Promise<unknown> => {
    const clock = () => ({ doubted: false, ahead: undefined, accepted });
    const newestTransaction = () => Promise.resolve(ahead);
    const { checks } = await checkHealth({ ...healthy(), clock, newestTransaction });
    return checks.find(({ id }) => id === 'clock');
  };

  it('fails, and names the command of a person sure of the clock', async () => {
    const remedy = expect.stringContaining('sinete clock accept') as string;
    expect(await clockOf(undefined)).toMatchObject({ ok: false, remedy });
  });

  it('is good once a person has accepted the clock, until the clock goes back to before the acceptance', async () => {
    expect(await clockOf(new Date())).toMatchObject({ ok: true });
    expect(await clockOf(new Date(Date.now() + 3_600_000))).toMatchObject({ ok: false });
  });
});

describe('the check of a key source', () => {
  it('gives the remedy known to the source itself', async () => {
    const source = {
      id: 'a',
      name: 'A',
      state: 'failing',
      detail: 'koffi is missing.',
      remedy: 'Install koffi.',
    } as const;
    const keySources = { health: () => Promise.resolve([source]) };
    const { checks } = await checkHealth({ ...healthy(), keySources });
    expect(checks.find(({ id }) => id === 'key-source:a')).toMatchObject({ ok: false, remedy: 'Install koffi.' });
  });
});

describe('the check of the data folder', () => {
  it.each([
    [{}, true, 'The data folder can be written; 23.5 GB are free, and documents have 1.5 GB of 2.0 GB.'],
    [{ quota: undefined }, true, 'The data folder can be written; 23.5 GB are free.'],
    [{ state: 'scarce', cause: 'disk', free: 4e8 }, false, 'In the data folder only 400.0 MB are free.'],
    [
      { state: 'scarce', cause: 'disk', free: 2e9, awaited: 1.8e9 },
      false,
      'In the data folder only 2.0 GB are free, of which signatures under way need 1.8 GB.',
    ],
    [
      { state: 'scarce', cause: 'quota', kept: 1.9e9 },
      true,
      'The data folder can be written; documents have 1.9 GB of 2.0 GB.',
    ],
    [
      { state: 'none', cause: 'quota', kept: 2e9 },
      false,
      'In the data folder documents have 2.0 GB of 2.0 GB. Further documents are refused.',
    ],
  ] as const)('of %o tells the scarcer resource', async (changes, ok, message) => {
    const { checks } = await checkHealth({ ...healthy(), ...withRoom(changes) });
    expect(checks.find(({ id }) => id === 'data-folder')).toMatchObject({ ok, message });
  });
});
