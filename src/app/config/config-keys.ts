/** The keys of the configuration: one row tells all there is to a key. */
import { join } from 'node:path';
import { z } from 'zod';
import { MAX_SESSIONS } from '../../signing/index.ts';
import { DEFAULT_TEST_SERVICES_PORT } from '../../test-authority/index.ts';
import { defaultKeyFile } from './data-folder.ts';
import { databaseUrl } from './database-url.ts';
import {
  absolutePath,
  algorithmEnd,
  applicationLimits,
  callerName,
  documentsStore,
  fileGrants,
  resultMode,
  folderPath,
  hashName,
  keyBits,
  nameSuffix,
  seconds,
  serviceUrl,
  shortName,
  siteGrants,
} from './key-schemas.ts';
import { listenEntry, publicUrl } from './listen.ts';

/** All there is to a key. */
export interface KeyRow {
  /** Checks the value, adds the default, and converts the value to its form in `Configuration`. */
  readonly schema: z.ZodType;
  /** A sentence or two for the reference (docs/reference/configuration.md). */
  readonly meaning: string;
  /** The property of `Configuration`; absent: `config.ts` makes a property of several keys. */
  readonly place?: string;
  /** The value without a setting, where it depends on the computer or the data folder. */
  readonly otherwise?: (dataFolder: string) => unknown;
}

