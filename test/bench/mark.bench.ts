import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TransactionStore } from '../../src/service/transactions/index.ts';
import { markBesideKey, openStorage } from '../../src/storage/index.ts';
import { SqlTransactionStore } from '../../src/storage/sql/stores/sql-transaction-store.ts';
import { openTransaction } from '../service/transactions/intake/intake-world.ts';
import { interleave, median, compared, milliseconds, type Benchmark } from './harness.ts';

/** Commits of a round, in sequence or all at once. */
const COMMITS = 40;

export const benchmark: Benchmark = {
  name: 'the mark of the database, flushed with each commit',
  async run() {
    const folder = await mkdtemp(join(tmpdir(), 'sinete-bench-mark-'));
    const dataFolder = join(folder, 'data');
    // Two marks: the first beside the database, the second beside the file of the master key.
    const besideKey = markBesideKey(join(folder, 'keys', 'master.key'), dataFolder);
    const storage = await openStorage(dataFolder, { besideKey });
    try {
      let count = 0;
      const insert = async (store: TransactionStore): Promise<unknown> => {
        count += 1;
        const transaction = openTransaction({ tcn: `tcn-${count}` });
        return store.insert({ transaction, documents: [] });
      };
      const inTurn = async (store: TransactionStore): Promise<number> =>
        milliseconds(async () => {
          for (let commit = 0; commit < COMMITS; commit += 1) await insert(store);
        });
      const together = async (store: TransactionStore): Promise<number> =>
        milliseconds(async () => Promise.all(Array.from({ length: COMMITS }, async () => insert(store))));
      const [marked, plain] = [storage.transactions, new SqlTransactionStore(storage.database)];
      const times = await interleave({
        marked: async () => inTurn(marked),
        plain: async () => inTurn(plain),
        markedTogether: async () => together(marked),
        plainTogether: async () => together(plain),
      });
      const perCommit = (name: keyof typeof times): string => (median(times[name]) / COMMITS).toFixed(2);
      return [
        {
          what: 'a commit with its mark against a commit without, one after another',
          ...compared(times, 'marked', 'plain'),
          bound: { atMost: 3 },
          detail: `${perCommit('marked')} ms against ${perCommit('plain')} ms`,
        },
        {
          what: `the same of ${COMMITS} at once, which share flushes of the mark`,
          ...compared(times, 'markedTogether', 'plainTogether'),
          bound: { atMost: 2 },
          detail: `${perCommit('markedTogether')} ms against ${perCommit('plainTogether')} ms`,
        },
      ];
    } finally {
      await storage.close();
      await rm(folder, { recursive: true });
    }
  },
};
