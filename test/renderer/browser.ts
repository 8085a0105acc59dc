import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { builtWindow } from '../setup/built-window.ts';
import { systemTool } from '../setup/system-packages.ts';
import { Axe, type Finding } from './axe.ts';
import { FakeCore } from './fake-core.ts';
import { FakeServer } from './fake-server.ts';
import { RealCore, type RealPlan } from './real-core.ts';

/** Features switched off in Chromium: Playwright's list, which this list replaces, and Chromium's own network calls. */
const withoutFeatures = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
];

/** Milliseconds that a page may take for a single step: as many as a busy machine needs, not as a person would wait. */
const patience = 90_000;

/** A page of the GUI with its own core, and everything that went wrong on it. */
export interface Window {
  readonly page: Page;
  readonly core: FakeCore;
  readonly server: FakeServer;
  /** Console errors, policy violations, uncaught errors, and requests to elsewhere. Empty when all is well. */
  readonly faults: string[];
  close(): Promise<void>;
}

/** A page of the GUI with a core of the product behind it. */
export interface RealWindow extends Pick<Window, 'page' | 'faults' | 'close'> {
  readonly core: RealCore;
}

/** A page closed, with the port at which its cores listen one after another. */
interface IdlePage {
  readonly page: Page;
  readonly faults: string[];
  readonly port: number;
}

/** Chromium without a window, and without its own calls to the network. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: systemTool('chromium-headless-shell'),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      `--disable-features=${withoutFeatures.join(',')}`,
    ],
  });
}

const usualLook = {
  locale: 'pt-BR',
  colorScheme: 'light',
  reducedMotion: 'reduce',
  viewport: { width: 1200, height: 800 },
  permissions: ['clipboard-read', 'clipboard-write'],
} satisfies BrowserContextOptions;

/** A built GUI and a browser to show it in. */
export class Stage {
  readonly #dist: string;
  readonly #browser: Browser;
  readonly #axe: Axe;
  /** Windows that can be opened again, by how they look. */
  readonly #idle = new Map<string, Window[]>();
  /** Pages that can be opened again for another core of the product, by how they look. */
  readonly #idlePages = new Map<string, IdlePage[]>();

  private constructor(dist: string, browser: Browser, axe: Axe) {
    this.#dist = dist;
    this.#browser = browser;
    this.#axe = axe;
  }

  /** Builds the GUI where that has not been done, and starts Chromium. */
  static async open(): Promise<Stage> {
    const dist = await builtWindow();
    const axe = await Axe.load();
    return new Stage(dist, await launchChromium(), axe);
  }

