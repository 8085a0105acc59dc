import { holdExchanges, proxyFinder, type FindProxy } from '../../network/index.ts';
import { noTracing, type Tracer } from '../../service/monitoring/index.ts';
import type { SettingsStore } from '../../service/settings/index.ts';
import {
  ConfiguredObjectStores,
  DocumentBucket,
  NamedStores,
  type HoldExchanges,
  type SecretStore,
} from '../../storage/index.ts';
import type { Configuration } from '../config/config.ts';
import { credentialsOfBucket } from '../config/documents-store.ts';
import { tracedHold } from '../tracing/traced-parts.ts';

/** The object stores of an instance: the configured stores, and the access to them. */
export interface ObjectStoreServices {
  readonly namedStores: NamedStores;
  readonly objectStores: ConfiguredObjectStores;
}

/** Actions on a store under the guard of the network, each with a span. */
const holdAllowing = (allow: readonly string[], tracer: Tracer): HoldExchanges =>
  tracedHold(
    async (limits, action) => holdExchanges({ ...limits, allow: [...allow, ...limits.allow] }, action),
    tracer,
  );

/** Builds the object stores. Their servers may be in private networks, because the owner has named each server. */
export function openObjectStores(
  { network }: Pick<Configuration, 'network'>,
  parts: {
    readonly storage: { readonly settings: SettingsStore };
    readonly secrets: Pick<SecretStore, 'getMasterKey'>;
    readonly tracer: Tracer;
  },
  findSystemProxy?: FindProxy,
): ObjectStoreServices {
  const { noProxy } = network;
  const proxy = network.proxy === undefined ? undefined : new URL(network.proxy);
  const namedStores = new NamedStores(parts.storage.settings, parts.secrets);
  const objectStores = new ConfiguredObjectStores({
    named: namedStores,
    hold: holdAllowing(network.allow, parts.tracer),
    findProxy: proxyFinder({ proxy, noProxy }, findSystemProxy),
    certificateAuthorities: network.certificateAuthorities,
  });
  return { namedStores, objectStores };
}

/**
 * The bucket for the documents of all nodes; undefined without one. Its server may be in a private network, because the
 * configuration names it. Rejects with `AppError` without credentials.
 */
export async function openDocumentBucket(
  { documentsBucket, network }: Pick<Configuration, 'documentsBucket' | 'network'>,
  findSystemProxy?: FindProxy,
  tracer = noTracing,
): Promise<DocumentBucket | undefined> {
  if (documentsBucket === undefined) return undefined;
  const { bucket, prefix, region, pathStyle, endpoint, encryption } = documentsBucket;
  const credentials = await credentialsOfBucket(documentsBucket);
  const proxy = network.proxy === undefined ? undefined : new URL(network.proxy);
  return new DocumentBucket(
    { bucket, prefix, region, pathStyle, credentials, endpoint, encryption },
    {
      hold: holdAllowing(network.allow, tracer),
      findProxy: proxyFinder({ proxy, noProxy: network.noProxy }, findSystemProxy),
      certificateAuthorities: network.certificateAuthorities,
    },
  );
}
