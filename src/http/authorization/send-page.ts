import { randomBytes } from 'node:crypto';
import type { Request, Response } from 'express';
import { escapeHtml } from '../pages/page.ts';
import { languages, pageTexts, type Language, type PageTexts } from './page-texts.ts';

/** A page, its texts chosen. */
export interface Page {
  readonly title: string;
  /** HTML of the main part; texts from outside are escaped. */
  readonly body: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Seconds until the browser requests the same address again, or goes to another address. */
  readonly refresh?: { readonly seconds: number; readonly address?: string };
}

/** The browser's preferred language among ours. */
export function languageOf(request: Request): Language {
  const preferred = request.acceptsLanguages('pt-BR', 'pt', 'en');
  if (preferred === false) return 'en';
  return languages.find((language) => language === preferred) ?? 'pt-BR';
}

/**
 * Sends a page without scripts under a policy for its own style sheet and its own form only. Two headers differ from
 * those of other answers by necessity: without a referrer a browser names no origin with a form, and an opener policy
 * would separate an application's popup from its opener.
 */
export function sendAuthorizePage(request: Request, response: Response, draw: (texts: PageTexts) => Page): void {
  const language = languageOf(request);
  const page = draw(pageTexts[language]);
  const nonce = randomBytes(16).toString('base64');
  response.set('Content-Security-Policy', policy(nonce));
  response.set('Referrer-Policy', 'same-origin');
  response.set('Cross-Origin-Opener-Policy', 'unsafe-none');
  response.vary('Accept-Language');
  response.set('Content-Language', language);
  response.set(page.headers ?? {});
  response
    .status(page.status ?? 200)
    .type('text/html; charset=utf-8')
    .send(html(page, language, nonce));
}

function policy(nonce: string): string {
  return [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    'img-src data:',
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');
}

const style = `
  :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; --line: #8886; --strong: #0b5cad; --on: #fff; }
  @media (prefers-color-scheme: dark) { :root { --strong: #8fc1f5; --on: #06223f; } }
  * { box-sizing: border-box; }
  body { margin: 0; }
  main { max-width: 28rem; margin: 0 auto; padding: 1.25rem; }
  .brand { letter-spacing: 0.04em; font-weight: 600; margin: 0.5rem 0 1.5rem; }
  h1 { font-size: 1.35rem; line-height: 1.3; margin: 0 0 1rem; overflow-wrap: anywhere; }
  h1 small { display: block; font-size: 1rem; font-weight: 400; }
  h2 { font-size: 1rem; margin: 1.25rem 0 0.25rem; }
  ul { margin: 0 0 0.5rem; padding-left: 1.25rem; }
  p { margin: 0 0 0.75rem; }
  .place { overflow-wrap: anywhere; font-weight: 600; }
  .hint { font-size: 0.9rem; opacity: 0.85; margin: 0.2rem 0 0; }
  .fault { border: 2px solid #c62828; border-radius: 0.5rem; padding: 0.75rem; margin: 0 0 1rem; }
  label { display: block; font-weight: 600; margin-top: 1rem; }
  input { width: 100%; min-height: 3rem; font: inherit; font-size: 1.1rem; padding: 0.5rem 0.75rem; margin-top: 0.25rem;
    border: 1px solid currentcolor; border-radius: 0.5rem; background: Field; color: FieldText; }
  button { display: block; width: 100%; min-height: 3rem; font: inherit; padding: 0.6rem 1rem; margin-top: 0.75rem;
    border: 1px solid currentcolor; border-radius: 0.5rem; background: transparent; color: inherit; text-align: center; }
  button.first { background: var(--strong); border-color: var(--strong); color: var(--on); font-weight: 600; margin-top: 1.5rem; }
  button.way { text-align: left; }
  button small { display: block; }
  button:disabled { opacity: 0.6; }
  input:focus-visible, button:focus-visible { outline: 3px solid var(--strong); outline-offset: 2px; }
  .code { background: #fff; padding: 0.5rem; border-radius: 0.5rem; max-width: 18rem; }
  .code svg { display: block; width: 100%; height: auto; }
  hr { border: 0; border-top: 1px solid var(--line); margin: 1.5rem 0 0.75rem; }
`;

function html({ title, body, refresh }: Page, language: Language, nonce: string): string {
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
${refreshOf(refresh)}<title>${escapeHtml(title)} · Sinete</title>
<link rel="icon" href="data:,">
<style nonce="${nonce}">${style}</style>
</head>
<body>
<main>
<p class="brand">Sinete</p>
${body}
</main>
</body>
</html>
`;
}

function refreshOf(refresh: Page['refresh']): string {
  if (refresh === undefined) return '';
  const address = refresh.address === undefined ? '' : `;url=${escapeHtml(refresh.address)}`;
  return `<meta http-equiv="refresh" content="${refresh.seconds}${address}">\n`;
}
