/** The part of S3 used by the product, in memory, for tests without an emulator. Signatures are not checked. */
import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';

interface StoredObject {
  readonly content: Buffer;
  readonly mediaType: string;
  readonly tag: string;
  readonly written: Date;
}

/** An upload in parts, neither completed nor aborted. */
interface OpenUpload {
  readonly path: string;
  readonly mediaType: string;
  readonly parts: Map<number, Buffer>;
}

interface S3Request {
  readonly method: string;
  /** `/bucket/key`, decoded. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

const md5 = (content: Buffer): Buffer => createHash('md5').update(content).digest();

/** Answers like S3 for these buckets, empty at first: objects, conditions, uploads in parts. */
export function standInS3(buckets: readonly string[]): RequestListener {
  const server = new StandInS3(buckets);
  return (request, response) => {
    void (async () => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://s3');
      const { method = 'GET', headers } = request;
      const body = await buffer(request);
      server.answer({ method, path: decodeURIComponent(pathname), query: searchParams, headers, body }, response);
    })().catch(() => response.destroy());
  };
}

class StandInS3 {
  readonly #buckets: ReadonlySet<string>;
  readonly #objects = new Map<string, StoredObject>();
  readonly #uploads = new Map<string, OpenUpload>();

  constructor(buckets: readonly string[]) {
    this.#buckets = new Set(buckets);
  }

  answer(request: S3Request, response: ServerResponse): void {
    const [, bucket = '', ...key] = request.path.split('/');
    if (!this.#buckets.has(bucket)) refuse(response, 404, 'NoSuchBucket');
    else if (key.join('/') === '') this.#list(request, response);
    else if (request.query.has('uploads') || request.query.has('uploadId')) this.#answerParts(request, response);
    else if (request.method === 'PUT') this.#put(request, response);
    else if (request.method === 'DELETE') {
      this.#objects.delete(request.path);
      response.writeHead(204).end();
    } else this.#get(request, response);
  }

  #put(request: S3Request, response: ServerResponse): void {
    const { body: content, headers } = request;
    const digest = md5(content);
    const announced = headers['content-md5'];
    if (announced !== undefined && announced !== digest.toString('base64')) refuse(response, 400, 'BadDigest');
    else if (this.#isTaken(request)) refuse(response, 412, 'PreconditionFailed');
    else
      this.#store(
        request,
        { content, mediaType: mediaTypeOf(request), tag: digest.toString('hex'), written: new Date() },
        response,
      );
  }

  #store({ path }: S3Request, stored: StoredObject, response: ServerResponse, body = ''): void {
    this.#objects.set(path, stored);
    response.writeHead(200, { etag: `"${stored.tag}"` }).end(body);
  }

  /** Two objects a page: tests with three see a further page. */
  #list({ path, query }: S3Request, response: ServerResponse): void {
    const place = `${path.replace(/\/$/, '')}/`;
    const prefix = place + (query.get('prefix') ?? '');
    const paths = [...this.#objects.keys()].filter((one) => one.startsWith(prefix)).sort();
    const start = Number(query.get('continuation-token') ?? 0);
    const entries = paths.slice(start, start + 2).map((one) => {
      const written = this.#objects.get(one)?.written.toISOString() ?? '';
      return `<Contents><Key>${one.slice(place.length)}</Key><LastModified>${written}</LastModified></Contents>`;
    });
    const isMore = paths.length > start + 2;
    const next = isMore ? `<NextContinuationToken>${start + 2}</NextContinuationToken>` : '';
    const body = `<ListBucketResult><IsTruncated>${isMore}</IsTruncated>${next}${entries.join('')}</ListBucketResult>`;
    response.writeHead(200, { 'content-type': 'application/xml' }).end(body);
  }

  #isTaken({ path, headers }: S3Request): boolean {
    return headers['if-none-match'] === '*' && this.#objects.has(path);
  }

  #get({ method, path }: S3Request, response: ServerResponse): void {
    const found = this.#objects.get(path);
    if (found === undefined) {
      refuse(response, 404, 'NoSuchKey');
      return;
    }
    const { content, mediaType, tag } = found;
    response.writeHead(200, { 'content-type': mediaType, 'content-length': content.length, etag: `"${tag}"` });
    response.end(method === 'HEAD' ? undefined : content);
  }

  #answerParts(request: S3Request, response: ServerResponse): void {
    const { method, path, query, body } = request;
    const id = query.get('uploadId') ?? '';
    if (query.has('uploads')) {
      const uploadId = randomUUID();
      this.#uploads.set(uploadId, { path, mediaType: mediaTypeOf(request), parts: new Map() });
      response.end(`<InitiateMultipartUploadResult><UploadId>${uploadId}</UploadId></InitiateMultipartUploadResult>`);
      return;
    }
    const upload = this.#uploads.get(id);
    if (upload?.path !== path) refuse(response, 404, 'NoSuchUpload');
    else if (method === 'PUT') {
      upload.parts.set(Number(query.get('partNumber')), body);
      response.writeHead(200, { etag: `"${md5(body).toString('hex')}"` }).end();
    } else if (method === 'DELETE') {
      this.#uploads.delete(id);
      response.writeHead(204).end();
    } else if (this.#isTaken(request)) refuse(response, 412, 'PreconditionFailed');
    else {
      this.#uploads.delete(id);
      const parts = [...upload.parts].sort(([left], [right]) => left - right).map(([, part]) => part);
      const tag = `${md5(Buffer.concat(parts.map(md5))).toString('hex')}-${parts.length}`;
      const stored = { content: Buffer.concat(parts), mediaType: upload.mediaType, tag, written: new Date() };
      const result = `<CompleteMultipartUploadResult><ETag>"${tag}"</ETag></CompleteMultipartUploadResult>`;
      this.#store(request, stored, response, result);
    }
  }
}

const mediaTypeOf = ({ headers }: S3Request): string => headers['content-type'] ?? 'application/octet-stream';

function refuse(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'content-type': 'application/xml' });
  response.end(`<Error><Code>${code}</Code><Message>${code}</Message></Error>`);
}
