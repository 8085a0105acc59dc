import { createHash } from 'node:crypto';
import type { AuditRow } from './audit.ts';

/** What the first row has in the place of the hash before. */
export const GENESIS = '0'.repeat(64);

/**
 * Lower-case hex SHA-256 over the UTF-8 octets of the JSON array `[sequence, at, kind, subject, detail, previous]`,
 * without white space, as `JSON.stringify` writes it (RFC 8785 for these types). `detail` is itself JSON text.
 */
export function hashAuditRow({ sequence, at, kind, subject, detail, previous }: Omit<AuditRow, 'hash'>): string {
  return createHash('sha256')
    .update(JSON.stringify([sequence, at, kind, subject, detail, previous]))
    .digest('hex');
}

/**
 * How the log names a transaction: the first 16 hex digits of the TCN's SHA-256. Who knows a TCN finds its rows; from
 * the rows no TCN can be found, because it has 130 random bits.
 */
export function transactionSubject(tcn: string): string {
  return `transaction:${createHash('sha256').update(tcn).digest('hex').slice(0, 16)}`;
}
