import type { Database } from '../database-schema.ts';
import { storing } from '../../service-failure.ts';

/** Counts unfinished transactions by the reason for waiting. */
export async function countUnfinished(
  database: Database,
): Promise<Record<'upload' | 'approval' | 'pin' | 'signing', number>> {
  const rows = await storing(() =>
    database
      .selectFrom('transactions')
      .select(['waiting_for', ({ fn }) => fn.countAll<number>().as('count')])
      .where('incomplete', 'is', null)
      .where('finished_at', 'is', null)
      .groupBy('waiting_for')
      .execute(),
  );
  const count = (held: string | null): number => rows.find((row) => row.waiting_for === held)?.count ?? 0;
  return { upload: count('upload'), approval: count('approval'), pin: count('pin'), signing: count(null) };
}

/** Counts documents ready to be signed. */
export async function countQueued(database: Database): Promise<number> {
  const row = await storing(() =>
    database
      .selectFrom('documents')
      .innerJoin('transactions', 'transactions.tcn', 'documents.tcn')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('transactions.incomplete', 'is', null)
      .where('transactions.finished_at', 'is', null)
      .where('transactions.waiting_for', 'is', null)
      .where('documents.status', '=', 'WAITING')
      .executeTakeFirst(),
  );
  return row?.count ?? 0;
}
