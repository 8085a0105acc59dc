import { openSecretStore, openStorage, resealDatabase, type SealedSettings } from '../../storage/index.ts';
import { AppError } from '../app-error.ts';
import { readConfiguration } from '../config/config.ts';
import type { ConfigurationSources } from '../config/config-sources.ts';
import { addressOfDatabase } from '../config/database-url.ts';
import { openDocumentBucket } from './open-object-stores.ts';
import { nodesKeyPlace, nodesKeySetting } from './open-transactions.ts';
import { adoptedSetting, checkPlace, checkSetting, openSecrets } from './open-secrets.ts';

const sealedSettings: SealedSettings = {
  values: {
    [checkSetting]: checkPlace,
    test_authority: 'settings|test_authority|1',
    'audit.mark': 'settings audit.mark',
    [nodesKeySetting]: nodesKeyPlace,
  },
  lists: {
    'signing.passwords': ({ id }) => `settings|signing.passwords|${String(id)}`,
    'tsa.servers': ({ id, url }) => `settings|tsa.servers|${String(id)}|${String(url)}`,
    object_stores: ({ id, kind, endpoint = '', bucket }) =>
      `settings|object_stores|${String(id)}|${String(kind)}|${String(endpoint)}|${String(bucket)}`,
  },
  // The new key is the computer's own, so the key of a restored backup is no longer needed.
  unneeded: [adoptedSetting],
};

/**
 * Replaces the master key of a data folder that is not in use by the key in another file. Answers the number of
 * secrets. Rejects with `AppError` if the present key is not in a file, and with `StorageError`; nothing is changed
 * then.
 */
export async function rotateKeyFile(sources: ConfigurationSources, keyFile: string): Promise<number> {
  const configuration = await readConfiguration(sources);
  const { secretStore } = configuration;
  if (secretStore.mode !== 'key-file') {
    throw new AppError(2, 'The present master key is not in a file: secret_store.mode or SINETE_MASTER_KEY_FILE.');
  }
  const next = await (await openSecretStore({ mode: 'key-file', keyFile })).getMasterKey();
  const databaseUrl = await addressOfDatabase(configuration);
  const bucket = await openDocumentBucket(configuration);
  const storage = await openStorage(sources.dataFolder, {
    databaseUrl,
    bucket,
    sharedFolder: configuration.documentsFolder,
    alone: true,
  });
  try {
    const { store } = await openSecrets(secretStore, storage.settings, undefined);
    const present = await store.getMasterKey();
    if (present.equals(next)) throw new AppError(2, `The file ${keyFile} holds the present master key: make another.`);
    return await resealDatabase(storage.database, { from: present, to: next, settings: sealedSettings });
  } finally {
    next.fill(0);
    await storage.close();
  }
}
