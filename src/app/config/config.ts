import { join } from 'node:path';
import type { ApplicationLimits } from '../../service/applications/index.ts';
import type { ConfiguredFileGrant, ConfiguredSite } from '../../service/consent/index.ts';
import { checkDataFolder } from './check-data-folder.ts';
import { finishRestore } from '../../storage/index.ts';
import {
  DEFAULT_ALGORITHM_POLICY,
  ETSI_ALGORITHM_POLICY,
  extendAlgorithmPolicy,
  type AlgorithmPolicy,
} from '../../signing/index.ts';
import { AppError } from '../app-error.ts';
import { readChosenSettings } from './chosen-settings.ts';
import { checkValues, type Values } from './config-keys.ts';
import {
  readEnvironment,
  readPolicy,
  readSettingsFile,
  readText,
  type ConfigurationSources,
} from './config-sources.ts';
import { defaultKeyFile, policyFile } from './data-folder.ts';
import { readListeners, type ConfiguredListener } from './listen.ts';
import { documentsOf, type ConfiguredBucket } from './documents-store.ts';
import { tracingOf, type ConfiguredTracing } from './tracing.ts';

/** The chosen table with the rows of the organisation. */
const algorithmPolicyOf = (values: Values): AlgorithmPolicy =>
  extendAlgorithmPolicy(algorithmTables[values['validation.algorithms']], {
    hashes: values['validation.hashes'],
    rsa: values['validation.rsa_keys'],
    curves: values['validation.curve_keys'],
  });

/** The tables of `validation.algorithms`. */
const algorithmTables: Readonly<Record<Values['validation.algorithms'], AlgorithmPolicy>> = {
  'built-in': DEFAULT_ALGORITHM_POLICY,
  'etsi-119-312': ETSI_ALGORITHM_POLICY,
};

