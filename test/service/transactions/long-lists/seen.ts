import { countQueued, countUnfinished } from '../../../../src/storage/sql/stores/count-unfinished.ts';
import { SqlHistoryStore } from '../../../../src/storage/sql/stores/sql-history-store.ts';
import { SqlTransactionStore } from '../../../../src/storage/sql/stores/sql-transaction-store.ts';
import type { World } from '../transaction-world.ts';

/** All lists and counts of an instance, as a single object. */
export async function seenOf({ storage, transactions }: World): Promise<object> {
  const page = { offset: 0, limit: 100 };
  const { database } = storage;
  // On the connection that writes: a reader beside would let the storing go on between two questions.
  const [store, history] = [new SqlTransactionStore(database), new SqlHistoryStore(database)];
  return {
    recent: (await transactions.recent(10)).length,
    waiting: (await transactions.waiting()).length,
    listed: (await store.listOf('programs', { limit: 10 }))?.length ?? 0,
    toBeSigned: (await storage.transactions.list({ kind: 'to-be-signed' })).length,
    newest: (await transactions.newestCreation()) ?? null,
    byStatus: await store.countByStatus(),
    unfinished: await countUnfinished(database),
    queued: await countQueued(database),
    history: (await history.find({}, page)).total,
    documentHistory: (await history.findDocuments({}, page)).total,
    days: (await history.countByDay({}, 0)).days.length,
    idempotent: (await storage.transactions.findIdempotent('one', new Date(0))) ?? null,
  };
}

/** The same for an instance without any transaction. */
export const nothingSeen = {
  recent: 0,
  waiting: 0,
  listed: 0,
  toBeSigned: 0,
  newest: null,
  byStatus: { WAITING: 0, SIGNED: 0, ERROR: 0 },
  unfinished: { upload: 0, approval: 0, pin: 0, signing: 0 },
  queued: 0,
  history: 0,
  documentHistory: 0,
  days: 0,
  idempotent: null,
};
