import type { RequestHandler } from 'express';
import { join } from 'node:path';
import { HttpError } from '../http-error.ts';
import { escapeHtml, sendPage, type Product } from '../pages/pages.ts';
import { problemLanguage, type ProblemLanguage } from '../problems/problem-language.ts';
import { BRIDGE_KEY_HEADER, type BridgeKeys } from './bridge-keys.ts';

interface Words {
  readonly title: string;
  readonly waiting: string;
  readonly works: string;
  readonly plain: string;
  readonly stay: string;
  readonly busy: string;
  readonly idle: string;
  readonly cut: string;
  readonly over: string;
}

const words: Record<ProblemLanguage, Words> = {
  en: {
    title: 'Sinete works for a site',
    waiting: 'Waiting for the site that opened this window…',
    works: 'This window works for',
    plain: 'This site came without protection: anybody on its network can speak in its name. Every signature is asked.',
    stay: 'Leave this window open until the site is done. Sinete itself asks you before anything is signed.',
    busy: 'Working…',
    idle: 'Ready.',
    cut: 'This window has no site: the site opened it with a policy that cuts the two apart, or somebody opened the address by hand. You may close it.',
    over: 'The work is over. You may close this window.',
  },
  pt: {
    title: 'O Sinete trabalha para um site',
    waiting: 'Aguardando o site que abriu esta janela…',
    works: 'Esta janela trabalha para',
    plain:
      'Este site veio sem proteção: qualquer um na rede dele pode falar em nome dele. Cada assinatura é perguntada.',
    stay: 'Deixe esta janela aberta até o site terminar. O próprio Sinete pergunta antes de qualquer assinatura.',
    busy: 'Trabalhando…',
    idle: 'Tudo pronto.',
    cut: 'Esta janela não tem site: o site a abriu com uma política que separa as duas, ou alguém abriu o endereço à mão. Você pode fechá-la.',
    over: 'O trabalho terminou. Você pode fechar esta janela.',
  },
};

/** Each state of the page shows its own elements; the script sets the state. */
const style = `
  :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; --seal: #0b6e63; }
  @media (prefers-color-scheme: dark) { :root { --seal: #5fc2b4; } }
  body { margin: 0; padding: 1.5rem; }
  main { max-width: 30rem; margin: 0 auto; }
  h1 { font-size: 1.15rem; margin: 0 0 1rem; color: var(--seal); }
  p { margin: 0.6rem 0; }
  #site { font: 600 1.05rem/1.4 ui-monospace, monospace; overflow-wrap: anywhere; margin: 0.2rem 0 0.8rem; padding: 0.6rem 0.8rem; border: 1px solid #8886; border-radius: 0.5rem; }
  .warning { border-left: 4px solid #c77700; padding-left: 0.75rem; }
  .status::before { content: ''; display: inline-block; width: 0.6rem; height: 0.6rem; border-radius: 50%; background: #2e8b57; margin-right: 0.5rem; }
  body[data-state=busy] .status::before { background: #c77700; }
  [data-in] { display: none; }
  body[data-state=waiting] [data-in~=waiting], body[data-state=idle] [data-in~=idle], body[data-state=busy] [data-in~=busy],
  body[data-state=cut] [data-in~=cut], body[data-state=over] [data-in~=over] { display: block; }
  body:not([data-plain]) .warning { display: none; }
`;

/** Services of the bridge window. */
export interface BridgeParts {
  readonly product: Product;
  readonly bridgeKeys: BridgeKeys;
  readonly clientFolder: string;
}

/**
 * `GET /bridge`: the window of a web page for its messages to Sinete. Each answer has a key of its own.
 */
export function showBridge({ product, bridgeKeys }: BridgeParts): RequestHandler {
  return (request, response) => {
    const language = problemLanguage(request.get('Accept-Language'));
    const text = words[language];
    // A HEAD request gets no document, and so no key.
    const key = request.method === 'HEAD' ? '' : bridgeKeys.issue();
    // A page of any origin has to keep its handle to the window.
    response.set('Cross-Origin-Opener-Policy', 'unsafe-none');
    response.vary('Accept-Language');
    sendPage(
      response,
      (nonce) => `<!doctype html>
<html lang="${language === 'pt' ? 'pt-BR' : 'en'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="bridge-key" content="${key}">
<meta name="sinete-version" content="${escapeHtml(product.version)}">
<meta name="sinete-instance" content="${escapeHtml(product.instance)}">
<title>${text.title}</title>
<style nonce="${nonce}">${style}</style>
<script type="module" src="/bridge/window.js"></script>
</head>
<body data-state="waiting">
<main>
<h1>${text.title}</h1>
<p data-in="waiting">${text.waiting}</p>
<div data-in="idle busy">
<p id="works">${text.works}</p>
<p id="site" aria-labelledby="works"></p>
<p class="warning">${text.plain}</p>
<p>${text.stay}</p>
</div>
<div role="status">
<p class="status" data-in="idle">${text.idle}</p>
<p class="status" data-in="busy">${text.busy}</p>
<p data-in="cut">${text.cut}</p>
<p data-in="over">${text.over}</p>
</div>
</main>
</body>
</html>
`,
    );
  };
}

/** `GET /bridge/window.js`: the script of the window. */
export function readBridgeScript({ clientFolder }: BridgeParts): RequestHandler {
  return (_request, response, next) => {
    response.type('text/javascript');
    const options = { cacheControl: false, dotfiles: 'allow' } as const;
    response.sendFile(join(clientFolder, 'bridge.js'), options, (error?: Error) => {
      if (error === undefined) return;
      next(new HttpError('PAGE_NOT_BUILT', 'The window has not been built: run "npm run build".', { cause: error }));
    });
  };
}

/** `DELETE /bridge`: a closing window ends its key. */
export function endBridge({ bridgeKeys }: BridgeParts): RequestHandler {
  return (request, response) => {
    bridgeKeys.end(request.get(BRIDGE_KEY_HEADER) ?? '');
    response.status(204).end();
  };
}
