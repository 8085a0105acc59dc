/** Roles of a PostgreSQL server: the least rights that an instance needs, and roles of others on the same server. */
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { personWith } from '../../pki/identities.ts';
import { until } from '../../setup/waits.ts';
import {
  createRequest,
  dataUrl,
  finished,
  requester,
  type World,
} from '../../service/transactions/transaction-world.ts';
import { NodeWorlds } from './node-worlds.ts';

const worlds = new NodeWorlds();

const administer = async (...statements: readonly string[]): Promise<void> => {
  for (const statement of statements) await worlds.database.query(statement);
};

/** The address of the test's database for another role. */
const addressFor = (role: string): string => worlds.database.url.replace(/user=\w+/, `user=${role}`);

/** A new role without any right beyond a login; a role of this name may be left by an earlier test. */
const addRole = async (role: string): Promise<void> =>
  administer(
    `drop role if exists ${role}`,
    `create role ${role} login nosuperuser nocreatedb nocreaterole noinherit noreplication nobypassrls`,
  );

/** The database as the guide for operators makes it: nobody but the role of the instance connects. */
async function useLeastRole(): Promise<void> {
  const { name } = worlds.database;
  await addRole(`least_${name}`);
  await administer(
    `revoke all on database ${name} from public`,
    `grant connect on database ${name} to least_${name}`,
    `grant usage, create on schema public to least_${name}`,
  );
  worlds.database.url = addressFor(`least_${name}`);
}

/** Connects as a stranger, who is let into the database by mistake. */
async function connectAsStranger(): Promise<pg.Client> {
  const { name } = worlds.database;
  await addRole(`stranger_${name}`);
  await administer(`grant connect on database ${name} to stranger_${name}`);
  const client = new pg.Client({ connectionString: addressFor(`stranger_${name}`) });
  await client.connect();
  worlds.closeLater({ close: async () => client.end() });
  return client;
}

async function signs(world: World, text = 'a letter'): Promise<string> {
  const document = { id: '0', data: dataUrl(text), originalFileName: 'letter.txt' };
  const { tcn } = await world.transactions.create(
    createRequest({ documentsSource: 'DATA_URL', documents: [document] }),
    requester,
  );
  return (await finished(world.transactions, tcn)).status;
}

describe('a role of PostgreSQL with the least rights', () => {
  it('is enough to make the tables, to sign at two nodes, and to tell the other node', async () => {
    await useLeastRole();
    const [one, other] = [await worlds.open('one'), await worlds.open('other')];
    await one.addKey(await personWith());
    const told: string[] = [];
    other.transactions.onChange((tcn) => told.push(tcn));
    await Promise.all([one.transactions.resume(), other.transactions.resume()]);
    expect(await signs(one)).toBe('SIGNED');
    await until(() => Promise.resolve(told.length > 0), 'the other node is told');
  });
});

describe('a role of PostgreSQL that may not change the tables', () => {
  it('is enough to sign, once another role has made the tables', async () => {
    const { name } = worlds.database;
    await (await worlds.openStorage('first')).close();
    await addRole(`least_${name}`);
    await administer(`grant select, insert, update, delete on all tables in schema public to least_${name}`);
    worlds.database.url = addressFor(`least_${name}`);
    const world = await worlds.open('one');
    await world.addKey(await personWith());
    await world.transactions.resume();
    expect(await signs(world)).toBe('SIGNED');
  });
});

describe('another role on the same PostgreSQL server', () => {
  it('connects to no database that is closed to the public', async () => {
    await useLeastRole();
    await addRole('nobody_here');
    const client = new pg.Client({ connectionString: addressFor('nobody_here') });
    await expect(client.connect()).rejects.toMatchObject({ code: '42501' });
  });

  it('reads and changes no table, although it is let into the database', async () => {
    await useLeastRole();
    await worlds.openStorage('one');
    const stranger = await connectAsStranger();
    const tables = await worlds.database.query<{ name: string }>(
      `select quote_ident(table_name) as name from information_schema.tables where table_schema = 'public'`,
    );
    expect(tables.length).toBeGreaterThan(30);
    const refused = { code: '42501' };
    for (const { name } of tables) {
      await expect(stranger.query(`select * from ${name}`)).rejects.toMatchObject(refused);
      await expect(stranger.query(`delete from ${name}`)).rejects.toMatchObject(refused);
      await expect(stranger.query(`truncate ${name}`)).rejects.toMatchObject(refused);
      await expect(stranger.query(`alter table ${name} add column more text`)).rejects.toMatchObject(refused);
      await expect(
        stranger.query(
          `create trigger t before insert on ${name} execute function suppress_redundant_updates_trigger()`,
        ),
      ).rejects.toMatchObject(refused);
    }
  });

  it('puts nothing in front of our tables: it makes no schema and no table', async () => {
    await useLeastRole();
    await worlds.openStorage('one');
    const stranger = await connectAsStranger();
    const schema = `least_${worlds.database.name}`;
    for (const statement of [
      `create schema ${schema}`,
      'create table public.settings_too (name text)',
      'create temp table settings (name text)',
    ]) {
      await expect(stranger.query(statement)).rejects.toMatchObject({ code: '42501' });
    }
  });

  it('sees none of our statements while they run', async () => {
    await useLeastRole();
    await worlds.openStorage('one');
    const stranger = await connectAsStranger();
    const { rows } = await stranger.query<{ query: string }>(
      `select query from pg_stat_activity where application_name = 'sinete' or usename like 'least_%'`,
    );
    expect(rows.every(({ query }) => query === '<insufficient privilege>')).toBe(true);
    const seen = await worlds.database.query<{ count: number }>(
      `select count(*)::int as count from pg_stat_activity where usename = 'least_${worlds.database.name}'`,
    );
    expect(seen[0]?.count).toBeGreaterThan(0);
  });

  it('holds up no signature by thousands of notices on the channel of the nodes', async () => {
    await useLeastRole();
    const [one, other] = [await worlds.open('one'), await worlds.open('other')];
    await one.addKey(await personWith());
    const told: string[] = [];
    other.transactions.onChange((tcn) => told.push(tcn));
    await Promise.all([one.transactions.resume(), other.transactions.resume()]);
    const stranger = await connectAsStranger();
    const noise = `select pg_notify('sinete_nodes', repeat('A', 7000) || number) from generate_series(1, 2000) number`;
    const noises = stranger.query(noise).then(async () => stranger.query(noise));
    expect(await signs(one)).toBe('SIGNED');
    await noises;
    expect(await signs(one, 'another letter')).toBe('SIGNED');
    expect(new Set(told).size).toBeLessThanOrEqual(2);
  });
});
