/** Runs rows: opens the page in a browser, presses its button, answers the browser's question, and reads the end. */
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clientFolder } from '../../src/app/instance/start-sinete.ts';
import { startTestServer, type TestServer } from '../http/start-test-server.ts';
import { letTimePass, until } from '../setup/waits.ts';
import { WindowedBrowser } from './browser.ts';
import type { BrowserName, Place, Row } from './rows.ts';
import { Screen } from './screen.ts';
import { startSite, type Site, type ToldSearch } from './site.ts';

/** Milliseconds after which a person answers the question: longer than a page used to wait. */
const THINKING = 2500;
/** The middle of the page's button, on every browser's window. */
const BUTTON = [600, 500] as const;

/** A port on which nothing listens. */
export async function deadPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** The screen and the site of a run; each row has a fresh helper and a fresh browser. */
export class Stage {
  readonly screen: Screen;
  readonly site: Site;
  readonly folder: string;

  private constructor(screen: Screen, site: Site, folder: string) {
    this.screen = screen;
    this.site = site;
    this.folder = folder;
  }

  static async open(): Promise<Stage> {
    const folder = await mkdtemp(join(tmpdir(), 'sinete-browsers-'));
    return new Stage(await Screen.open(), await startSite(folder), folder);
  }

  async close(): Promise<void> {
    await this.screen.close();
    await this.site.close();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** The end of a row as its page told the site. */
  async run(row: Row, browser: BrowserName): Promise<ToldSearch> {
    const helper = await startTestServer({ clientFolder });
    const ports: number[] = [];
    for (const port of row.ports) ports.push(port === 'dead' ? await deadPort() : helper.port);
    const id = randomUUID();
    const query = { id, ports: ports.join(','), way: row.way };
    const opened = await WindowedBrowser.open(browser, {
      screen: this.screen,
      site: this.site,
      folder: join(this.folder, id),
      address: this.site.address(row.place, query),
      extension: await this.#extension(row.place, query),
    });
    try {
      if (row.place !== 'background') await this.press(id);
      if (row.answer !== 'nobody') await this.#answer(row.answer, { id, helper, opened });
      return await this.site.told(id);
    } catch (error) {
      // The picture says what was on the screen; the run prints its place.
      const picture = join(tmpdir(), `sinete-browsers-${id}.png`);
      await this.screen.picture(picture).catch(() => undefined);
      throw new Error(`The row has no end: ${picture} shows the screen.`, { cause: error });
    } finally {
      await opened.close();
      await helper.stop();
    }
  }

  /**
   * Presses the page's button until the page has seen a press: a window may come up late. The next press comes much
   * later, because a press beside the browser's question closes the question.
   */
  async press(id: string): Promise<void> {
    await this.site.told(id, 'ready');
    const isSeen = (): boolean => this.site.messages.some((one) => one.id === id && one.stage === 'searching');
    await until(async () => {
      if (!isSeen() && !this.site.hasTold(id)) await this.screen.click(...BUTTON);
      for (let left = 80; left > 0 && !isSeen(); left -= 1) await letTimePass(100);
      return isSeen();
    }, 'the page has seen the press');
  }

  /**
   * Browsers ask after the helper has taken a connection: the answer comes a while later, and again where the question
   * was not yet on the screen.
   */
  async #answer(
    answer: 'allow' | 'block' | 'escape',
    { id, helper, opened }: { readonly id: string; readonly helper: TestServer; readonly opened: WindowedBrowser },
  ): Promise<void> {
    await until(() => helper.connections() > 0, 'the helper has a connection');
    await letTimePass(THINKING);
    if (this.site.hasTold(id)) throw new Error('The search ended before the user answered.');
    await until(async () => {
      if (!this.site.hasTold(id)) await opened.answer(answer);
      for (let left = 20; left > 0 && !this.site.hasTold(id); left -= 1) await letTimePass(100);
      return this.site.hasTold(id);
    }, 'the search ends after the answer');
  }

  /** An extension whose background or whose script in the page searches; undefined for pages. */
  async #extension(place: Place, query: Readonly<Record<string, string>>): Promise<string | undefined> {
    if (place !== 'background' && place !== 'content-script') return undefined;
    const folder = join(this.folder, `extension-${query['id'] ?? ''}`);
    await mkdir(folder);
    const site = `https://portal.example:${this.site.securePort}`;
    const [port = ''] = (query['ports'] ?? '').split(',');
    const search = `
      const tell = (told) => fetch('${site}/told', { method: 'POST', mode: 'no-cors', body: JSON.stringify({ id: '${query['id'] ?? ''}', ...told }) });
      const search = () => fetch('http://127.0.0.1:${port}/.well-known/sinete', { targetAddressSpace: 'loopback' })
        .then((answer) => answer.json())
        .then(({ name }) => tell(name === 'Sinete' ? { found: 'direct' } : { code: 'OTHER' }), (error) => tell({ code: String(error) }));`;
    const inPage = `${search}
      addEventListener('click', () => { tell({ stage: 'searching' }); search(); }, { capture: true, once: true });`;
    const manifest = {
      manifest_version: 3,
      name: 'Rows',
      version: '1',
      host_permissions: ['http://127.0.0.1/*', 'https://portal.example/*'],
      ...(place === 'background'
        ? { background: { service_worker: 'script.js' } }
        : {
            content_scripts: [{ matches: ['https://portal.example/*'], js: ['script.js'], run_at: 'document_start' }],
          }),
    };
    await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest));
    await writeFile(join(folder, 'script.js'), place === 'background' ? `${search}\nsearch();` : inPage);
    return folder;
  }
}

/** The differences of a told end from the expectation; none when the row holds. */
export function differences({ expected, answer }: Row, told: ToldSearch): readonly string[] {
  const { found, code, reason, says } = expected;
  const wrong: string[] = [];
  const compare = (what: string, want: unknown, got: unknown): void => {
    if (want !== got) wrong.push(`${what}: ${String(got)} instead of ${String(want)}`);
  };
  compare('found', found, told.found);
  compare('code', code, told.code);
  compare('reason', reason, told.reason);
  if (says !== undefined && told.message?.includes(says) !== true) wrong.push(`the message lacks ${says}`);
  // A search without an answer changes no permission.
  if (answer === 'nobody') compare('permission', told.before, told.after);
  return wrong;
}
