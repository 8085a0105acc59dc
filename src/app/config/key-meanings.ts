/** Names and meanings of keys and variables, in a table that every command can load without the schemas of the keys. */
import { createHash } from 'node:crypto';
import type { Key } from './config-keys.ts';

/**
 * The variable with the id of the process that has started Sinete again under another Node and waits for it
 * (`sinete.js`).
 */
export const startedBy = 'SINETE_STARTED_BY';

/** The variable of a key: `signing.lifetime` → `SINETE_SIGNING_LIFETIME`. */
export function variableOf(key: string): string {
  return `SINETE_${key.replaceAll('.', '_').toUpperCase()}`;
}

/** Variables that are not settings. */
const otherVariables: ReadonlySet<string> = new Set(['SINETE_DATA', startedBy]);

/**
 * SHA-256 in base64url of the variables that are settings, in any order; undefined if there are none. An instance has
 * checked the variables of its own start.
 */
export function digestOfVariables(environment: Readonly<Record<string, string | undefined>>): string | undefined {
  const own = Object.entries(environment).filter(([name]) => name.startsWith('SINETE_') && !otherVariables.has(name));
  if (own.length === 0) return undefined;
  return createHash('sha256').update(JSON.stringify(own.toSorted())).digest('base64url');
}

/** The meaning of every key, a sentence or two for the reference (docs/reference/configuration.md). */
export const keyMeanings: Readonly<Record<Key, string>> = {
  sites:
    'Web sites that are let in without a question: origin and scopes, as in `"https://portal.example" = ["certificates:read", "sign"]`.',
  'authorization.url': 'Another instance whose authorization service is used instead of the own one.',
  'registry.url': 'Another instance whose registry of applications is used instead of the own one.',
  port: 'The port on the loopback address. Default: the first free one of 17171, 27171, 37171, 47171, 57171.',
  listen:
    'Further listeners, each an entry `[[listen]]` with `host`, `port`, `services` (of `signing`, `authorization`, `registry`, `assistant`, `window`), `tls.certificate` and `tls.key`, or `behind_proxy` and `trusted_proxies`. See the guide for operators.',
  public_url: 'The https origin by which other computers reach this instance, as `https://sign.example`.',
  approve:
    'How transactions are approved: `ask` asks the person, `listed` approves the callers of `approved`, `all` approves everything.',
  approved: 'Client ids of applications and origins of sites, for `approve = "listed"`.',
  'approval.one_time_password': 'Whether a one-time password that comes with a request approves its transaction.',
  'approval.session': 'Seconds that a session of a one-time password approves; 0: never.',
  'approval.timeout': 'Seconds that a transaction waits for its approval.',
  'evidence.timeout':
    'Seconds that a document with `evidence` `wait` waits for revocation data newer than its signature.',
  'renewal.mode':
    'What happens to signed files of History and of chosen folders before their protection ends: `automatic` renews them, `list` tells, `off` does not look.',
  'renewal.within': 'Seconds before the end of protection from which a file is renewed.',
  metrics: 'Whether `GET /metrics` answers, in Prometheus format.',
  'tracing.endpoint':
    'The address of a collector that receives OpenTelemetry traces by OTLP over HTTP, as `http://127.0.0.1:4318`; without a path, `/v1/traces` is added. Default: no traces. See the guide for operators.',
  'tracing.headers_file':
    'A file with headers for the collector, one a line, as `Authorization: Bearer …`, readable by its owner only.',
  'tracing.sample': 'The share of the requests that are traced, from 0 to 1.',
  'tracing.service': 'The `service.name` of the traces. Default: the variable `OTEL_SERVICE_NAME`, or `sinete`.',
  'tracing.node': 'The `service.instance.id` of the traces, to tell nodes apart. Default: a random one for each start.',
  'tracing.callers':
    'Callers whose `traceparent` header is continued: those on this computer (`loopback`), `all`, or `none`.',
  shutdown_timeout:
    'Seconds that signatures and transfers may still take after the request to stop; what is left goes on at the next start.',
  'log.level': 'What `sinete.log` tells.',
  'database.url':
    'A PostgreSQL database for a new data folder, as `postgresql://user@host:5432/sinete?sslmode=verify-full`, without its password. Default: SQLite in the data folder. See the guide for operators.',
  'database.password_file':
    'A file with the password of that database, readable by its owner only. Default: the variable `PGPASSWORD`, or `~/.pgpass`.',
  'documents.store':
    'A folder for documents that all nodes of one PostgreSQL database share, as an absolute path, or a bucket of an S3-compatible server, as `s3://bucket/prefix`. With this key an instance starts as one node of several. Default: the data folder, and a single instance. See the guide for operators.',
  'documents.endpoint':
    'The server of that bucket, as `https://s3.example`. Default: the server of Amazon for the region.',
  'documents.region': 'The region of that bucket.',
  'documents.path_style':
    'Whether the bucket is in the path of the address instead of the name of the host. Default: true with `documents.endpoint`.',
  'documents.credentials_file':
    'A file with the lines `aws_access_key_id = …` and `aws_secret_access_key = …`, readable by its owner only. Default: the variables `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`.',
  'documents.encryption':
    'How the server encrypts documents: as its `bucket` is set up, under keys of the server (`sse-s3`), or under a key of its key management service (`sse-kms`).',
  'documents.kms_key': 'The key for `sse-kms`. Default: the key of the account.',
  'secret_store.mode': 'Where the master key lies. `auto`: the keychain of the system, or else a key file.',
  'secret_store.key_file':
    'The file with the master key, for `key-file`. Default: a file in the configuration folder of the user.',
  'secret_store.passphrase_file':
    'The file with the master key sealed under a passphrase, for `passphrase`. Default: `master-key.json` in the data folder.',
  'secret_store.passphrase_from':
    'A file with the passphrase itself, readable by its owner only, for a start without a terminal.',
  'signing.sync_timeout': 'Seconds that a create request with `mode` `sync` waits.',
  'signing.upload_timeout': 'Seconds after which a batch that never ended expires.',
  'signing.lifetime': 'Seconds that results are kept after signing.',
  'limits.document_size': 'Bytes of one document.',
  'limits.documents': 'Documents of one transaction.',
  'limits.disk_quota': 'Bytes of all stored documents together. Default: no limit.',
  'limits.free_space': 'Bytes that stay free on the disk of the data folder.',
  'limits.database_copies': 'How many daily copies of the database are kept.',
  'limits.json_body': 'Bytes of a request body in JSON, documents included.',
  'limits.request_timeout': 'Seconds of one request.',
  'archive.place':
    'Where the window puts signed files: `beside` the original, or in the `folder` for signed files. A file without a known place, as in a browser, goes to the folder.',
  'archive.folder':
    'The folder for files that the window signs. Default: `Assinados` or `Signed` in the documents folder of the user.',
  'archive.by_month': 'Whether signed files go to a folder of their month, as `2026-11`, inside of `archive.folder`.',
  'archive.suffix':
    'The end of the name of a PDF that the window signs. Default: `-assinado` or `-signed`, by the language of the window.',
  'files.roots':
    'Folders that hold the documents named by path; paths on other computers are only opened below one of them. Default: any folder of this computer.',
  'files.grants':
    'Folders and stores opened to a web site or an application: `"https://portal.example" = [{ root = "/srv/in", access = "read" }]`.',
  'applications.limits':
    'Limits of applications by client id, beside those of the registry; the hours and the day are in local time: `"crm" = { documents_per_day = 200, document_size = 10485760, hours = "08:00-18:00" }`.',
  'network.allow': 'Hosts in private networks that may be contacted: `name`, `name:port`, `10.0.0.0/8`.',
  'network.proxy': 'The proxy. Default: that of the system.',
  'network.no_proxy': 'Hosts that are reached without the proxy.',
  'network.certificate_authorities': 'A PEM file with further authorities for TLS.',
  'policies.source': 'Where the signature policies of ICP-Brasil come from.',
  'validation.algorithms':
    'The table of hash functions and keys for judging signatures: `built-in`, or the dates of ETSI TS 119 312.',
  'validation.hashes':
    'Hash functions of your own policy, each until a day, `always` or `never`: `{ sha256 = "2030-01-01", sha1 = "never" }`.',
  'validation.rsa_keys':
    'Least bits of RSA keys, each until a day, `always` or `never`: `{ 3072 = "always", 2048 = "2029-01-01" }`. Shorter keys are not accepted.',
  'validation.curve_keys': 'The same of elliptic curves: `{ 256 = "always" }`.',
  'test_services.port': 'The port of `sinete test-services`; certificates of test identities name it.',
  'updates.mode': 'Whether the desktop looks for updates.',
  'modules.binding': 'The package that calls PKCS#11 drivers.',
  'pkcs11.sessions':
    'Sessions of each token of a PKCS#11 driver in which this node signs at the same time: more than one suits an HSM.',
  'pkcs11.environment': 'Environment variables for the processes that load PKCS#11 drivers.',
};
