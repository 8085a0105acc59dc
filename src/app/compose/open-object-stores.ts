import { holdExchanges, proxyFinder, type FindProxy } from '../../network/index.ts';
import type { SettingsStore } from '../../service/settings/index.ts';
import { ConfiguredObjectStores, DocumentBucket, NamedStores, type SecretStore } from '../../storage/index.ts';
import { dropUndefined } from '../../values/drop-undefined.ts';
import type { Configuration } from '../config/config.ts';
import { credentialsOfBucket } from '../config/documents-store.ts';

/** The object stores of an instance: the configured stores, and the access to them. */
export interface ObjectStoreServices {
  readonly namedStores: NamedStores;
  readonly objectStores: ConfiguredObjectStores;
}

/** Builds the object stores. Their servers may be in private networks, because the owner has named each server. */
export function openObjectStores(
  { network }: Pick<Configuration, 'network'>,
  settings: SettingsStore,
  secrets: Pick<SecretStore, 'getMasterKey'>,
  findSystemProxy?: FindProxy,
): ObjectStoreServices {
  const { noProxy } = network;
  const proxy = network.proxy === undefined ? undefined : new URL(network.proxy);
  const namedStores = new NamedStores(settings, secrets);
  const objectStores = new ConfiguredObjectStores({
    named: namedStores,
    hold: async (limits, action) => holdExchanges({ ...limits, allow: [...network.allow, ...limits.allow] }, action),
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
): Promise<DocumentBucket | undefined> {
  if (documentsBucket === undefined) return undefined;
  const { bucket, prefix, region, pathStyle, endpoint, encryption } = documentsBucket;
  const credentials = await credentialsOfBucket(documentsBucket);
  const proxy = network.proxy === undefined ? undefined : new URL(network.proxy);
  return new DocumentBucket(
    { bucket, prefix, region, pathStyle, credentials, ...dropUndefined({ endpoint, encryption }) },
    {
      hold: async (limits, action) => holdExchanges({ ...limits, allow: [...network.allow, ...limits.allow] }, action),
      findProxy: proxyFinder({ proxy, noProxy: network.noProxy }, findSystemProxy),
      certificateAuthorities: network.certificateAuthorities,
    },
  );
}
