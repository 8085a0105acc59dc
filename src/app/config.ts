import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { parse as parseToml } from 'smol-toml';
import { z } from 'zod';
import { GRANT_SCOPES, isCallerName, type ConfiguredSite } from '../service/index.ts';
import { DEFAULT_TEST_SERVICES_PORT } from '../test-authority/index.ts';
import { finishRestore } from '../storage/index.ts';
import { AppError } from './app-error.ts';
import { defaultKeyFile, policyFile } from './data-folder.ts';
import { nearestName } from './nearest-name.ts';
import { readChosenSettings } from './chosen-settings.ts';

const seconds = (preset: number) => z.number().positive().max(31_536_000).default(preset);
/** Another instance: its answers are believed and secrets go there, so https, or http on this computer. */
const serviceUrl = z
  .url({ protocol: /^https?$/ })
  .refine(isSafeService, 'must be https, or http on this computer, without query')
  .transform((url) => url.replace(/\/+$/, ''));
const callerName = z
  .string()
  .refine(isCallerName, 'name client ids of applications, and origins of sites such as "https://portal.example"');
const absolutePath = z.string().regex(/^(\/|[A-Za-z]:[\\/])/, 'must be an absolute path');

/** Every key of the configuration with its schema; in a file `a.b` is `b` in the table `[a]`, else `SINETE_A_B`. */
const keys = {
  /** Origin → scopes: `"https://portal.example" = ["certificates:read", "sign"]`. */
  sites: z.record(z.string(), z.array(z.enum(GRANT_SCOPES)).min(1)).default({}),
  'authorization.url': serviceUrl.optional(),
  'registry.url': serviceUrl.optional(),
  port: z.number().int().min(1).max(65_535).optional(),
  approve: z.enum(['ask', 'listed', 'all']).default('ask'),
  /** Client ids of applications and origins of sites, for `approve = "listed"`. */
  approved: z.array(callerName).default([]),
  metrics: z.boolean().default(false),
  'log.level': z.enum(['silent', 'error', 'warn', 'info', 'debug']).default('info'),
  'secret_store.mode': z.enum(['auto', 'os-keychain', 'key-file', 'passphrase', 'memory']).default('auto'),
  'secret_store.key_file': absolutePath.optional(),
  'secret_store.passphrase_file': absolutePath.optional(),
  'signing.sync_timeout': seconds(30),
  'signing.upload_timeout': seconds(86_400),
  'signing.lifetime': seconds(43_200),
  'limits.document_size': z
    .number()
    .int()
    .positive()
    .default(2 * 2 ** 30),
  'limits.documents': z.number().int().min(1).max(100_000).default(1000),
  'limits.disk_quota': z.number().int().positive().optional(),
  'limits.free_space': z
    .number()
    .int()
    .min(0)
    .default(200 * 2 ** 20),
  'limits.json_body': z
    .number()
    .int()
    .positive()
    .default(64 * 2 ** 20),
  'limits.request_timeout': seconds(3600),
  'files.roots': z.array(absolutePath).default([]),
  'network.allow': z.array(z.string()).default([]),
  'network.proxy': z.url({ protocol: /^https?$/ }).optional(),
  'network.no_proxy': z.array(z.string()).default([]),
  'network.certificate_authorities': absolutePath.optional(),
  'policies.source': z.url({ protocol: /^https?$/ }).default('http://politicas.icpbrasil.gov.br'),
  'test_services.port': z.number().int().min(1).max(65_535).default(DEFAULT_TEST_SERVICES_PORT),
  'updates.mode': z.enum(['off', 'ask', 'automatic']).default('ask'),
  'pkcs11.environment': z.record(z.string(), z.string()).default({}),
} as const;

type Key = keyof typeof keys;
type Values = { readonly [Name in Key]: z.output<(typeof keys)[Name]> };

/** Variables of our own that are not keys of the configuration. */
const otherVariables = new Set(['SINETE_DATA']);

