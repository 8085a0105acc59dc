import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser, type BrowserContext } from 'playwright-core';
import type { HttpDependencies } from '../../src/http/build-server.ts';
import { openConsent, type Consent } from '../../src/service/consent/index.ts';
import { SqlConsentStore, type Storage } from '../../src/storage/index.ts';
import { openTestStorage } from '../storage/engine.ts';
import { startTestServer, type TestServer } from '../http/start-test-server.ts';
import { startLoopbackServer, type LoopbackServer } from '../network/loopback-server.ts';
import { runTool } from '../oracles/run-program.ts';
import { systemTool } from '../setup/system-packages.ts';
import { letTimePass } from '../setup/waits.ts';
import { recordingAssistant } from './recording-assistant.ts';

/** Milliseconds until the browser counts as stuck: a popup has been seen to stop all answers for ever. */
const PATIENCE = 20_000;
const page = '<!doctype html><meta charset="utf-8"><body></body>';

/** A certificate for every name below `.example`; the browser is told to accept this certificate. */
async function certificate(folder: string): Promise<{ readonly cert: string; readonly key: string }> {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const subject = ['-subj', '/CN=portal.example', '-addext', 'subjectAltName=DNS:*.example'];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  await runTool('openssl', ['req', '-x509', ...kind, ...subject, '-keyout', key, '-out', cert]);
  return { key: await readFile(key, 'utf8'), cert: await readFile(cert, 'utf8') };
}

async function startSite(identity?: { readonly cert: string; readonly key: string }): Promise<LoopbackServer> {
  return startLoopbackServer((_request, response) => {
    response.setHeader('Content-Type', 'text/html');
    response.end(page);
  }, identity);
}

/**
 * - `off`: everything that our own guard has to refuse arrives.
 * - `on`: the sites are public, and the browser asks its user before a page of theirs reaches this computer.
 */
export type BrowserGuard = 'off' | 'on';

/**
 * A real browser, sites of other origins, and the server attacked by their pages. The browser's own protection of local
 * addresses is switched off, unless `guard` is `on`.
 */
export class AttackStage {
  readonly consent: Consent;
  /** The server attacked. */
  readonly target: TestServer;
  /** Sites over https and over plain http, below any name of `.example`. */
  readonly secure: LoopbackServer;
  readonly plain: LoopbackServer;
  /** The window is there, and the user can be asked. */
  windowIsOpen = false;
  readonly #folder: string;
  readonly #storage: Storage;
  readonly #effects: string[];
  readonly #guard: BrowserGuard;
  #browser: Browser | undefined;
  #context: BrowserContext | undefined;

  private constructor(parts: {
    readonly folder: string;
    readonly storage: Storage;
    readonly consent: Consent;
    readonly target: TestServer;
    readonly sites: readonly [secure: LoopbackServer, plain: LoopbackServer];
    readonly effects: string[];
    readonly guard: BrowserGuard;
  }) {
    this.consent = parts.consent;
    this.target = parts.target;
    [this.secure, this.plain] = parts.sites;
    this.#folder = parts.folder;
    this.#storage = parts.storage;
    this.#effects = parts.effects;
    this.#guard = parts.guard;
  }

  /** `changes` are parts of the server in place of the usual ones. */
  static async open(changes: Partial<HttpDependencies> = {}, guard: BrowserGuard = 'off'): Promise<AttackStage> {
    const folder = await mkdtemp(join(tmpdir(), 'sinete-attack-'));
    const storage = await openTestStorage(join(folder, 'data'));
    const store = new SqlConsentStore(storage.database);
    const opened: { stage?: AttackStage } = {};
    const canAsk = (): boolean => opened.stage?.windowIsOpen ?? false;
    const consent = await openConsent({ store, configured: [], canAsk, now: () => new Date() });
    const effects: string[] = [];
    const target = await startTestServer({ consent, assistant: recordingAssistant(effects), ...changes });
    const sites = [await startSite(await certificate(folder)), await startSite()] as const;
    const stage = new AttackStage({ folder, storage, consent, target, sites, effects, guard });
    opened.stage = stage;
    await stage.#openBrowser();
    return stage;
  }

