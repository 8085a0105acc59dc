import { issueSentence } from '../../http/problems/field-problems.ts';
import { z } from 'zod';
import { areHours, clientIdShape } from '../../service/applications/index.ts';
import { FILE_ACCESS, GRANT_SCOPES, isCallerName } from '../../service/consent/index.ts';
import { BINDING_NAMES, MAX_SESSIONS } from '../../signing/index.ts';
import { DEFAULT_TEST_SERVICES_PORT } from '../../test-authority/index.ts';
import { AppError } from '../app-error.ts';
import { nearestName } from '../../service/errors/index.ts';
import { databaseUrl } from './database-url.ts';
import { listenEntry, publicUrl } from './listen.ts';

const seconds = (preset: number) => z.number().positive().max(31_536_000).default(preset);
/** Address of another instance, which is trusted and receives secrets: https, or http on this computer. */
const serviceUrl = z
  .url({ protocol: /^https?$/ })
  .refine(isSafeService, 'must be https, or http on this computer, without query')
  .transform((url) => url.replace(/\/+$/, ''));
const callerName = z
  .string()
  .refine(isCallerName, 'name client ids of applications, and origins of sites such as "https://portal.example"');
const folderPath = z.string().regex(/^(\/|\\\\|[A-Za-z]:[\\/])/, 'must be an absolute path');
const fileGrant = z.object({
  root: z.string().min(1).max(4096),
  access: z.enum(FILE_ACCESS),
  until: z.union([z.date(), z.iso.date(), z.iso.datetime({ offset: true })]).optional(),
});
const clientId = z.string().regex(clientIdShape, 'must name client ids of applications');
const applicationLimits = z.strictObject({
  documents_per_day: z.number().int().positive().optional(),
  document_size: z.number().int().positive().optional(),
  hours: z.string().refine(areHours, 'hours are two times of the day, such as "08:00-18:00"').optional(),
});
/** Characters allowed in file names on every system, without a dot or space at the end. */
export const nameSuffix = /^(?=.{1,40}$)[^<>:"/\\|?*\u0000-\u001f\u007f]*[^<>:"/\\|?*\u0000-\u001f\u007f. ]$/;
/** Hash functions by their names in reports and in Node. */
const hashNames = [
  'md5',
  'sha1',
  'sha224',
  'sha256',
  'sha384',
  'sha512',
  'sha512-224',
  'sha512-256',
  'sha3-224',
  'sha3-256',
  'sha3-384',
  'sha3-512',
  'shake256',
] as const;
const keyBits = z.string().regex(/^[1-9]\d{2,4}$/, 'must be the least number of bits');
/** The first day on which an algorithm is no longer trusted; TOML has a date type. */
const algorithmEnd = z
  .union([z.enum(['always', 'never']), z.iso.date(), z.date()], 'must be a day (YYYY-MM-DD), "always" or "never"')
  .transform((end) => (end instanceof Date ? end.toISOString().slice(0, 10) : end));
/** A name in traces. */
const shortName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/, 'must be a name of letters, digits, ".", "_" and "-"');
const absolutePath = z.string().regex(/^(\/|[A-Za-z]:[\\/])/, 'must be an absolute path');