/** The configuration, checked and complete. Times are seconds, sizes octets. */
export interface Configuration {
  /** The only port to try; absent: the first free one of the usual ports. */
  readonly port?: number;
  readonly approve: 'ask' | 'listed' | 'all';
  /** Whose signatures need nobody's approval with `listed`: client ids of applications, origins of sites. */
  readonly approved: readonly string[];
  /** Whether `GET /metrics` answers. */
  readonly metrics: boolean;
  readonly logLevel: Values['log.level'];
  /** Web sites that are let in without asking. */
  readonly sites: readonly ConfiguredSite[];
  /** Base addresses of another instance that is used instead of the embedded service. */
  readonly authorizationUrl?: string;
  readonly registryUrl?: string;
  readonly secretStore: {
    readonly mode: Values['secret_store.mode'];
    readonly keyFile: string;
    readonly passphraseFile: string;
  };
  readonly signing: { readonly syncTimeout: number; readonly uploadTimeout: number; readonly lifetime: number };
  readonly limits: {
    readonly documentSize: number;
    readonly documents: number;
    /** Of all documents that are kept here together; absent: as many as fit. */
    readonly diskQuota?: number;
    /** Of the data folder's disk, that no document may take. */
    readonly freeSpace: number;
    readonly jsonBody: number;
    readonly requestTimeout: number;
  };
  /** Folders that documents are read from and written to by their paths; none: wherever the system allows. */
  readonly fileRoots: readonly string[];
  readonly network: {
    /** Hosts in private networks that may be reached. */
    readonly allow: readonly string[];
    readonly proxy?: string;
    /** Hosts that are reached without the proxy. */
    readonly noProxy: readonly string[];
    /** PEM of authorities that TLS trusts besides the usual ones. */
    readonly certificateAuthorities: readonly string[];
  };
  /** Where certificates of the test authority point to, and where its services listen. */
  /** Address below which ICP-Brasil's policies and the list of them are published. */
  readonly policiesSource: string;
  readonly testServicesPort: number;
  /** Variables for the processes of PKCS#11 drivers. */
  readonly moduleEnvironment: Readonly<Record<string, string>>;
  /** Of the installed desktop: never, when its owner says so, or when it quits. */
  readonly updates: Values['updates.mode'];
  /** Keys that the policy of this computer sets; neither file, environment nor command line changes them. */
  readonly lockedKeys: readonly string[];
  /** Keys that the file, the environment or the policy sets: what is chosen in the window does not count for them. */
  readonly fixedKeys: readonly string[];
}

/** Where a configuration is read from. */
export interface ConfigurationSources {
  readonly dataFolder: string;
  /** A file to read instead of the one in the data folder. */
  readonly file?: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The policy of this computer; by default where this system has it. */
  readonly policyFile?: string;
}

/** Names of all keys, for documentation and tests. */
export const configurationKeys: readonly string[] = Object.keys(keys);

/**
 * Reads what was chosen in the window, then `sinete.toml` or `sinete.json` in the data folder, then the environment, which wins, then the policy of this
 * computer, which wins over both. Throws `AppError` with
 * exit code 2 that names the key and, for an unknown one, the nearest known one.
 */
export async function readConfiguration(sources: ConfigurationSources): Promise<Configuration> {
  // A restore that was interrupted is ended first: the file may be in what it restores.
  await finishRestore(sources.dataFolder);
  const policy = await readPolicy(sources.policyFile ?? policyFile());
  const given = { ...(await readSettingsFile(sources)), ...readEnvironment(sources.environment), ...policy };
  const chosen = await readChosenSettings(sources.dataFolder);
  const values = checked({ ...chosen, ...given });
  const authorities = await readAuthorities(values['network.certificate_authorities']);
  return {
    ...inShape(values, sources.dataFolder, authorities),
    lockedKeys: Object.keys(policy),
    fixedKeys: Object.keys(given),
  };
}

/** The variable of a key: `signing.lifetime` → `SINETE_SIGNING_LIFETIME`. */
export function variableOf(key: string): string {
  return `SINETE_${key.replaceAll('.', '_').toUpperCase()}`;
}

async function readSettingsFile({ dataFolder, file }: ConfigurationSources): Promise<Record<string, unknown>> {
  const candidates = file === undefined ? ['sinete.toml', 'sinete.json'].map((name) => join(dataFolder, name)) : [file];
  const texts = await Promise.all(candidates.map(async (path) => ({ path, text: await readText(path) })));
  const present = texts.filter((one): one is { path: string; text: string } => one.text !== undefined);
  if (present.length > 1) throw new AppError(2, 'There are both sinete.toml and sinete.json: keep one of them.');
  const [found] = present;
  if (found === undefined && file !== undefined) throw new AppError(2, `There is no configuration file ${file}.`);
  return found === undefined ? {} : flatten(parseSettings(found.path, found.text));
}

