/** The window's own modules for drawing PDFs, in a browser, without the rest of the window. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { build } from 'vite';
import type { Drawing } from '../../renderer/src/components/pdf/compare-drawings.ts';
import { drawingModules, workerBundles } from '../../renderer/drawing-modules.ts';
import { contentSecurityPolicy, workerPolicy } from '../../src/http/pages/pages.ts';
import { launchChromium } from '../renderer/browser.ts';
import type { FileLook } from './look.ts';

/** The window's picture of a file. */
export interface Look extends FileLook {
  /** The drawings of pages, by the number of the page. */
  readonly drawings: ReadonlyMap<number, Drawing>;
}

export interface PreviewStage {
  /** Draws the first pages of a file as the window does. */
  look(path: string, mostPages: number, password?: string): Promise<Look>;
  close(): Promise<void>;
}

const mediaTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
};

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

/** Builds the modules and shows them in Chromium under the policies of the window and of its workers. */
export async function openStage(): Promise<PreviewStage> {
  const folder = await mkdtemp(join(tmpdir(), 'sinete-preview-'));
  await build({
    root: join(import.meta.dirname, 'stage'),
    configFile: false,
    logLevel: 'error',
    plugins: [drawingModules()],
    worker: workerBundles,
    build: {
      outDir: folder,
      emptyOutDir: true,
      minify: false,
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
    },
  });
  let shown = '';
  const pixels = new Map<number, Buffer>();
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const page = /^\/drawing\/(\d+)$/.exec(pathname)?.[1];
    if (page !== undefined) {
      pixels.set(Number(page), await bodyOf(request));
      response.end();
      return;
    }
    if (pathname === '/document') {
      response.end(await readFile(shown));
      return;
    }
    const name = pathname === '/' ? '/index.html' : pathname;
    const file = await readFile(join(folder, name)).catch(() => null);
    const policy = extname(name) === '.mjs' ? workerPolicy : contentSecurityPolicy('none');
    response.writeHead(file === null ? 404 : 200, {
      'Content-Type': mediaTypes[extname(name)] ?? 'application/octet-stream',
      'Content-Security-Policy': policy,
    });
    response.end(file);
  };
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const browser = await launchChromium();
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return {
    look: async (path, mostPages, password = '') => {
      shown = path;
      pixels.clear();
      // A page of its own for each file: the effects of a file on its page do not reach the next.
      const page = await browser.newPage();
      try {
        if (process.env['PREVIEW_DEBUG']) page.on('console', (m) => console.log('   console:', m.text()));
        await page.goto(origin);
        await page.waitForFunction(() => 'look' in globalThis);
        const look = await page.evaluate(
          async ([most, secret]) => {
            const { look } = globalThis as unknown as {
              readonly look: (address: string, most: number, password: string) => Promise<FileLook>;
            };
            return look('/document', most, secret);
          },
          [mostPages, password] as const,
        );
        const drawings = new Map<number, Drawing>();
        for (const [index, { width, height }] of look.looks.entries()) {
          const bytes = pixels.get(index + 1);
          if (bytes !== undefined) drawings.set(index + 1, { width, height, pixels: bytes });
        }
        return { ...look, drawings };
      } finally {
        await page.close();
      }
    },
    close: async () => {
      await browser.close();
      server.close();
      server.closeAllConnections();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
