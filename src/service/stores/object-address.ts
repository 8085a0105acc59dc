import type { ObjectAddress, ObjectPlace, ObjectStoreKind } from './object-stores.ts';

const scheme = { s3: 's3://', gcs: 'gs://' } as const satisfies Record<ObjectStoreKind, string>;

/** Bucket names permitted by both kinds (S3: 3 to 63; Cloud Storage: up to 222 with dots). */
const BUCKET = /^[a-z0-9][a-z0-9._-]{1,220}[a-z0-9]$/;

/** In bytes of UTF-8. */
const LONGEST_KEY = 1024;

/** True if a text may be the name of a bucket. */
export function isBucketName(text: string): boolean {
  return BUCKET.test(text);
}

/**
 * True for a permitted key. Stores accept more keys, but some store objects as files, and a key must not lead out of
 * the bucket.
 */
export function isObjectKey(key: string): boolean {
  if (key === '' || Buffer.byteLength(key) > LONGEST_KEY || /[\u0000-\u001f\u007f\\]/.test(key)) return false;
  if (!key.isWellFormed() || key.startsWith('/') || key.endsWith('/')) return false;
  return key.split('/').every((segment) => segment !== '.' && segment !== '..' && segment !== '');
}

/** Reads `bucket/key`, or `s3://bucket/key` and `gs://bucket/key` for their kind; undefined for anything else. */
export function parseObjectAddress(text: string | undefined, kind: ObjectStoreKind): ObjectAddress | undefined {
  if (text === undefined) return undefined;
  const hasScheme = text.slice(0, scheme[kind].length).toLowerCase() === scheme[kind];
  const rest = hasScheme ? text.slice(scheme[kind].length) : text;
  const slash = rest.indexOf('/');
  if (slash < 0) return undefined;
  const bucket = rest.slice(0, slash);
  const key = rest.slice(slash + 1);
  return isBucketName(bucket) && isObjectKey(key) ? { kind, bucket, key } : undefined;
}

/** Reads an address made by `objectUrl`, or a client's whole address. */
export function parseObjectUrl(url: string): ObjectAddress | undefined {
  const kind = (['s3', 'gcs'] as const).find((one) => url.toLowerCase().startsWith(scheme[one]));
  return kind === undefined ? undefined : parseObjectAddress(url, kind);
}

/** The name of an object: a whole address, or a key in a bucket that is known. */
export interface ObjectName {
  readonly address: ObjectAddress | undefined;
  /** True for a permitted key that is no address. */
  readonly isKey: boolean;
}

export function readObjectName(text: string): ObjectName {
  const isUrl = namesObjectUrl(text);
  return { address: isUrl ? parseObjectUrl(text) : undefined, isKey: !isUrl && isObjectKey(text) };
}

/** True for a text in the form of a full object address. */
export function namesObjectUrl(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(text);
}

/** `s3://bucket/key`, `gs://bucket/key`. */
export function objectUrl({ kind, bucket, key }: ObjectAddress): string {
  return `${scheme[kind]}${bucket}/${key}`;
}

/** `s3://bucket/prefix/`: a place in a form for people. */
export function placeUrl({ kind, bucket, prefix }: ObjectPlace): string {
  return `${scheme[kind]}${bucket}/${prefix}`;
}
