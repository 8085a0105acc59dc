import { readFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { clientFolder } from '../instance/start-sinete.ts';

const folder = join(import.meta.dirname, 'example-page');

/** The page's files: address → file and media type. */
const files = {
  '/': [join(folder, 'index.html'), 'text/html; charset=utf-8'],
  '/page.css': [join(folder, 'page.css'), 'text/css; charset=utf-8'],
  '/page.js': [join(folder, 'page.js'), 'text/javascript; charset=utf-8'],
  '/client.js': [join(clientFolder, 'client.js'), 'text/javascript; charset=utf-8'],
} as const;

/** The policy: browsers may run the page's own script, and connect to programs on this computer. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src http://127.0.0.1:*; base-uri 'none'; frame-ancestors 'none'";

/** A separate site on loopback that plays the role of an integrator's. */
export interface ExamplePage {
  /** `http://127.0.0.1:40123/?port=17171`: the page, with the port of the helper. */
  readonly link: string;
  /** The origin that the helper's user is asked about. */
  readonly origin: string;
  close(): Promise<void>;
}

/** Serves the example page. `helperPort` is the port of the instance. */
export async function serveExamplePage(helperPort: number, port = 0): Promise<ExamplePage> {
  const server = createServer(answer);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    link: `${origin}/?port=${helperPort}`,
    origin,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

const answer: RequestListener = (request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost');
  const file = Object.hasOwn(files, pathname) ? files[pathname as keyof typeof files] : undefined;
  if (file === undefined || request.method !== 'GET') {
    response.writeHead(404).end();
    return;
  }
  readFile(file[0]).then(
    (content) => {
      response.writeHead(200, {
        'Content-Type': file[1],
        'Content-Security-Policy': policy,
        'Cache-Control': 'no-store',
      });
      response.end(content);
    },
    () => response.writeHead(503).end('Not built: run "npm run build".'),
  );
};
