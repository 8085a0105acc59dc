import { z } from 'zod';
import { baseUrlOf, isRemote } from '../guard-request.ts';
import { showGuide, type GuideFolders } from './guide.ts';
import { json } from '../openapi/problems.ts';
import { forEverybody, type Operation } from '../operation.ts';
import type { InstanceProof } from '../peer/instance-proof.ts';
import {
  discover,
  escapeHtml,
  readClient,
  readHelp,
  readDocsAsset,
  sendPage,
  showDocs,
  showHome,
  type Product,
} from './pages.ts';
import type { RequestHandler } from 'express';
import { httpProblems, serviceProblems, signingProblems, type ProblemKind } from '../problems/error-statuses.ts';
import { HttpError } from '../http-error.ts';
import { problemLanguage } from '../problems/problem-language.ts';
import { problemText } from '../problems/problem-text.ts';

const kinds: Readonly<Record<string, ProblemKind>> = { ...signingProblems, ...httpProblems, ...serviceProblems };

/** `GET /problems/<code>`: the page that the `type` of a problem points to, with the cause and the remedy. */
const showProblem: RequestHandler = (request, response) => {
  const { code } = request.params;
  const kind = typeof code === 'string' && Object.hasOwn(kinds, code) ? kinds[code] : undefined;
  const text = typeof code === 'string' ? problemText(code) : undefined;
  if (typeof code !== 'string' || kind === undefined || text === undefined) {
    throw new HttpError('ADDRESS_NOT_FOUND', 'No problem has this code: /docs lists the codes of each operation.');
  }
  const language = problemLanguage(request.get('Accept-Language'));
  const [cause, remedy, titlePt, causePt, remedyPt] = text;
  const isPt = language === 'pt';
  const title = isPt ? titlePt : kind.title;
  const parts = isPt
    ? [['Causa', causePt], ['Solução', remedyPt]]
    : [['Cause', cause], ['Remedy', remedy]]; // prettier-ignore
  response.vary('Accept-Language').set('Content-Language', isPt ? 'pt-BR' : 'en');
  sendPage(
    response,
    () => `<!doctype html>
<html lang="${isPt ? 'pt-BR' : 'en'}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title></head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
<p><code>${escapeHtml(code)}</code>, HTTP ${kind.status}</p>
${parts.map(([head = '', text = '']) => `<h2>${head}</h2>\n<p>${escapeHtml(text)}</p>`).join('\n')}
</main>
</body>
</html>
`,
  );
};

/** Facts for the pages and the addresses about the product. */
export interface PageParts {
  readonly product: Product;
  readonly proof?: InstanceProof | undefined;
  /** Folder of the built client for web pages. */
  readonly clientFolder: string;
  readonly guide: GuideFolders;
  /** The OpenAPI document in this version, built at the first call. */
  readonly openApi: (version: '3.0' | '3.1') => object;
}

const access = forEverybody('common');
const page = { method: 'get', access, guard: 'page', body: 'none' } as const;

/** Addresses that tell programs about the instance. */
export const instanceOperations: readonly Operation<PageParts>[] = [
  {
    id: 'discover',
    method: 'get',
    paths: ['/.well-known/sinete'],
    guard: 'discovery',
    access,
    body: 'none',
    handle: ({ product, proof }) => discover(product, proof),
    describe: () => ({
      tag: 'This instance',
      summary: 'Find the helper',
      description:
        'With `challenge`, the instance proves that it knows the key in its file, and gives a nonce for `X-Sinete-Proof`.',
      parameters: {
        query: z.object({
          challenge: z
            .string()
            .optional()
            .meta({ pattern: '^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$', description: '32 bytes, base64url' }),
        }),
      },
      answers: {
        200: {
          description: 'Name, version and a random id of this run.',
          content: json(
            z.object({
              name: z.string(),
              version: z.string(),
              api_versions: z.array(z.string()),
              instance: z.string(),
            }),
          ),
        },
      },
      example: {
        name: 'Sinete',
        version: '0.9.0',
        api_versions: ['v0'],
        instance: '7d86908f5b31c0a29e4d6f1182b3a4c5',
      },
      problems: ['REQUEST_INVALID'],
    }),
  },
];

/** Pages of the product, and files for developers. */
export const pageOperations: readonly Operation<PageParts>[] = [
  {
    id: 'readOpenApi',
    paths: ['/openapi.json', '/openapi-3.0.json'],
    ...page,
    handle:
      ({ openApi }) =>
      (request, response) => {
        // Generators of clients take the server's address from here; on loopback the document names the right one.
        const document = openApi(request.path.includes('3.0') ? '3.0' : '3.1');
        response.json(isRemote(response) ? { ...document, servers: [{ url: baseUrlOf(request) }] } : document);
      },
  },
  {
    id: 'readClient',
    paths: ['/client.js', '/client.d.ts', '/sinete-sign.js', '/sinete-sign.d.ts'],
    ...page,
    handle: ({ clientFolder }) => readClient(clientFolder),
  },
  { id: 'readHelp', paths: ['/sinete-help.html'], ...page, handle: ({ clientFolder }) => readHelp(clientFolder) },
  { id: 'showHome', paths: ['/'], ...page, handle: ({ product }) => showHome(product) },
  { id: 'showDocs', paths: ['/docs'], ...page, handle: () => showDocs },
  // Before the assets of /docs, whose path would match this word as a file.
  {
    id: 'showGuide',
    paths: ['/docs/guide', '/docs/guide/*path'],
    ...page,
    handle: ({ guide }) => showGuide(guide),
  },
  { id: 'showProblem', paths: ['/problems/:code'], ...page, handle: () => showProblem },
  { id: 'readDocsAsset', paths: ['/docs/:asset'], ...page, guard: 'asset', handle: () => readDocsAsset },
];
