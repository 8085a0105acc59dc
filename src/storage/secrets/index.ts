/** The master key and what is sealed under it. */
export { openSealed, seal } from './envelope.ts';
export { openSecretStore, type SecretStoreMode, type SecretStoreOptions } from './open-secret-store.ts';
export type { SecretStore, SecretStoreKind } from './secret-store.ts';
