import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { Bucket, Storage, StorageOptions } from '@google-cloud/storage';
import type { ObjectClient, ObjectHead, ObjectUpload, OpenObject } from './object-client.ts';
import type { ObjectStoreCredentials, OpenObjectStore } from './store-entry.ts';
import { isNotFound } from './store-failure.ts';

/** Longer files are sent so that they go on after a connection breaks. */
const LONGEST_IN_ONE = 16 * 2 ** 20;
/** Nothing is asked of this name with the rights that are needed here; without one the SDK would look for it. */
const PROJECT = 'sinete';

/** Opens a bucket of Google Cloud Storage, or of a server that speaks like it. */
export async function openGcs(
  { credentials, endpoint, bucket }: OpenObjectStore,
  proxy: URL | undefined,
): Promise<ObjectClient> {
  const sdk = await import('@google-cloud/storage');
  const storage = new sdk.Storage({
    projectId: PROJECT,
    apiEndpoint: endpoint ?? 'https://storage.googleapis.com',
    ...identity(credentials, endpoint !== undefined),
    retryOptions: { autoRetry: true, maxRetries: 1, maxRetryDelay: 2, totalTimeout: 30 },
    // For tokens, and for uploads in parts.
    ...(proxy === undefined ? {} : { clientOptions: { transporterOptions: { proxy: proxy.href } } }),
  });
  if (proxy !== undefined) storage.interceptors.push(through(proxy));
  return new GcsBucket(storage.bucket(bucket));
}

type Interceptor = Storage['interceptors'][number];

/**
 * Its requests are made by another library, which takes the proxy with each. So do uploads in parts, also to servers
 * that know no credentials, where the SDK leaves the client aside that has the proxy: those ask for a tunnel
 * (CONNECT), whether they speak TLS or not.
 */
function through(proxy: URL): Interceptor {
  return { request: (request) => ({ ...request, proxy: proxy.href }) as ReturnType<Interceptor['request']> };
}

/** Of a service account's file only what is named here is used: other kinds may name programs and addresses. */
function identity(credentials: ObjectStoreCredentials, hasEndpoint: boolean): StorageOptions {
  if (credentials.kind !== 'service-account') return { useAuthWithCustomEndpoint: false };
  const { clientEmail, privateKey } = credentials;
  return {
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- what it warns of are other kinds of credentials
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
    const version = generation === undefined ? {} : { generation };
    // The octets as they rest, whatever their encoding; they are counted, and their hash is taken by who reads them.
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

  /** An upload that does not end leaves nothing that could be listed; the service forgets it after a week. */
  async forgetParts(): Promise<void> {
    await Promise.resolve();
  }

  async remove(key: string): Promise<void> {
    await this.#bucket.file(key).delete({ ignoreNotFound: true });
  }

  async probe(prefix: string): Promise<void> {
    await this.#bucket.getFiles({ autoPaginate: false, maxResults: 1, ...(prefix === '' ? {} : { prefix }) });
  }

  close(): void {
    // The SDK shares its connections and ends them by itself.
  }
}

/** Sizes come as text. */
function readSize(size: string | number | undefined): number {
  const octets = Number(size ?? Number.NaN);
  if (Number.isSafeInteger(octets)) return octets;
  throw new Error('This is no answer of cloud storage.');
}

const hex = (base64: string): string => Buffer.from(base64, 'base64').toString('hex');
