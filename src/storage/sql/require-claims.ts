import { sql, type Transaction } from 'kysely';
import { ServiceError } from '../../service/errors/index.ts';
import type { JobClaim } from '../../service/transactions/index.ts';
import type { Tables } from './database-schema.ts';

/**
 * Rejects with `BUSY` unless these claims are still valid. The rows stay locked until the commit, so that no other node
 * takes over in between. A single instance has no claims.
 */
export async function requireClaims(connection: Transaction<Tables>, claims: readonly JobClaim[]): Promise<void> {
  if (claims.length === 0) return;
  const { rows } = await sql`
    select tcn from transactions
    where (tcn, claimed_by, claim_number) in (${sql.join(claims.map(tupleOf))})
    for share`.execute(connection);
  if (rows.length === claims.length) return;
  throw new ServiceError('BUSY', 'Another node has taken over the job of this transaction.', { retryAfter: 5 });
}

const tupleOf = ({ tcn, node, number }: JobClaim) => sql`(${tcn}::text, ${node}::text, ${number}::bigint)`;