async function readPolicy(path: string): Promise<Record<string, unknown>> {
  const text = await readText(path);
  return text === undefined ? {} : flatten(parseSettings(path, text));
}

async function readText(path: string): Promise<string | undefined> {
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

/** Tables become dotted keys, except where the whole table is a value. */
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

function readEnvironment(environment: ConfigurationSources['environment']): Record<string, unknown> {
  const names = new Map(configurationKeys.map((key) => [variableOf(key), key]));
  const own = Object.entries(environment).filter(([name]) => name.startsWith('SINETE_') && !otherVariables.has(name));
  const settings: Record<string, unknown> = {};
  for (const [variable, text] of own) {
    const key = names.get(variable);
    if (key === undefined) throw unknown(`The variable ${variable}`, variable, [...names.keys(), ...otherVariables]);
    if (text !== undefined && text !== '') settings[key] = fromText(text);
  }
  return settings;
}

/** Variables are text: numbers, booleans, JSON objects and lists are read as such. */
function fromText(text: string): unknown {
  if (!/^(-?\d+(\.\d+)?|true|false|\{.*\}|\[.*\])$/s.test(text)) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function checked(settings: Readonly<Record<string, unknown>>): Values {
  for (const key of Object.keys(settings)) {
    if (!isKey(key)) throw unknown(`The configuration key "${key}"`, key, configurationKeys);
  }
  const entries = Object.entries(keys).map(([key, schema]) => {
    const result = schema.safeParse(settings[key]);
    if (result.success) return [key, result.data] as const;
    const reason = result.error.issues[0]?.message ?? 'it is not valid';
    throw new AppError(2, `The configuration key "${key}" is wrong: ${reason}.`);
  });
  return Object.fromEntries(entries) as Values;
}

function isKey(name: string): name is Key {
  return Object.hasOwn(keys, name);
}

function unknown(what: string, name: string, known: readonly string[]): AppError {
  return new AppError(2, `${what} is unknown. Did you mean "${nearestName(name, known)}"?`);
}

/** A PEM file of authorities that TLS is to trust. */
async function readAuthorities(path: string | undefined): Promise<readonly string[]> {
  if (path === undefined) return [];
  const text = await readText(path);
  const found = text?.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  if (found.length === 0) throw new AppError(2, `There are no PEM certificates in ${path}.`);
  return found;
}

function inShape(
  values: Values,
  dataFolder: string,
  certificateAuthorities: readonly string[],
): Omit<Configuration, 'lockedKeys' | 'fixedKeys'> {
  const proxy = values['network.proxy'];
  const diskQuota = values['limits.disk_quota'];
  return {
    ...(values.port === undefined ? {} : { port: values.port }),
    ...(values['authorization.url'] === undefined ? {} : { authorizationUrl: values['authorization.url'] }),
    ...(values['registry.url'] === undefined ? {} : { registryUrl: values['registry.url'] }),
    sites: Object.entries(values.sites).map(([origin, scopes]) => ({ origin, scopes })),
    approve: values.approve,
    approved: values.approved,
    metrics: values.metrics,
    logLevel: values['log.level'],
    secretStore: {
      mode: values['secret_store.mode'],
      keyFile: values['secret_store.key_file'] ?? defaultKeyFile(),
      passphraseFile: values['secret_store.passphrase_file'] ?? join(dataFolder, 'master-key.json'),
    },
    signing: {
      syncTimeout: values['signing.sync_timeout'],
      uploadTimeout: values['signing.upload_timeout'],
      lifetime: values['signing.lifetime'],
    },
    limits: {
      documentSize: values['limits.document_size'],
      documents: values['limits.documents'],
      ...(diskQuota === undefined ? {} : { diskQuota }),
      freeSpace: values['limits.free_space'],
      jsonBody: values['limits.json_body'],
      requestTimeout: values['limits.request_timeout'],
    },
    fileRoots: values['files.roots'],
    network: {
      allow: values['network.allow'],
      noProxy: values['network.no_proxy'],
      certificateAuthorities,
      ...(proxy === undefined ? {} : { proxy }),
    },
    policiesSource: values['policies.source'],
    testServicesPort: values['test_services.port'],
    moduleEnvironment: values['pkcs11.environment'],
    updates: values['updates.mode'],
  };
}

function isSafeService(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '') return false;
  return url.protocol === 'https:' || ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname);
}
