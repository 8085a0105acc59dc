/** `sinete database move`, both ways, and with failures and kills. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { verifyAudit } from '../../../src/service/audit/index.ts';
import { SqlAuditLog, type MovedDatabase } from '../../../src/storage/index.ts';
import { openPostgres } from '../../../src/storage/postgres/open-postgres.ts';
import {
  makeWorkplace,
  plainEnvironment,
  runSinete,
  type CommandOutcome,
  type Workplace,
} from '../../app/run-sinete.ts';
import { personWith } from '../../pki/identities.ts';
import {
  createRequest,
  dataUrl,
  finished,
  openWorld,
  requester,
  type World,
} from '../../service/transactions/transaction-world.ts';
import { until } from '../../setup/waits.ts';
import { DatabaseForTests } from './database-for-tests.ts';

const target = new DatabaseForTests();
let place: Workplace;
let url: string;

beforeEach(async () => {
  place = await makeWorkplace();
  ({ url } = target);
});
afterEach(async () => place.remove());

const open = (databaseUrl?: string): Promise<World> =>
  openWorld({ approve: 'ask' }, place.folder, undefined, databaseUrl === undefined ? {} : { databaseUrl });

const move = (to: string, environment: Readonly<Record<string, string>> = {}): Promise<CommandOutcome> =>
  runSinete(place, ['database', 'move', '--to', to], { environment });

/**
 * A folder with a signed transaction and another waiting for its approval; short and long documents. Answers the TCNs.
 */
async function fillFolder() {
  const world = await open();
  await world.addKey(await personWith());
  // More rows than are copied together.
  const documents = Array.from({ length: 120 }, (_, index) => ({
    id: `${index}`,
    data: dataUrl(`document ${index} `.repeat(index === 7 ? 20_000 : 1)),
  }));
  const create = async (): Promise<string> =>
    (await world.transactions.create(createRequest({ documentsSource: 'DATA_URL', documents }), requester)).tcn;
  const [signed, waiting] = [await create(), await create()];
  await world.transactions.decide(signed, 'approve');
  await finished(world.transactions, signed);
  expect(await newPerson(world.storage)).toBe(1);
  const space = await world.storage.documentSpace.bytes();
  await world.stop();
  return { signed, waiting, space, statuses: documents.map(() => 'SIGNED') };
}

