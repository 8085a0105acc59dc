/** The two hosts of the GUI, each with a real core: a browser over HTTP, and the desktop over IPC. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { vi } from 'vitest';
import { readConfiguration } from '../../src/app/config/config.ts';
import { startSinete, type Sinete } from '../../src/app/instance/start-sinete.ts';
import { freePort, makeWorkplace, runSinete, type Workplace } from '../app/run-sinete.ts';
import { texts } from '../renderer/actions.ts';
import { collectFaults } from '../renderer/browser.ts';
import type { BuiltParts } from './build-parts.ts';
import * as electron from './fake-electron.ts';

/** A window with the core behind. */
export interface Host {
  readonly page: Page;
  readonly sinete: Sinete;
  /** Console errors, policy violations, requests to elsewhere. */
  readonly faults: readonly string[];
  /** For files of the story; the data folder lies inside too. */
  readonly folder: string;
  /** For commands of their own process beside the window. */
  readonly place: Workplace;
  /** A result got by the window from its own link. */
  download(result: ShownResult): Promise<Buffer>;
  /** Ends Sinete while its window is still open. */
  close(): Promise<void>;
}

/** A result offered by the window. */
interface ShownResult {
  readonly tcn: string;
  readonly documentId: string;
  readonly name: string;
}

/** How a window speaks with the core: in a browser, or in the desktop's own window. */
export type Bridge = 'HTTP' | 'IPC';

type OpenHost = (browser: Browser, parts: BuiltParts, environment?: Readonly<Record<string, string>>) => Promise<Host>;

/** The hosts by name. */
export const hosts: Readonly<Record<Bridge, OpenHost>> = { HTTP: openInBrowser, IPC: openOnDesktop };

/** Signed files of the window stay in the folder of the story. */
const archiveIn = (folder: string): Readonly<Record<string, string>> => ({
  SINETE_ARCHIVE_FOLDER: join(folder, 'Assinados'),
});

/** A core started by `sinete serve`, and a page opened by the link printed by `sinete link`. */
async function openInBrowser(browser: Browser, parts: BuiltParts, environment = {}): Promise<Host> {
  const place = await makeWorkplace();
  const { folder, data: dataFolder } = place;
  const configuration = await readConfiguration({
    dataFolder,
    environment: { ...place.environment, ...archiveIn(folder), ...environment },
  });
  const sinete = await startSinete({
    dataFolder,
    configuration: { ...configuration, port: await freePort() },
    rendererFolder: parts.renderer,
  });
  const page = await browser.newPage({ locale: 'pt-BR', viewport: { width: 1100, height: 760 } });
  const faults = await collectFaults(page, () => sinete.baseUrl);
  page.setDefaultTimeout(60_000);
  const { stdout, stderr } = await runSinete(place, ['link']);
  const [link] = /http\S+/.exec(stdout) ?? [];
  if (link === undefined) throw new Error(`There is no link: ${stderr}`);
  await page.goto(link);
  const close = async (): Promise<void> => {
    await sinete.stop();
    await page.context().close();
    await place.remove();
  };
  const download = async ({ name }: ShownResult): Promise<Buffer> => {
    const coming = page.waitForEvent('download');
    const label = texts['pt-BR'].common.downloadNamed.replace('{{name}}', name);
    await page.getByRole('link', { name: label, exact: true }).click();
    return readFile(await (await coming).path());
  };
  return { page, sinete, faults, folder, place, download, close };
}

/**
 * The desktop's main process against the fake of Electron; `vi.mock` has put the fake in the place of the real module.
 */
export async function openOnDesktop(browser: Browser, parts: BuiltParts, environment = {}): Promise<Host> {
  const place = await makeWorkplace();
  const { folder } = place;
  electron.reset();
  electron.stage.browser = browser;
  for (const name of ['appData', 'documents', 'downloads']) electron.stage.folders.set(name, folder);
  const variables = { ...place.environment, ...archiveIn(folder), SINETE_PORT: String(await freePort()) };
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
    await window.closing;
    vi.unstubAllEnvs();
    await place.remove();
  };
  // Chromium keeps no download answered by a test in its place.
  const download = async ({ tcn, documentId }: ShownResult): Promise<Buffer> => {
    const response = await electron.askProtocol(`app://ui/results/${tcn}/${documentId}`);
    return Buffer.from(await response.arrayBuffer());
  };
  return { page: window.page, sinete, faults: window.faults, folder, place, download, close };
}