  async close(): Promise<void> {
    await this.#browser?.close();
    await Promise.all([this.target.stop(), this.secure.close(), this.plain.close()]);
    await this.consent.close();
    await this.#storage.close();
    await rm(this.#folder, { recursive: true });
  }

  /** Forgets the acts of earlier pages. */
  clear(): void {
    this.#effects.length = 0;
    this.target.requests.length = 0;
    this.target.transactions.created.length = 0;
    this.windowIsOpen = false;
  }

  get context(): BrowserContext {
    if (this.#context === undefined) throw new Error('The browser is not open.');
    return this.#context;
  }

  /** The effects of pages, each once. */
  happened(): readonly string[] {
    return [...new Set([...this.#effects, ...this.target.transactions.created.map(() => 'transaction created')])];
  }

  /** The address of a site over https with a name below `.example`. */
  site(name: string): string {
    return `https://${name}.example:${this.secure.port}`;
  }

  /** The user allows pages of an origin to reach this computer, in answer to the browser. */
  async answerBrowser(origin: string): Promise<void> {
    await this.context.grantPermissions(['local-network-access'], { origin });
  }

  /**
   * Opens a page of an origin, lets the page try, and waits for the answers to its requests; anew after getting stuck.
   */
  async tryFrom(origin: string, run: (target: string) => unknown, target = this.target.url): Promise<void> {
    for (let attempt = 1; attempt <= 2; attempt += 1) {
      const isDone = this.#tryOnce(origin, run, target).then(() => true);
      if (await Promise.race([isDone, letTimePass(PATIENCE).then(() => false)])) return;
      isDone.catch(() => undefined);
      this.#browser?.close().catch(() => undefined);
      await this.#openBrowser();
    }
    throw new Error(`The browser got stuck twice on a page of ${origin}.`);
  }

  async #tryOnce(origin: string, run: (target: string) => unknown, target: string): Promise<void> {
    const { context } = this;
    const tab = await context.newPage();
    await tab.goto(`${origin}/page`);
    const tried = tab.evaluate(`Promise.race([
      Promise.resolve().then(() => (${run.toString()})(${JSON.stringify(target)})).then(() => null, () => null),
      new Promise((resolve) => setTimeout(resolve, 1500)),
    ])`);
    // A page going elsewhere does not answer any more.
    await tried.catch(() => undefined);
    // Under the browser's guard most requests never arrive.
    const patience = this.#guard === 'off' ? 100 : 10;
    for (let left = patience; left > 0 && this.target.requests.length === 0; left -= 1) await letTimePass(20);
    await letTimePass(100);
    await Promise.all(context.pages().map(async (one) => one.close()));
  }

  #publicSites(): string {
    const spaces = [this.secure, this.plain].map(({ port }) => `127.0.0.1:${port}=public`);
    return `--ip-address-space-overrides=${spaces.join(',')}`;
  }

  async #openBrowser(): Promise<void> {
    const browser = await chromium.launch({
      executablePath: systemTool('chromium-headless-shell'),
      args: [
        '--disable-gpu',
        '--host-resolver-rules=MAP *.example 127.0.0.1',
        '--disable-popup-blocking',
        this.#guard === 'off' ? '--disable-features=LocalNetworkAccessChecks' : this.#publicSites(),
      ],
    });
    const context = await browser.newContext({ ignoreHTTPSErrors: true });
    // Serves the page of a rebound name, from before the name led here.
    await context.route(`http://rebound.example:${this.target.port}/page`, async (route) =>
      route.fulfill({ contentType: 'text/html', body: page }),
    );
    [this.#browser, this.#context] = [browser, context];
  }
}
