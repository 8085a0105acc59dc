import { sql, type Transaction } from 'kysely';
import type {
  AttemptOutcome,
  ClaimedNotification,
  ClaimLimits,
  Notification,
  NotificationStore,
} from '../../../service/notifications/index.ts';
import { databaseTime, inOrder } from '../commits.ts';
import type { Database, Tables } from '../database-schema.ts';
import { fromNotificationRow, selectNotifications } from '../rows/notification-rows.ts';
import type { NotificationRow } from '../columns/notifications.ts';
import { RepeatedStatement } from '../repeated-statement.ts';
import { storing } from '../../service-failure.ts';

/** The outbox in the instance's own database. */
export class SqlNotificationStore implements NotificationStore {
  readonly #database: Database;
  readonly #isShared: boolean;

  /** @param isShared other nodes send notifications of the same outbox */
  constructor(database: Database, isShared = false) {
    this.#database = database;
    this.#isShared = isShared;
  }

  async hasWaiting(): Promise<boolean> {
    const { rows } = await storing(() => findWaiting.run(this.#database, {}));
    return rows.length > 0;
  }

  async claim(limits: ClaimLimits): Promise<readonly ClaimedNotification[]> {
    return storing(() =>
      inOrder(this.#database, 'outbox', async (connection) => {
        const ahead = this.#isShared ? await aheadOf(connection, limits.now) : 0;
        const chosen = chooseFairly(await dueRows(connection, limits, { ahead, isShared: this.#isShared }), limits);
        if (chosen.length === 0) return [];
        const ids = chosen.map(({ id }) => id);
        await connection
          .updateTable('notifications')
          .set((column) => ({
            attempts: column('attempts', '+', 1),
            lease_until: limits.leaseUntil.getTime() + ahead,
            scheduled_at: limits.now.getTime(),
          }))
          .where('id', 'in', ids)
          .execute();
        const rows = await selectNotifications(connection).where('notifications.id', 'in', ids).execute();
        return rows.map((row) => ({ ...fromNotificationRow(row), host: row.host }));
      }),
    );
  }

  async settle(id: string, outcome: AttemptOutcome, now: Date): Promise<void> {
    const at = now.getTime();
    await storing(() =>
      this.#database
        .updateTable('notifications')
        .set((column) => ({
          lease_until: null,
          scheduled_at: at,
          ...(outcome.kind === 'interrupted' ? { attempts: column('attempts', '-', 1) } : columnsOf(outcome, at)),
        }))
        .where('id', '=', id)
        .where('status', '=', 'WAITING')
        .execute(),
    );
  }

  async nextTime(now: Date): Promise<Date | undefined> {
    const at = now.getTime();
    return storing(async () => {
      const ahead = this.#isShared ? await aheadOf(this.#database, now) : 0;
      const row = await this.#database
        .selectFrom('notifications')
        .select(({ fn }) => [
          fn.min('next_attempt_at').filterWhere('next_attempt_at', '>', at).as('attempt'),
          fn
            .min('lease_until')
            .filterWhere('lease_until', '>', at + ahead)
            .as('lease'),
        ])
        .where('status', '=', sql.lit('WAITING'))
        .executeTakeFirst();
      const times = [row?.attempt ?? null, row?.lease == null ? null : row.lease - ahead];
      const known = times.filter((time) => time !== null);
      return known.length === 0 ? undefined : new Date(Math.min(...known));
    });
  }

  async list(limit: number): Promise<readonly Notification[]> {
    const rows = await storing(() =>
      selectNotifications(this.#database)
        .orderBy('notifications.created_at', 'desc')
        .orderBy('notifications.id')
        .limit(limit)
        .execute(),
    );
    return rows.map(fromNotificationRow);
  }

  async find(idOrTcn: string): Promise<Notification | undefined> {
    const row = await storing(() =>
      selectNotifications(this.#database)
        .where((where) =>
          where.or([
            where('notifications.id', '=', idOrTcn),
            where.and([where('notifications.tcn', '=', idOrTcn), where('notifications.endpoint_id', 'is', null)]),
          ]),
        )
        .executeTakeFirst(),
    );
    return row && fromNotificationRow(row);
  }

  async renew(id: string, now: Date): Promise<void> {
    const at = now.getTime();
    await storing(() =>
      this.#database
        .updateTable('notifications')
        .set({
          status: 'WAITING',
          attempts: 0,
          last_error: null,
          finished_at: null,
          scheduled_at: at,
          next_attempt_at: at,
          lease_until: null,
        })
        .where('id', '=', id)
        .execute(),
    );
  }

  async giveUp(id: string, now: Date): Promise<void> {
    await storing(() =>
      this.#database
        .updateTable('notifications')
        .set({ status: 'GIVEN_UP', next_attempt_at: null, finished_at: now.getTime() })
        .where('id', '=', id)
        .where('status', '=', 'WAITING')
        .execute(),
    );
  }

  /** Leases of other nodes stay; those of a killed node expire by themselves. */
  async releaseLeases(): Promise<number> {
    if (this.#isShared) return 0;
    const { numUpdatedRows } = await storing(() =>
      this.#database
        .updateTable('notifications')
        .set({ lease_until: null })
        .where('lease_until', 'is not', null)
        .where('status', '=', sql.lit('WAITING'))
        .executeTakeFirst(),
    );
    return Number(numUpdatedRows);
  }
}

const findWaiting = new RepeatedStatement((database) =>
  database.selectFrom('notifications').select('id').where('status', '=', sql.lit('WAITING')).limit(sql.lit(1)),
);

/**
 * Milliseconds by which the clock of another node may be ahead. A smaller difference does not mean that a clock was set
 * back.
 */
const CLOCKS_DIFFER = 300_000;

/**
 * Milliseconds by which the clock of the database is ahead of this node's. All nodes share that clock, so that a lease
 * ends at one time for all of them, however far apart their own clocks are.
 */
async function aheadOf(connection: Database, now: Date): Promise<number> {
  const { rows } = await sql<{ time: string | number }>`select ${databaseTime} as time`.execute(connection);
  return Number(rows[0]?.time ?? now.getTime()) - now.getTime();
}

/** More rows than are claimed at once, because hosts with running attempts are skipped. */
const ROWS_LOOKED_AT = 64;

/**
 * Due rows without a lease, limited per host, the first of each host before the second of any. A row of a later time than
 * now was scheduled before the clock was set back: it is due. On a single instance its lease ended with the old time,
 * too; among nodes the row may come from a node whose clock is ahead, and its lease still counts.
 */
async function dueRows(
  connection: Transaction<Tables>,
  { now, running, mostPerHost }: ClaimLimits,
  { ahead, isShared }: { readonly ahead: number; readonly isShared: boolean },
): Promise<readonly Pick<NotificationRow, 'id' | 'host'>[]> {
  const at = now.getTime();
  return connection
    .with('due', (database) =>
      database
        .selectFrom('notifications')
        .select(['id', 'host', 'next_attempt_at'])
        .select(sql<number>`row_number() over (partition by host order by next_attempt_at, id)`.as('place'))
        .where('status', '=', sql.lit('WAITING'))
        .$if(running.size > 0, (query) => query.where('id', 'not in', [...running.keys()]))
        .where((where) => {
          const isFree = where.or([where('lease_until', 'is', null), where('lease_until', '<=', at + ahead)]);
          const isLater = where('scheduled_at', '>', at + (isShared ? CLOCKS_DIFFER : 0));
          const isDue = where('next_attempt_at', '<=', at);
          return isShared
            ? where.and([isFree, where.or([isLater, isDue])])
            : where.or([isLater, where.and([isDue, isFree])]);
        }),
    )
    .selectFrom('due')
    .select(['id', 'host'])
    .where('place', '<=', mostPerHost)
    .orderBy('place')
    .orderBy('next_attempt_at')
    .limit(ROWS_LOOKED_AT)
    .execute();
}

function chooseFairly(
  due: readonly Pick<NotificationRow, 'id' | 'host'>[],
  { most, mostPerHost, running }: ClaimLimits,
): readonly Pick<NotificationRow, 'id'>[] {
  const busy = new Map<string, number>();
  for (const host of running.values()) busy.set(host, (busy.get(host) ?? 0) + 1);
  const chosen: Pick<NotificationRow, 'id'>[] = [];
  for (const row of due) {
    const count = busy.get(row.host) ?? 0;
    if (chosen.length >= most || count >= mostPerHost) continue;
    busy.set(row.host, count + 1);
    chosen.push(row);
  }
  return chosen;
}

function columnsOf(
  outcome: Exclude<AttemptOutcome, { readonly kind: 'interrupted' }>,
  at: number,
): Partial<NotificationRow> {
  if (outcome.kind === 'delivered') {
    return { status: 'DELIVERED', last_error: null, next_attempt_at: null, finished_at: at };
  }
  const { error, retryAt } = outcome;
  if (retryAt !== null) return { last_error: error, next_attempt_at: retryAt.getTime() };
  return { status: 'GIVEN_UP', last_error: error, next_attempt_at: null, finished_at: at };
}
