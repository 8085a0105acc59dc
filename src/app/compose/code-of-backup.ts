/** The parts of a restored data folder's configuration that load code: drivers, and variables of their processes. */
import { writeFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { parse as parseToml, stringify as writeToml } from 'smol-toml';
import type { SettingsStore } from '../../service/settings/index.ts';
import { StorageError } from '../../storage/index.ts';
import { findSettingsFile, readSettingsFile, readText } from '../config/config-sources.ts';
import { driverSetting, readDriverSetting } from './key-sources.ts';

/** The drivers and variables of a restored folder, both of which load code. */
export interface CodeOfBackup {
  /** Paths of PKCS#11 drivers. */
  readonly drivers: readonly string[];
  /** Variables of `pkcs11.environment`, which can name libraries to load. */
  readonly variables: Readonly<Record<string, string>>;
}

/** Reads the drivers and variables of a data folder; `settings` belong to its database. */
export async function readCode(dataFolder: string, settings: SettingsStore): Promise<CodeOfBackup> {
  const file = await readSettingsFile({ dataFolder });
  const variables = file['pkcs11.environment'] ?? {};
  const drivers = await readDriverSetting(settings);
  return { drivers: drivers.map(({ path }) => path), variables: variables as Record<string, string> };
}

/** The drivers and variables of a backup that the present folder does not use. */
export function unknownCode(restored: CodeOfBackup, present: CodeOfBackup): CodeOfBackup {
  const variables = Object.entries(restored.variables).filter(([name, value]) => present.variables[name] !== value);
  return {
    drivers: restored.drivers.filter((path) => !present.drivers.includes(path)),
    variables: Object.fromEntries(variables),
  };
}

/** Describes each driver and variable in a line for people; empty if there are none. */
export function describeCode({ drivers, variables }: CodeOfBackup): readonly string[] {
  const named = Object.entries(variables).map(([name, value]) => `variable ${name}=${value}`);
  return [...drivers.map((path) => `driver ${path}`), ...named];
}

/**
 * Removes these drivers and variables from a restored folder: drivers from its database, variables from its
 * configuration.
 */
export async function dropCode(dataFolder: string, settings: SettingsStore, dropped: CodeOfBackup): Promise<void> {
  const drivers = await readDriverSetting(settings);
  const kept = drivers.filter(({ path }) => !dropped.drivers.includes(path));
  if (kept.length < drivers.length) await settings.write(driverSetting, kept);
  if (Object.keys(dropped.variables).length > 0) await dropVariables(dataFolder, Object.keys(dropped.variables));
}

/** The error for a backup with code that the user has not accepted. */
export function codeNotAccepted(code: CodeOfBackup): StorageError {
  const message = `This backup has code loaded that this instance does not load: ${describeCode(code).join(', ')}.`;
  return new StorageError('BACKUP_LOADS_CODE', message, {
    remedy: 'Nothing was changed. "sinete restore FILE --drivers keep" takes it over, "--drivers drop" leaves it out.',
  });
}

async function dropVariables(dataFolder: string, names: readonly string[]): Promise<void> {
  const path = await findSettingsFile(dataFolder);
  const text = path === undefined ? undefined : await readText(path);
  if (path === undefined || text === undefined) return;
  const isJson = extname(path) === '.json';
  const content = (isJson ? JSON.parse(text) : parseToml(text)) as Record<string, unknown>;
  // The file may contain the table `[pkcs11.environment]`, or the key "pkcs11.environment" in quotes.
  const { pkcs11 } = content as { pkcs11?: { environment?: Record<string, unknown> } };
  for (const table of [pkcs11?.environment, content['pkcs11.environment'] as Record<string, unknown> | undefined]) {
    for (const name of table === undefined ? [] : names) Reflect.deleteProperty(table ?? {}, name);
  }
  await writeFile(path, isJson ? `${JSON.stringify(content, undefined, 2)}\n` : writeToml(content), { mode: 0o600 });
}
