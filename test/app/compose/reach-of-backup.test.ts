import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse as parseToml } from 'smol-toml';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dropReach, reachNotAccepted, readReach } from '../../../src/app/compose/reach-of-backup.ts';
import { SqlSettingsStore, type Database } from '../../../src/storage/index.ts';
import { openDatabase } from '../../../src/storage/sqlite/open-database.ts';
import { backupGroups, type BackupGroup } from '../../../src/values/backup-groups.ts';
import { placeMigratedDatabase } from '../../storage/migrated-database.ts';

const now = new Date('2026-03-01T12:00:00Z');

let folder: string;
let database: Database;
let settings: SqlSettingsStore;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sinete-reach-'));
  await placeMigratedDatabase(folder);
  database = await openDatabase(join(folder, 'sinete.db'));
  settings = new SqlSettingsStore(database);
});
afterEach(async () => {
  await database.destroy();
  rmSync(folder, { recursive: true });
});

const configure = (text: string, name = 'sinete.toml'): void => writeFileSync(join(folder, name), text);
const configured = (): unknown => parseToml(readFileSync(join(folder, 'sinete.toml'), 'utf8'));
const drop = async (...groups: BackupGroup[]): Promise<void> => dropReach({ folder, database }, new Set(groups), now);

/** A value for each key of the configuration, by the group that is asked about; `none` opens nothing. */
const keys: Readonly<Record<string, readonly string[]>> = {
  approval: ['approve', 'approved', 'approval.one_time_password', 'approval.session'],
  listeners: ['listen', 'public_url', 'metrics'],
  sites: ['sites', 'files.grants', 'files.result_mode'],
  applications: ['applications.limits'],
  trust: ['signing.refuse_revoked', 'policies.source', 'validation.algorithms', 'validation.rsa_keys'],
  network: ['authorization.url', 'registry.url', 'network.allow', 'network.proxy', 'network.certificate_authorities'],
  tracing: ['tracing.endpoint', 'tracing.headers_file'],
  renewals: ['renewal.mode', 'renewal.within'],
  storage: ['database.url', 'documents.store', 'secret_store.key_file', 'archive.folder'],
  drivers: ['pkcs11.environment'],
  none: ['port', 'limits.document_size', 'log.level', 'archive.by_month', 'pkcs11.sessions', 'updates.mode'],
};

describe('the reach of a backup', () => {
  it('is empty where nothing lets others in or loads code', async () => {
    configure('port = 17171\n[log]\nlevel = "debug"\n');
    await settings.write('certificates.default', 'Maria');
    expect(await readReach({ folder, database })).toEqual([]);
    expect(await readReach({ database })).toEqual([]);
  });

  it.each(Object.entries(keys).flatMap(([group, names]) => names.map((name) => [name, group] as const)))(
    'has the key %s of the configuration under %s',
    async (name, group) => {
      configure(`${name} = "x"\n`);
      const expected = group === 'none' ? [] : [{ group, lines: [`${name} = x`] }];
      expect(await readReach({ folder, database })).toEqual(expected);
    },
  );

  it('has keys that nobody knows here, and settings that nobody knows, under others', async () => {
    configure('"some.key" = 1\n"constructor" = 2\n');
    await settings.write('new.setting', true);
    await settings.write('toString', true);
    const [others] = await readReach({ folder, database });
    expect(others?.group).toBe('others');
    expect([...(others?.lines ?? [])].sort()).toEqual(['constructor = 2', 'new.setting', 'some.key = 1', 'toString']);
  });

  it('has the groups in their order, and the keys of the file before the settings', async () => {
    configure('approve = "all"\n[network]\nproxy = "http://p.example"\n[sites]\n"https://s.example" = ["sign"]\n');
    await settings.write('tsa.servers', [{ id: 'act', url: 'https://act.example', password: 'secret' }]);
    await settings.write('trust.certificates', ['a root']);
    const reach = await readReach({ folder, database });
    expect(reach.map(({ group }) => group)).toEqual(['approval', 'sites', 'trust', 'timestamps', 'network']);
    expect(reach.map(({ group }) => backupGroups.indexOf(group))).toEqual([0, 2, 6, 7, 8]);
    expect(reach.find(({ group }) => group === 'timestamps')?.lines).toEqual(['tsa.servers: act https://act.example']);
    expect(reach.find(({ group }) => group === 'trust')?.lines).toEqual(['trust.certificates: a root']);
  });

  it.each([
    [300, 'x'.repeat(300)],
    [301, `${'x'.repeat(300)}…`],
  ])('shows the first three hundred of %i characters of a value', async (length, shown) => {
    configure(`public_url = "${'x'.repeat(length)}"\n`);
    expect((await readReach({ folder, database }))[0]?.lines).toEqual([`public_url = ${shown}`]);
  });

  it('names the parts of an entry that say what it is, and none of its secrets', async () => {
    const entry = { id: 'a', name: 'B', url: 'https://c', path: '/d', endpoint: 'e', password: 'f', key: 'g' };
    await settings.write('object_stores', [entry, { other: 1 }, 'text', null]);
    expect(await readReach({ database })).toEqual([
      { group: 'stores', lines: ['object_stores: a B https://c /d e, , text, '] },
    ]);
  });

  it('is empty for empty lists of drivers, folders and servers', async () => {
    await settings.write('pkcs11.modules', []);
    await settings.write('renewals.folders', []);
    await settings.write('tsa.servers', []);
    expect(await readReach({ database })).toEqual([]);
  });

  it('names each driver by its path', async () => {
    await settings.write('pkcs11.modules', [
      { path: '/opt/one.so', product: 'One' },
      { path: '/opt/two.so', product: 'Two' },
    ]);
    expect(await readReach({ database })).toEqual([
      { group: 'drivers', lines: ['driver /opt/one.so, driver /opt/two.so'] },
    ]);
  });

  it('names a setting that is no list by its name alone', async () => {
    await settings.write('test_authority', { key: 'secret' });
    expect(await readReach({ database })).toEqual([{ group: 'trust', lines: ['test_authority'] }]);
  });
});

