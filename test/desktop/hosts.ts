/** The two hosts of the GUI, each with a real core: a browser over HTTP, and the desktop over IPC. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { vi } from 'vitest';
import { readConfiguration } from '../../src/app/config.ts';
import { startSinete, type Sinete } from '../../src/app/start-sinete.ts';
import { freePort } from '../app/run-sinete.ts';
import { collectFaults } from '../renderer/browser.ts';
import type { BuiltParts } from './build-parts.ts';
import * as electron from './fake-electron.ts';

/** A window with the core behind it. */
export interface Host {
  readonly page: Page;
  readonly sinete: Sinete;
  /** Console errors, policy violations, requests to elsewhere. */
  readonly faults: readonly string[];
  readonly folder: string;
  /** A result as the window gets it from its link. */
  download(tcn: string, documentId: string): Promise<Buffer>;
  close(): Promise<void>;
}

export type OpenHost = (
  browser: Browser,
  parts: BuiltParts,
  environment?: Readonly<Record<string, string>>,
) => Promise<Host>;

/** The hosts by name. */
export const hosts: readonly (readonly [name: string, open: OpenHost])[] = [
  ['HTTP', openInBrowser],
  ['IPC', openOnDesktop],
];

async function scratch(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'sinete-host-'));
}

const base = { SINETE_SECRET_STORE_MODE: 'memory' };

/** A core as `sinete serve` starts it, and a page opened by its link. */
async function openInBrowser(browser: Browser, parts: BuiltParts, environment = {}): Promise<Host> {
  const folder = await scratch();
  const dataFolder = join(folder, 'data');
  const configuration = await readConfiguration({ dataFolder, environment: { ...base, ...environment } });
  const sinete = await startSinete({
    dataFolder,
    configuration: { ...configuration, port: await freePort() },
    rendererFolder: parts.renderer,
  });
  const page = await browser.newPage({ locale: 'pt-BR', viewport: { width: 1100, height: 760 } });
  const faults = await collectFaults(page, () => sinete.baseUrl);
  page.setDefaultTimeout(60_000);
  await page.goto(sinete.issueLink());
  const close = async (): Promise<void> => {
    await page.context().close();
    await sinete.stop();
    await rm(folder, { recursive: true });
  };
  const download = async (tcn: string, documentId: string): Promise<Buffer> => {
    const coming = page.waitForEvent('download');
    await page.evaluate((href) => {
      const link = document.createElement('a');
      Object.assign(link, { href, download: '' });
      link.click();
    }, `/file-transfer/${tcn}/${documentId}`);
    return readFile(await (await coming).path());
  };
  return { page, sinete, faults, folder, download, close };
}

/** The desktop's main process against the fake of Electron; `vi.mock` has put it in the place of the real one. */
export async function openOnDesktop(browser: Browser, parts: BuiltParts, environment = {}): Promise<Host> {
  const folder = await scratch();
  electron.reset();
  electron.stage.browser = browser;
  for (const name of ['appData', 'documents', 'downloads']) electron.stage.folders.set(name, folder);
  const variables = { ...base, SINETE_DATA: join(folder, 'data'), SINETE_PORT: String(await freePort()) };
  for (const [name, value] of Object.entries({ ...variables, ...environment })) vi.stubEnv(name, value);
  const { runDesktop } = await import('../../src/desktop/run-desktop.ts');
  const sinete = await runDesktop(parts);
  if (sinete === undefined) throw new Error(`The desktop did not start: ${electron.stage.did.join(', ')}`);
  const window = electron.BrowserWindow.all.at(-1);
  if (window === undefined) throw new Error('The desktop has opened no window.');
  const close = async (): Promise<void> => {
    const quit = new Promise((resolve) => electron.app.once('quit', resolve));
    electron.app.quit();
    await quit;
    window.destroy();
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true });
  };
  // Chromium keeps no download that a test has answered in its place.
  const download = async (tcn: string, documentId: string): Promise<Buffer> => {
    const response = await electron.askProtocol(`app://ui/results/${tcn}/${documentId}`);
    return Buffer.from(await response.arrayBuffer());
  };
  return { page: window.page, sinete, faults: window.faults, folder, download, close };
}
