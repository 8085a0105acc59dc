import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TransactionDependencies } from '../../../../src/service/transactions/index.ts';
import { personWith } from '../../../pki/identities.ts';
import { until } from '../../../setup/waits.ts';
import { createRequest, dataUrl, keptIn, openWorld, requester, type World } from '../transaction-world.ts';
import { nothingSeen, seenOf } from './seen.ts';

const maria = await personWith();
const CHILD = fileURLToPath(new URL('storing-child.ts', import.meta.url));
const DOCUMENTS = 2_600;
const A_DAY = 86_400_000;

let root: string;
let world: World;
const open = async (overrides: Partial<TransactionDependencies> = {}): Promise<World> =>
  (world = await openWorld({ approve: 'ask', ...overrides }, root));

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'sinete-storing-'));
  await open();
  await world.addKey(maria);
});
afterEach(async () => {
  await world.stop();
  rmSync(root, { recursive: true });
});

const list = Array.from({ length: DOCUMENTS }, (_one, index) => ({ data: dataUrl(`document ${index}`) }));
const request = createRequest({
  documentsSource: 'DATA_URL',
  documents: list,
  idempotency: { key: 'one', bodyDigest: 'd' },
});

/** Rows of transactions and of documents, visible or not, and the bytes counted as stored. */
async function rowsOf({ storage: { database, documentSpace } }: World): Promise<readonly number[]> {
  const count = async (table: 'transactions' | 'documents'): Promise<number> => {
    const row = await database
      .selectFrom(table)
      .select(({ fn }) => fn.countAll().as('count'))
      .executeTakeFirst();
    return Number(row?.count);
  };
  return [await count('transactions'), await count('documents'), (await documentSpace.bytes()).kept];
}

/**
 * Stores the list in another process; the process kills itself as soon as so many rows are stored. Answers what it saw.
 */
function storeUntil(rows: number): { readonly rows: number; readonly seen: object } {
  const words = [CHILD, root, String(DOCUMENTS), String(rows)];
  const { signal, status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
  // Windows has no signals: a process killing itself ends with the code 1.
  const killed = process.platform === 'win32' ? { signal: null, status: 1 } : { signal: 'SIGKILL', status: null };
  expect({ signal, status, stderr }).toEqual({ ...killed, stderr: '' });
  return JSON.parse(stdout) as { readonly rows: number; readonly seen: object };
}

describe('a transaction with documents stored in several commits', () => {
  it.each([[500], [1000], [1500]])(
    'is seen by nobody and leaves nothing, when its process is killed after at least %i rows',
    async (rows) => {
      await world.stop();
      expect(storeUntil(rows).seen).toEqual(nothingSeen);
      await open();
      expect(world.storage.mark.problem).toBeUndefined();
      const [transactions = 0, documents = 0] = await rowsOf(world);
      expect([transactions, documents >= rows]).toEqual([1, true]);
      expect(await seenOf(world)).toEqual(nothingSeen);
      await world.transactions.resume();
      expect(await rowsOf(world)).toEqual([0, 0, 0]);
      expect(await keptIn(world)).toEqual({ incoming: [], originals: [], results: [] });
      const { tcn, counts } = await world.transactions.create(request, requester);
      expect(counts.WAITING).toBe(DOCUMENTS);
      await world.stop();
      await open();
      expect(world.storage.mark.problem).toBeUndefined();
      expect((await world.transactions.query(tcn)).counts.WAITING).toBe(DOCUMENTS);
    },
  );

  it('leaves nothing when a part of its documents cannot be stored', async () => {
    const { tcn } = await world.transactions.create(request, requester);
    const stored = await world.storage.transactions.read(tcn);
    if (stored === undefined) throw new Error('The transaction is not there.');
    const documents = stored.documents.map((one) => ({ ...one, tcn: 'other', key: `${one.key}x` }));
    const twice = [...documents.slice(0, -1), ...documents.slice(0, 1)];
    const transaction = { ...stored.transaction, tcn: 'other' };
    await expect(world.storage.transactions.insert({ transaction, documents: twice })).rejects.toMatchObject({
      code: 'STORAGE_UNAVAILABLE',
    });
    expect((await rowsOf(world)).slice(0, 2)).toEqual([1, DOCUMENTS]);
  });

  it('is one transaction after two simultaneous equal requests', async () => {
    const views = await Promise.all([1, 2].map(() => world.transactions.create(request, requester)));
    expect(views[0]?.tcn).toBe(views[1]?.tcn);
    expect((await rowsOf(world)).slice(0, 2)).toEqual([1, DOCUMENTS]);
    expect((await keptIn(world)).originals).toHaveLength(DOCUMENTS);
  });

  it('is removed a day later where a live process failed to remove the transaction', async () => {
    await world.stop();
    await open({ limits: { sweepInterval: 10 } });
    await world.transactions.resume();
    await world.transactions.create(request, requester);
    await world.storage.database.updateTable('transactions').set({ incomplete: 1 }).execute();
    await world.storage.transactions.removeIncomplete(new Date(Date.now() - A_DAY));
    expect((await rowsOf(world)).slice(0, 2)).toEqual([1, DOCUMENTS]);
    world.advance(A_DAY + 60_000);
    await until(async () => (await rowsOf(world))[0] === 0, 'the transaction is removed');
    expect(await rowsOf(world)).toEqual([0, 0, 0]);
  });
});
