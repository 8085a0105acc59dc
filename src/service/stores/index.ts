/** Object stores and the addresses of their objects. */
export { noObjectStores } from './object-stores.ts';
export {
  isBucketName,
  isObjectKey,
  namesObjectUrl,
  objectUrl,
  parseObjectAddress,
  parseObjectUrl,
  placeUrl,
  readObjectName,
  type ObjectName,
} from './object-address.ts';
export type {
  ObjectAddress,
  ObjectFile,
  ObjectPlace,
  ObjectStoreKind,
  ObjectStores,
  StoredObject,
} from './object-stores.ts';
