import { randomBytes } from 'node:crypto';
import type { SettingsStore } from '../service/index.ts';
import { openSecretStore, type SecretStore } from '../storage/index.ts';
import type { Configuration } from './config.ts';

/** Says under which kind of store this data folder was sealed. */
const setting = 'secret_store.kind';
/** Names this data folder's own entry in the keychain, so that two folders do not depend on one. */
const accountSetting = 'secret_store.account';
const kinds = ['os-keychain', 'key-file', 'passphrase', 'memory'] as const;
type Kind = (typeof kinds)[number];

/** The place of the master key, and whether what an earlier run has sealed can no longer be opened. */
export interface OpenedSecrets {
  readonly store: SecretStore;
  /** The last run kept its master key in memory only: whatever it sealed is lost. */
  readonly earlierAreLost: boolean;
  /** Whether this process has the master key already. */
  readonly keyIsKnown: () => boolean;
}

/**
 * Opens the place of the master key that the configuration names and the data folder remembers. The kind is written
 * down when the key is first used, so that no later run seals under another one.
 */
export async function openSecrets(
  { mode, keyFile, passphraseFile }: Configuration['secretStore'],
  settings: SettingsStore,
  askPassphrase: (() => Promise<string>) | undefined,
): Promise<OpenedSecrets> {
  const remembered = kindOf(await settings.read(setting));
  const store = await openSecretStore({
    mode,
    keyFile,
    passphraseFile,
    keychain: { account: await keychainAccount(settings) },
    ...(remembered === undefined ? {} : { expectedKind: remembered }),
    ...(askPassphrase === undefined ? {} : { askPassphrase }),
  });
  let isKnown = false;
  const known = rememberingKind(store, remembered, settings, () => {
    isKnown = true;
  });
  return { store: known, earlierAreLost: remembered === 'memory', keyIsKnown: () => isKnown };
}

async function keychainAccount(settings: SettingsStore): Promise<string> {
  const known = await settings.read(accountSetting);
  if (typeof known === 'string') return known;
  const account = `master-key-${randomBytes(4).toString('hex')}`;
  await settings.write(accountSetting, account);
  return account;
}

function rememberingKind(
  store: SecretStore,
  remembered: Kind | undefined,
  settings: SettingsStore,
  onKnown: () => void,
): SecretStore {
  let known = remembered;
  return {
    kind: store.kind,
    detail: store.detail,
    probe: async () => store.probe(),
    getMasterKey: async () => {
      const key = await store.getMasterKey();
      if (known !== store.kind) await settings.write(setting, store.kind);
      known = store.kind;
      onKnown();
      return key;
    },
  };
}

function kindOf(value: unknown): Kind | undefined {
  return kinds.find((kind) => kind === value);
}
