import type { Transaction } from 'kysely';
import {
  auditOfChanges,
  auditOfCreation,
  type AppliedChange,
  type AuditEvent,
  transactionSubject,
} from '../../../service/audit/index.ts';
import type { StoredTransaction } from '../../../service/transactions/index.ts';
import { appendAudit, withRequest } from './audit-log.ts';
import type { Tables } from '../database-schema.ts';
import { RepeatedStatement } from '../repeated-statement.ts';

type Connection = Transaction<Tables>;

const readCertificate = new RepeatedStatement<{ tcn: string }, { certificate_fingerprint: string }>((database, place) =>
  database.selectFrom('transactions').select('certificate_fingerprint').where('tcn', '=', place('tcn')),
);

/** Logs a transaction in the commit that creates the transaction. */
export async function auditCreation(connection: Connection, stored: StoredTransaction): Promise<void> {
  await appendAudit(connection, [withRequest(auditOfCreation(stored))], stored.transaction.createdAt);
}

/** Logs changes in their own commit. Signatures name their key, because a signature is a use of the key. */
export async function auditChanges(connection: Connection, applied: readonly AppliedChange[], at: Date): Promise<void> {
  const events = auditOfChanges(applied);
  if (!events.some(({ kind }) => kind === 'documents-signed')) return appendAudit(connection, events, at);
  const certificates = new Map<string | null, string>();
  for (const tcn of new Set(applied.map((one) => one.tcn))) {
    const { rows } = await readCertificate.run(connection, { tcn });
    certificates.set(transactionSubject(tcn), rows[0]?.certificate_fingerprint ?? '');
  }
  await appendAudit(
    connection,
    events.map((event): AuditEvent =>
      event.kind === 'documents-signed'
        ? { ...event, detail: { ...event.detail, certificate: certificates.get(event.subject) ?? '' } }
        : event,
    ),
    at,
  );
}