describe('dropping groups of a backup', () => {
  const text = `# by hand
approve = "all"
"files.result_mode" = "0640"
port = 17171
[network]
proxy = "http://p.example"
[archive]
folder = "/srv"
by_month = true
[sites]
"https://s.example" = ["sign"]
`;

  it('removes their keys in every spelling, and keeps the others', async () => {
    configure(text);
    await drop('sites', 'storage');
    expect(configured()).toEqual({
      approve: 'all',
      port: 17_171,
      network: { proxy: 'http://p.example' },
      archive: { by_month: true },
    });
    await drop('approval', 'network');
    expect(configured()).toEqual({ port: 17_171, network: {}, archive: { by_month: true } });
  });

  it('removes keys that nobody knows with the group others', async () => {
    configure('port = 1\nnew_key = 2\n[new.table]\nkey = 3\nlist = [4]\n');
    await drop('others');
    expect(configured()).toEqual({ port: 1, new: { table: {} } });
  });

  it('changes no byte of the file without a group', async () => {
    configure(text);
    await drop();
    expect(readFileSync(join(folder, 'sinete.toml'), 'utf8')).toBe(text);
  });

  it('writes a file of JSON as JSON', async () => {
    configure(JSON.stringify({ approve: 'all', port: 1, network: { allow: ['a'], proxy: 'b' } }), 'sinete.json');
    await drop('network');
    expect(readFileSync(join(folder, 'sinete.json'), 'utf8')).toBe(
      '{\n  "approve": "all",\n  "port": 1,\n  "network": {}\n}\n',
    );
  });

  it('removes their settings, and keeps those of others and those that open nothing', async () => {
    await settings.write('tsa.servers', ['a']);
    await settings.write('trust.certificates', ['b']);
    await settings.write('certificates.default', 'c');
    await settings.write('new.setting', 'd');
    await drop('timestamps', 'others');
    expect([...(await settings.names())].sort()).toEqual(['certificates.default', 'trust.certificates']);
    await dropReach({ database }, new Set(['trust']), now);
    expect(await settings.names()).toEqual(['certificates.default']);
  });

  it('needs no file of the configuration', async () => {
    await drop('network');
    expect(await readReach({ folder, database })).toEqual([]);
  });
});

describe('a backup without a decision', () => {
  it('is refused with the code and the way on', () => {
    expect(reachNotAccepted()).toMatchObject({ code: 'BACKUP_OPENS', remedy: expect.stringContaining('Decide') as string }); // prettier-ignore
  });
});
