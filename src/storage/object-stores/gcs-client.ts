import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { Bucket, Storage, StorageOptions } from '@google-cloud/storage';
import type { ListedObject, ObjectClient, ObjectHead, ObjectUpload, OpenObject } from './object-client.ts';
import type { ObjectStoreCredentials, OpenObjectStore } from './store-entry.ts';
import { isNotFound } from './store-failure.ts';

/** Longer files are sent as resumable uploads. */
const LONGEST_IN_ONE = 16 * 2 ** 20;
/** A placeholder: our requests need no project, but without a name the SDK would search for one. */
const PROJECT = 'sinete';

/** Opens a bucket of Google Cloud Storage, or of a compatible server. Each request is sent at most `attempts` times. */
export async function openGcs(
  { credentials, endpoint, bucket }: OpenObjectStore,
  attempts: number,
  proxy: URL | undefined,
): Promise<ObjectClient> {
  const sdk = await import('@google-cloud/storage');
  const storage = new sdk.Storage({
    projectId: PROJECT,
    apiEndpoint: endpoint ?? 'https://storage.googleapis.com',
    ...identity(credentials, endpoint !== undefined),
    retryOptions: { autoRetry: attempts > 1, maxRetries: attempts - 1, maxRetryDelay: 2, totalTimeout: 30 },
    // Used for tokens and for uploads in parts.
    ...(proxy === undefined ? {} : { clientOptions: { transporterOptions: { proxy: proxy.href } } }),
  });
  if (proxy !== undefined) storage.interceptors.push(through(proxy));
  return new GcsBucket(storage.bucket(bucket));
}

type Interceptor = Storage['interceptors'][number];

/**
 * The SDK's HTTP library takes the proxy with each request. Uploads in parts to servers without credentials bypass the
 * client with the proxy, so they need the proxy too. All requests use a tunnel (CONNECT), with TLS and without.
 */
function through(proxy: URL): Interceptor {
  return { request: (request) => ({ ...request, proxy: proxy.href }) as ReturnType<Interceptor['request']> };
}

/** Only these fields of a service account's file are used: other kinds of files may name programs and addresses. */
function identity(credentials: ObjectStoreCredentials, hasEndpoint: boolean): StorageOptions {
  if (credentials.kind !== 'service-account') return { useAuthWithCustomEndpoint: false };
  const { clientEmail, privateKey } = credentials;
  return {
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- the warning is about other kinds of credentials
    credentials: { client_email: clientEmail, private_key: privateKey },
    ...(hasEndpoint ? { useAuthWithCustomEndpoint: true } : {}),
  };
}

class GcsBucket implements ObjectClient {
  readonly #bucket: Bucket;

  constructor(bucket: Bucket) {
    this.#bucket = bucket;
  }

  async head(key: string): Promise<ObjectHead | undefined> {
    try {
      const [{ size, md5Hash }] = await this.#bucket.file(key).getMetadata();
      return { size: readSize(size), md5: md5Hash === undefined ? undefined : hex(md5Hash) };
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  async open(key: string): Promise<OpenObject> {
    const [{ size, contentType, generation }] = await this.#bucket.file(key).getMetadata();
    const version = { generation };
    // The stored bytes in any encoding; the reader counts and hashes the bytes.
    const content = this.#bucket.file(key, version).createReadStream({ decompress: false });
    return { size: readSize(size), mediaType: contentType, content };
  }

  async put(key: string, { path, size, checksum, md5, mediaType, overwrite }: ObjectUpload): Promise<void> {
    const target = this.#bucket.file(key).createWriteStream({
      resumable: size > LONGEST_IN_ONE,
      validation: 'crc32c',
      metadata: {
        contentType: mediaType,
        md5Hash: Buffer.from(md5, 'hex').toString('base64'),
        metadata: { 'sinete-sha256': checksum },
      },
      ...(overwrite ? {} : { preconditionOpts: { ifGenerationMatch: 0 } }),
    });
    await pipeline(createReadStream(path), target);
  }

  /** An unfinished upload leaves nothing to list; the service forgets the upload after a week. */
  async forgetParts(): Promise<void> {
    await Promise.resolve();
  }

  async list(prefix: string): Promise<readonly ListedObject[]> {
    const [files] = await this.#bucket.getFiles({ prefix });
    return files.map(({ name, metadata }) => ({ key: name, modified: new Date(metadata.updated ?? NaN) }));
  }

  async remove(key: string): Promise<void> {
    await this.#bucket.file(key).delete({ ignoreNotFound: true });
  }

  async probe(prefix: string): Promise<void> {
    await this.#bucket.getFiles({ autoPaginate: false, maxResults: 1, ...(prefix === '' ? {} : { prefix }) });
  }

  close(): void {
    // Nothing to close: the SDK shares its connections and closes idle ones itself.
  }
}

/** Sizes come as text. */
function readSize(size: string | number | undefined): number {
  const bytes = Number(size ?? Number.NaN);
  if (Number.isSafeInteger(bytes)) return bytes;
  throw new Error('This is no answer of cloud storage.');
}

const hex = (base64: string): string => Buffer.from(base64, 'base64').toString('hex');
