import { checkDataFolder } from './check-data-folder.ts';
import { finishRestore } from '../../storage/index.ts';
import {
  DEFAULT_ALGORITHM_POLICY,
  ETSI_ALGORITHM_POLICY_V1_5_1,
  ETSI_ALGORITHM_POLICY_V2_1_1,
  extendAlgorithmPolicy,
  type AlgorithmPolicy,
} from '../../signing/index.ts';
import { AppError } from '../app-error.ts';
import { readChosenSettings } from './chosen-settings.ts';
import {
  readEnvironment,
  readPolicy,
  readSettingsFile,
  readText,
  type ConfigurationSources,
} from './config-sources.ts';
import { policyFile } from './data-folder.ts';
import { readListeners, type ConfiguredListener } from './listen.ts';
import { documentsOf, type ConfiguredDocuments } from './documents-store.ts';
import { tracingOf, type ConfiguredTracing } from './tracing.ts';
import { checkValues, placeValues, type PlacedValues, type Values } from './values.ts';

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
  'etsi-119-312': ETSI_ALGORITHM_POLICY_V2_1_1,
  'etsi-119-312-v1.5.1': ETSI_ALGORITHM_POLICY_V1_5_1,
  'etsi-119-312-v2.1.1': ETSI_ALGORITHM_POLICY_V2_1_1,
};

/** The configuration, checked and complete. Times are seconds, sizes bytes. */
export interface Configuration extends PlacedValues, ConfiguredDocuments {
  /** The port that a person keeps in the window. */
  readonly keptPort?: number;
  /** Listeners beside the one on loopback. */
  readonly listen: readonly ConfiguredListener[];
  /** PostgreSQL, without its password; absent: SQLite in the data folder. */
  readonly database?: { readonly url: string; readonly passwordFile?: string };
  /** Where traces go; absent: nowhere. */
  readonly tracing?: ConfiguredTracing;
  readonly network: PlacedValues['network'] & {
    /** PEM of authorities that TLS trusts in addition to the usual ones. */
    readonly certificateAuthorities: readonly string[];
  };
  /** The dates until which validations trust hash functions and keys. */
  readonly algorithmPolicy: AlgorithmPolicy;
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
  const placed = placeValues(values, sources.dataFolder);
  return {
    ...placed,
    listen: readListeners(values.listen, values.public_url),
    // Without one-time passwords in requests there is no session that could approve.
    approval: { ...placed.approval, session: placed.approval.oneTimePassword ? placed.approval.session : 0 },
    ...databaseOf(values),
    ...documentsOf(values, sources.dataFolder),
    network: {
      ...placed.network,
      certificateAuthorities: await readAuthorities(values['network.certificate_authorities']),
    },
    algorithmPolicy: algorithmPolicyOf(values),
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
