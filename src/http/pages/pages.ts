import { randomBytes } from 'node:crypto';
import type { Response, RequestHandler } from 'express';
import { readFile } from 'node:fs/promises';
import { join, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { HttpError } from '../http-error.ts';
import { baseUrlOf, isRemote } from '../guard-request.ts';
import { channelOf } from '../peer/channel-connections.ts';
import { listenerOf, type InstanceProof } from '../peer/instance-proof.ts';
import { invalidFields } from '../read-body.ts';

/** The content security policy of a page; `nonce` marks its single style sheet or style element. */
export function contentSecurityPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "font-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

/**
 * The policy of the window's workers for PDF pages: the decoders of scanned pages and the second engine may run as
 * WebAssembly, and workers load nothing.
 */
export const workerPolicy = "default-src 'none'; script-src 'wasm-unsafe-eval'";

/** Sends HTML under the strict policy. `html` receives the nonce of this answer. */
export function sendPage(response: Response, html: (nonce: string) => string): void {
  const nonce = randomBytes(16).toString('base64');
  response.set('Content-Security-Policy', contentSecurityPolicy(nonce));
  response.type('text/html; charset=utf-8').send(html(nonce));
}

/** Text as HTML content or as the value of an attribute in double quotes. */
export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** `GET /client.js` and its neighbours: the client for web pages, its types and the element, for a web site. */
export function readClient(clientFolder: string): RequestHandler {
  return (request, response, next) => {
    const types = request.path.endsWith('.ts');
    response.type(types ? 'text/plain' : 'text/javascript');
    const options = { cacheControl: false, dotfiles: 'allow' } as const;
    response.sendFile(join(clientFolder, request.path), options, (error?: Error) => {
      if (error === undefined) return;
      next(new HttpError('PAGE_NOT_BUILT', 'The client has not been built: run "npm run build".', { cause: error }));
    });
  };
}

/** `GET /sinete-help.html`: the help for users of web pages, to be copied beside the client. */
export function readHelp(clientFolder: string): RequestHandler {
  return async (_request, response) => {
    const html = await readFile(join(clientFolder, 'sinete-help.html'), 'utf8').catch((cause: unknown) => {
      throw new HttpError('PAGE_NOT_BUILT', 'The client has not been built: run "npm run build".', { cause });
    });
    sendPage(response, (nonce) => html.replace('<style>', `<style nonce="${nonce}">`));
  };
}

/** Public facts about this instance: nothing about users. */
export interface Product {
  readonly name: string;
  readonly version: string;
  /** Random id of this run: tells two instances, or two runs, apart. */
  readonly instance: string;
  /** The data folder, shown through the local channel only. */
  readonly folder?: unknown;
}

/**
 * `GET /.well-known/sinete`: how a page or a program finds the helper. With `challenge`, 32 bytes in base64url, the
 * instance proves that it knows the key in the owner's file, and answers a nonce with which the caller can prove the
 * same.
 */
export function discover(
  { name, version, instance, folder }: Product,
  proof: InstanceProof | undefined,
): RequestHandler {
  return (request, response) => {
    const isByChannel = channelOf(request.socket) !== undefined;
    const about = { name, version, api_versions: ['0'], instance, ...(isByChannel ? { folder } : {}) };
    const { challenge } = request.query;
    // Proofs concern users of this computer, so remote callers get none.
    if (challenge === undefined || proof === undefined || isRemote(response)) {
      response.json(about);
      return;
    }
    const answer = typeof challenge === 'string' ? proof.answer(challenge, listenerOf(request.socket)) : undefined;
    if (answer === undefined) {
      const detail = 'Give 32 random bytes in base64url: 43 characters without padding.';
      throw invalidFields([{ field: 'challenge', code: 'INVALID_VALUE', detail }]);
    }
    response.json({ ...about, ...answer });
  };
}

/** The page's files of swagger-ui; nothing is loaded from other servers. */
const bundledAssets = new Set(['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png']);
const bundle = dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')));

const startScript = `
SwaggerUIBundle({ url: '/openapi.json', domNode: document.getElementById('docs'), deepLinking: true, validatorUrl: null });
`;

/** `GET /docs`: the OpenAPI document as a page, offline and under the strict policy. */
export const showDocs: RequestHandler = (_request, response) => {
  sendPage(
    response,
    () => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sinete: endpoints</title>
<link rel="icon" type="image/png" href="/docs/favicon-32x32.png">
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<div id="docs"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`,
  );
};

/** `GET /docs/<asset>`: one of the page's few files. */
export const readDocsAsset: RequestHandler<{ asset: string }> = (request, response, next) => {
  const { asset } = request.params;
  if (asset === 'start.js') {
    response.type('text/javascript').send(startScript);
    return;
  }
  if (!bundledAssets.has(asset)) throw new HttpError('ADDRESS_NOT_FOUND', 'There is no such file.');
  response.sendFile(join(bundle, asset), { cacheControl: false, dotfiles: 'allow' }, next);
};

/** `GET /`: a short page for a person who opens the address in a browser. */
export function showHome(product: { readonly name: string; readonly version: string }): RequestHandler {
  return (request, response) => {
    const base = escapeHtml(baseUrlOf(request));
    sendPage(response, (nonce) => homePage(product, base, nonce));
  };
}

const style = `
  :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
  body { max-width: 42rem; margin: 3rem auto; padding: 0 1.25rem; }
  h1 { font-size: 1.6rem; margin-bottom: 0; }
  table { border-collapse: collapse; margin: 1.5rem 0; width: 100%; }
  th, td { text-align: left; padding: 0.4rem 0.75rem 0.4rem 0; border-bottom: 1px solid #8884; font-weight: normal; }
  code { font-family: ui-monospace, monospace; }
`;

const services = [
  ['Signing service', '{base_url}'],
  ['Authorization', '{auth_url}'],
  ['Registry', '{registry_url}'],
  ['Local helper', '{assistant_url}'],
] as const;

function homePage(product: { readonly name: string; readonly version: string }, base: string, nonce: string): string {
  const rows = services.map(
    ([name, placeholder]) =>
      `<tr><th scope="row">${name}</th><td><code>${placeholder}</code></td><td><code>${base}</code></td></tr>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(product.name)}</title>
<style nonce="${nonce}">${style}</style>
</head>
<body>
<main>
<h1>${escapeHtml(product.name)}</h1>
<p>Version ${escapeHtml(product.version)} runs on this computer and signs documents with your own keys.</p>
<table><tbody>${rows.join('')}</tbody></table>
<p><a href="/docs/guide/">The documentation</a> · <a href="/docs">The endpoints, with a page to try them</a> · <a href="/openapi.json">OpenAPI 3.1</a> · <a href="/client.js">The client for web pages</a></p>
<p>To open the window of this program, run <code>sinete link</code> and follow the link that it prints.</p>
</main>
</body>
</html>
`;
}