/** Every key of the configuration. In a file `a.b` is `b` in the table `[a]`, in the environment `SINETE_A_B`. */
export const keys = {
  sites: {
    schema: siteGrants,
    meaning:
      'Web sites that are let in without a question: origin and scopes, as in `"https://portal.example" = ["certificates:read", "sign"]`.',
    place: 'sites',
  },
  'authorization.url': {
    schema: serviceUrl.optional(),
    meaning: 'Another instance whose authorization service is used instead of the own one.',
    place: 'authorizationUrl',
  },
  'registry.url': {
    schema: serviceUrl.optional(),
    meaning: 'Another instance whose registry of applications is used instead of the own one.',
    place: 'registryUrl',
  },
  port: {
    schema: z.number().int().min(1).max(65_535).optional(),
    meaning: 'The port on the loopback address. Default: the first free one of 17171, 27171, 37171, 47171, 57171.',
    place: 'port',
  },
  listen: {
    schema: z.array(listenEntry).max(16).default([]),
    meaning:
      'Further listeners, each an entry `[[listen]]` with `host`, `port`, `services` (of `signing`, `authorization`, `registry`, `assistant`, `window`), `tls.certificate` and `tls.key`, or `behind_proxy` and `trusted_proxies`. See the guide for operators.',
  },
  public_url: {
    schema: publicUrl.optional(),
    meaning: 'The https origin by which other computers reach this instance, as `https://sign.example`.',
  },
  approve: {
    schema: z.enum(['ask', 'listed', 'all']).default('ask'),
    meaning:
      'How transactions are approved: `ask` asks the person, `listed` approves the callers of `approved`, `all` approves everything.',
    place: 'approve',
  },
  approved: {
    schema: z.array(callerName).default([]),
    meaning: 'Client ids of applications and origins of sites, for `approve = "listed"`.',
    place: 'approved',
  },
  'approval.one_time_password': {
    schema: z.boolean().default(true),
    meaning: 'Whether a one-time password that comes with a request approves its transaction.',
    place: 'approval.oneTimePassword',
  },
  'approval.session': {
    schema: z.number().min(0).max(86_400).default(300),
    meaning: 'Seconds that a session of a one-time password approves; 0: never.',
    place: 'approval.session',
  },
  'approval.timeout': {
    schema: seconds(86_400),
    meaning: 'Seconds that a transaction waits for its approval.',
    place: 'approval.timeout',
  },
  'evidence.timeout': {
    schema: seconds(86_400),
    meaning: 'Seconds that a document with `evidence` `wait` waits for revocation data newer than its signature.',
    place: 'evidence.timeout',
  },
  'renewal.mode': {
    schema: z.enum(['automatic', 'list', 'off']).default('automatic'),
    meaning:
      'What happens to signed files of History and of chosen folders before their protection ends: `automatic` renews them, `list` tells, `off` does not look.',
    place: 'renewal.mode',
  },
  'renewal.within': {
    schema: seconds(90 * 86_400),
    meaning: 'Seconds before the end of protection from which a file is renewed.',
    place: 'renewal.within',
  },
  metrics: {
    schema: z.boolean().default(false),
    meaning: 'Whether `GET /metrics` answers, in Prometheus format.',
    place: 'metrics',
  },
  'tracing.endpoint': {
    schema: z
      .url({ protocol: /^https?$/ })
      .regex(/^[^@?#]+$/, 'must have no user name, no query and no fragment: name a file in tracing.headers_file')
      .optional(),
    meaning:
      'The address of a collector that receives OpenTelemetry traces by OTLP over HTTP, as `http://127.0.0.1:4318`; without a path, `/v1/traces` is added. Default: no traces. See the guide for operators.',
  },
  'tracing.headers_file': {
    schema: absolutePath.optional(),
    meaning: 'A file with headers for the collector (`Authorization: Bearer …`), readable by its owner only.',
  },
  'tracing.sample': {
    schema: z.number().min(0).max(1).default(1),
    meaning: 'The share of the requests that are traced, from 0 to 1.',
  },
  'tracing.service': {
    schema: shortName.optional(),
    meaning: 'The `service.name` of the traces. Default: the variable `OTEL_SERVICE_NAME`, or `sinete`.',
  },
  'tracing.node': {
    schema: shortName.optional(),
    meaning: 'The `service.instance.id` of the traces, to tell nodes apart. Default: a random one for each start.',
  },
  'tracing.callers': {
    schema: z.enum(['loopback', 'all', 'none']).default('loopback'),
    meaning: 'Callers whose `traceparent` header is continued: those on this computer (`loopback`), `all`, or `none`.',
  },
  shutdown_timeout: {
    schema: seconds(30),
    meaning:
      'Seconds that signatures and transfers may still take after the request to stop; what is left goes on at the next start.',
    place: 'shutdownTimeout',
  },
  'log.level': {
    schema: z.enum(['silent', 'error', 'warn', 'info', 'debug']).default('info'),
    meaning: 'What `sinete.log` tells.',
    place: 'logLevel',
  },
  'database.url': {
    schema: databaseUrl.optional(),
    meaning:
      'A PostgreSQL database for a new data folder, as `postgresql://user@host:5432/sinete?sslmode=verify-full`, without its password. Default: SQLite in the data folder. See the guide for operators.',
  },
  'database.password_file': {
    schema: absolutePath.optional(),
    meaning:
      'A file with the password of that database, readable by its owner only. Default: the variable `PGPASSWORD`, or `~/.pgpass`.',
  },
  'documents.store': {
    schema: documentsStore.optional(),
    meaning:
      'A folder for documents that all nodes of one PostgreSQL database share, as an absolute path, or a bucket of an S3-compatible server, as `s3://bucket/prefix`. With this key an instance starts as one node of several. Default: the data folder, and a single instance. See the guide for operators.',
  },
  'documents.endpoint': {
    schema: z
      .string()
      .regex(/^https?:\/\/[^/?#@]+$/, 'must be the origin of a server, such as "https://s3.example"')
      .optional(),
    meaning: 'The server of that bucket, as `https://s3.example`. Default: the server of Amazon for the region.',
  },
  'documents.region': {
    schema: z.string().default('us-east-1'),
    meaning: 'The region of that bucket.',
  },
  'documents.path_style': {
    schema: z.boolean().optional(),
    meaning:
      'Whether the bucket is in the path of the address instead of the name of the host. Default: true with `documents.endpoint`.',
  },
  'documents.credentials_file': {
    schema: absolutePath.optional(),
    meaning:
      'A file with the lines `aws_access_key_id = …` and `aws_secret_access_key = …`, readable by its owner only. Default: the variables `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`.',
  },
  'documents.encryption': {
    schema: z.enum(['bucket', 'sse-s3', 'sse-kms']).default('bucket'),
    meaning:
      'How the server encrypts documents: as its `bucket` is set up, under keys of the server (`sse-s3`), or under a key of its key management service (`sse-kms`).',
  },
  'documents.kms_key': {
    schema: z.string().min(1).optional(),
    meaning: 'The key for `sse-kms`. Default: the key of the account.',
  },
  'secret_store.mode': {
    schema: z.enum(['auto', 'os-keychain', 'key-file', 'passphrase', 'memory']).default('auto'),
    meaning: 'Where the master key lies. `auto`: the keychain of the system, or else a key file.',
    place: 'secretStore.mode',
  },
  'secret_store.key_file': {
    schema: absolutePath.optional(),
    meaning: 'The file with the master key, for `key-file`. Default: a file in the configuration folder of the user.',
    place: 'secretStore.keyFile',
    otherwise: () => defaultKeyFile(),
  },
  'secret_store.passphrase_file': {
    schema: absolutePath.optional(),
    meaning:
      'The file with the master key sealed under a passphrase, for `passphrase`. Default: `master-key.json` in the data folder.',
    place: 'secretStore.passphraseFile',
    otherwise: (dataFolder: string) => join(dataFolder, 'master-key.json'),
  },
  'secret_store.passphrase_from': {
    schema: absolutePath.optional(),
    meaning: 'A file with the passphrase itself, readable by its owner only, for a start without a terminal.',
    place: 'secretStore.passphraseFrom',
  },
  'signing.sync_timeout': {
    schema: seconds(30),
    meaning: 'Seconds that a create request with `mode` `sync` waits.',
    place: 'signing.syncTimeout',
  },
  'signing.upload_timeout': {
    schema: seconds(86_400),
    meaning: 'Seconds after which a batch that never ended expires.',
    place: 'signing.uploadTimeout',
  },
  'signing.lifetime': {
    schema: seconds(43_200),
    meaning: 'Seconds that results are kept after signing.',
    place: 'signing.lifetime',
  },
  'signing.refuse_revoked': {
    schema: z.boolean().default(false),
    meaning: 'True: a certificate known here as revoked or suspended does not sign. False: it warns.',
    place: 'signing.refuseRevoked',
  },
  'limits.document_size': {
    schema: z
      .number()
      .int()
      .positive()
      .default(2 * 2 ** 30),
    meaning: 'Bytes of one document.',
    place: 'limits.documentSize',
  },
  'limits.documents': {
    schema: z.number().int().min(1).max(100_000).default(10_000),
    meaning: 'Documents of one transaction.',
    place: 'limits.documents',
  },
  'limits.disk_quota': {
    schema: z.number().int().positive().optional(),
    meaning: 'Bytes of all stored documents together. Default: no limit.',
    place: 'limits.diskQuota',
  },
  'limits.free_space': {
    schema: z
      .number()
      .int()
      .min(0)
      .default(200 * 2 ** 20),
    meaning: 'Bytes that stay free on the disk of the data folder.',
    place: 'limits.freeSpace',
  },
  'limits.database_copies': {
    schema: z.number().int().min(0).max(100).default(3),
    meaning: 'How many daily copies of the database are kept.',
    place: 'limits.databaseCopies',
  },
  'limits.json_body': {
    schema: z
      .number()
      .int()
      .positive()
      .default(64 * 2 ** 20),
    meaning: 'Bytes of a request body in JSON, documents included.',
    place: 'limits.jsonBody',
  },
  'limits.request_timeout': {
    schema: seconds(3600),
    meaning: 'Seconds of one request.',
    place: 'limits.requestTimeout',
  },
  'archive.place': {
    schema: z.enum(['beside', 'folder']).default('beside'),
    meaning:
      'Where the window puts signed files: `beside` the original, or in the `folder` for signed files. A file without a known place, as in a browser, goes to the folder.',
    place: 'archive.place',
  },
  'archive.folder': {
    schema: folderPath.optional(),
    meaning:
      'The folder for files that the window signs. Default: `Assinados` or `Signed` in the documents folder of the user.',
    place: 'archive.folder',
  },
  'archive.by_month': {
    schema: z.boolean().default(true),
    meaning: 'Whether signed files go to a folder of their month, as `2026-11`, inside of `archive.folder`.',
    place: 'archive.byMonth',
  },
  'archive.suffix': {
    schema: z.string().regex(nameSuffix, 'must be 1 to 40 characters that every file name may have').optional(),
    meaning:
      'The end of the name of a PDF that the window signs. Default: `-assinado` or `-signed`, by the language of the window.',
    place: 'archive.suffix',
  },
  'files.roots': {
    schema: z.array(folderPath).default([]),
    meaning:
      'Folders that hold the documents named by path; paths on other computers are only opened below one of them. Default: any folder of this computer.',
    place: 'fileRoots',
  },
  'files.result_mode': {
    schema: resultMode.optional(),
    meaning:
      'The most rights of a result, such as `0640`; a result never has more rights than its document. Default: what the umask or the default access list of the folder allows; for a document that is no file of this computer, the owner alone (`0600`). A granted folder may have its own `result_mode`.',
    place: 'resultMode',
  },
  'files.grants': {
    schema: fileGrants,
    meaning:
      'Folders and stores opened to a web site or an application: `"https://portal.example" = [{ root = "/srv/in", access = "read" }]`.',
    place: 'fileGrants',
  },
  'applications.limits': {
    schema: applicationLimits,
    meaning:
      'Limits of applications by client id, beside those of the registry; the hours and the day are in local time: `"crm" = { documents_per_day = 200, document_size = 10485760, hours = "08:00-18:00" }`.',
    place: 'applicationLimits',
  },
  'network.allow': {
    schema: z.array(z.string()).default([]),
    meaning: 'Hosts in private networks that may be contacted: `name`, `name:port`, `10.0.0.0/8`.',
    place: 'network.allow',
  },
  'network.proxy': {
    schema: z.url({ protocol: /^https?$/ }).optional(),
    meaning: 'The proxy. Default: that of the system.',
    place: 'network.proxy',
  },
  'network.no_proxy': {
    schema: z.array(z.string()).default([]),
    meaning: 'Hosts that are reached without the proxy.',
    place: 'network.noProxy',
  },
  'network.certificate_authorities': {
    schema: absolutePath.optional(),
    meaning: 'A PEM file with further authorities for TLS.',
  },
  'policies.source': {
    schema: z.url({ protocol: /^https?$/ }).default('http://politicas.icpbrasil.gov.br'),
    meaning: 'Where the signature policies of ICP-Brasil come from.',
    place: 'policiesSource',
  },
  'validation.algorithms': {
    schema: z.enum(['built-in', 'etsi-119-312']).default('built-in'),
    meaning:
      'The table of hash functions and keys for judging signatures: `built-in`, or the dates of ETSI TS 119 312.',
  },
  'validation.hashes': {
    schema: z.partialRecord(hashName, algorithmEnd).default({}),
    meaning:
      'Hash functions of your own policy, each until a day, `always` or `never`: `{ sha256 = "2030-01-01", sha1 = "never" }`.',
  },
  'validation.rsa_keys': {
    schema: z.record(keyBits, algorithmEnd).default({}),
    meaning:
      'Least bits of RSA keys, each until a day, `always` or `never`: `{ 3072 = "always", 2048 = "2029-01-01" }`. Shorter keys are not accepted.',
  },
  'validation.curve_keys': {
    schema: z.record(keyBits, algorithmEnd).default({}),
    meaning: 'The same of elliptic curves: `{ 256 = "always" }`.',
  },
  'test_services.port': {
    schema: z.number().int().min(1).max(65_535).default(DEFAULT_TEST_SERVICES_PORT),
    meaning: 'The port of `sinete test-services`; certificates of test identities name it.',
    place: 'testServicesPort',
  },
  'updates.mode': {
    schema: z.enum(['off', 'ask', 'automatic']).default('ask'),
    meaning: 'Whether the desktop looks for updates.',
    place: 'updates',
  },
  'pkcs11.sessions': {
    schema: z.number().int().min(1).max(MAX_SESSIONS).default(1),
    meaning:
      'Sessions of each token of a PKCS#11 driver in which this node signs at the same time: more than one suits an HSM.',
    place: 'tokenSessions',
  },
  'pkcs11.environment': {
    schema: z.record(z.string(), z.string()).default({}),
    meaning: 'Environment variables for the processes that load PKCS#11 drivers.',
    place: 'moduleEnvironment',
  },
} as const satisfies Readonly<Record<string, KeyRow>>;

/** The name of a key. */
export type Key = keyof typeof keys;

/** Names of all keys, for documentation and tests. */
export const configurationKeys: readonly string[] = Object.keys(keys);

export function isKey(name: string): name is Key {
  return Object.hasOwn(keys, name);
}
