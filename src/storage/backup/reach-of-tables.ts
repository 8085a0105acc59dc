/** Rows of a restored database that let others in, or that go on by themselves after a restore. */
import { sql, type RawBuilder } from 'kysely';
import type { BackupGroup, BackupWord } from '../../values/backup-groups.ts';
import type { Database, Tables } from '../sql/database-schema.ts';

/** How many rows of a table are named to a person. */
const MOST_NAMED = 20;

interface TableReach {
  readonly group: BackupGroup;
  /** The column that names a row to a person; absent: rows are counted. */
  readonly named?: string;
  /** The rows that count; absent: all. */
  readonly rows?: RawBuilder<unknown>;
  /** The word for a row, for people. */
  readonly word: BackupWord;
}

const unfinished = sql`finished_at is null`;

/** Every table: its group, or null for rows that let nobody in. The compiler asks for new tables. */
const tables: Readonly<Record<keyof Tables, TableReach | null>> = {
  accounts: { group: 'people', named: 'name', word: 'person' },
  spent_steps: null,
  recovery_codes: null,
  attempts: null,
  cached_users: { group: 'people', named: 'name', word: 'user' },
  user_certificates: null,
  access_tokens: { group: 'people', word: 'access token' },
  refresh_tokens: { group: 'people', word: 'refresh token' },
  authorization_codes: { group: 'people', word: 'authorization code' },
  hash_calls: null,
  application_people: null,
  // A cache and open sessions are not worth a question, and never restored.
  short_lived: null,
  applications: { group: 'applications', named: 'client_id', word: 'application' },
  application_use: null,
  computer_application: { group: 'applications', named: 'client_name', word: 'application of this computer' },
  webhook_endpoints: { group: 'applications', named: 'url', word: 'webhook' },
  administrators: { group: 'administrators', named: 'name', word: 'administrator' },
  site_grants: { group: 'sites', named: 'origin', word: 'site' },
  file_grants: { group: 'sites', named: `caller || ' in ' || root`, word: 'grant of files' },
  standing_approvals: { group: 'approval', named: 'origin', word: 'standing approval' },
  renewals: { group: 'renewals', named: 'path', word: 'file to renew' },
  revocation_cache: null,
  transactions: { group: 'work', rows: unfinished, word: 'unfinished transaction' },
  documents: { group: 'work', rows: sql`pending_level is not null`, word: 'document to extend' },
  notifications: { group: 'work', rows: unfinished, word: 'unsent notification' },
  small_originals: null,
  small_results: null,
  result_blocks: null,
  document_space: null,
  idempotency_keys: null,
  // `reach-of-backup.ts` knows what each setting opens.
  settings: null,
  // Keys of the backup are what a restore is for; they sign nothing without an approval.
  private_keys: null,
  health_probe: null,
  nodes: null,
  signers: null,
  history_words: null,
  history_entries: null,
  audit_log: null,
  audit_head: null,
};

const reaching = Object.entries(tables).flatMap(([table, reach]) => (reach === null ? [] : [{ table, ...reach }]));

/** A line for each kind of rows that let others in. */
export async function reachOfTables(
  database: Database,
): Promise<readonly { readonly group: BackupGroup; readonly line: string }[]> {
  const found: { readonly group: BackupGroup; readonly line: string }[] = [];
  for (const { table, group, named, rows = sql`true`, word } of reaching) {
    const answer = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)} where ${rows}`.execute(database); // prettier-ignore
    const count = answer.rows[0]?.count ?? 0;
    if (count === 0) continue;
    const names = named === undefined ? [] : await namesOf(database, table, named);
    const rest = count > names.length && names.length > 0 ? ', …' : '';
    found.push({ group, line: `${word}: ${names.length === 0 ? count : names.join(', ') + rest}` });
  }
  return found;
}

async function namesOf(database: Database, table: string, named: string): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct ${sql.raw(named)} as name from ${sql.table(table)} order by name limit ${MOST_NAMED}
  `.execute(database);
  return rows.map(({ name }) => name);
}

/** Removes the rows of these groups, and caches; unfinished work ends as cancelled. */
export async function dropRows(database: Database, groups: ReadonlySet<BackupGroup>, now: Date): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await transaction.deleteFrom('revocation_cache').execute();
    await transaction.deleteFrom('short_lived').execute();
    for (const { table, group, rows } of reaching) {
      if (groups.has(group) && rows === undefined) await sql`delete from ${sql.table(table)}`.execute(transaction);
    }
    if (groups.has('work')) await endWork(transaction, now);
  });
}

async function endWork(database: Database, now: Date): Promise<void> {
  const error = {
    error_code: 'CANCELLED',
    error_detail: 'The document was not signed before the backup was restored.',
  };
  await database.updateTable('documents').set({ status: 'ERROR', ...error }).where('status', '=', 'WAITING').execute(); // prettier-ignore
  const nothingPending = { pending_level: null, pending_since: null, pending_next: null, pending_size: null, pending_checksum: null }; // prettier-ignore
  await database.updateTable('documents').set(nothingPending).where('pending_level', 'is not', null).execute();
  const ended = { finished_at: now.getTime(), waiting_for: null, upload_open: 0 };
  await database.updateTable('transactions').set(ended).where('finished_at', 'is', null).execute();
  await database.deleteFrom('notifications').where('finished_at', 'is', null).execute();
}
