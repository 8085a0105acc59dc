import { sql, type Kysely, type Transaction } from 'kysely';
import { openSealed, seal } from '../secrets/index.ts';
import type { Tables } from './database-schema.ts';
import { SqlSettingsStore } from './stores/sql-settings-store.ts';

type Row = Readonly<Record<string, unknown>>;
type Reseal = (sealed: Uint8Array, place: string) => Buffer;
/** A transaction without the types of the tables: sealed columns are read and written by their names. */
type AnyTransaction = Transaction<Record<string, Record<string, unknown>>>;

/** A column with sealed values, and the place to which each seal is bound. */
interface SealedColumn {
  readonly table: string;
  /** The column that names the row. */
  readonly key: string;
  readonly column: string;
  readonly placeOf: (row: Row) => string;
}

const ofKey = (table: string, key: string, what: string, column: string): SealedColumn => ({
  table,
  key,
  column,
  placeOf: (row) => `${table}|${String(row[key])}${what}`,
});

/** Every column with sealed values. A test compares the columns with those of the database. */
export const sealedColumns: readonly SealedColumn[] = [
  {
    table: 'private_keys',
    key: 'id',
    column: 'sealed_key',
    placeOf: ({ id, version }) => `private_keys|${String(id)}|${String(version)}`,
  },
  ofKey('accounts', 'username', '|totp_secret', 'sealed_secret'),
  ofKey('applications', 'client_id', '|webhook_secret', 'sealed_webhook_secret'),
  ofKey('hash_calls', 'id', '|signatures', 'sealed_signatures'),
  ofKey('webhook_endpoints', 'id', '|secret', 'sealed_secret'),
  ofKey('webhook_endpoints', 'id', '|secret', 'sealed_earlier_secret'),
  {
    table: 'computer_application',
    key: 'id',
    column: 'sealed_secret',
    placeOf: ({ client_id: clientId }) => `computer_application|${String(clientId)}`,
  },
];

/** The settings with sealed values, in Base64, and the place to which each seal is bound. */
export interface SealedSettings {
  /** Settings that consist of one sealed value. */
  readonly values: Readonly<Record<string, string>>;
  /** Settings that are lists: each entry has its sealed value in the field `sealed`. */
  readonly lists: Readonly<Record<string, (entry: Row) => string>>;
  /** Settings that are removed, because the new key does not need them. */
  readonly unneeded: readonly string[];
}

/**
 * Seals every sealed value of a data folder again under another master key, in one transaction, so that a crash leaves
 * all values under the same key. Answers the number of values. Rejects with `SECRET_UNREADABLE`, and changes nothing,
 * if one of them cannot be opened.
 */
export async function resealDatabase(
  database: Kysely<Tables>,
  { from, to, settings }: { readonly from: Buffer; readonly to: Buffer; readonly settings: SealedSettings },
): Promise<number> {
  let count = 0;
  const reseal: Reseal = (sealed, place) => {
    const plain = openSealed(from, sealed, place);
    try {
      count += 1;
      return seal(to, plain, place);
    } finally {
      plain.fill(0);
    }
  };
  await database.transaction().execute(async (transaction) => {
    const any = transaction as unknown as AnyTransaction;
    for (const column of sealedColumns) await resealColumn(any, column, reseal);
    await resealSettings(new SqlSettingsStore(transaction), settings, reseal);
  });
  return count;
}

async function resealColumn(
  transaction: AnyTransaction,
  { table, key, column, placeOf }: SealedColumn,
  reseal: Reseal,
): Promise<void> {
  const { rows } = await sql<Row>`select * from ${sql.table(table)}`.execute(transaction);
  for (const row of rows) {
    const sealed = row[column];
    if (!(sealed instanceof Uint8Array)) continue;
    const value = reseal(sealed, placeOf(row));
    await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${value} where ${sql.ref(key)} = ${row[key]}`.execute(
      transaction,
    );
  }
}

async function resealSettings(
  settings: SqlSettingsStore,
  { values, lists, unneeded }: SealedSettings,
  reseal: Reseal,
): Promise<void> {
  const again = (text: string, place: string): string => reseal(Buffer.from(text, 'base64'), place).toString('base64');
  for (const [name, place] of Object.entries(values)) {
    const value = await settings.read(name);
    if (typeof value === 'string') await settings.write(name, again(value, place));
  }
  for (const [name, placeOf] of Object.entries(lists)) {
    const entries = await settings.read(name);
    if (!Array.isArray(entries)) continue;
    const changed = (entries as readonly Row[]).map((entry) =>
      typeof entry['sealed'] === 'string' ? { ...entry, sealed: again(entry['sealed'], placeOf(entry)) } : entry,
    );
    await settings.write(name, changed);
  }
  for (const name of unneeded) await settings.remove(name);
}
