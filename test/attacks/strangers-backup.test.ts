/** Strangers make backups to get into the computers of others. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { readSettingOfCopy } from '../../src/storage/index.ts';
import { backupGroups, type BackupGroup } from '../../src/values/backup-groups.ts';
import { runSinete, type CommandOutcome, type Workplace } from '../app/run-sinete.ts';
import { openFolder, separateFolder } from '../app/separate-folders.ts';

const passphrase = 'a passphrase of some length';
const driver = '/home/stranger/driver.so';
const stranger = 'https://evil2.example';

/** A configuration to open the computer of a victim. */
const configuration = (home: string): string => `
approve = "all"
public_url = "https://sign.evil2.example"
updates.mode = "off"
"validation.rsa_keys" = { 1024 = 2040-01-01 }

[sites]
"${stranger}" = ["sign", "certificates:read"]

[files.grants]
"${stranger}" = [{ root = "${home}", access = "read" }, { root = "${home}", access = "write" }]

[network]
proxy = "http://proxy.evil2.example:3128"
allow = ["10.0.0.0/8"]

[tracing]
endpoint = "https://traces.evil2.example"

[authorization]
url = "https://login.evil2.example"

[renewal]
mode = "off"

[pkcs11.environment]
LD_PRELOAD = "/home/stranger/code.so"
`;

/** Forbidden words in the configuration and the database of a restored folder, by group. */
const words: readonly (readonly [group: BackupGroup, word: string])[] = [
  ['approval', 'approve = "all"'],
  ['listeners', 'sign.evil2.example'],
  ['sites', stranger],
  ['administrators', 'evil-admin'],
  ['applications', 'evil-app'],
  ['people', 'Evil Person'],
  ['trust', '1024'],
  ['timestamps', 'tsa.evil2.example'],
  ['network', 'proxy.evil2.example'],
  ['tracing', 'traces.evil2.example'],
  ['renewals', '/home/stranger/renew'],
  ['stores', 's3.evil2.example'],
  ['drivers', 'LD_PRELOAD'],
  ['others', 'a.setting.of.tomorrow'],
];

let folder: string;
let backup: string;
let passphraseFile: string;

const place = (name: string): Workplace => separateFolder(folder, name);

const restore = async (to: Workplace, ...options: readonly string[]): Promise<CommandOutcome> =>
  runSinete(to, ['restore', backup, '--passphrase-file', passphraseFile, ...options]);

/** Everything in a restored folder for the next start. */
function contentOf({ data }: Workplace): string {
  const settings = join(data, 'sinete.toml');
  const connection = new SqliteDatabase(join(data, 'sinete.db'), { readonly: true });
  try {
    const tables = connection.prepare(`select name from sqlite_master where type = 'table'`).pluck().all() as string[];
    // The audit log opens nothing.
    const rows = tables.filter((name) => !/^(audit_|kysely_|sqlite_)/.test(name)).map((name) => connection.prepare(`select * from ${name}`).all()); // prettier-ignore
    return `${existsSync(settings) ? readFileSync(settings, 'utf8') : ''}\n${JSON.stringify(rows)}`;
  } finally {
    connection.close();
  }
}

const found = (text: string): readonly BackupGroup[] => words.flatMap(([group, word]) => (text.includes(word) ? [group] : [])); // prettier-ignore

