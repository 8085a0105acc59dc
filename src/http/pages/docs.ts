import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RequestHandler } from 'express';
import { HttpError } from '../http-error.ts';
import { sendPage } from './page.ts';

/** The page's files of swagger-ui; nothing comes from elsewhere. */
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
