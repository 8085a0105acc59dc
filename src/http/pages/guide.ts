import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import type { RequestHandler, Response } from 'express';
import { HttpError } from '../http-error.ts';
import { escapeHtml, sendPage } from './pages.ts';
import { renderMarkdown, type ResolveLink } from './render-markdown.ts';

/** The folders of the documentation. */
export interface GuideFolders {
  /** The pages in Markdown, with their pictures. */
  readonly pages: string;
  /** The site that `npm run docs -- --site` builds. When missing, the pages are rendered from Markdown. */
  readonly site: string;
}

/** The address of the first page; the base of the built site as well. */
export const GUIDE_ADDRESS = '/docs/guide/';

/**
 * `GET /docs/guide/…`: the documentation, offline. The address of a page is its path below docs/ without `.md`; a
 * `README.md` is the page of its folder.
 */
export function showGuide({ pages, site }: GuideFolders): RequestHandler {
  return async (request, response, next) => {
    const path = request.path.replace(/^\/docs\/guide\/?/, '');
    // Each segment must begin with a letter or a digit, so that no path leaves the folder or names a hidden file.
    if (!/^(?:\w[\w.-]*\/)*(?:\w[\w.-]*)?$/.test(path)) throw notFound();
    if (path === '' && !request.path.endsWith('/')) {
      response.redirect(308, GUIDE_ADDRESS);
      return;
    }
    if (Object.hasOwn(assetTypes, posix.extname(path))) {
      sendAsset(response, existsSync(join(site, path)) ? site : pages, path, next);
      return;
    }
    const isFolder = path === '' || path.endsWith('/');
    const built = await readIfThere(join(site, isFolder ? `${path}index.html` : `${path}.html`));
    if (built !== undefined) {
      sendBuilt(response, built);
      return;
    }
    const file = isFolder ? `${path}README.md` : `${path}.md`;
    const text = await readIfThere(join(pages, file));
    if (text === undefined) throw notFound();
    sendRendered(response, { file, text, pages });
  };
}

function notFound(): HttpError {
  return new HttpError('ADDRESS_NOT_FOUND', `There is no such page: ${GUIDE_ADDRESS} is the first page.`);
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EISDIR'].includes(String((error as NodeJS.ErrnoException).code))) return undefined;
    throw error;
  }
}

/** Media types of the files that pages load or link to. Examples are shown as text and never run. */
const assetTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.js': 'text/javascript',

  '.java': 'text/plain',
  '.json': 'application/json',
  '.mjs': 'text/plain',
  '.mts': 'text/plain',
  '.php': 'text/plain',
  '.png': 'image/png',
  '.py': 'text/plain',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};

function sendAsset(response: Response, root: string, path: string, next: (error: unknown) => void): void {
  const type = assetTypes[posix.extname(path)] ?? '';
  // Allows the style element of a drawing; a drawing may load and run nothing.
  if (type === 'image/svg+xml') {
    response.set('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'");
  }
  const headers = { 'Content-Type': type.startsWith('text/') ? `${type}; charset=utf-8` : type };
  response.sendFile(path, { root, headers, cacheControl: false, dotfiles: 'deny' }, (error: unknown) => {
    if (error !== undefined && !response.headersSent) next(notFound());
  });
}

/**
 * Sends a page of the built site. Its scripts are files of the site, and inline scripts of the build, which the policy
 * names by their SHA-256. Colours of code are style attributes.
 */
function sendBuilt(response: Response, html: string): void {
  const scripts = [...html.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([^]*?)<\/script>/g)].map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  );
  const policy = [
    "default-src 'none'",
    `script-src ${["'self'", ...scripts].join(' ')}`,
    "style-src 'self'",
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "font-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ];
  response.set('Content-Security-Policy', policy.join('; '));
  response.type('text/html; charset=utf-8').send(html);
}

/** The first pages of each language, for the head of a page. */
const contents = {
  en: [
    ['', 'Contents'],
    ['guide/', 'Guide'],
    ['integrators/', 'Integrators'],
    ['operators/', 'Operators'],
    ['reference/configuration', 'Reference'],
    ['architecture/', 'Architecture'],
    ['pt-BR/', 'Português'],
  ],
  'pt-BR': [
    ['pt-BR/', 'Conteúdo'],
    ['pt-BR/janela', 'Guia'],
    ['pt-BR/integradores', 'Integradores'],
    ['pt-BR/operadores', 'Operadores'],
    ['reference/configuration', 'Referência'],
    ['', 'English'],
  ],
} as const;

/** Sends a page of Markdown under the strict policy. `file` is its path below `pages`, with slashes. */
function sendRendered(
  response: Response,
  { file, text, pages }: { readonly file: string; readonly text: string; readonly pages: string },
): void {
  const { title, html } = renderMarkdown(text, resolveFrom(file, pages));
  const language = file.startsWith('pt-BR/') ? 'pt-BR' : 'en';
  const links = contents[language].map(([path, name]) => `<a href="${GUIDE_ADDRESS}${path}">${name}</a>`);
  sendPage(
    response,
    (nonce) => `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Sinete</title>
<style nonce="${nonce}">${style}</style>
</head>
<body>
<header><nav aria-label="Sinete">${links.join('\n')}</nav></header>
<main>
${html}
</main>
</body>
</html>
`,
  );
}

/** Resolves links between files of docs/ to their addresses here; files outside of docs/ have no address. */
function resolveFrom(file: string, pages: string): ResolveLink {
  return (address) => {
    if (/^[a-z][a-z+.-]*:|^#/i.test(address)) return address;
    const [path = '', anchor] = address.split('#', 2);
    const target = posix.normalize(posix.join(posix.dirname(file), path));
    if (target.startsWith('../')) return undefined;
    const isFolder = posix.extname(target) === '' && existsSync(join(pages, target, 'README.md'));
    const place = isFolder ? `${target.replace(/\/$/, '')}/` : target.replace(/(^|\/)README\.md$/, '$1');
    return `${GUIDE_ADDRESS}${place.replace(/\.md$/, '')}${anchor === undefined ? '' : `#${anchor}`}`;
  };
}

const style = `
  :root { color-scheme: light dark; font: 1rem/1.55 system-ui, sans-serif; }
  body { margin: 0; }
  header { border-bottom: 1px solid #8884; }
  nav, main { max-width: 56rem; margin: 0 auto; padding: 0.75rem 1.25rem; }
  nav { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; }
  main { padding-bottom: 4rem; }
  h1 { font-size: 1.8rem; line-height: 1.25; }
  h2 { font-size: 1.3rem; margin-top: 2.25rem; }
  a { color: light-dark(#0b5cad, #7db7f5); }
  img { max-width: 100%; height: auto; }
  .table { overflow-x: auto; margin: 1rem 0; }
  table { border-collapse: collapse; font-size: 0.95rem; }
  th, td { text-align: left; vertical-align: top; padding: 0.4rem 0.75rem 0.4rem 0; border-bottom: 1px solid #8884; }
  .right { text-align: right; }
  code { font: 0.9em ui-monospace, monospace; background: #8882; padding: 0.1em 0.3em; border-radius: 3px; }
  pre { overflow-x: auto; padding: 0.8rem 1rem; background: #8881; border: 1px solid #8884; border-radius: 6px; }
  pre code { background: none; padding: 0; }
`;
