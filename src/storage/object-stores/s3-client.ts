import { createReadStream } from 'node:fs';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { Readable } from 'node:stream';
import { getCACertificates } from 'node:tls';
import type * as S3Sdk from '@aws-sdk/client-s3';
import type { PutObjectCommandInput, S3Client } from '@aws-sdk/client-s3';
import { ServiceError } from '../../service/errors/index.ts';
import type { ListedObject, ObjectClient, ObjectHead, ObjectUpload, OpenObject } from './object-client.ts';
import type { ObjectEncryption, OpenObjectStore } from './store-entry.ts';
import { isNotFound, isNotImplemented } from './store-failure.ts';

/** Longer files are sent in parts, so that only a failed part is sent again. */
const LONGEST_IN_ONE = 16 * 2 ** 20;
/** The smallest part of S3; held in memory, twice. */
const PART_SIZE = 8 * 2 ** 20;
const PARTS_AT_ONCE = 2;
const CONNECTION_TIMEOUT = 5000;
/** Few connections are enough, because the disk of this computer limits the speed. */
const CONNECTIONS = 16;

type Sdk = typeof S3Sdk;

/**
 * Opens a bucket of kind S3. Each request is sent at most `attempts` times. `certificateAuthorities` (PEM) are trusted in
 * addition to Node's.
 */
export async function openS3(
  store: OpenObjectStore,
  attempts: number,
  certificateAuthorities: readonly string[],
  proxy: URL | undefined,
): Promise<ObjectClient> {
  const { credentials, endpoint, region = 'us-east-1', pathStyle } = store;
  if (credentials.kind !== 'keys') throw new ServiceError('INTERNAL', 'A store of kind S3 has no keys.');
  const sdk = await import('@aws-sdk/client-s3');
  const ca =
    certificateAuthorities.length === 0 ? {} : { ca: [...getCACertificates('default'), ...certificateAuthorities] };
  // The agent reads its proxy from variables with the names of the environment's.
  const way = {
    proxyEnv: proxy === undefined ? undefined : { HTTP_PROXY: proxy.href, HTTPS_PROXY: proxy.href },
  };
  const agent = { keepAlive: true, maxSockets: CONNECTIONS, ...way };
  const client = new sdk.S3Client({
    region,
    credentials: { accessKeyId: credentials.accessKeyId, secretAccessKey: credentials.secretAccessKey },
    endpoint,
    forcePathStyle: pathStyle,
    maxAttempts: attempts,
    // Without a logger the SDK would write to the console.
    logger: { trace: ignore, debug: ignore, info: ignore, warn: ignore, error: ignore },
    // Otherwise the SDK frames streams in a way that many servers store as content.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: CONNECTION_TIMEOUT,
      httpAgent: new HttpAgent(agent),
      httpsAgent: new HttpsAgent({ ...agent, ...ca }),
    },
  });
  return new S3Bucket(sdk, client, store);
}

class S3Bucket implements ObjectClient {
  readonly #sdk: Sdk;
  readonly #client: S3Client;
  readonly #bucket: string;
  readonly #encryption: ObjectEncryption | undefined;
  /** Uploads in parts that are not finished yet. */
  readonly #unfinished = new Map<string, string>();

  constructor(sdk: Sdk, client: S3Client, { bucket, encryption }: OpenObjectStore) {
    this.#sdk = sdk;
    this.#client = client;
    this.#bucket = bucket;
    this.#encryption = encryption;
  }

