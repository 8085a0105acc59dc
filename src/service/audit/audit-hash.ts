import { createHash } from 'node:crypto';
import type { AuditRow } from './audit.ts';

/** The first row's value for the hash of the row before. */
export const GENESIS = '0'.repeat(64);

/**
 * Lower-case hex SHA-256 over the UTF-8 bytes of the JSON array `[sequence, at, kind, subject, detail, previous]`,
 * without white space, as `JSON.stringify` writes (RFC 8785 for these types). `detail` is itself JSON text.
 */
export function hashAuditRow({ sequence, at, kind, subject, detail, previous }: Omit<AuditRow, 'hash'>): string {
  return createHash('sha256')
    .update(JSON.stringify([sequence, at, kind, subject, detail, previous]))
    .digest('hex');
}

/**
 * A transaction's name in the log: the first 16 hex digits of the TCN's SHA-256. A holder of a TCN finds its rows; the
 * rows do not reveal a TCN, because a TCN has 130 random bits.
 */
export function transactionSubject(tcn: string): string {
  return `transaction:${createHash('sha256').update(tcn).digest('hex').slice(0, 16)}`;
}