async function makeStranger(name: string): Promise<Workplace> {
  const to = place(name);
  const { core } = await openFolder(to);
  const { settings } = core.storage;
  await settings.write('pkcs11.modules', [{ path: driver, product: 'A driver' }]);
  await settings.write('renewals.folders', ['/home/stranger/renew']);
  await settings.write('tsa.servers', [{ id: 'evil', url: 'https://tsa.evil2.example' }]);
  await settings.write('object_stores', [{ kind: 's3', endpoint: 'https://s3.evil2.example' }]);
  await settings.write('a.setting.of.tomorrow', true);
  await core.applications.register({ name: 'Evil', comments: 'x', email: 'a@evil.example', redirectUris: ['https://app.example/back'], clientId: 'evil-app' }); // prettier-ignore
  const connection = new SqliteDatabase(join(to.data, 'sinete.db'));
  connection.exec(`
    insert into administrators (name, scopes, created_at, hash) values ('evil-admin', '["all"]', 0, x'00');
    insert into site_grants (origin, scopes, created_at, uses) values ('${stranger}', 'sign', 0, 0);
    insert into cached_users (username, name, updated_at, selected) values ('52998224725', 'Evil Person', 0, 1);
  `);
  connection.close();
  await core.close();
  return to;
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sinete-stranger-'));
  backup = join(folder, 'stranger.backup');
  passphraseFile = join(folder, 'passphrase');
  writeFileSync(passphraseFile, passphrase, { mode: 0o600 });
  const { data } = await makeStranger('stranger');
  const { core, calls } = await openFolder(place('stranger'));
  writeFileSync(join(data, 'sinete.toml'), configuration(folder));
  await calls['backup.make']({ path: backup, passphrase });
  await core.close();
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe('the backup of a hostile stranger', () => {
  it('opens nothing without a decision and a terminal, and lists all of its doors', async () => {
    const to = place('asked');
    const { code, stderr } = await restore(to);
    expect(code).toBe(1);
    expect(stderr).toContain('The maker of the backup is unknown.');
    expect(words.map(([group]) => group).filter((group) => !stderr.includes(`${group}: `))).toEqual([]);
    expect(found(contentOf(to))).toEqual([]);
  });

  it.each([['--drop'], ['--drivers', 'drop']])('opens nothing with %s %s', async (...options) => {
    const to = place(`dropped-${options.length}`);
    expect(await restore(to, ...options)).toMatchObject({ code: 0 });
    expect(found(contentOf(to))).toEqual([]);
    const { core, calls } = await openFolder(to);
    expect(await calls['modules.list']({})).toEqual([]);
    const { approve, sites, fileGrants, network, moduleEnvironment } = core.configuration;
    expect([approve, sites, fileGrants, network.allow, moduleEnvironment]).toEqual(['ask', [], [], [], {}]);
    await core.close();
  });

  it.each(words.map(([group]) => group))('opens %s alone with --keep', async (group) => {
    const to = place(`kept-${group}`);
    expect(await restore(to, '--keep', group)).toMatchObject({ code: 0 });
    expect(found(contentOf(to))).toEqual([group]);
  });

  it('is restored whole with --keep all', async () => {
    const to = place('whole');
    expect(await restore(to, '--keep', 'all')).toMatchObject({ code: 0 });
    expect(found(contentOf(to))).toEqual(words.map(([group]) => group));
  });

  it('opens nothing in the window before each kind was ticked', async () => {
    const { core, calls } = await openFolder(place('window'));
    const asked = await calls['backup.restore']({ path: backup, passphrase });
    expect(asked.asks?.isOwn).toBe(false);
    expect(asked.asks?.kinds.map(({ group }) => group)).toEqual(words.map(([group]) => group));
    expect(asked.backup.pending).toBeNull();
    const answered = await calls['backup.restore']({ path: backup, passphrase, keep: ['people'] });
    expect([answered.asks, answered.backup.pending === null]).toEqual([null, false]);
    await core.close();
    const { core: restored } = await openFolder(place('window'));
    await restored.close();
    expect(found(contentOf(place('window')))).toEqual(['people']);
  });

  it('opens nothing as a bare copy of the database', async () => {
    const copy = join(folder, 'stranger', 'sinete.db');
    const put = async (to: Workplace, ...options: readonly string[]): Promise<CommandOutcome> => runSinete(to, ['restore', copy, ...options]); // prettier-ignore
    const asked = await put(place('copied'));
    expect([asked.code, asked.stderr.includes(driver)]).toEqual([1, true]);
    expect(found(contentOf(place('copied')))).toEqual([]);
    expect(await put(place('copied'), '--replace', '--drivers', 'keep')).toMatchObject({ code: 0 });
    expect(readSettingOfCopy(join(folder, 'copied', 'sinete.db'), 'pkcs11.modules')).toMatchObject([{ path: driver }]);
  });
});

describe('a backup with code in its database', () => {
  it.each([
    [
      'a trigger',
      `create trigger evil after insert on transactions begin insert into site_grants (origin, scopes, created_at, uses) values ('https://trigger.example', 'sign', 0, 0); end`,
    ],
    ['a view', 'create view evil as select * from settings'],
    ['a table', 'create table evil (x)'],
    ['a table of virtual rows', 'create virtual table evil using fts5(x)'],
    ['an index with an expression', 'create index evil on settings (length(value))'],
    ['a column that is computed', 'alter table settings add column evil text as (value)'],
    ['another trigger under a name of ours', 'REPLACE'],
  ])('is refused and fails fsck with %s', async (what, statement) => {
    const from = place(`acting-${what.length}-${what.split(' ')[1] ?? ''}`);
    const { core, calls } = await openFolder(from);
    const connection = new SqliteDatabase(join(from.data, 'sinete.db'));
    if (statement === 'REPLACE') {
      const row = connection.prepare(`select name, sql from sqlite_master where type = 'trigger' limit 1`).get() as { name: string; sql: string }; // prettier-ignore
      connection.exec(`drop trigger ${row.name}; ${row.sql.replace(/begin/i, 'begin select 1;')}`);
    } else connection.exec(statement);
    connection.close();
    const made = join(folder, `${what.replaceAll(' ', '-')}.backup`);
    await calls['backup.make']({ path: made, passphrase });
    await core.close();
    const to = place(`refused-${what.length}`);
    const outcome = await runSinete(to, ['restore', made, '--keep', 'all', '--passphrase-file', passphraseFile]);
    expect([outcome.code, outcome.stderr]).toEqual([3, expect.stringContaining('parts that Sinete does not make')]);
    expect(existsSync(join(to.data, 'sinete.db'))).toBe(false);
    const checked = await runSinete(from, ['fsck']);
    expect([checked.code, checked.stdout]).toEqual([1, expect.stringContaining('parts that Sinete does not make')]);
  });

  it('is no suspicion against a database of ours', async () => {
    const from = place('honest');
    await (await openFolder(from)).core.close();
    expect(await runSinete(from, ['fsck'])).toMatchObject({ code: 0 });
  });
});

describe('a backup for a recipient', () => {
  it('has an unknown maker, except at the instance of its making, where one question covers all kinds', async () => {
    const identity = await generateX25519Identity();
    const identityFile = join(folder, 'identity');
    writeFileSync(identityFile, `${identity}\n`, { mode: 0o600 });
    const recipients = [await identityToRecipient(identity)];
    const own = place('own');
    const made = join(folder, 'own.age');
    const opened = await openFolder(own);
    await opened.calls['backup.make']({ path: made, recipients });
    await opened.core.close();
    const here = await runSinete(own, ['restore', made, '--replace', '--identity', identityFile]);
    expect(here.stderr).toContain('This instance has made the backup.');
    const again = await runSinete(own, ['restore', made, '--replace', '--identity', identityFile]);
    expect(again.stderr).toContain('This instance has made the backup.');
    const elsewhere = await runSinete(place('elsewhere'), ['restore', made, '--identity', identityFile]);
    expect(elsewhere.stderr).toContain('The maker of the backup is unknown.');
    const forged = join(folder, 'forged.age');
    const other = await openFolder(place('stranger'));
    await other.calls['backup.make']({ path: forged, recipients });
    await other.core.close();
    const outcome = await runSinete(own, ['restore', forged, '--replace', '--identity', identityFile]);
    expect([outcome.code, outcome.stderr]).toEqual([1, expect.stringContaining('The maker of the backup is unknown.')]);
    expect(found(contentOf(own))).toEqual([]);
  });

  it('is refused with an unknown kind in --keep', async () => {
    const outcome = await restore(place('unknown'), '--keep', 'everything');
    expect([outcome.code, outcome.stderr]).toEqual([2, expect.stringContaining(backupGroups[0])]);
  });
});