  async head(key: string): Promise<ObjectHead | undefined> {
    try {
      const found = await this.#client.send(new this.#sdk.HeadObjectCommand({ Bucket: this.#bucket, Key: key }));
      if (found.ContentLength === undefined || found.ETag === undefined) throw new Error('This is no answer of S3.');
      return { size: found.ContentLength, md5: md5OfTag(found.ETag) };
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  async open(key: string): Promise<OpenObject> {
    const { Body, ContentLength, ContentType, ETag } = await this.#client.send(
      new this.#sdk.GetObjectCommand({ Bucket: this.#bucket, Key: key }),
    );
    if (!(Body instanceof Readable) || ContentLength === undefined || ETag === undefined) {
      throw new Error('This is no answer of S3.');
    }
    return { size: ContentLength, mediaType: ContentType, content: Body };
  }

  async put(key: string, upload: ObjectUpload): Promise<void> {
    const request = {
      Bucket: this.#bucket,
      Key: key,
      ContentType: upload.mediaType,
      Metadata: { 'sinete-sha256': upload.checksum },
      ...encryptionHeaders(this.#encryption),
    };
    try {
      await this.#send(upload.overwrite ? request : { ...request, IfNoneMatch: '*' }, upload);
    } catch (error) {
      if (upload.overwrite || !isNotImplemented(error)) throw error;
      // A server without conditional requests; the existing object was checked before.
      await this.#send(request, upload);
    }
  }

  async #send(request: Omit<PutObjectCommandInput, 'Body'>, { path, size, md5 }: ObjectUpload): Promise<void> {
    const Body = createReadStream(path);
    try {
      if (size > LONGEST_IN_ONE) await this.#sendParts({ ...request, Body });
      else {
        const ContentMD5 = Buffer.from(md5, 'hex').toString('base64');
        await this.#client.send(new this.#sdk.PutObjectCommand({ ...request, Body, ContentLength: size, ContentMD5 }));
      }
    } finally {
      Body.destroy();
    }
  }

  async #sendParts(params: PutObjectCommandInput): Promise<void> {
    const { Upload } = await import('@aws-sdk/lib-storage');
    const upload = new Upload({
      client: this.#client,
      params,
      partSize: PART_SIZE,
      queueSize: PARTS_AT_ONCE,
      // `forgetParts` removes the parts, even after the connections of this upload were cut.
      leavePartsOnError: true,
    });
    try {
      await upload.done();
    } catch (error) {
      if (upload.uploadId !== undefined) this.#unfinished.set(upload.uploadId, params.Key ?? '');
      throw error;
    }
  }

  async forgetParts(): Promise<void> {
    const abort = async ([UploadId, Key]: readonly [string, string]): Promise<void> => {
      const command = new this.#sdk.AbortMultipartUploadCommand({ Bucket: this.#bucket, Key, UploadId });
      await this.#client.send(command).catch((error: unknown) => {
        if (!(error instanceof this.#sdk.NoSuchUpload)) throw error;
      });
      // Removed only now: an upload that could not be aborted is tried again after the next failure.
      this.#unfinished.delete(UploadId);
    };
    const results = await Promise.allSettled([...this.#unfinished].map(abort));
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  }

  async remove(key: string): Promise<void> {
    await this.#client.send(new this.#sdk.DeleteObjectCommand({ Bucket: this.#bucket, Key: key }));
  }

  async list(prefix: string): Promise<readonly ListedObject[]> {
    const found: ListedObject[] = [];
    for (let token: string | undefined; ;) {
      const request = { Bucket: this.#bucket, Prefix: prefix, ContinuationToken: token };
      const page = await this.#client.send(new this.#sdk.ListObjectsV2Command(request));
      for (const { Key, LastModified } of page.Contents ?? []) {
        if (Key === undefined || LastModified === undefined) throw new Error('This is no answer of S3.');
        found.push({ key: Key, modified: LastModified });
      }
      token = page.NextContinuationToken;
      if (page.IsTruncated !== true) return found;
      if (token === undefined) throw new Error('This is no answer of S3.');
    }
  }

  async probe(): Promise<void> {
    await this.#client.send(new this.#sdk.HeadBucketCommand({ Bucket: this.#bucket }));
  }

  close(): void {
    this.#client.destroy();
  }
}

/** The parameters by which the server encrypts an object that it stores. */
function encryptionHeaders(
  encryption: ObjectEncryption | undefined,
): Pick<PutObjectCommandInput, 'ServerSideEncryption' | 'SSEKMSKeyId'> {
  if (encryption === undefined) return {};
  if (encryption.kind === 'sse-s3') return { ServerSideEncryption: 'AES256' };
  return { ServerSideEncryption: 'aws:kms', SSEKMSKeyId: encryption.keyId };
}

function ignore(): void {
  // Failures are reported as errors, so the log is not needed.
}

/** An entity tag is an MD5, except for an object in parts (`…-2`) or an encrypted object. */
function md5OfTag(tag: string | undefined): string | undefined {
  return /^"?([0-9a-f]{32})"?$/i.exec(tag ?? '')?.[1]?.toLowerCase();
}