/** The configuration, checked and complete. Times are seconds, sizes bytes. */
export interface Configuration {
  /** The only port to try; absent: the first free port of `keptPort` and the usual ports. */
  readonly port?: number;
  /** The port that a person keeps in the window. */
  readonly keptPort?: number;
  /** Listeners beside the one on loopback. */
  readonly listen: readonly ConfiguredListener[];
  readonly approve: 'ask' | 'listed' | 'all';
  /** Callers whose signatures need no approval with `listed`: client ids of applications, origins of sites. */
  readonly approved: readonly string[];
  readonly approval: {
    /** True if a one-time password in a request approves its transaction. */
    readonly oneTimePassword: boolean;
    /** Seconds for which the token of such a request approves; 0: never. */
    readonly session: number;
    /** Seconds for which a transaction waits for its approval. */
    readonly timeout: number;
  };
  /** Seconds that a document stays WAITING for newer revocation data. */
  readonly evidence: { readonly timeout: number };
  /** PostgreSQL, without its password; absent: SQLite in the data folder. */
  readonly database?: { readonly url: string; readonly passwordFile?: string };
  /** The folder of the documents that all nodes on the database share; absent: a single instance. */
  readonly documentsFolder?: string;
  /** The bucket of these documents, in the place of a folder. */
  readonly documentsBucket?: ConfiguredBucket;
  /** True when `GET /metrics` answers. */
  readonly metrics: boolean;
  /** Where traces go; absent: nowhere. */
  readonly tracing?: ConfiguredTracing;
  /** Seconds that running work may take after the request to stop. */
  readonly shutdownTimeout: number;
  readonly logLevel: Values['log.level'];
  /** Web sites with a grant by the configuration. */
  readonly sites: readonly ConfiguredSite[];
  /** Base address of another instance in place of the embedded service. */
  readonly authorizationUrl?: string;
  readonly registryUrl?: string;
  readonly secretStore: {
    readonly mode: Values['secret_store.mode'];
    readonly keyFile: string;
    readonly passphraseFile: string;
    /** A file with the passphrase itself; absent: a person is asked. */
    readonly passphraseFrom?: string;
  };
  readonly signing: { readonly syncTimeout: number; readonly uploadTimeout: number; readonly lifetime: number };
  readonly limits: {
    readonly documentSize: number;
    readonly documents: number;
    /** Maximum number of bytes of all stored documents together; absent: unlimited. */
    readonly diskQuota?: number;
    /** Bytes of the data folder's disk that documents must leave free. */
    readonly freeSpace: number;
    /** Number of kept daily copies of the database. */
    readonly databaseCopies: number;
    readonly jsonBody: number;
    readonly requestTimeout: number;
  };
  /** How renewals begin, and how many seconds before the end of protection. */
  readonly renewal: { readonly mode: Values['renewal.mode']; readonly within: number };
  /** Where the window stores signed files; missing values depend on the language of the window. */
  readonly archive: {
    readonly place: Values['archive.place'];
    readonly folder?: string;
    readonly byMonth: boolean;
    readonly suffix?: string;
  };
  /** Folders for reading and writing documents by path; empty: wherever the system allows. */
  readonly fileRoots: readonly string[];
  /** Folders and stores that web sites and remote applications may name. */
  readonly fileGrants: readonly ConfiguredFileGrant[];
  /** Limits of applications by client id; the limits of the registry apply too. */
  readonly applicationLimits: Readonly<Record<string, ApplicationLimits>>;
  readonly network: {
    /** Permitted hosts in private networks. */
    readonly allow: readonly string[];
    readonly proxy?: string;
    /** Hosts reached without the proxy. */
    readonly noProxy: readonly string[];
    /** PEM of authorities that TLS trusts in addition to the usual ones. */
    readonly certificateAuthorities: readonly string[];
  };
  /** Base address of ICP-Brasil's policies and of the list of policies. */
  readonly policiesSource: string;
  /** The dates until which validations trust hash functions and keys. */
  readonly algorithmPolicy: AlgorithmPolicy;
  /** Port of the test services, which certificates of the test authority contain. */
  readonly testServicesPort: number;
  /** The package that calls PKCS#11 drivers. */
  readonly moduleBinding: Values['modules.binding'];
  /** Sessions of each token in which this node signs at the same time. */
  readonly tokenSessions: number;
  /** Variables for the processes of PKCS#11 drivers. */
  readonly moduleEnvironment: Readonly<Record<string, string>>;
  /** Updates of the installed desktop: never, on the owner's request, or at the end of the program. */
  readonly updates: Values['updates.mode'];
  /** Keys set by the policy of this computer; neither file, environment nor command line can change these keys. */
  readonly lockedKeys: readonly string[];
  /** Keys set by the file, the environment or the policy: the window's choice does not count. */
  readonly fixedKeys: readonly string[];
}

/**
 * Reads the settings chosen in the window, then `sinete.toml` or `sinete.json` in the data folder, then the
 * environment, then the policy of this computer; later sources win. Throws `AppError` with exit code 2 that names the
 * key and, for an unknown key, the nearest known key.
 */
export async function readConfiguration(sources: ConfigurationSources): Promise<Configuration> {
  // Checked before reading, because the configuration names code to load and others may have written it.
  await checkDataFolder(sources.dataFolder);
  // An interrupted restore is completed first, because the file may be part of the restored data.
  await finishRestore(sources.dataFolder);
  const policy = await readPolicy(sources.policyFile ?? policyFile());
  const given = { ...(await readSettingsFile(sources)), ...readEnvironment(sources.environment), ...policy };
  const { port: keptPort, ...chosen } = await readChosenSettings(sources.dataFolder);
  const values = checkValues({ ...chosen, ...given });
  const authorities = await readAuthorities(values['network.certificate_authorities']);
  return {
    ...inShape(values, sources.dataFolder, authorities),
    ...tracingOf(values, sources.environment),
    keptPort,
    lockedKeys: Object.keys(policy),
    fixedKeys: Object.keys(given),
  };
}

/** A PEM file of authorities for TLS. */
async function readAuthorities(path: string | undefined): Promise<readonly string[]> {
  if (path === undefined) return [];
  const text = await readText(path);
  const found = text?.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  if (found.length === 0) throw new AppError(2, `There are no PEM certificates in ${path}.`);
  return found;
}

