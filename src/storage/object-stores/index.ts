/** Object stores: the settings that name them, and the SDKs that reach them. */
export { ConfiguredObjectStores, type ObjectStorePatience } from './configured-object-stores.ts';
export { NamedStores } from './named-stores.ts';
export type { ObjectStoreCredentials, ObjectStoreEntry, OpenObjectStore } from './store-entry.ts';
