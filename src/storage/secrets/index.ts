/** The master key, and sealing under the master key. */
export { openSealed, seal } from './envelope.ts';
export { openSecretStore, type SecretStoreMode, type SecretStoreOptions } from './open-secret-store.ts';
export { withMasterKey, type SecretStore, type SecretStoreKind } from './secret-store.ts';
