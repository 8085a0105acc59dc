import { join } from 'node:path';
import type { ConfiguredSite } from '../../service/index.ts';
import { finishRestore } from '../../storage/index.ts';
import { AppError } from '../app-error.ts';
import { readChosenSettings } from './chosen-settings.ts';
import { configurationKeys, isKey, keys, unknownName, type Values } from './config-keys.ts';
import {
  readEnvironment,
  readPolicy,
  readSettingsFile,
  readText,
  type ConfigurationSources,
} from './config-sources.ts';
import { defaultKeyFile, policyFile } from './data-folder.ts';

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
  /** Address below which ICP-Brasil's policies and the list of them are published. */
  readonly policiesSource: string;
  /** Where certificates of the test authority point to, and where its services listen. */
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

/**
 * Reads what was chosen in the window, then `sinete.toml` or `sinete.json` in the data folder, then the environment,
 * which wins, then the policy of this computer, which wins over both. Throws `AppError` with exit code 2 that names the
 * key and, for an unknown one, the nearest known one.
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

function checked(settings: Readonly<Record<string, unknown>>): Values {
  for (const key of Object.keys(settings)) {
    if (!isKey(key)) throw unknownName(`The configuration key "${key}"`, key, configurationKeys);
  }
  const entries = Object.entries(keys).map(([key, schema]) => {
    const result = schema.safeParse(settings[key]);
    if (result.success) return [key, result.data] as const;
    const reason = result.error.issues[0]?.message ?? 'it is not valid';
    throw new AppError(2, `The configuration key "${key}" is wrong: ${reason}.`);
  });
  return Object.fromEntries(entries) as Values;
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
