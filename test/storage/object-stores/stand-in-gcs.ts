/** The part of Google Cloud Storage's JSON interface that the product uses, in memory, for tests without an emulator. */
import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';

interface StoredObject {
  readonly content: Buffer;
  readonly mediaType: string;
  readonly generation: string;
  readonly written: Date;
}

/** An announced object, and its content received so far. */
interface OpenUpload extends Announced {
  readonly chunks: Buffer[];
}

interface Announced {
  /** `bucket/name`. */
  readonly address: string;
  readonly mediaType: string;
  readonly mayReplace: boolean;
}

interface GcsRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** Answers as cloud storage does, with any bucket, each empty at first. */
export function standInGcs(): RequestListener {
  const server = new StandInGcs();
  return (request, response) => {
    void (async () => {
      const url = new URL(request.url ?? '/', `http://${request.headers.host ?? ''}`);
      const { method = 'GET', headers } = request;
      server.answer({ method, url, headers, body: await buffer(request) }, response);
    })().catch(() => response.destroy());
  };
}

class StandInGcs {
  readonly #objects = new Map<string, StoredObject>();
  readonly #uploads = new Map<string, OpenUpload>();
  #generation = 0;

  answer(request: GcsRequest, response: ServerResponse): void {
    const { pathname } = request.url;
    const match = /\/b\/([^/]+)(?:\/o(?:\/([^/]+))?)?$/.exec(pathname);
    const [bucket, name] = [decodeURIComponent(match?.[1] ?? ''), decodeURIComponent(match?.[2] ?? '')];
    if (pathname.startsWith('/upload/')) this.#receive(request, bucket, response);
    else if (name === '') this.#list(request, bucket, response);
    else this.#answerObject(request, `${bucket}/${name}`, response);
  }

  #answerObject({ method, url }: GcsRequest, address: string, response: ServerResponse): void {
    const found = this.#objects.get(address);
    if (found === undefined) sendError(response, 404, `No such object: ${address}`);
    else if (method === 'DELETE') {
      this.#objects.delete(address);
      response.writeHead(204).end();
    } else if (url.searchParams.get('alt') === 'media') {
      const { content, mediaType, generation } = found;
      const hashes = `crc32c=${crc32c(content)},md5=${md5(content)}`;
      response.writeHead(200, {
        'content-type': mediaType,
        'content-length': content.length,
        'x-goog-hash': hashes,
        'x-goog-generation': generation,
      });
      response.end(content);
    } else sendJson(response, 200, this.#describe(address, found));
  }

  /** Two objects a page, so that tests with four see how pages go on. */
  #list({ url }: GcsRequest, bucket: string, response: ServerResponse): void {
    const prefix = `${bucket}/${url.searchParams.get('prefix') ?? ''}`;
    const found = [...this.#objects].filter(([address]) => address.startsWith(prefix));
    const start = Number(url.searchParams.get('pageToken') ?? 0);
    const items = found.slice(start, start + 2).map(([address, object]) => this.#describe(address, object));
    const nextPageToken = found.length > start + 2 ? String(start + 2) : undefined;
    sendJson(response, 200, { kind: 'storage#objects', items, nextPageToken });
  }

  #receive(request: GcsRequest, bucket: string, response: ServerResponse): void {
    const { url, headers, body } = request;
    const { searchParams } = url;
    const open = this.#uploads.get(searchParams.get('upload_id') ?? '');
    if (open !== undefined) {
      open.chunks.push(body);
      // This range asks for the number of received bytes. Other ranges come with all remaining bytes.
      if (headers['content-range'] !== 'bytes */*') this.#finish(open, Buffer.concat(open.chunks), response);
      else {
        const received = open.chunks.reduce((sum, { length }) => sum + length, 0);
        response.writeHead(308, received === 0 ? {} : { range: `bytes=0-${received - 1}` }).end();
      }
      return;
    }
    const mayReplace = searchParams.get('ifGenerationMatch') !== '0';
    const announced = (metadata: string): Announced => {
      const { name, contentType } = JSON.parse(metadata) as { readonly name?: string; readonly contentType?: string };
      const address = `${bucket}/${searchParams.get('name') ?? name ?? ''}`;
      return { address, mediaType: contentType ?? 'application/octet-stream', mayReplace };
    };
    if (searchParams.get('uploadType') === 'resumable') {
      const id = randomUUID();
      this.#uploads.set(id, { ...announced(body.toString()), chunks: [] });
      response.writeHead(200, { location: `${url.origin}${url.pathname}?uploadType=resumable&upload_id=${id}` }).end();
    } else {
      const [metadata, content] = readRelatedParts(headers['content-type'] ?? '', body);
      this.#finish(announced(metadata.toString()), content, response);
    }
  }

  #finish({ address, mediaType, mayReplace }: Announced, content: Buffer, response: ServerResponse): void {
    if (!mayReplace && this.#objects.has(address)) {
      sendError(response, 412, 'At least one of the pre-conditions you specified did not hold.');
      return;
    }
    this.#generation++;
    const stored = { content, mediaType, generation: String(this.#generation), written: new Date() };
    this.#objects.set(address, stored);
    sendJson(response, 200, this.#describe(address, stored));
  }

  #describe(address: string, { content, mediaType, generation, written }: StoredObject): object {
    const [bucket = '', ...name] = address.split('/');
    return {
      kind: 'storage#object',
      bucket,
      name: name.join('/'),
      contentType: mediaType,
      updated: written.toISOString(),
      generation,
      metageneration: '1',
      size: String(content.length),
      md5Hash: md5(content),
      crc32c: crc32c(content),
    };
  }
}

/** The two parts of a `multipart/related` body (RFC 2387): metadata, content. */
function readRelatedParts(contentType: string, body: Buffer): readonly [metadata: Buffer, content: Buffer] {
  const boundary = /boundary="?([^";]+)"?/.exec(contentType)?.[1];
  if (boundary === undefined) throw new Error('The body has no boundary.');
  const partFrom = (start: number): readonly [content: Buffer, end: number] => {
    const content = body.indexOf('\r\n\r\n', start) + 4;
    const end = body.indexOf(`\r\n--${boundary}`, content);
    return [body.subarray(content, end), end];
  };
  const [metadata, end] = partFrom(0);
  return [metadata, partFrom(end + 2)[0]];
}

function sendJson(response: ServerResponse, status: number, value: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

function sendError(response: ServerResponse, code: number, message: string): void {
  sendJson(response, code, { error: { code, message, errors: [{ message }] } });
}

const md5 = (content: Buffer): string => createHash('md5').update(content).digest('base64');

const table = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0x82f63b78 : value >>> 1;
  return value;
});

/** CRC-32C (RFC 3720 §12.1) in base64, big-endian. */
function crc32c(content: Buffer): string {
  let value = 0xffffffff;
  for (const byte of content) value = (value >>> 8) ^ (table[(value ^ byte) & 0xff] ?? 0);
  const result = Buffer.alloc(4);
  result.writeUInt32BE((value ^ 0xffffffff) >>> 0);
  return result.toString('base64');
}
