/**
 * The contents of a backup that let others in or load code: keys of its configuration, settings and rows of its
 * database. Nothing of these kinds is restored without a decision about each kind.
 */
import { writeFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { parse as parseToml, stringify as writeToml } from 'smol-toml';
import type { SettingsStore } from '../../service/settings/index.ts';
import { dropRows, reachOfTables, SqlSettingsStore, StorageError, type Database } from '../../storage/index.ts';
import { backupGroups, type BackupGroup, type BackupReach } from '../../values/backup-groups.ts';
import type { Key } from '../config/config-keys.ts';
import { findSettingsFile, readSettingsFile, readText } from '../config/config-sources.ts';
import { readDriverSetting } from './key-sources.ts';

/** Longest text of a value in a line for people. */
const LONGEST_VALUE = 300;

/** Every key of the configuration: its group, or null for a key that opens nothing. The compiler asks for new keys. */
const groupOfKey: Readonly<Record<Key, BackupGroup | null>> = {
  sites: 'sites',
  'files.grants': 'sites',
  'files.result_mode': 'sites',
  'files.roots': null,
  'authorization.url': 'network',
  'registry.url': 'network',
  port: null,
  listen: 'listeners',
  public_url: 'listeners',
  metrics: 'listeners',
  approve: 'approval',
  approved: 'approval',
  'approval.one_time_password': 'approval',
  'approval.session': 'approval',
  'approval.timeout': null,
  'evidence.timeout': null,
  'stamp.check_page': 'trust',
  'renewal.mode': 'renewals',
  'renewal.within': 'renewals',
  'tracing.endpoint': 'tracing',
  'tracing.headers_file': 'tracing',
  'tracing.sample': 'tracing',
  'tracing.service': 'tracing',
  'tracing.node': 'tracing',
  'tracing.callers': 'tracing',
  shutdown_timeout: null,
  'log.level': null,
  'database.url': 'storage',
  'database.password_file': 'storage',
  'documents.store': 'storage',
  'documents.endpoint': 'storage',
  'documents.region': 'storage',
  'documents.path_style': 'storage',
  'documents.credentials_file': 'storage',
  'documents.encryption': 'storage',
  'documents.kms_key': 'storage',
  'secret_store.mode': 'storage',
  'secret_store.key_file': 'storage',
  'secret_store.passphrase_file': 'storage',
  'secret_store.passphrase_from': 'storage',
  'archive.place': 'storage',
  'archive.folder': 'storage',
  'archive.by_month': null,
  'archive.suffix': null,
  'signing.sync_timeout': null,
  'signing.upload_timeout': null,
  'signing.lifetime': null,
  'signing.refuse_revoked': 'trust',
  'hashes.allowed': 'approval',
  'hashes.raw': 'approval',
  'hashes.per_authorization': 'approval',
  'limits.document_size': null,
  'limits.documents': null,
  'limits.disk_quota': null,
  'limits.free_space': null,
  'limits.database_copies': null,
  'limits.json_body': null,
  'limits.request_timeout': null,
  'applications.limits': 'applications',
  'network.allow': 'network',
  'network.proxy': 'network',
  'network.no_proxy': 'network',
  'network.certificate_authorities': 'network',
  'policies.source': 'trust',
  'validation.algorithms': 'trust',
  'validation.hashes': 'trust',
  'validation.rsa_keys': 'trust',
  'validation.curve_keys': 'trust',
  'test_services.port': null,
  'updates.mode': null,
  'pkcs11.sessions': null,
  'pkcs11.environment': 'drivers',
  'keys.browsers': null,
};

/** Settings of the database: their group, or null for a setting that opens nothing. Unknown settings are `others`. */
const groupOfSetting: Readonly<Record<string, BackupGroup | null>> = {
  'pkcs11.modules': 'drivers',
  'pkcs11.remembered_keys': null,
  'trust.certificates': 'trust',
  test_authority: 'trust',
  'test_authority.roots': 'trust',
  'policies.files': 'trust',
  'tsa.servers': 'timestamps',
  object_stores: 'stores',
  'renewals.folders': 'renewals',
  'signing.passwords': null,
  'certificates.default': null,
  'nodes.key': null,
  'secret_store.kind': null,
  'secret_store.account': null,
  'secret_store.adopted_key': null,
  'secret_store.check': null,
  'audit.mark': null,
  'storage.generation': null,
  'storage.database_id': null,
  'storage.documents': null,
  'desktop.language': null,
  'stamps.templates': null,
  'stamps.places': null,
};

const groupOf = (key: string): BackupGroup | null =>
  Object.hasOwn(groupOfKey, key) ? groupOfKey[key as Key] : 'others';
const groupOfName = (name: string): BackupGroup | null =>
  Object.hasOwn(groupOfSetting, name) ? (groupOfSetting[name] ?? null) : 'others';

/** A restored folder before it becomes the data folder. `folder` is absent for a bare copy of the database. */
export interface RestoredFolder {
  readonly folder?: string;
  readonly database: Database;
}

/** Everything in a restored folder that lets others in or loads code, by group; empty if there is nothing. */
export async function readReach({ folder, database }: RestoredFolder): Promise<readonly BackupReach[]> {
  const file = folder === undefined ? {} : await readSettingsFile({ dataFolder: folder });
  const settings = new SqlSettingsStore(database);
  const lines = [
    ...Object.entries(file).map(([key, value]) => ({ group: groupOf(key), line: `${key} = ${shortText(value)}` })),
    ...(await settings.names()).map((name) => ({ group: groupOfName(name), line: name })),
    ...(await reachOfTables(database)),
  ];
  const described = await Promise.all(
    lines.map(async ({ group, line }) => ({ group, line: await describeLine(settings, line) })),
  );
  return backupGroups
    .map((group) => ({ group, lines: described.flatMap((one) => (one.group === group ? (one.line ?? []) : [])) }))
    .filter((reach) => reach.lines.length > 0);
}

/** A setting with the names in its value; an empty list opens nothing. Other lines stay as they are. */
async function describeLine(settings: SettingsStore, line: string): Promise<string | undefined> {
  if (line === 'pkcs11.modules') {
    const drivers = await readDriverSetting(settings);
    return drivers.length === 0 ? undefined : drivers.map(({ path }) => `driver ${path}`).join(', ');
  }
  if (!Object.hasOwn(groupOfSetting, line)) return line;
  const value = await settings.read(line);
  if (Array.isArray(value)) return value.length === 0 ? undefined : `${line}: ${value.map(nameOf).join(', ')}`;
  return line;
}

/** The part of an entry that names it. Entries also hold sealed passwords, which nobody needs to see. */
function nameOf(entry: unknown): string {
  if (typeof entry === 'string') return shortText(entry);
  const named = Object.entries(entry ?? {}).filter(([key]) => ['id', 'name', 'url', 'path', 'endpoint'].includes(key));
  return named.map(([, value]) => shortText(value)).join(' ');
}

function shortText(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text;
}

/** Removes these groups from a restored folder. */
export async function dropReach(
  { folder, database }: RestoredFolder,
  groups: ReadonlySet<BackupGroup>,
  now: Date,
): Promise<void> {
  const settings = new SqlSettingsStore(database);
  for (const name of await settings.names()) {
    const group = groupOfName(name);
    if (group !== null && groups.has(group)) await settings.remove(name);
  }
  await dropRows(database, groups, now);
  if (folder !== undefined && groups.size > 0) await dropKeys(folder, groups);
}

async function dropKeys(folder: string, groups: ReadonlySet<BackupGroup>): Promise<void> {
  const path = await findSettingsFile(folder);
  const text = path === undefined ? undefined : await readText(path);
  if (path === undefined || text === undefined) return;
  const isJson = extname(path) === '.json';
  const content = (isJson ? JSON.parse(text) : parseToml(text)) as Record<string, unknown>;
  const kept = keptKeys(content, '', groups);
  await writeFile(path, isJson ? `${JSON.stringify(kept, undefined, 2)}\n` : writeToml(kept), { mode: 0o600 });
}

/** The configuration without the keys of these groups; `a.b` may stand in the table `[a]` or as one key in quotes. */
function keptKeys(
  table: Readonly<Record<string, unknown>>,
  prefix: string,
  groups: ReadonlySet<BackupGroup>,
): Record<string, unknown> {
  const entries = Object.entries(table).flatMap(([name, value]): [string, unknown][] => {
    const key = `${prefix}${name}`;
    const isTable = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (isTable && !Object.hasOwn(groupOfKey, key)) {
      return [[name, keptKeys(value as Record<string, unknown>, `${key}.`, groups)]];
    }
    const group = groupOf(key);
    return group !== null && groups.has(group) ? [] : [[name, value]];
  });
  return Object.fromEntries(entries);
}

/** The error for a backup that lets others in or loads code, while nobody has decided about it. */
export function reachNotAccepted(): StorageError {
  return new StorageError('BACKUP_OPENS', 'This backup lets others in or loads code.', {
    remedy: 'Nothing was changed. Decide which kinds are restored.',
  });
}
