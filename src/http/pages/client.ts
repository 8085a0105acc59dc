import { join } from 'node:path';
import type { RequestHandler } from 'express';
import { HttpError } from '../http-error.ts';

/** `GET /client.js`, `GET /client.d.ts`: the client for web pages, to be copied to a site of one's own, and its types. */
export function readClient(clientFolder: string): RequestHandler {
  return (request, response, next) => {
    const types = request.path.endsWith('.ts');
    response.type(types ? 'text/plain' : 'text/javascript');
    const options = { cacheControl: false, dotfiles: 'allow' } as const;
    response.sendFile(join(clientFolder, types ? 'client.d.ts' : 'client.js'), options, (error?: Error) => {
      if (error === undefined) return;
      next(new HttpError('PAGE_NOT_BUILT', 'The client has not been built: run "npm run build".', { cause: error }));
    });
  };
}