/** Answers the number of a new person; a number is never given twice. */
async function newPerson({ database }: World['storage']): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    insert into cached_users (username, name, updated_at, selected) values ('u', '', 0, 0)
    returning id`.execute(database);
  await sql`delete from cached_users`.execute(database);
  return rows[0]?.id;
}

const isIntact = async ({ storage }: World): Promise<void> =>
  expect(await verifyAudit(new SqlAuditLog(storage.database), null)).toMatchObject({ state: 'intact' });

/** The folder still works with SQLite, and PostgreSQL has no row. */
async function expectSqliteInForce({ waiting }: { readonly waiting: string }): Promise<void> {
  expect(existsSync(join(place.data, 'postgresql.json'))).toBe(false);
  const world = await open();
  expect(await world.transactions.query(waiting)).toMatchObject({ waitingFor: 'approval' });
  await isIntact(world);
  await world.stop();
  expect(await target.query('select tcn from transactions')).toEqual([]);
}

describe('sinete database move', () => {
  it('takes everything to PostgreSQL and back, and goes on there', async () => {
    const { signed, waiting, statuses, space } = await fillFolder();
    const there = await move(url);
    expect(there.code, there.stderr).toBe(0);
    expect(there.stdout).toContain('are in PostgreSQL.');
    await expect(open()).rejects.toThrow('The database of this data folder is in PostgreSQL.');

    let world = await open(url);
    const stored = await world.storage.transactions.read(signed);
    expect(stored?.documents.map(({ status }) => status)).toEqual(statuses);
    expect(await world.storage.documentSpace.bytes()).toEqual(space);
    expect(await newPerson(world.storage)).toBe(2);
    await world.transactions.decide(waiting, 'approve');
    await finished(world.transactions, waiting);
    await isIntact(world);
    await world.stop();

    const taken = await move('sqlite', { SINETE_DATABASE_URL: url });
    expect([taken.code, taken.stderr]).toEqual([3, expect.stringContaining('has a file sinete.db already')]);
    await rename(join(place.data, 'sinete.db'), join(place.folder, 'earlier.db'));
    const back = await move('sqlite', { SINETE_DATABASE_URL: url });
    expect(back.code, back.stderr).toBe(0);
    expect(back.stdout).toContain('sinete.db');

    world = await open();
    expect(world.storage.mark.problem).toBeUndefined();
    expect(await world.storage.transactions.read(signed)).toEqual(stored);
    const later = await world.transactions.query(waiting);
    expect(later.documents.map(({ status }) => status)).toEqual(statuses);
    expect(await newPerson(world.storage)).toBe(3);
    await isIntact(world);
    await world.stop();
    expect(await target.query('select tcn from transactions')).toHaveLength(2);
  });

  it('refuses a database with rows, also those of another folder', async () => {
    const filled = await fillFolder();
    await (await openPostgres(url)).close();
    await target.query("insert into settings values ('storage.database_id', '\"of another folder\"')");
    const refused = await move(url);
    expect([refused.code, refused.stderr]).toEqual([3, expect.stringContaining('The target database is not empty.')]);
    await expectSqliteInForce(filled);
  });

  it('refuses a copy differing in a single value, and leaves nothing of the copy', async () => {
    const filled = await fillFolder();
    await (await openPostgres(url)).close();
    await changeOnArrival("new.original_file_name := 'other'; return new;", 'documents');
    const refused = await move(url);
    const sentence = 'The table documents is not the same after it was copied.';
    expect([refused.code, refused.stderr]).toEqual([3, expect.stringContaining(sentence)]);
    await expectSqliteInForce(filled);
  });

  it('killed half way leaves SQLite in force, and can be repeated', async () => {
    const filled = await fillFolder();
    await (await openPostgres(url)).close();
    await changeOnArrival('perform pg_sleep(600); return new;', 'audit_log');
    const entry = fileURLToPath(new URL('../../../src/app/sinete.js', import.meta.url));
    const environment = { ...plainEnvironment(), ...place.environment };
    const words = [entry, 'database', 'move', '--to', url];
    const child = spawn(process.execPath, words, { env: environment, stdio: 'ignore' });
    const ended = once(child, 'exit');
    const isCopying = 'select pid from pg_stat_activity where query like \'insert into "audit_log"%\'';
    await until(async () => (await target.query(isCopying)).length > 0, 'the rows are being copied');
    child.kill('SIGKILL');
    await ended;
    await target.server.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${target.name}'`,
    );
    await expectSqliteInForce(filled);
    await target.query('drop trigger change on audit_log');
    const repeated = await move(url);
    expect(repeated.code, repeated.stderr).toBe(0);
  });

  it('is followed by a change of the master key there', async () => {
    const person = ['--name', 'Ana Lima', '--cpf', '111.444.777-35'];
    expect((await runSinete(place, ['certificates', 'test-identity', ...person])).code).toBe(0);
    expect((await move(url)).code).toBe(0);
    const next = join(place.folder, 'keys', 'next.key');
    expect((await runSinete(place, ['master-key', 'make', next])).code).toBe(0);
    const there = { SINETE_DATABASE_URL: url };
    const rotated = await runSinete(place, ['master-key', 'rotate', next], { environment: there });
    expect(rotated.code, rotated.stderr).toBe(0);
    const seal = async (environment: Readonly<Record<string, string>>): Promise<number | null> => {
      const words = ['certificates', 'test-identity', '--name', 'Rui Lima', '--cpf', '529.982.247-25'];
      return (await runSinete(place, words, { environment: { ...there, ...environment } })).code;
    };
    expect(await seal({})).not.toBe(0);
    expect(await seal({ SINETE_SECRET_STORE_KEY_FILE: next })).toBe(0);
  });

  it('takes no password in its words, and the password from a file', async () => {
    await fillFolder();
    const shown = await move('postgresql://sinete:secret@127.0.0.1/sinete');
    expect([shown.code, shown.stderr]).toEqual([2, expect.stringContaining('must have no password')]);
    expect(shown.stderr).not.toContain('secret');
    const file = join(place.folder, 'password');
    await writeFile(file, 'not asked for by this server\n', { mode: 0o600 });
    const moved = await runSinete(place, ['database', 'move', '--to', url, '--password-file', file, '--json']);
    expect(moved.code, moved.stderr).toBe(0);
    const { tables, rows } = JSON.parse(moved.stdout) as MovedDatabase;
    expect([tables > 25, rows > 240]).toEqual([true, true]);
  });
});

/** A trigger of the target running before each row of a table. */
async function changeOnArrival(statements: string, table: string): Promise<void> {
  const body = `begin ${statements} end`;
  await target.query(`create function change() returns trigger language plpgsql as $$ ${body} $$`);
  await target.query(`create trigger change before insert on ${table} for each row execute function change()`);
}