  async close(): Promise<void> {
    await this.#browser.close();
    await Promise.all([...this.#idle.values()].flat().map(({ server }) => server.stop()));
  }

  /** A window before anything was opened in it. */
  async prepare(core: FakeCore, options: BrowserContextOptions = {}): Promise<Window> {
    const server = await new FakeServer(core, this.#dist).start();
    const { page, faults } = await this.#newPage(() => server.origin, options);
    const close = async (): Promise<void> => {
      await page.context().close();
      await server.stop();
    };
    return { page, core, server, faults, close };
  }

  /** A window opened by a link, with Home drawn. */
  async show(core: FakeCore = new FakeCore(), options: BrowserContextOptions = {}): Promise<Window> {
    const window = await this.prepare(core, options);
    await openOrClose(window, window.server);
    return window;
  }

  /**
   * As `show`, in a window closed where one of this look is left: opening it again is much quicker than making
   * one. It knows nothing of what it showed before; listeners and scripts added to its page would stay.
   */
  async showAgain(core: FakeCore, options: BrowserContextOptions = {}): Promise<Window> {
    const look = JSON.stringify(options);
    const made = this.#idle.get(look)?.pop() ?? (await this.prepare(core, options));
    const { page, server, faults } = made;
    faults.length = 0;
    server.serve(core);
    await open(made, server);
    const close = async (): Promise<void> => {
      const isReady = await forgetAll(page, { ...usualLook, ...options }).then(
        () => true,
        () => false,
      );
      if (!isReady) return made.close();
      server.serve(new FakeCore());
      this.#idle.set(look, [...(this.#idle.get(look) ?? []), made]);
    };
    return { page, core, server, faults, close };
  }

  /** A window with a core of the product behind it, before anything was opened in it. */
  async prepareReal(plan: RealPlan = {}, options: BrowserContextOptions = {}): Promise<RealWindow> {
    const core = await RealCore.start(plan);
    const { page, faults } = await this.#newPage(() => core.origin, options);
    const close = async (): Promise<void> => {
      await page.context().close();
      await core.stop();
    };
    return { page, core, faults, close };
  }

  /**
   * A window with a core of the product behind it, opened by a link, with its first page drawn. Its page is one that was
   * closed where one of this look is left. A core listens at the port of the core before, so that the page has its
   * scripts already.
   */
  async open(plan: RealPlan = {}, options: BrowserContextOptions = {}): Promise<RealWindow> {
    const look = JSON.stringify(options);
    const idle = this.#idlePages.get(look)?.pop();
    const core = await startAt(plan, idle?.port ?? 0);
    const port = Number(new URL(core.origin).port);
    const { page, faults } = idle ?? (await this.#newPage(() => `http://127.0.0.1:${port}`, options));
    faults.length = 0;
    const close = async (): Promise<void> => {
      const isReady = await forgetAll(page, { ...usualLook, ...options }).then(
        () => true,
        () => false,
      );
      await core.stop();
      if (isReady) this.#idlePages.set(look, [...(this.#idlePages.get(look) ?? []), { page, faults, port }]);
      else await page.context().close();
    };
    const window = { page, core, faults, close };
    await openOrClose(window, core);
    return window;
  }

  async #newPage(
    origin: () => string,
    options: BrowserContextOptions,
  ): Promise<{ readonly page: Page; readonly faults: string[] }> {
    const context = await this.#browser.newContext({ ...usualLook, ...options });
    context.setDefaultTimeout(patience);
    const page = await context.newPage();
    return { page, faults: await collectFaults(page, origin) };
  }

  /** The findings of axe in the present page. */
  async axe(page: Page): Promise<readonly Finding[]> {
    return this.#axe.findings(page);
  }

  /** The findings of axe after the colours of the page were switched to dark, or back to light. */
  async axeInOtherColours(page: Page): Promise<readonly Finding[]> {
    return this.#axe.findingsInOtherColours(page);
  }
}

/** Starts a core at a port, or at another one where that was taken meanwhile. */
async function startAt(plan: RealPlan, port: number): Promise<RealCore> {
  return RealCore.start(plan, port).catch((error: unknown) => {
    if (port === 0) throw error;
    return RealCore.start(plan);
  });
}

/** A window that cannot be opened is closed: its server would keep the process alive. */
async function openOrClose(window: Pick<Window, 'page' | 'close'>, linked: Linked): Promise<void> {
  try {
    await open(window, linked);
  } catch (error) {
    await window.close();
    throw error;
  }
}

/** What a window is opened by. */
type Linked = Pick<FakeServer, 'link'>;

async function open({ page }: Pick<Window, 'page'>, linked: Linked): Promise<void> {
  await page.goto(linked.link());
  await page.locator('main h1').waitFor();
}

/** Leaves a page as one that nothing was opened in. */
async function forgetAll(page: Page, look: BrowserContextOptions): Promise<void> {
  await page.evaluate(() => {
    localStorage.clear();
    sessionStorage.clear();
  });
  await page.goto('about:blank');
  await page.unrouteAll();
  const { colorScheme = null, reducedMotion = null, viewport } = look;
  await page.emulateMedia({ media: null, colorScheme, reducedMotion });
  if (viewport) await page.setViewportSize(viewport);
}

/** Gathers what goes wrong on a page: console errors, policy violations, uncaught errors, requests to elsewhere. */
export async function collectFaults(page: Page, origin: () => string): Promise<string[]> {
  const faults: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') faults.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
  page.on('request', (request) => {
    // A blob: address of the page's own is in the memory of the window.
    const address = request.url().replace(/^blob:/, '');
    if (!address.startsWith(origin())) faults.push(`elsewhere: ${request.url()}`);
  });
  await page.exposeFunction('tellViolation', (text: string) => faults.push(`policy: ${text}`));
  await page.addInitScript(() => {
    // React's development form notes the stack at which each element was made, for longer than it draws the page.
    Object.defineProperty(Error, 'stackTraceLimit', { get: () => 0, set: () => undefined });
    Reflect.deleteProperty(console, 'createTask');
    document.addEventListener('securitypolicyviolation', (event) => {
      const host = globalThis as unknown as { readonly tellViolation: (text: string) => void };
      host.tellViolation(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`);
    });
  });
  return faults;
}
