import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { Readable } from 'node:stream';
import type { ResultFile } from '../service/transactions/index.ts';

/** Sources behind `app://ui`. */
export interface UiFiles {
  /** The folder of the built GUI. */
  readonly folder: string;
  /** Finds a result of a transaction. Rejects if there is none. */
  readonly result: (tcn: string, documentId: string) => Promise<ResultFile>;
}

/** Placeholder in the built page for the style nonce of each answer; the same as over HTTP. */
const noncePlaceholder = '__CSP_NONCE__';

const mediaTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
  '.json': 'application/json',
};

/**
 * The policy of the window's workers for PDF pages: the decoders of scanned pages and the second engine may run as
 * WebAssembly, and nothing is loaded. Workers are the only stand-alone modules of the bundle.
 */
const workerPolicy = "default-src 'none'; script-src 'wasm-unsafe-eval'";

/** The policy of the window: only its own files, and no connection at all. */
export function windowPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "worker-src 'self'",
    "connect-src 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

/**
 * Answers requests of the window. The files come from a list that is read once, so that no address leads to another
 * file; results come from the core.
 */
export async function uiProtocol({ folder, result }: UiFiles): Promise<(request: Request) => Promise<Response>> {
  const page = await readFile(join(folder, 'index.html'), 'utf8');
  const assets = new Map(
    (await readdir(join(folder, 'assets'))).map((name) => [`/ui/assets/${name}`, join(folder, 'assets', name)]),
  );
  return async ({ url, method }) => {
    const { host, pathname } = new URL(url);
    if (host !== 'ui' || method !== 'GET') return refusal();
    if (pathname === '/') return answerPage(page);
    const asset = assets.get(pathname);
    if (asset !== undefined) return answerAsset(asset);
    const [, tcn, documentId] = /^\/results\/([^/]+)\/([^/]+)$/.exec(pathname) ?? [];
    if (tcn === undefined || documentId === undefined) return refusal();
    return result(decodeURIComponent(tcn), decodeURIComponent(documentId)).then(answerResult, refusal);
  };
}

function answerPage(page: string): Response {
  const nonce = randomBytes(16).toString('base64');
  return new Response(page.replaceAll(noncePlaceholder, nonce), {
    headers: headersOf('text/html; charset=utf-8', windowPolicy(nonce)),
  });
}

async function answerAsset(path: string): Promise<Response> {
  const mediaType = mediaTypes[extname(path)] ?? 'application/octet-stream';
  const policy = extname(path) === '.mjs' ? workerPolicy : "default-src 'none'";
  return new Response(new Uint8Array(await readFile(path)), { headers: headersOf(mediaType, policy) });
}

function contentOf({ path, bytes, size, read }: ResultFile): Readable {
  if (path === undefined) return Readable.from([bytes]);
  return read === undefined ? createReadStream(path) : Readable.from(read({ start: 0, end: size - 1 }));
}

function answerResult(result: ResultFile): Response {
  const { size, mediaType, fileName } = result;
  const content = contentOf(result);
  return new Response(Readable.toWeb(content) as ReadableStream<Uint8Array>, {
    headers: {
      ...headersOf(mediaType, "default-src 'none'; sandbox"),
      'Content-Length': String(size),
      'Content-Disposition': `attachment; filename*=UTF-8''${encodeURIComponent(fileName)}`,
    },
  });
}

function refusal(): Response {
  return new Response('', { status: 404, headers: headersOf('text/plain', "default-src 'none'") });
}

function headersOf(mediaType: string, policy: string): Record<string, string> {
  return {
    'Content-Type': mediaType,
    'Content-Security-Policy': policy,
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'no-store',
  };
}