const databaseOf = (values: Values): Pick<Configuration, 'database'> => {
  const url = values['database.url'];
  return url === undefined ? {} : { database: { url, passwordFile: values['database.password_file'] } };
};

function secretStoreOf(values: Values, dataFolder: string): Configuration['secretStore'] {
  const passphraseFrom = values['secret_store.passphrase_from'];
  return {
    mode: values['secret_store.mode'],
    keyFile: values['secret_store.key_file'] ?? defaultKeyFile(),
    passphraseFile: values['secret_store.passphrase_file'] ?? join(dataFolder, 'master-key.json'),
    passphraseFrom,
  };
}

function archiveOf(values: Values): Configuration['archive'] {
  return {
    place: values['archive.place'],
    byMonth: values['archive.by_month'],
    folder: values['archive.folder'],
    suffix: values['archive.suffix'],
  };
}

const approvalOf = (values: Values): Configuration['approval'] => ({
  oneTimePassword: values['approval.one_time_password'],
  session: values['approval.one_time_password'] ? values['approval.session'] : 0,
  timeout: values['approval.timeout'],
});

const applicationLimitsOf = (values: Values): Configuration['applicationLimits'] =>
  Object.fromEntries(
    Object.entries(values['applications.limits']).map(([clientId, limits]) => [
      clientId,
      {
        documentsPerDay: limits.documents_per_day,
        documentSize: limits.document_size,
        hours: limits.hours,
      },
    ]),
  );

const fileGrantsOf = (values: Values): Configuration['fileGrants'] =>
  Object.entries(values['files.grants']).flatMap(([caller, grants]) =>
    grants.map(({ root, access, until }) => ({
      caller,
      root,
      access,
      until: until === undefined ? null : new Date(until),
    })),
  );

const limitsOf = (values: Values): Configuration['limits'] => ({
  documentSize: values['limits.document_size'],
  documents: values['limits.documents'],
  diskQuota: values['limits.disk_quota'],
  freeSpace: values['limits.free_space'],
  databaseCopies: values['limits.database_copies'],
  jsonBody: values['limits.json_body'],
  requestTimeout: values['limits.request_timeout'],
});

function inShape(
  values: Values,
  dataFolder: string,
  certificateAuthorities: readonly string[],
): Omit<Configuration, 'keptPort' | 'lockedKeys' | 'fixedKeys'> {
  return {
    port: values.port,
    authorizationUrl: values['authorization.url'],
    registryUrl: values['registry.url'],
    sites: Object.entries(values.sites).map(([origin, scopes]) => ({ origin, scopes })),
    listen: readListeners(values.listen, values.public_url),
    approve: values.approve,
    approved: values.approved,
    approval: approvalOf(values),
    evidence: { timeout: values['evidence.timeout'] },
    renewal: { mode: values['renewal.mode'], within: values['renewal.within'] },
    metrics: values.metrics,
    shutdownTimeout: values.shutdown_timeout,
    logLevel: values['log.level'],
    ...databaseOf(values),
    ...documentsOf(values, dataFolder),
    secretStore: secretStoreOf(values, dataFolder),
    signing: {
      syncTimeout: values['signing.sync_timeout'],
      uploadTimeout: values['signing.upload_timeout'],
      lifetime: values['signing.lifetime'],
    },
    limits: limitsOf(values),
    archive: archiveOf(values),
    fileRoots: values['files.roots'],
    fileGrants: fileGrantsOf(values),
    applicationLimits: applicationLimitsOf(values),
    network: {
      allow: values['network.allow'],
      noProxy: values['network.no_proxy'],
      certificateAuthorities,
      proxy: values['network.proxy'],
    },
    policiesSource: values['policies.source'],
    algorithmPolicy: algorithmPolicyOf(values),
    testServicesPort: values['test_services.port'],
    moduleBinding: values['modules.binding'],
    tokenSessions: values['pkcs11.sessions'],
    moduleEnvironment: values['pkcs11.environment'],
    updates: values['updates.mode'],
  };
}
