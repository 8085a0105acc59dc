import { ServiceError } from '../../service/errors/index.ts';
import { isBucketName, type ObjectStoreKind } from '../../service/stores/index.ts';

/** A store without its secrets. */
export interface ObjectStoreEntry {
  readonly id: string;
  readonly kind: ObjectStoreKind;
  /** Origin of the server; absent: Amazon's for the region, Google's. */
  readonly endpoint?: string;
  /** Of S3 only. */
  readonly region?: string;
  readonly bucket: string;
  /** Empty, or a folder with a slash at its end: nothing outside of the folder is read or written. */
  readonly prefix: string;
  /** For S3: true if the bucket is in the path of the address instead of the host's name. */
  readonly pathStyle: boolean;
  /** True if results replace existing objects. */
  readonly overwrite: boolean;
}

/** Credentials of a store. Never shown, stored sealed. */
export type ObjectStoreCredentials =
  | { readonly kind: 'keys'; readonly accessKeyId: string; readonly secretAccessKey: string }
  /** A service account of Google's. */
  | { readonly kind: 'service-account'; readonly clientEmail: string; readonly privateKey: string }
  /** For emulators. */
  | { readonly kind: 'none' };

/** How an S3 server encrypts what it stores: under keys of its own, or under a key of a key management service. */
export type ObjectEncryption =
  | { readonly kind: 'sse-s3' }
  /** Absent key: the default key of the account. */
  | { readonly kind: 'sse-kms'; readonly keyId?: string };

/** A store with its credentials. */
export interface OpenObjectStore extends ObjectStoreEntry {
  /** Absent: the bucket's own setting. */
  readonly encryption?: ObjectEncryption;
  readonly credentials: ObjectStoreCredentials;
}

const ID = /^[A-Za-z0-9._-]{1,64}$/;

/** The entry in regular form. Throws `REQUEST_INVALID` for an impossible entry. */
export function checkEntry({ endpoint, prefix, ...store }: OpenObjectStore): OpenObjectStore {
  if (!ID.test(store.id)) refuse('An id has 1 to 64 letters, digits, dots, underscores or hyphens.');
  if (!isBucketName(store.bucket)) refuse('The name of a bucket has lower-case letters, digits, dots and hyphens.');
  const folder = regularPrefix(prefix);
  const server = { endpoint: endpoint === undefined ? undefined : regularEndpoint(endpoint) };
  checkCredentials({ ...store, ...server, prefix: folder });
  return { ...store, ...server, prefix: folder };
}

/** The store's place by kind, bucket and prefix; two stores with the same place cannot be told apart. */
export function placeOfStore({ kind, bucket, prefix }: Pick<ObjectStoreEntry, 'kind' | 'bucket' | 'prefix'>): string {
  return `${kind} ${bucket}/${prefix}`;
}

function checkCredentials({ kind, region, endpoint, credentials }: OpenObjectStore): void {
  switch (kind) {
    case 's3':
      if (credentials.kind !== 'keys') refuse('A store of kind S3 needs an access key and its secret.');
      if (region === undefined || !/^[a-z0-9-]{1,64}$/.test(region)) refuse('Give the region, such as sa-east-1.');
      return;
    case 'gcs':
      if (credentials.kind === 'keys') refuse('A store of this kind takes the JSON key of a service account.');
      if (credentials.kind === 'none' && endpoint === undefined) {
        refuse("Google's own service needs the JSON key of a service account.");
      }
  }
}

function regularPrefix(prefix: string): string {
  const folder = prefix.replace(/^\/+|\/+$/g, '');
  if (folder === '') return '';
  const isRegular = folder.split('/').every((segment) => segment !== '' && segment !== '.' && segment !== '..');
  if (!isRegular || folder.length > 512 || /[\u0000-\u001f\u007f\\]/.test(folder)) {
    refuse('A prefix is a folder such as contracts/2026, without "." and "..".');
  }
  return `${folder}/`;
}

function regularEndpoint(endpoint: string): string {
  const url = URL.parse(endpoint);
  if (url === null || !/^https?:$/.test(url.protocol)) return refuse('The endpoint begins with http:// or https://.');
  if (url.username !== '' || url.password !== '') return refuse('Give the credentials apart from the endpoint.');
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '')
    return refuse('The endpoint is a host, without a path.');
  return url.origin;
}

function refuse(detail: string): never {
  throw new ServiceError('REQUEST_INVALID', detail);
}
