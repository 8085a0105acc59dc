import { afterEach, describe, expect, it, vi } from 'vitest';
import { personWith } from '../../pki/identities.ts';
import { until } from '../../setup/waits.ts';
import { createRequest, dataUrl, finished, openWorld, requester, type World } from './transaction-world.ts';
import type { StoredTransaction } from '../../../src/service/transactions/records.ts';
import { viewTransaction } from '../../../src/service/transactions/answers/views.ts';
import { SqlTransactionStore } from '../../../src/storage/sql/stores/sql-transaction-store.ts';

const maria = await personWith();
let world: World;
afterEach(() => world.end());

async function batch(count: number, approve: 'ask' | 'all'): Promise<string> {
  world = await openWorld({ approve, limits: { documentsPerTransaction: count } });
  await world.addKey(maria);
  const documents = Array.from({ length: count }, (_one, index) => ({ data: dataUrl(`${index}`) }));
  const view = await world.transactions.create(createRequest({ documentsSource: 'DATA_URL', documents }), requester);
  expect(view).toMatchObject({ isPage: count > 1000, counts: { WAITING: count } });
  return view.tcn;
}

describe('a batch of 2,300 documents', () => {
  it('is answered in pages of at most 1,000, with the numbers of all, and others have their turn between', async () => {
    const tcn = await batch(2300, 'ask');
    const ids: string[] = [];
    for (let after: string | undefined; ;) {
      const page = await world.transactions.query(tcn, { documents: { after } });
      expect(page).toMatchObject({ status: 'WAITING', counts: { WAITING: 2300, SIGNED: 0, ERROR: 0 }, isPage: true });
      if (page.documents.length === 0) break;
      expect(page.documents.length).toBeLessThanOrEqual(1000);
      ids.push(...page.documents.map(({ id }) => id));
      after = ids.at(-1);
    }
    expect(ids).toEqual(Array.from({ length: 2300 }, (_one, index) => String(index)));
    let turns = 0;
    let isReading = true;
    const count = (): void => {
      turns++;
      if (isReading) setImmediate(count);
    };
    setImmediate(count);
    const all = await world.transactions.query(tcn, { documents: { limit: Number.POSITIVE_INFINITY } });
    isReading = false;
    expect(all.documents).toHaveLength(2300);
    expect(turns).toBeGreaterThanOrEqual(4);
    expect((await world.transactions.query(tcn, { documents: { limit: 0 } })).documents).toEqual([]);
  });
});

/** Calls `pause` before each statement of a database, with the number of the statement. */
function pausing<Part extends object>(
  part: Part,
  pause: (statement: number) => Promise<void>,
  run = { count: 0 },
): Part {
  return new Proxy(part, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      const method = value.bind(target) as (...parameters: unknown[]) => object;
      if (name !== 'execute' && name !== 'executeTakeFirst') {
        return (...parameters: unknown[]) => pausing(method(...parameters), pause, run);
      }
      return async (...parameters: unknown[]) => {
        await pause(++run.count);
        return method(...parameters);
      };
    },
  });
}

const waiting = { status: 'WAITING', error_code: null, error_detail: null } as const;
const failed = { status: 'ERROR', error_code: 'KEY_UNAVAILABLE', error_detail: 'The key is not there.' } as const;

/** Each way to read a transaction together with the states of its documents. */
const readers: Readonly<
  Record<string, (store: SqlTransactionStore, tcn: string) => Promise<StoredTransaction | undefined>>
> = {
  page: async (store, tcn) => store.readPage(tcn, { after: undefined, limit: 10 }),
  whole: async (store, tcn) => store.read(tcn),
  recent: async (store) => (await store.recent(1))[0],
  overview: async (store, tcn) => (await store.overview([tcn]))[0],
  list: async (store) => (await store.listOf('application shop', { limit: 1 }))?.[0],
};

describe('a query during the commit that finishes a transaction', () => {
  it.each(Object.keys(readers))(
    'never tells a final state beside documents waiting, or without its time: %s',
    async (reader) => {
      const tcn = await batch(2, 'ask');
      const { database } = world.storage;
      const set = async (columns: typeof waiting | typeof failed, finishedAt: number | null): Promise<void> =>
        database.transaction().execute(async (commit) => {
          await commit.updateTable('documents').set(columns).where('tcn', '=', tcn).execute();
          const changed = { finished_at: finishedAt, caller: 'application shop' };
          await commit.updateTable('transactions').set(changed).where('tcn', '=', tcn).execute();
        });
      const states = new Set<string>();
      let statements = 0;
      for (let committedAt = 1; committedAt <= statements + 1; committedAt++) {
        await set(waiting, null);
        const pause = async (statement: number): Promise<void> => {
          statements = Math.max(statements, statement);
          if (statement === committedAt) await set(failed, 1);
        };
        const store = new SqlTransactionStore(pausing(database, pause));
        const read = await readers[reader]?.(store, tcn);
        if (read === undefined) throw new Error('the transaction is there');
        const { status, finishedAt, documents } = viewTransaction(read, new Date());
        states.add(status);
        if (status === 'WAITING') continue;
        expect(finishedAt, `committed before statement ${committedAt}`).toEqual(new Date(1));
        const isList = reader === 'overview' || reader === 'list';
        expect(documents.map((document) => document.status)).toEqual(isList ? [] : ['ERROR', 'ERROR']);
      }
      expect(statements).toBeGreaterThanOrEqual(3);
      expect([...states].sort()).toEqual(['ERROR', 'WAITING']);
    },
  );

  it('tells the state of its first part, which a later part does not overtake', async () => {
    const tcn = await batch(600, 'ask');
    const { transactions: store, database } = world.storage;
    let isLast = false;
    vi.spyOn(store, 'readPage').mockImplementation(async (...page) => {
      if (isLast) await database.updateTable('documents').set(failed).where('tcn', '=', tcn).execute();
      isLast = true;
      return SqlTransactionStore.prototype.readPage.apply(store, page);
    });
    const { status, counts, documents } = await world.transactions.query(tcn);
    expect({ status, waiting: counts.WAITING }).toEqual({ status: 'WAITING', waiting: 600 });
    expect(documents.map((document) => document.status)).toContain('WAITING');
    expect(documents.at(-1)?.status).toBe('ERROR');
  });
});

describe('a held query', () => {
  it('is not woken by single documents, and answers when the transaction is finished', async () => {
    const tcn = await batch(600, 'ask');
    const changes: string[] = [];
    const stop = world.transactions.onChange((changed) => changes.push(changed));
    const held = world.transactions.query(tcn, { waitSeconds: 60 });
    await world.transactions.decide(tcn, 'approve');
    expect(await held).toMatchObject({ waitingFor: null });
    const second = world.transactions.query(tcn, { waitSeconds: 60 });
    expect(await second).toMatchObject({ status: 'SIGNED', counts: { SIGNED: 600 } });
    await finished(world.transactions, tcn);
    await until(() => changes.length > 2, 'several commits were announced');
    stop();
  });
});
