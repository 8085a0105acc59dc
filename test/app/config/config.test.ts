import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../../src/app/app-error.ts';
import { configurationKeys, keys } from '../../../src/app/config/config-keys.ts';
import { variableOf } from '../../../src/app/config/variables.ts';
import { readConfiguration, type Configuration } from '../../../src/app/config/config.ts';
import { dataFolder, type FolderSurroundings } from '../../../src/app/config/data-folder.ts';
import { findDesktopRuntime } from '../../../src/app/cli/desktop-runtime.ts';
import { closeName, nearestName } from '../../../src/service/errors/nearest-name.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sinete-config-'));
});
afterEach(async () => rm(folder, { recursive: true }));

async function read(environment: Record<string, string> = {}, file?: string): Promise<Configuration> {
  return readConfiguration({ dataFolder: folder, environment, file });
}

/** The sources of the product except those of a folder, as one text. */
async function sourcesOutside(folder: string): Promise<string> {
  const entries = await readdir('src', { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && entry.parentPath !== folder);
  return (await Promise.all(files.map(async (file) => readFile(join(file.parentPath, file.name), 'utf8')))).join('\n');
}

describe('the configuration', () => {
  it('is complete when nothing is written', async () => {
    expect(await read()).toMatchObject({
      approve: 'ask',
      logLevel: 'info',
      secretStore: { mode: 'auto' },
      signing: { syncTimeout: 30, uploadTimeout: 86_400, lifetime: 43_200, refuseRevoked: false },
      limits: { documentSize: 2_147_483_648, documents: 10_000 },
      moduleEnvironment: {},
    });
  });

  it('has no key without an effect', async () => {
    const readers = ['config.ts', 'documents-store.ts', 'tracing.ts'].map((name) =>
      readFile(new URL(`../../../src/app/config/${name}`, import.meta.url), 'utf8'),
    );
    const reader = (await Promise.all(readers)).join('\n');
    const unread = Object.entries(keys).flatMap(([key, row]) =>
      'place' in row || reader.includes(`values['${key}']`) || reader.includes(`values.${key}`) ? [] : [key],
    );
    expect(unread, 'a key needs a place in its row, or a reader of src/app/config that uses it').toEqual([]);
    const users = await sourcesOutside('src/app/config');
    const unused = Object.entries(keys).flatMap(([key, row]) => {
      const property = 'place' in row ? (row.place.split('.').at(-1) ?? '') : '';
      return property === '' || new RegExp(`\\b${property}\\b`).test(users) ? [] : [`${key}: ${property}`];
    });
    expect(unused, 'the configuration has a property that nothing reads').toEqual([]);
  });

  it('takes algorithms of the owner on top of a table, with TOML dates or texts', async () => {
    const text =
      '[validation]\nalgorithms = "etsi-119-312"\nhashes = { sha256 = 2030-01-01, sha512 = "never" }\nrsa_keys = { 3072 = "always" }\n';
    await writeFile(join(folder, 'sinete.toml'), text);
    const { algorithmPolicy } = await read();
    expect(algorithmPolicy.hashes).toMatchObject({ sha1: '2012-08-01', sha256: '2030-01-01' });
    expect(algorithmPolicy.hashes).not.toHaveProperty('sha512');
    expect(algorithmPolicy.rsa).toEqual([{ bits: 3072, until: null }]);
    for (const wrong of [
      'hashes = { sha257 = "never" }',
      'rsa_keys = { long = "always" }',
      'hashes = { sha1 = "soon" }',
    ]) {
      await writeFile(join(folder, 'sinete.toml'), `[validation]\n${wrong}\n`);
      await expect(read(), wrong).rejects.toThrow(AppError);
    }
  });

  it('is read from TOML, with tables or dotted keys', async () => {
    const text = 'port = 18000\nsigning.lifetime = 60\n[pkcs11.environment]\nSOFTHSM2_CONF = "/etc/s.conf"\n';
    await writeFile(join(folder, 'sinete.toml'), text);
    expect(await read()).toMatchObject({
      port: 18_000,
      signing: { lifetime: 60, syncTimeout: 30 },
      moduleEnvironment: { SOFTHSM2_CONF: '/etc/s.conf' },
    });
  });

  it('is read from JSON', async () => {
    await writeFile(join(folder, 'sinete.json'), JSON.stringify({ approve: 'all', limits: { documents: 3 } }));
    expect(await read()).toMatchObject({ approve: 'all', limits: { documents: 3 } });
  });

  it('names the approved callers by client id or origin, and by nothing else', async () => {
    const approved = ['portal', 'https://portal.example:8443'];
    expect(await read({ SINETE_APPROVE: 'listed', SINETE_APPROVED: JSON.stringify(approved) })).toMatchObject({
      approve: 'listed',
      approved,
    });
    await expect(read({ SINETE_APPROVED: '["https://portal.example/path"]' })).rejects.toThrow(/"approved" is wrong/);
  });

  it('opens folders and stores to callers, each until its day', async () => {
    const text =
      '[files.grants]\n"https://portal.example" = [{ root = "/srv/in", access = "read", until = 2026-12-31 }]\n';
    await writeFile(join(folder, 'sinete.toml'), text);
    expect((await read()).fileGrants).toEqual([
      { caller: 'https://portal.example', root: '/srv/in', access: 'read', until: new Date('2026-12-31') },
    ]);
    await expect(read({ SINETE_FILES_GRANTS: '{"portal": [{"root": "/srv", "access": "all"}]}' })).rejects.toThrow(
      /"files.grants" is wrong/,
    );
  });

  it('takes every key from its variable, in preference to the file', async () => {
    await writeFile(join(folder, 'sinete.toml'), 'port = 18000\n');
    const variables = { SINETE_PORT: '19000', SINETE_LOG_LEVEL: 'error', SINETE_PKCS11_ENVIRONMENT: '{"A":"b"}' };
    expect(await read({ ...variables, SINETE_DATA: '/x', SINETE_APPROVE: '' })).toMatchObject({
      port: 19_000,
      approve: 'ask',
      logLevel: 'error',
      moduleEnvironment: { A: 'b' },
    });
  });

  it('takes the file of the master key from a single variable', async () => {
    const { secretStore } = await read({ SINETE_MASTER_KEY_FILE: '/run/secrets/key' });
    expect(secretStore).toMatchObject({ mode: 'key-file', keyFile: '/run/secrets/key' });
    expect((await read({ SINETE_MASTER_KEY_FILE: '' })).secretStore.mode).toBe('auto');
  });

  it('lets the policy of the computer win over file and environment, and names the locked keys', async () => {
    await writeFile(join(folder, 'sinete.toml'), 'approve = "all"\nport = 4000\n[updates]\nmode = "automatic"\n');
    const policyFile = join(folder, 'policy.toml');
    await writeFile(policyFile, 'approve = "ask"\n[updates]\nmode = "off"\n');
    const environment = { SINETE_APPROVE: 'all' };
    expect(await readConfiguration({ dataFolder: folder, environment, policyFile })).toMatchObject({
      approve: 'ask',
      updates: 'off',
      port: 4000,
      lockedKeys: ['approve', 'updates.mode'],
    });
    await writeFile(policyFile, 'aprove = "ask"');
    await expect(readConfiguration({ dataFolder: folder, environment, policyFile })).rejects.toThrow(/"approve"/);
  });

  const mistakes: readonly (readonly [string, Record<string, string>, RegExp])[] = [
    ['modules.binding = "koffi"', {}, /"modules.binding" does not exist any more.*koffi only: remove the key/],
    ['', { SINETE_MODULES_BINDING: 'pkcs11js' }, /"modules.binding" does not exist any more.*remove the key/],
    ['signing.lifetme = 3', {}, /"signing.lifetme" is unknown.*"signing.lifetime"/],
    ['[signing]\nsync_timeot = 3', {}, /"signing.sync_timeout"/],
    ['prot = 1', {}, /"port"/],
    ['port = "x"', {}, /key "port" is wrong/],
    ['port = 0', {}, /key "port" is wrong/],
    ['approve = "some"', {}, /key "approve" is wrong/],
    ['secret_store.key_file = "relative"', {}, /absolute/],
    ['port = ', {}, /cannot be read/],
    ['', { SINETE_PROT: '1' }, /SINETE_PROT is unknown.*"SINETE_PORT"/],
    ['', { SINETE_PORT: 'x' }, /key "port" is wrong/],
  ];

  it.each(mistakes)('refuses %j with the variables %j', async (text, environment, message) => {
    await writeFile(join(folder, 'sinete.toml'), text);
    const failure = await read(environment).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(AppError);
    expect(failure).toMatchObject({ exitCode: 2, message: expect.stringMatching(message) as unknown });
  });

  it('refuses two files, and a named file that is missing', async () => {
    await expect(read({}, join(folder, 'none.toml'))).rejects.toThrow(/There is no configuration file/);
    await writeFile(join(folder, 'sinete.toml'), '');
    await writeFile(join(folder, 'sinete.json'), '{}');
    await expect(read()).rejects.toThrow(/keep one/);
  });

  it('gives each key a variable of its own', () => {
    expect(new Set(configurationKeys.map(variableOf)).size).toBe(configurationKeys.length);
  });
});

describe('an instance to be started as a node', () => {
  const node = {
    SINETE_DATABASE_URL: 'postgresql://sinete@localhost/sinete',
    SINETE_SECRET_STORE_MODE: 'key-file',
  };

  it('has the folder shared by all nodes', async () => {
    const shared = await mkdtemp(join(folder, 'shared-'));
    expect(await read({ ...node, SINETE_DOCUMENTS_STORE: shared })).toMatchObject({ documentsFolder: shared });
    expect(await read(node)).not.toHaveProperty('documentsFolder');
  });

  it('is refused with SQLite, with a key of its own, and with an unshared folder', async () => {
    const store = '/srv/documents';
    const { SINETE_DATABASE_URL, SINETE_SECRET_STORE_MODE } = node;
    const rows: readonly (readonly [Record<string, string>, RegExp])[] = [
      [{ SINETE_SECRET_STORE_MODE, SINETE_DOCUMENTS_STORE: store }, /needs PostgreSQL.*"database.url"/],
      [{ SINETE_DATABASE_URL, SINETE_DOCUMENTS_STORE: store }, /one master key on every node/],
      [{ ...node, SINETE_SECRET_STORE_MODE: 'memory', SINETE_DOCUMENTS_STORE: store }, /one master key on every node/],
      [{ ...node, SINETE_DOCUMENTS_STORE: 'documents' }, /absolute path of a folder that all nodes share/],
      [{ ...node, SINETE_DOCUMENTS_STORE: 'gs://bucket/documents' }, /absolute path of a folder that all nodes share/],
      [{ ...node, SINETE_DOCUMENTS_STORE: `${folder}/` }, /names the data folder of this node/],
    ];
    for (const [environment, message] of rows) {
      const failure = await read(environment).catch((error: unknown) => error);
      expect(failure).toMatchObject({ exitCode: 2, message: expect.stringMatching(message) as unknown });
    }
  });

  it('is refused with a folder writable for other users', async () => {
    const shared = await mkdtemp(join(folder, 'shared-'));
    await chmod(shared, 0o770);
    await expect(read({ ...node, SINETE_DOCUMENTS_STORE: shared })).rejects.toMatchObject({
      exitCode: 3,
      message: expect.stringContaining(`chmod 700 ${shared}`) as unknown,
    });
  });
});

describe('the data folder', () => {
  const base: FolderSurroundings = { platform: 'linux', environment: {}, home: '/home/m' };
  const rows: readonly (readonly [string | undefined, Partial<FolderSurroundings>, string])[] = [
    [undefined, {}, '/home/m/.local/share/sinete'],
    [undefined, { environment: { XDG_DATA_HOME: '/x' } }, '/x/sinete'],
    [undefined, { environment: { XDG_DATA_HOME: 'relative' } }, '/home/m/.local/share/sinete'],
    [undefined, { environment: { SINETE_DATA: '/y' } }, '/y'],
    ['/z', { environment: { SINETE_DATA: '/y' } }, '/z'],
    [undefined, { platform: 'darwin' }, '/home/m/Library/Application Support/sinete'],
    [undefined, { platform: 'win32', environment: { APPDATA: '/appdata' } }, '/appdata/sinete'],
  ];

  it.each(rows)('given %s and %j is %s', (given, surroundings, expected) => {
    expect(dataFolder(given, { ...base, ...surroundings })).toBe(expected);
  });
});

describe('small helpers of the command line', () => {
  it.each([
    ['lifetme', ['limit', 'lifetime'], 'lifetime'],
    ['', ['a'], 'a'],
    ['x', [], ''],
  ])('nearestName(%j, %j) is %j', (name, known, expected) => {
    expect(nearestName(name, known)).toBe(expected);
  });

  it.each([
    ['polcy', ['digest', 'policy'], 'policy'],
    ['plicies', ['digest', 'policy'], undefined],
    ['claimed_roel', ['claimed_role'], 'claimed_role'],
    ['no', ['now'], undefined],
    ['policy', [], undefined],
  ])('closeName(%j, %j) is %j', (name, known, expected) => {
    expect(closeName(name, known)).toBe(expected);
  });

  it('findDesktopRuntime looks for files only and names the missing part', () => {
    const runtime = findDesktopRuntime({ root: folder, platform: 'linux', environment: { DISPLAY: ':0' } });
    expect(runtime).toMatchObject({ available: false, reason: expect.stringContaining('runtime') as unknown });
  });
});
