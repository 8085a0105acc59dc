import type { Transaction } from 'kysely';
import { hostOfCallback, type WebhookEvent } from '../../../service/notifications/index.ts';
import type { TransactionRow } from '../columns/transactions.ts';
import type { Tables } from '../database-schema.ts';
import { newNotificationRow } from '../rows/notification-rows.ts';

type Connection = Transaction<Tables>;

/**
 * Writes the rows of the outbox for the events that these transactions have reached; call this function in the commit
 * that changes the transactions. An endpoint is told each event of a transaction once. `ends` has the reasons why
 * batches ended in this commit, by TCN: a transaction without any document has no other trace of its end.
 */
export async function queueWebhookEvents(
  connection: Connection,
  tcns: readonly string[],
  at: Date,
  ends: ReadonlyMap<string, EndCode | undefined> = new Map(),
): Promise<void> {
  const any = await connection.selectFrom('webhook_endpoints').select('id').where('enabled', '=', 1).executeTakeFirst();
  if (any === undefined) return;
  for (const tcn of tcns) {
    const row = await connection
      .selectFrom('transactions')
      .select(['tcn', 'caller', 'waiting_for', 'finished_at'])
      .where('tcn', '=', tcn)
      .executeTakeFirst();
    const event = row && (await eventOf(connection, row, ends.get(tcn)));
    if (event !== undefined) await queueWebhookEvent(connection, tcn, event, at);
  }
}

/** Writes the rows for one event of a transaction, for the endpoints of its application that want the event. */
export async function queueWebhookEvent(
  connection: Connection,
  tcn: string,
  event: WebhookEvent,
  at: Date,
): Promise<void> {
  const transaction = await connection
    .selectFrom('transactions')
    .select('caller')
    .where('tcn', '=', tcn)
    .executeTakeFirst();
  const clientId = applicationOf(transaction?.caller ?? null);
  if (clientId === undefined) return;
  const endpoints = await connection
    .selectFrom('webhook_endpoints')
    .select(['id', 'url', 'events'])
    .where('client_id', '=', clientId)
    .where('enabled', '=', 1)
    .execute();
  const rows = endpoints
    .filter(({ events }) => (JSON.parse(events) as readonly string[]).includes(event))
    .map(({ id, url }) =>
      newNotificationRow({ tcn, host: hostOfCallback({ url }), webhook: { endpointId: id, event } }, at),
    );
  if (rows.length === 0) return;
  await connection
    .insertInto('notifications')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['endpoint_id', 'tcn', 'event']).doNothing())
    .execute();
}

/** The client id in `application <id>` and `application <id> person <number>`; undefined for other callers. */
function applicationOf(caller: string | null): string | undefined {
  const [kind, clientId] = (caller ?? '').split(' ', 2);
  return kind === 'application' ? clientId : undefined;
}

type State = Pick<TransactionRow, 'tcn' | 'waiting_for' | 'finished_at'>;

/** The event of a transaction's present state; undefined if there is none. */
async function eventOf(
  connection: Connection,
  { tcn, waiting_for: waitingFor, finished_at: finishedAt }: State,
  endOfUpload: EndCode | undefined,
): Promise<WebhookEvent | undefined> {
  if (finishedAt === null) {
    return waitingFor === 'approval' || waitingFor === 'pin' ? 'transaction.waiting' : undefined;
  }
  const outcomes = await connection
    .selectFrom('documents')
    .select(['status', 'error_code'])
    .distinct()
    .where('tcn', '=', tcn)
    .execute();
  const codes = new Set(outcomes.filter(({ status }) => status === 'ERROR').map((one) => one.error_code ?? ''));
  if (outcomes.length === 0 && endOfUpload !== undefined) codes.add(endOfUpload);
  if (outcomes.length > 0 && codes.size === 0) return 'transaction.signed';
  // A single document that failed for its own reasons makes the transaction a failed one.
  if (codes.size > 0 && [...codes].every((code) => ended.has(code))) {
    return codes.has('CANCELLED') ? 'transaction.cancelled' : 'transaction.expired';
  }
  return 'transaction.failed';
}

/** Error codes of documents that were never tried. */
const endCodes = ['CANCELLED', 'APPROVAL_EXPIRED', 'UPLOAD_EXPIRED'] as const;
type EndCode = (typeof endCodes)[number];
const ended: ReadonlySet<string> = new Set(endCodes);
