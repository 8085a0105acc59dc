import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { build } from 'vite';
import { launchChromium } from '../renderer/browser.ts';
import { RealCore } from '../renderer/real-core.ts';
import { rememberRequests, signFiles } from '../renderer/worlds.ts';
import { interleave, median, compared, type Benchmark, type BenchLine } from './harness.ts';

const ROWS = 5000;
const ROUNDS = 5;
/** A browser's start of a page varies much. */
const OPENINGS = 31;
const renderer = fileURLToPath(new URL('../../renderer', import.meta.url));
const modules = fileURLToPath(new URL('../../node_modules', import.meta.url));
const mediaTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.html': 'text/html',
};

/** The GUI, and a page with nothing but Mantine and a button, built by the same bundler. */
async function buildBoth(folder: string): Promise<{ readonly sinete: string; readonly empty: string }> {
  const [sinete, empty, source] = [join(folder, 'sinete'), join(folder, 'empty'), join(folder, 'source')];
  await build({
    root: renderer,
    configFile: join(renderer, 'vite.config.ts'),
    logLevel: 'error',
    build: { outDir: sinete },
  });
  await writeEmptyPage(source);
  await build({
    root: source,
    configFile: false,
    logLevel: 'error',
    resolve: { alias: [{ find: /^(@mantine\/|react)/, replacement: `${modules}/$1` }] },
    build: { outDir: empty, modulePreload: { polyfill: false } },
  });
  return { sinete, empty };
}

async function writeEmptyPage(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(
    join(folder, 'index.html'),
    '<!doctype html><html lang="en"><body><div id="root"></div><script type="module" src="./main.jsx"></script></body></html>',
  );
  await writeFile(
    join(folder, 'main.jsx'),
    `import '@mantine/core/styles.css';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { Button, MantineProvider } from '@mantine/core';
createRoot(document.getElementById('root')).render(
  createElement(MantineProvider, null, createElement(Button, null, 'Ready')),
);`,
  );
}