/** Every key of the configuration with its schema; in a file `a.b` is `b` in the table `[a]`, else `SINETE_A_B`. */
export const keys = {
  /** Origin → scopes: `"https://portal.example" = ["certificates:read", "sign"]`. */
  sites: z.record(z.string(), z.array(z.enum(GRANT_SCOPES)).min(1)).default({}),
  'authorization.url': serviceUrl.optional(),
  'registry.url': serviceUrl.optional(),
  port: z.number().int().min(1).max(65_535).optional(),
  listen: z.array(listenEntry).max(16).default([]),
  public_url: publicUrl.optional(),
  approve: z.enum(['ask', 'listed', 'all']).default('ask'),
  /** Client ids of applications and origins of sites, for `approve = "listed"`. */
  approved: z.array(callerName).default([]),
  /** True if a one-time password that comes with a request approves its transaction. */
  'approval.one_time_password': z.boolean().default(true),
  /** Seconds for which a session approves that began with a one-time password; 0: never. */
  'approval.session': z.number().min(0).max(86_400).default(300),
  /** Seconds for which a transaction waits for its approval. */
  'approval.timeout': seconds(86_400),
  /** Seconds for which a document with `evidence` `wait` stays WAITING. */
  'evidence.timeout': seconds(86_400),
  /** True: signed files of History and of chosen folders are renewed before their protection ends. */
  'renewal.mode': z.enum(['automatic', 'list', 'off']).default('automatic'),
  'renewal.within': seconds(90 * 86_400),
  metrics: z.boolean().default(false),
  'tracing.endpoint': z
    .url({ protocol: /^https?$/ })
    .regex(/^[^@?#]+$/, 'must have no user name, no query and no fragment: name a file in tracing.headers_file')
    .optional(),
  'tracing.headers_file': absolutePath.optional(),
  /** Share of the requests whose traces are recorded. */
  'tracing.sample': z.number().min(0).max(1).default(1),
  'tracing.service': shortName.optional(),
  'tracing.node': shortName.optional(),
  'tracing.callers': z.enum(['loopback', 'all', 'none']).default('loopback'),
  /** Seconds that running work may take after the request to stop. */
  shutdown_timeout: seconds(30),
  'log.level': z.enum(['silent', 'error', 'warn', 'info', 'debug']).default('info'),
  'database.url': databaseUrl.optional(),
  'database.password_file': absolutePath.optional(),
  'documents.store': z
    .string()
    .regex(
      /^(\/|[A-Za-z]:[\\/]|s3:\/\/[a-z0-9.-]+(\/|$))/,
      'must be the absolute path of a folder that all nodes share, or "s3://bucket/prefix"',
    )
    .optional(),
  'documents.endpoint': z
    .string()
    .regex(/^https?:\/\/[^/?#@]+$/, 'must be the origin of a server, such as "https://s3.example"')
    .optional(),
  'documents.region': z.string().default('us-east-1'),
  'documents.path_style': z.boolean().optional(),
  'documents.credentials_file': absolutePath.optional(),
  'documents.encryption': z.enum(['bucket', 'sse-s3', 'sse-kms']).default('bucket'),
  'documents.kms_key': z.string().min(1).optional(),
  'secret_store.mode': z.enum(['auto', 'os-keychain', 'key-file', 'passphrase', 'memory']).default('auto'),
  'secret_store.key_file': absolutePath.optional(),
  'secret_store.passphrase_file': absolutePath.optional(),
  'secret_store.passphrase_from': absolutePath.optional(),
  'signing.sync_timeout': seconds(30),
  'signing.upload_timeout': seconds(86_400),
  'signing.lifetime': seconds(43_200),
  'limits.document_size': z
    .number()
    .int()
    .positive()
    .default(2 * 2 ** 30),
  'limits.documents': z.number().int().min(1).max(100_000).default(10_000),
  'limits.disk_quota': z.number().int().positive().optional(),
  'limits.free_space': z
    .number()
    .int()
    .min(0)
    .default(200 * 2 ** 20),
  /** Number of daily copies of the database that are kept. */
  'limits.database_copies': z.number().int().min(0).max(100).default(3),
  'limits.json_body': z
    .number()
    .int()
    .positive()
    .default(64 * 2 ** 20),
  'limits.request_timeout': seconds(3600),
  /** Where the window stores signed files. */
  'archive.place': z.enum(['beside', 'folder']).default('beside'),
  'archive.folder': folderPath.optional(),
  'archive.by_month': z.boolean().default(true),
  'archive.suffix': z.string().regex(nameSuffix, 'must be 1 to 40 characters that every file name may have').optional(),
  'files.roots': z.array(folderPath).default([]),
  /** Origin or client id → folders and stores: `"https://portal.example" = [{ root = "/srv/in", access = "read" }]`. */
  'files.grants': z.record(callerName, z.array(fileGrant).min(1)).default({}),
  /** Client id → limits: `"crm" = { documents_per_day = 200, document_size = 10485760, hours = "08:00-18:00" }`. */
  'applications.limits': z.record(clientId, applicationLimits).default({}),
  'network.allow': z.array(z.string()).default([]),
  'network.proxy': z.url({ protocol: /^https?$/ }).optional(),
  'network.no_proxy': z.array(z.string()).default([]),
  'network.certificate_authorities': absolutePath.optional(),
  'policies.source': z.url({ protocol: /^https?$/ }).default('http://politicas.icpbrasil.gov.br'),
  /** The table of algorithms for judging signatures; the following keys add rows to it. */
  'validation.algorithms': z.enum(['built-in', 'etsi-119-312']).default('built-in'),
  'validation.hashes': z.partialRecord(z.enum(hashNames), algorithmEnd).default({}),
  'validation.rsa_keys': z.record(keyBits, algorithmEnd).default({}),
  'validation.curve_keys': z.record(keyBits, algorithmEnd).default({}),
  'test_services.port': z.number().int().min(1).max(65_535).default(DEFAULT_TEST_SERVICES_PORT),
  'updates.mode': z.enum(['off', 'ask', 'automatic']).default('ask'),
  /** The package that calls PKCS#11 drivers. */
  'modules.binding': z.enum(BINDING_NAMES).default('koffi'),
  'pkcs11.sessions': z.number().int().min(1).max(MAX_SESSIONS).default(1),
  'pkcs11.environment': z.record(z.string(), z.string()).default({}),
} as const;

/** The name of a key. */
export type Key = keyof typeof keys;
/** The values of the keys, checked and complete. */
export type Values = { readonly [Name in Key]: z.output<(typeof keys)[Name]> };

/** Names of all keys, for documentation and tests. */
export const configurationKeys: readonly string[] = Object.keys(keys);

export function isKey(name: string): name is Key {
  return Object.hasOwn(keys, name);
}

/** The error for an unknown key, with the most similar known key. */
export function unknownName(what: string, name: string, known: readonly string[]): AppError {
  return new AppError(2, `${what} is unknown. Did you mean "${nearestName(name, known)}"?`);
}

/**
 * Checks the values of all keys, and adds the defaults of missing ones. Throws `AppError` (exit code 2) that names an
 * unknown key with the most similar known key, or the key with a wrong value.
 */
export function checkValues(settings: Readonly<Record<string, unknown>>): Values {
  for (const key of Object.keys(settings)) {
    if (!isKey(key)) throw unknownName(`The configuration key "${key}"`, key, configurationKeys);
  }
  const entries = Object.entries(keys).map(([key, schema]) => {
    const result = schema.safeParse(settings[key], { error: issueSentence });
    if (result.success) return [key, result.data] as const;
    const reason = (result.error.issues[0]?.message ?? 'it is not valid').replace(/\.$/, '');
    throw new AppError(2, `The configuration key "${key}" is wrong: ${reason}.`);
  });
  return Object.fromEntries(entries) as Values;
}

function isSafeService(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '') return false;
  return url.protocol === 'https:' || ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname);
}
