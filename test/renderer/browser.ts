import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { builtWindow } from '../setup/built-window.ts';
import { systemTool } from '../setup/system-packages.ts';
import { Axe, type Finding } from './axe.ts';
import { RealCore, type RealPlan } from './real-core.ts';

/** Features switched off in Chromium: Playwright's list, replaced by this list, and Chromium's own network calls. */
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

/** The most milliseconds for a step of a page: enough for a busy machine, more than a person would wait. */
const patience = 90_000;

/** A page of the GUI over a core of the product, with all faults of the page. */
export interface RealWindow {
  readonly page: Page;
  readonly core: RealCore;
  /** Console errors, policy violations, uncaught errors, and requests to elsewhere. Empty when all is well. */
  readonly faults: string[];
  close(): Promise<void>;
}

/** A closed page, with the port of its earlier and later cores. */
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

/** A browser for a built GUI. */
export class Stage {
  readonly #browser: Browser;
  readonly #axe: Axe;
  /** Closed pages for the next cores, by their looks. */
  readonly #idlePages = new Map<string, IdlePage[]>();

  private constructor(browser: Browser, axe: Axe) {
    this.#browser = browser;
    this.#axe = axe;
  }

  /** Builds a missing or old GUI, and starts Chromium. */
  static async open(): Promise<Stage> {
    await builtWindow();
    const axe = await Axe.load();
    return new Stage(await launchChromium(), axe);
  }

  async close(): Promise<void> {
    await this.#browser.close();
  }

  /** A window over a core of the product, still empty. */
  async prepare(plan: RealPlan = {}, options: BrowserContextOptions = {}): Promise<RealWindow> {
    const core = await RealCore.start(plan);
    const { page, faults } = await this.#newPage(() => core.origin, options);
    const close = async (): Promise<void> => {
      await page.context().close();
      await core.stop();
    };
    return { page, core, faults, close };
  }

  /**
   * A window over a core of the product, opened by a link, with the first page drawn. A closed page of the same look is
   * opened again where possible. The core listens at the port of the page's earlier core, so that the page has the
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
    await openOrClose(window);
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

/** Starts a core at a port, or at a free port if the port was taken meanwhile. */
async function startAt(plan: RealPlan, port: number): Promise<RealCore> {
  return RealCore.start(plan, port).catch((error: unknown) => {
    if (port === 0) throw error;
    return RealCore.start(plan);
  });
}

/** Closes a window after a failed opening: the server would keep the process alive. */
async function openOrClose(window: RealWindow): Promise<void> {
  try {
    await open(window);
  } catch (error) {
    await window.close();
    throw error;
  }
}

async function open({ page, core }: Pick<RealWindow, 'page' | 'core'>): Promise<void> {
  await page.goto(core.link());
  await page.locator('main h1').waitFor();
  await core.untilHeard();
}

/** Leaves a page empty, as new. */
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
    // React's development form notes the stack of each element, in more time than the drawing takes.
    Object.defineProperty(Error, 'stackTraceLimit', { get: () => 0, set: () => undefined });
    Reflect.deleteProperty(console, 'createTask');
    document.addEventListener('securitypolicyviolation', (event) => {
      const host = globalThis as unknown as { readonly tellViolation: (text: string) => void };
      host.tellViolation(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`);
    });
  });
  return faults;
}
