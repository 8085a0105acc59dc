import type { RequestHandler } from 'express';
import { baseUrlOf } from '../guard-request.ts';
import { escapeHtml, sendPage } from './page.ts';

/** `GET /`: a small page for a person with a browser. */
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
<p><a href="/docs">The endpoints, with a page to try them</a> · <a href="/openapi.json">OpenAPI 3.1</a> · <a href="/client.js">The client for web pages</a></p>
<p>To open the window of this program, run <code>sinete link</code> and follow the link that it prints.</p>
</main>
</body>
</html>
`;
}
