import { sql, type Transaction } from 'kysely';
import { openSealed, openSecretStore, openStorage, seal, SqlSettingsStore, type Storage } from '../../storage/index.ts';
import { AppError } from '../app-error.ts';
import { readConfiguration } from '../config/config.ts';
import type { ConfigurationSources } from '../config/config-sources.ts';
import { adoptedSetting, checkPlace, checkSetting, openSecrets } from './open-secrets.ts';

type Row = Readonly<Record<string, unknown>>;
type Reseal = (sealed: Uint8Array, place: string) => Buffer;
/** Any transaction: sealed columns are read and written by their names. */
type AnyTransaction = Transaction<Record<string, Record<string, unknown>>>;

/** A column with sealed values, and the place that each value is sealed for. */
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
  ofKey('webhook_endpoints', 'id', '|secret', 'sealed_secret'),
  ofKey('webhook_endpoints', 'id', '|secret', 'sealed_earlier_secret'),
  {
    table: 'computer_application',
    key: 'id',
    column: 'sealed_secret',
    placeOf: ({ client_id: clientId }) => `computer_application|${String(clientId)}`,
  },
];

/** Settings that are one sealed value in Base64. */
const sealedSettings: Readonly<Record<string, string>> = {
  [checkSetting]: checkPlace,
  test_authority: 'settings|test_authority|1',
  'audit.mark': 'settings audit.mark',
};

/** Settings that are lists whose entries have a sealed value in Base64, `sealed`. */
const sealedLists: Readonly<Record<string, (entry: Row) => string>> = {
  'tsa.servers': ({ id, url }) => `settings|tsa.servers|${String(id)}|${String(url)}`,
  object_stores: ({ id, kind, endpoint = '', bucket }) =>
    `settings|object_stores|${String(id)}|${String(kind)}|${String(endpoint)}|${String(bucket)}`,
};

/**
 * Changes the master key of a data folder that is not in use to the key in another file. Answers the number of secrets.
 * Rejects with `AppError` unless the present key is in a file, and with `StorageError`; nothing is changed then.
 */
export async function rotateKeyFile(sources: ConfigurationSources, keyFile: string): Promise<number> {
  const { secretStore } = await readConfiguration(sources);
  if (secretStore.mode !== 'key-file') {
    throw new AppError(2, 'The present master key is not in a file: secret_store.mode or SINETE_MASTER_KEY_FILE.');
  }
  const next = await (await openSecretStore({ mode: 'key-file', keyFile })).getMasterKey();
  const storage = await openStorage(sources.dataFolder);
  try {
    const { store } = await openSecrets(secretStore, storage.settings, undefined);
    const present = await store.getMasterKey();
    if (present.equals(next)) throw new AppError(2, `The file ${keyFile} holds the present master key: make another.`);
    return await resealAll(storage, present, next);
  } finally {
    next.fill(0);
    await storage.close();
  }
}

/**
 * Seals every sealed value of a data folder under another master key, all in one transaction: a crash leaves either key
 * with all of its values. Answers the number of values. Rejects with `SECRET_UNREADABLE`, and changes nothing, when one
 * of them does not open.
 */
async function resealAll({ database }: Pick<Storage, 'database'>, from: Buffer, to: Buffer): Promise<number> {
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
    await resealSettings(new SqlSettingsStore(transaction), reseal);
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

async function resealSettings(settings: SqlSettingsStore, reseal: Reseal): Promise<void> {
  const again = (text: string, place: string): string => reseal(Buffer.from(text, 'base64'), place).toString('base64');
  for (const [name, place] of Object.entries(sealedSettings)) {
    const value = await settings.read(name);
    if (typeof value === 'string') await settings.write(name, again(value, place));
  }
  for (const [name, placeOf] of Object.entries(sealedLists)) {
    const entries = await settings.read(name);
    if (!Array.isArray(entries)) continue;
    const changed = (entries as readonly Row[]).map((entry) =>
      typeof entry['sealed'] === 'string' ? { ...entry, sealed: again(entry['sealed'], placeOf(entry)) } : entry,
    );
    await settings.write(name, changed);
  }
  // The new key is the computer's own: the key of a restored backup is not needed any more.
  await settings.remove(adoptedSetting);
}
