import { sql, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely';
import { wordForSigner, type Signer } from '../../../service/certificates/index.ts';
import type { Database, Tables } from '../database-schema.ts';

/** Stores the signer of a certificate. */
export async function noteSigner(database: Database, fingerprint: string, signer: Signer): Promise<void> {
  await database
    .insertInto('signers')
    .values({ fingerprint, ...signer })
    .onConflict((conflict) => conflict.column('fingerprint').doNothing())
    .execute();
}

const escape = String.fromCodePoint(92);

/** A condition for transactions whose signer has the word in the name, or the number. The few rows are read once. */
export function isSignedBy(
  where: ExpressionBuilder<Tables, 'transactions'>,
  word: string,
): readonly Expression<SqlBool>[] {
  const wanted = wordForSigner(word);
  if (wanted === undefined) return [];
  const pattern = `%${wanted.replaceAll(/[%_\\]/g, (character) => escape + character)}%`;
  const fingerprints = where
    .selectFrom('signers')
    .select('signers.fingerprint')
    .where(sql<SqlBool>`signers.words like ${pattern} escape ${sql.lit(escape)}`);
  return [where('transactions.certificate_fingerprint', 'in', fingerprints)];
}

/** The known signers among these certificates. */
export async function readSigners(
  database: Database,
  fingerprints: readonly string[],
): Promise<ReadonlyMap<string, Pick<Signer, 'name' | 'number'>>> {
  const rows = await database
    .selectFrom('signers')
    .select(['fingerprint', 'name', 'number'])
    .where('fingerprint', 'in', fingerprints)
    .execute();
  return new Map(rows.map(({ fingerprint, name, number }) => [fingerprint, { name, number }]));
}
