import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RequestHandler } from 'express';
import { HttpError } from '../http-error.ts';
import { sendPage, workerPolicy } from '../pages/pages.ts';

/** Placeholder in the built page for the style nonce of each answer. */
const noncePlaceholder = '__CSP_NONCE__';

/** `GET /ui/`: the built window, with this answer's nonce. */
export function showUi(rendererFolder: string): RequestHandler {
  return async (_request, response) => {
    const html = await readFile(join(rendererFolder, 'index.html'), 'utf8').catch((cause: unknown) => {
      throw new HttpError('PAGE_NOT_BUILT', 'The window has not been built: run "npm run build" once.', { cause });
    });
    sendPage(response, (nonce) => html.replaceAll(noncePlaceholder, nonce));
  };
}

/** `GET /ui/assets/<asset>`: a resource of the page. Names come from the build, one level deep. */
export function readUiAsset(rendererFolder: string): RequestHandler<{ asset: string }> {
  const folder = join(rendererFolder, 'assets');
  return (request, response, next) => {
    // Workers are the only stand-alone modules of the bundle.
    if (request.params.asset.endsWith('.mjs')) response.set('Content-Security-Policy', workerPolicy);
    const options = { root: folder, cacheControl: false, dotfiles: 'deny' } as const;
    response.sendFile(request.params.asset, options, (error: unknown) => {
      if (error === undefined || response.headersSent) return;
      next(new HttpError('ADDRESS_NOT_FOUND', 'There is no such file.', { cause: error }));
    });
  };
}
