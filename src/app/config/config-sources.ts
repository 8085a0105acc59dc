import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { parse as parseToml } from 'smol-toml';
import { AppError } from '../app-error.ts';
import { configurationKeys, isKey } from './config-keys.ts';
import { retiredKeys, unknownName } from './values.ts';
import { startedBy, variableOf } from './variables.ts';

/**
 * The variable with the path of the master key's file, for containers and service managers that provide secrets as
 * files.
 */
const masterKeyFile = 'SINETE_MASTER_KEY_FILE';

/** Variables of Sinete that are not keys of the configuration. */
const otherVariables = new Set(['SINETE_DATA', startedBy, masterKeyFile]);

/** Where a configuration is read from. */
export interface ConfigurationSources {
  readonly dataFolder: string;
  /** Replaces the file in the data folder. */
  readonly file?: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The policy file of this computer; default: the system's usual place. */
  readonly policyFile?: string;
}

/** The named file, else `sinete.toml` or `sinete.json` in the data folder; empty without a file. */
export async function readSettingsFile({
  dataFolder,
  file,
}: Pick<ConfigurationSources, 'dataFolder' | 'file'>): Promise<Record<string, unknown>> {
  const candidates = file === undefined ? settingsFilesIn(dataFolder) : [file];
  const texts = await Promise.all(candidates.map(async (path) => ({ path, text: await readText(path) })));
  const present = texts.filter((one): one is { path: string; text: string } => one.text !== undefined);
  if (present.length > 1) throw new AppError(2, 'There are both sinete.toml and sinete.json: keep one of them.');
  const [found] = present;
  if (found === undefined && file !== undefined) throw new AppError(2, `There is no configuration file ${file}.`);
  return found === undefined ? {} : flatten(parseSettings(found.path, found.text));
}

/** The settings file of a data folder; undefined without one. */
export async function findSettingsFile(dataFolder: string): Promise<string | undefined> {
  for (const path of settingsFilesIn(dataFolder)) if ((await readText(path)) !== undefined) return path;
  return undefined;
}

function settingsFilesIn(dataFolder: string): readonly string[] {
  return ['sinete.toml', 'sinete.json'].map((name) => join(dataFolder, name));
}

/** The policy of this computer; empty without a policy. */
export async function readPolicy(path: string): Promise<Record<string, unknown>> {
  const text = await readText(path);
  return text === undefined ? {} : flatten(parseSettings(path, text));
}

/** The text of a file; undefined if the file is missing. Throws `AppError` for an unreadable file. */
export async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw new AppError(2, `The configuration file ${path} cannot be read.`, { cause: error });
  }
}

function parseSettings(path: string, text: string): unknown {
  try {
    return extname(path) === '.json' ? (JSON.parse(text) as unknown) : parseToml(text);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.split('\n', 1)[0] : '';
    throw new AppError(2, `The configuration file ${path} cannot be read: ${reason ?? ''}`, { cause });
  }
}

/** Converts tables to dotted keys, except for keys whose value is a table. */
function flatten(value: unknown, prefix = ''): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new AppError(2, 'The configuration must be a table of keys.');
  }
  const parts = Object.entries(value).map(([name, inner]: [string, unknown]): Record<string, unknown> => {
    const key = `${prefix}${name}`;
    const isTable = typeof inner === 'object' && inner !== null && !Array.isArray(inner);
    return isTable && !isKey(key) ? flatten(inner, `${key}.`) : { [key]: inner };
  });
  return Object.assign({}, ...parts) as Record<string, unknown>;
}

/** The values of the variables `SINETE_…`; an unknown variable is an error. */
export function readEnvironment(environment: ConfigurationSources['environment']): Record<string, unknown> {
  const names = new Map(configurationKeys.map((key) => [variableOf(key), key]));
  const retired = new Map(Object.keys(retiredKeys).map((key) => [variableOf(key), key]));
  const own = Object.entries(environment).filter(([name]) => name.startsWith('SINETE_') && !otherVariables.has(name));
  const keyFile = environment[masterKeyFile];
  const settings: Record<string, unknown> =
    keyFile === undefined || keyFile === ''
      ? {}
      : { 'secret_store.mode': 'key-file', 'secret_store.key_file': keyFile };
  for (const [variable, text] of own) {
    const key = names.get(variable) ?? retired.get(variable);
    if (key === undefined) throw unknownName(`The variable ${variable}`, variable, [...names.keys(), 'SINETE_DATA']);
    if (text !== undefined && text !== '') settings[key] = fromText(text);
  }
  return settings;
}

/** Variables are text: numbers, booleans, JSON objects and lists are converted. */
function fromText(text: string): unknown {
  if (!/^(-?\d+(\.\d+)?|true|false|\{.*\}|\[.*\])$/s.test(text)) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
