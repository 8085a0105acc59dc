import type { Kysely, Transaction } from 'kysely';
import {
  auditOfChanges,
  auditOfCreation,
  GENESIS,
  hashAuditRow,
  transactionSubject,
  type AppliedChange,
  type AuditEvent,
  type AuditMark,
  type AuditPage,
  type AuditRow,
  type AuditStore,
} from '../../../service/audit/index.ts';
import { requestInWork } from '../../../service/monitoring/index.ts';
import type { StoredTransaction, TransactionChange } from '../../../service/transactions/index.ts';
import { inOrder, type CommitListener } from '../commits.ts';
import type { Database, Tables } from '../database-schema.ts';
import { RepeatedStatement } from '../repeated-statement.ts';
import { storing } from '../../service-failure.ts';

const insertRow = new RepeatedStatement<AuditRow>((database, place) =>
  database.insertInto('audit_log').values({
    sequence: place('sequence'),
    at: place('at'),
    kind: place('kind'),
    subject: place('subject'),
    detail: place('detail'),
    previous: place('previous'),
    hash: place('hash'),
  }),
);

const readHead = new RepeatedStatement<object, AuditMark>((database) =>
  database.selectFrom('audit_head').select(['sequence', 'hash']).where('id', '=', 1),
);

const writeHead = new RepeatedStatement<AuditMark>((database, place) =>
  database
    .insertInto('audit_head')
    .values({ id: 1, sequence: place('sequence'), hash: place('hash') })
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet((row) => ({ sequence: row.ref('excluded.sequence'), hash: row.ref('excluded.hash') })),
    ),
);

/** Adds rows in the commit of the logged change. Answers the new end of the log; undefined without events. */
export async function appendAudit(
  connection: Transaction<Tables>,
  events: readonly AuditEvent[],
  at: Date,
): Promise<AuditMark | undefined> {
  return appendAuditRows(
    connection,
    events.map((event) => ({ event, at })),
  );
}

/** As `appendAudit`, for events of different times. */
export async function appendAuditRows(
  connection: Transaction<Tables>,
  events: readonly { readonly event: AuditEvent; readonly at: Date }[],
): Promise<AuditMark | undefined> {
  if (events.length === 0) return undefined;
  let head = await headOf(connection);
  const rows: AuditRow[] = [];
  for (const { event, at } of events) {
    const row = {
      sequence: head.sequence + 1,
      at: at.getTime(),
      kind: event.kind,
      subject: event.subject,
      detail: canonicalJson(event.detail),
      previous: head.hash,
    };
    head = { sequence: row.sequence, hash: hashAuditRow(row) };
    rows.push({ ...row, hash: head.hash });
  }
  await insertRow.runAll(connection, rows);
  await writeHead.run(connection, head);
  return head;
}

async function headOf(database: Kysely<Tables>): Promise<AuditMark> {
  return (await readHead.run(database, {})).rows[0] ?? { sequence: 0, hash: GENESIS };
}

/** Names in alphabetical order, so that equal details have equal texts. */
function canonicalJson(detail: AuditEvent['detail']): string {
  return JSON.stringify(Object.fromEntries(Object.entries(detail).sort(([a], [b]) => (a < b ? -1 : 1))));
}

/** The detail with the id of the current request, if any. */
export function withRequest(event: AuditEvent): AuditEvent {
  const request = requestInWork();
  return request === undefined ? event : { ...event, detail: { ...event.detail, request } };
}

/** The audit log in the instance's own database. */
export class SqlAuditLog implements AuditStore {
  readonly #database: Database;
  readonly #mark: CommitListener | undefined;

  /** @param mark noted after each commit; absent: none */
  constructor(database: Database, mark?: CommitListener) {
    this.#database = database;
    this.#mark = mark;
  }

  async append(events: readonly AuditEvent[], at: Date): Promise<void> {
    const told = events.map(withRequest);
    const head = await storing(() =>
      inOrder(this.#database, 'audit', (connection) => appendAudit(connection, told, at)),
    );
    await this.#mark?.note({ head });
  }

  async head(): Promise<AuditMark> {
    return storing(() => headOf(this.#database));
  }

  async page({ after, before, subject, limit }: AuditPage): Promise<readonly AuditRow[]> {
    return storing(() =>
      this.#database
        .selectFrom('audit_log')
        .selectAll()
        .$if(after !== undefined, (query) => query.where('sequence', '>', after ?? 0))
        .$if(before !== undefined, (query) => query.where('sequence', '<', before ?? 0))
        .$if(subject !== undefined, (query) => query.where('subject', '=', subject ?? ''))
        .orderBy('sequence', after === undefined ? 'desc' : 'asc')
        .limit(limit)
        .execute(),
    );
  }
}

const readCertificate = new RepeatedStatement<{ tcn: string }, { certificate_fingerprint: string }>((database, place) =>
  database.selectFrom('transactions').select('certificate_fingerprint').where('tcn', '=', place('tcn')),
);

/** Logs a transaction in the commit that creates the transaction. Answers the new end of the log. */
export async function auditCreation(
  connection: Transaction<Tables>,
  stored: StoredTransaction,
): Promise<AuditMark | undefined> {
  return appendAudit(connection, [withRequest(auditOfCreation(stored))], stored.transaction.createdAt);
}

/**
 * Logs changes in their own commit. Signatures name their key, because a signature is a use of the key. Answers the new
 * end of the log; undefined for changes that are not logged.
 */
export async function auditChanges(
  connection: Transaction<Tables>,
  applied: readonly AppliedChange[],
  at: Date,
): Promise<AuditMark | undefined> {
  const events = auditOfChanges(applied);
  if (!events.some(({ kind }) => kind === 'documents-signed')) return appendAudit(connection, events, at);
  const certificates = new Map<string, string>();
  for (const tcn of new Set(applied.map((one) => one.tcn))) {
    const { rows } = await readCertificate.run(connection, { tcn });
    certificates.set(tcn, rows[0]?.certificate_fingerprint ?? '');
  }
  return appendAudit(connection, namingKeys(events, certificates), at);
}

/** Logs a transaction with its outcomes, in the commit that stores both. Answers the new end of the log. */
export async function auditAtOnce(
  connection: Transaction<Tables>,
  begun: readonly { readonly stored: StoredTransaction; readonly outcomes: readonly TransactionChange[] }[],
  at: Date,
): Promise<AuditMark | undefined> {
  const events = begun.flatMap(({ stored, outcomes }) => {
    const { tcn, createdAt, certificateFingerprint } = stored.transaction;
    const changes = auditOfChanges(outcomes.map((change) => ({ tcn, change })));
    return [
      { event: withRequest(auditOfCreation(stored)), at: createdAt },
      ...namingKeys(changes, new Map([[tcn, certificateFingerprint]])).map((event) => ({ event, at })),
    ];
  });
  return appendAuditRows(connection, events);
}

/** Adds the certificate, by TCN, to the rows of signatures. */
function namingKeys(events: readonly AuditEvent[], certificates: ReadonlyMap<string, string>): readonly AuditEvent[] {
  const bySubject = new Map<string | null, string>();
  for (const [tcn, fingerprint] of certificates) bySubject.set(transactionSubject(tcn), fingerprint);
  return events.map((event) =>
    event.kind === 'documents-signed'
      ? { ...event, detail: { ...event.detail, certificate: bySubject.get(event.subject) ?? '' } }
      : event,
  );
}