async function serveFolder(folder: string): Promise<{ readonly server: Server; readonly origin: string }> {
  const server = createServer((request, response) => {
    const path = request.url === '/' ? 'index.html' : join('assets', basename(request.url ?? ''));
    readFile(join(folder, path)).then(
      (content) => response.writeHead(200, { 'Content-Type': mediaTypes[extname(path)] ?? '' }).end(content),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** Milliseconds from the start of the navigation until the page can be used, in a fresh profile. */
async function usableAfter(browser: Browser, address: string, sign: string): Promise<number> {
  const context = await browser.newContext({ locale: 'en-US', reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.addInitScript((selector) => {
    const host = globalThis as unknown as { usableAt: number };
    host.usableAt = 0;
    const look = (): void => {
      // The frame after the drawing frame: then a click would be taken.
      if (document.querySelector(selector) === null) requestAnimationFrame(look);
      else requestAnimationFrame(() => (host.usableAt = performance.now()));
    };
    requestAnimationFrame(look);
  }, sign);
  await page.goto(address);
  const told = await page.waitForFunction(() => (globalThis as unknown as { readonly usableAt: number }).usableAt);
  const time = await told.jsonValue();
  await context.close();
  return time;
}

/** Scrolls a list from its top to its end in steps of a wheel, and answers the time of each frame in milliseconds. */
async function framesOfScrolling(page: Page, selector: string): Promise<readonly number[]> {
  return page.locator(selector).evaluate(
    (frame) =>
      new Promise<number[]>((resolve) => {
        const times: number[] = [];
        let before = performance.now();
        const end = frame.scrollHeight - frame.clientHeight;
        const step = Math.max(240, end / 400);
        const next = (): void => {
          const now = performance.now();
          times.push(now - before);
          before = now;
          if (frame.scrollTop >= end - 1) {
            resolve(times);
            return;
          }
          frame.scrollTop += step;
          requestAnimationFrame(next);
        };
        requestAnimationFrame(next);
      }),
  );
}

/** The same machine with nothing to do: to judge the longest frame there. */
async function idleFrames(page: Page, count: number): Promise<readonly number[]> {
  return page.evaluate(
    (frames) =>
      new Promise<number[]>((resolve) => {
        const times: number[] = [];
        let before = performance.now();
        const next = (): void => {
          const now = performance.now();
          times.push(now - before);
          before = now;
          if (times.length < frames) requestAnimationFrame(next);
          else resolve(times);
        };
        requestAnimationFrame(next);
      }),
    count,
  );
}

/** Milliseconds of script and layout in the longest task while the list scrolls, told by the browser itself. */
async function longestTask(page: Page, action: () => Promise<unknown>): Promise<number> {
  await page.evaluate(() => {
    const host = globalThis as unknown as { longest: number };
    host.longest = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) host.longest = Math.max(host.longest, entry.duration);
    }).observe({ type: 'longtask', buffered: false });
  });
  await action();
  return page.evaluate(() => (globalThis as unknown as { readonly longest: number }).longest);
}

interface Scrolling {
  readonly frames: readonly number[];
  readonly idle: number;
  readonly task: number;
}

/** Opens the history in a fresh profile and scrolls from its top to its end. */
async function scrollOnce(browser: Browser, core: RealCore): Promise<Scrolling> {
  const context = await browser.newContext({ locale: 'pt-BR', viewport: { width: 1200, height: 800 } });
  const page = await context.newPage();
  await page.goto(core.link());
  await page.locator('main h1').waitFor();
  await page.evaluate(() => (location.hash = '#/history'));
  const list = '[role=group]:has([role=table])';
  await page.locator(`${list} [role=cell]`).first().waitFor();
  const idle = Math.max(...(await idleFrames(page, 200)));
  let frames: readonly number[] = [];
  const task = await longestTask(page, async () => {
    frames = await framesOfScrolling(page, list);
  });
  await context.close();
  return { frames, idle, task };
}

/**
 * The longest frame of the way through all rows. Each place of the way counts with the median of several rounds: the
 * page's own work comes at the same place in each round, and other work of the machine at another place each time.
 */
async function scrollHistory(browser: Browser, dist: string): Promise<readonly BenchLine[]> {
  const core = await RealCore.start({ rendererFolder: dist });
  const tcn = await signFiles(core, ['Contrato.pdf']);
  const names = Array.from({ length: ROWS / 50 }, (_, index) => `Contrato ${index}.pdf`);
  await rememberRequests(
    core,
    tcn,
    Array.from({ length: 50 }, (_, minutesAgo) => ({ minutesAgo, names })),
  );
  const rounds: Scrolling[] = [];
  for (let round = 0; round < ROUNDS; round += 1) rounds.push(await scrollOnce(browser, core));
  await core.stop();
  const places = Math.max(...rounds.map(({ frames }) => frames.length));
  const frames = Array.from({ length: places }, (_, place) =>
    median(rounds.flatMap((round) => round.frames.slice(place, place + 1))),
  );
  const longest = Math.max(...frames);
  const single = rounds.map((round) => Math.max(...round.frames).toFixed(0)).join(', ');
  const idle = rounds.map((round) => round.idle.toFixed(0)).join(', ');
  const task = Math.max(...rounds.map((round) => round.task));
  return [
    {
      what: `longest frame while ${ROWS} rows scroll, of 50 ms`,
      ratio: longest / 50,
      bound: { atMost: 1 },
      detail: `${longest.toFixed(1)} ms in ${places} frames, median ${median(frames).toFixed(1)} ms; longest of each round ${single} ms, of an idle page ${idle} ms; longest task ${task.toFixed(0)} ms`,
    },
  ];
}

/** Bytes of the scripts loaded by the page until all of Home is there, compressed like a server's answers. */
async function initialScript(browser: Browser, dist: string): Promise<number> {
  const core = await RealCore.start({ rendererFolder: dist });
  const page = await browser.newPage();
  const names = new Set<string>();
  page.on('request', (request) => {
    if (request.resourceType() === 'script') names.add(basename(new URL(request.url()).pathname));
  });
  await page.goto(core.link());
  await page.locator('main h2').first().waitFor();
  await page.close();
  await core.stop();
  const present = (await readdir(join(dist, 'assets'))).filter((name) => names.has(name));
  const contents = await Promise.all(present.map((name) => readFile(join(dist, 'assets', name))));
  return contents.reduce((sum, content) => sum + gzipSync(content).length, 0);
}

export const benchmark: Benchmark = {
  name: 'The window: frames of a long list, the time until it is usable, and what it loads first',
  async run() {
    const folder = await mkdtemp(join(tmpdir(), 'sinete-frames-'));
    const browser = await launchChromium();
    try {
      const { sinete, empty } = await buildBoth(folder);
      const script = await initialScript(browser, sinete);
      const scrolling = await scrollHistory(browser, sinete);
      const gui = await RealCore.start({ rendererFolder: sinete });
      const bare = await serveFolder(empty);
      const usable = await interleave(
        {
          sinete: async () => usableAfter(browser, gui.link(), 'main h1'),
          empty: async () => usableAfter(browser, `${bare.origin}/`, 'button'),
        },
        OPENINGS,
      );
      await gui.stop();
      bare.server.closeAllConnections();
      bare.server.close();
      return [
        ...scrolling,
        {
          what: 'time until the first page is usable, against an empty Mantine page',
          ...compared(usable, 'sinete', 'empty'),
          bound: { atMost: 1.5 },
          detail: `${median(usable.sinete).toFixed(0)} ms against ${median(usable.empty).toFixed(0)} ms`,
        },
        {
          what: 'script that is loaded until all of Home is there, compressed, of 300 kB',
          ratio: script / 300_000,
          bound: { atMost: 1 },
          detail: `${(script / 1000).toFixed(0)} kB`,
        },
      ];
    } finally {
      await browser.close();
      await rm(folder, { recursive: true, force: true });
    }
  },
};
