import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { build } from 'vite';
import { FakeCore } from './fake-core.ts';
import { FakeServer } from './fake-server.ts';

const renderer = fileURLToPath(new URL('../../renderer', import.meta.url));
const axeSource = fileURLToPath(import.meta.resolve('axe-core/axe.min.js'));

/** One accessibility finding of axe. */
export interface Finding {
  readonly id: string;
  readonly impact: string | null;
  readonly targets: string;
}

/** A page of the GUI with its own core, and everything that went wrong on it. */
export interface Window {
  readonly page: Page;
  readonly core: FakeCore;
  readonly server: FakeServer;
  /** Console errors, policy violations, uncaught errors, and requests to elsewhere. Empty when all is well. */
  readonly faults: string[];
  close(): Promise<void>;
}

/** Chromium without a window, and without its own calls to the network. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

/** A built GUI and a browser to show it in. */
export class Stage {
  readonly #dist: string;
  readonly #browser: Browser;
  readonly #axe: string;

  private constructor(dist: string, browser: Browser, axe: string) {
    this.#dist = dist;
    this.#browser = browser;
    this.#axe = axe;
  }

  /** Builds the GUI into a fresh folder and starts Chromium. */
  static async open(): Promise<Stage> {
    const dist = await mkdtemp(join(tmpdir(), 'sinete-renderer-'));
    await build({
      root: renderer,
      configFile: join(renderer, 'vite.config.ts'),
      logLevel: 'error',
      build: { outDir: dist, emptyOutDir: true },
    });
    const browser = await launchChromium();
    return new Stage(dist, browser, await readFile(axeSource, 'utf8'));
  }

  async close(): Promise<void> {
    await this.#browser.close();
    await rm(this.#dist, { recursive: true, force: true });
  }

  /** A window before anything was opened in it. */
  async prepare(core: FakeCore, options: BrowserContextOptions = {}): Promise<Window> {
    const server = await new FakeServer(core, this.#dist).start();
    const context = await this.#browser.newContext({
      locale: 'pt-BR',
      colorScheme: 'light',
      reducedMotion: 'reduce',
      viewport: { width: 1200, height: 800 },
      permissions: ['clipboard-read', 'clipboard-write'],
      ...options,
    });
    const page = await context.newPage();
    const faults = await collectFaults(page, () => server.origin);
    const close = async (): Promise<void> => {
      await context.close();
      await server.stop();
    };
    return { page, core, server, faults, close };
  }

  /** A window opened by a link, with Home drawn. */
  async show(core: FakeCore = new FakeCore(), options: BrowserContextOptions = {}): Promise<Window> {
    const window = await this.prepare(core, options);
    await window.page.goto(window.server.link());
    await window.page.locator('main h1').waitFor();
    return window;
  }

  /** What axe finds in the page as it is now. */
  async axe(page: Page): Promise<readonly Finding[]> {
    await page.evaluate(this.#axe);
    return page.evaluate(async () => {
      interface AxeResults {
        readonly violations: readonly {
          readonly id: string;
          readonly impact: string | null;
          readonly nodes: readonly { readonly target: readonly unknown[]; readonly failureSummary?: string }[];
        }[];
      }
      const { axe } = globalThis as unknown as {
        readonly axe: { readonly run: (root: Document) => Promise<AxeResults> };
      };
      const { violations } = await axe.run(document);
      return violations.map(({ id, impact, nodes }) => ({
        id,
        impact,
        targets: nodes.map((node) => `${String(node.target)} ${node.failureSummary ?? ''}`).join('; '),
      }));
    });
  }
}

/** Gathers what goes wrong on a page: console errors, policy violations, uncaught errors, requests to elsewhere. */
export async function collectFaults(page: Page, origin: () => string): Promise<string[]> {
  const faults: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') faults.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
  page.on('request', (request) => {
    if (!request.url().startsWith(origin())) faults.push(`elsewhere: ${request.url()}`);
  });
  await page.exposeFunction('tellViolation', (text: string) => faults.push(`policy: ${text}`));
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      const host = globalThis as unknown as { readonly tellViolation: (text: string) => void };
      host.tellViolation(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`);
    });
  });
  return faults;
}
