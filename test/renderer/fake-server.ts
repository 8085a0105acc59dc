import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, extname, join } from 'node:path';
import type { CallName } from '../../src/ui-contract/ui-contract.ts';
import { contentSecurityPolicy, workerPolicy } from '../../src/http/pages/pages.ts';
import { FakeError, problemOf, type FakeCore, type UploadedFile } from './fake-core.ts';

const mediaTypes: Record<string, string> = {
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** Serves the built GUI and the bridge of headless mode for one `FakeCore`. */
export class FakeServer {
  #core: FakeCore;
  readonly #dist: string;
  readonly #server: Server;
  readonly #keys = new Set<string>();
  readonly #sessions = new Set<string>();
  readonly #streams = new Set<ServerResponse>();

  constructor(core: FakeCore, dist: string) {
    this.#core = core;
    this.#dist = dist;
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch((error: unknown) => {
        const known = error instanceof FakeError ? error : new FakeError('INTERNAL', String(error));
        sendJson(response, known.code === 'INTERNAL' ? 500 : 422, problemOf(known));
      });
    });
  }

  get core(): FakeCore {
    return this.#core;
  }

  /** Stands for another core from now on: links and sessions of the one before end. */
  serve(core: FakeCore): void {
    this.#core = core;
    this.#keys.clear();
    this.endSessions();
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** A fresh one-time link. */
  link(): string {
    const key = randomBytes(16).toString('base64url');
    this.#keys.add(key);
    return `${this.origin}/ui/#key=${key}`;
  }

  /** As a restart of the core does. */
  endSessions(): void {
    this.#sessions.clear();
    this.dropStreams();
  }

  /** Breaks the event streams off. */
  dropStreams(): void {
    for (const stream of this.#streams) stream.destroy();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', this.origin);
    if (pathname === '/ui/') return this.#sendPage(response);
    if (pathname.startsWith('/ui/assets/')) return this.#sendAsset(response, basename(pathname));
    if (pathname.startsWith('/file-transfer/')) {
      sendResult(response);
      return;
    }
    if (pathname === '/ui/session') {
      this.#openSession(response, await readBody(request));
      return;
    }
    if (!this.#sessions.has(request.headers.authorization ?? '')) {
      sendJson(response, 401, problemOf({ code: 'SESSION_ENDED', message: 'The session has ended.' }));
      return;
    }
    if (pathname === '/ui/events') {
      this.#openStream(response);
      return;
    }
    const body = await readBody(request);
    if (pathname === '/ui/rpc') {
      const { call, input } = JSON.parse(body.toString()) as { call: CallName; input: unknown };
      const told = `${call} ${JSON.stringify(input)}`;
      for (const [part, end] of this.core.waits) if (told.includes(part)) await end;
      sendJson(response, 200, this.core.call(call, input));
      return;
    }
    if (pathname === '/ui/files' && request.method === 'PUT') {
      sendJson(
        response,
        201,
        this.core.validations.keepFile(decodeURIComponent(String(request.headers['x-file-name']))),
      );
      return;
    }
    if (pathname.startsWith('/ui/documents/') && request.method === 'PUT') {
      const end = searchParams.get('end') === 'true';
      sendJson(response, 200, this.core.upload(basename(pathname), await filesOf(request, body), end));
      return;
    }
    sendJson(response, 404, problemOf({ code: 'ADDRESS_NOT_FOUND', message: pathname }));
  }

  async #sendPage(response: ServerResponse): Promise<void> {
    const nonce = randomBytes(16).toString('base64');
    const html = await readFile(join(this.#dist, 'index.html'), 'utf8');
    response.writeHead(200, {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': contentSecurityPolicy(nonce),
    });
    response.end(html.replaceAll('__CSP_NONCE__', nonce));
  }

  async #sendAsset(response: ServerResponse, name: string): Promise<void> {
    const content = await readFile(join(this.#dist, 'assets', name));
    response.writeHead(200, {
      'Content-Type': mediaTypes[extname(name)] ?? 'application/octet-stream',
      'Content-Security-Policy': name.endsWith('.mjs') ? workerPolicy : "default-src 'none'",
      // Its name changes with its content.
      'Cache-Control': 'max-age=3600, immutable',
    });
    response.end(content);
  }

  #openSession(response: ServerResponse, body: Buffer): void {
    const { key } = JSON.parse(body.toString()) as { key: string };
    if (!this.#keys.delete(key)) {
      sendJson(response, 401, problemOf({ code: 'SESSION_ENDED', message: 'The link was used.' }));
      return;
    }
    const session = randomBytes(16).toString('base64url');
    this.#sessions.add(`Sinete-UI ${session}`);
    sendJson(response, 200, { session });
  }

  #openStream(response: ServerResponse): void {
    response.writeHead(200, { 'Content-Type': 'application/x-ndjson' });
    const stop = this.core.onEvent((event) => response.write(`${JSON.stringify(event)}\n`));
    this.#streams.add(response);
    response.once('close', () => {
      stop();
      this.#streams.delete(response);
    });
    response.write('{"name":"ping"}\n');
  }
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

/** The files of a form by their fields, or the body as one file. */
async function filesOf({ headers }: IncomingMessage, body: Buffer): Promise<readonly UploadedFile[]> {
  const type = headers['content-type'] ?? '';
  if (!type.startsWith('multipart/form-data')) {
    return [{ name: decodeURIComponent(String(headers['x-file-name'])), content: body }];
  }
  const form = await new Response(new Uint8Array(body), { headers: { 'Content-Type': type } }).formData();
  return Promise.all(
    [...form].map(async ([id, file]) => {
      if (typeof file === 'string') throw new FakeError('REQUEST_INVALID');
      return { id, name: file.name, content: new Uint8Array(await file.arrayBuffer()) };
    }),
  );
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify(body));
}

function sendResult(response: ServerResponse): void {
  response.writeHead(200, { 'Content-Type': 'application/pdf', 'Content-Disposition': 'attachment' });
  response.end('%PDF-1.7 signed');
}
