/** Object stores: their settings, and the SDKs. */
export { ConfiguredObjectStores, type ObjectStorePatience } from './configured-object-stores.ts';
export { BucketDocumentStore } from './bucket-document-store.ts';
export { DocumentBucket, type DocumentBucketSettings } from './document-bucket.ts';
export type { HoldExchanges } from './object-client.ts';
export { NamedStores } from './named-stores.ts';
export type { ObjectStoreCredentials, ObjectStoreEntry, OpenObjectStore } from './store-entry.ts';
