import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { freePort } from '../app/run-sinete.ts';
import { pickerOf, texts } from '../renderer/actions.ts';
import { launchChromium } from '../renderer/browser.ts';
import { foreignTexts } from '../renderer/foreign-words.ts';
import { writeTextPdf } from '../../src/app/demo/write-text-pdf.ts';
import type { Sinete } from '../../src/app/instance/start-sinete.ts';
import { buildParts, type BuiltParts } from './build-parts.ts';
import { hosts, type Host } from './hosts.ts';

vi.mock('electron', async () => import('./fake-electron.ts'));

type Language = keyof typeof texts;
type Texts = (typeof texts)[Language];
const languages = ['pt-BR', 'en'] as const satisfies Language[];

/** Words of the data: names of people, programs and authorities. */
const content = ['Ana Lima Teste', 'Portal', 'Autoridade Certificadora Raiz Brasileira', 'AC Emissora de Teste'];

/** Pages of the window, with what is opened on each. */
const pages = [
  '#/',
  '#/sign',
  '#/validate',
  '#/history',
  '#/renewals',
  '#/certificates',
  '#/users',
  '#/sites',
  '#/doctor',
  '#/first-run',
  '#/settings',
  '#/settings?part=keys',
  '#/settings?part=network',
  '#/settings?part=data',
] as const;

/** Failures, to bring the sentences about failures onto the pages. */
async function breakThings({ sinete, folder }: Host): Promise<void> {
  const call = sinete.handlers['user-interface'];
  await call['certificates.makeTestIdentity']({ name: 'Ana Lima Teste', cpf: '52998224725' });
  const closed = await freePort();
  await call['tsa.add']({
    id: 'act-1',
    url: `http://127.0.0.1:${closed}/tsa`,
    digest: 'sha256',
    authentication: { kind: 'none' },
  });
  await call['stores.add']({
    id: 'loja-1',
    kind: 's3',
    endpoint: `http://127.0.0.1:${closed}`,
    bucket: 'bucket-1',
    prefix: '',
    overwrite: false,
    region: 'us-east-1',
    pathStyle: true,
    accessKeyId: 'a',
    secretAccessKey: 'b',
  });
  await call['renewals.addFolder']({ path: await renewalFolder(folder) });
  await call['renewals.look']({});
}

async function renewalFolder(folder: string): Promise<string> {
  const path = join(folder, 'r1');
  await mkdir(path, { recursive: true });
  await writeFile(join(path, 'x1.pdf'), writeTextPdf({ title: '1', paragraphs: ['1'], footer: '1' }, new Date()));
  await writeFile(join(path, 'x2.p7s'), 'no signature');
  return path;
}

/** A request of a program for a damaged PDF, and a callback without an answer. */
async function ask(sinete: Sinete): Promise<string> {
  const created = await fetch(`${sinete.baseUrl}/signature-service`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'User-Agent': 'Portal' },
    body: JSON.stringify({
      type: 'PAdES',
      documents_source: 'DATA_URL',
      documents: 'data:application/pdf;base64,JVBERi0xLjcK',
      callback: `http://127.0.0.1:${await freePort()}/back`,
    }),
  });
  return ((await created.json()) as { readonly tcn: string }).tcn;
}

/** Actions on a page before its texts are read. */
const act: Partial<Record<(typeof pages)[number], (page: Page, text: Texts) => Promise<void>>> = {
  '#/sign': async (page) => {
    await pickerOf(page).setInputFiles(pdf('a1.pdf'));
    await page.locator('form button[type=submit]').waitFor();
  },
  '#/validate': async (page, { validate }) => {
    await pickerOf(page).setInputFiles(pdf('a1.pdf'));
    await page.getByText(validate.title).first().waitFor();
  },
  '#/settings?part=network': async (page, { operation }) => {
    const store = page.getByRole('region', { name: operation.stores.title });
    await store.getByRole('button', { name: operation.stores.test }).click();
    await store.getByText(operation.stores.fails).waitFor();
  },
  '#/settings?part=keys': async (page, { settings }) => {
    const server = page.getByRole('region', { name: settings.timestamps.title });
    await server.getByRole('button', { name: settings.timestamps.test }).first().click();
    await server.locator('[data-kind=error]').waitFor();
  },
};

const pdf = (name: string): { readonly name: string; readonly mimeType: string; readonly buffer: Buffer } => ({
  name,
  mimeType: 'application/pdf',
  buffer: writeTextPdf({ title: '1', paragraphs: ['1'], footer: '1' }, new Date()),
});

/** Waits until a page has all its rows, and opens what is folded. */
async function unfoldAll(page: Page, { common }: Texts): Promise<void> {
  const loading = page.getByRole('status', { name: common.loading });
  await expect.poll(() => loading.count(), { timeout: 60_000 }).toBe(0);
  const folded = page.locator('main [aria-expanded=false]:not([aria-haspopup]):visible');
  for (let left = 20; left > 0 && (await folded.count()) > 0; left -= 1) await folded.first().click();
}

async function switchTo(page: Page, language: Language): Promise<void> {
  await page.evaluate((wanted) => {
    const key = 'sinete.language';
    localStorage.setItem(key, wanted);
    dispatchEvent(new StorageEvent('storage', { key, newValue: wanted }));
  }, language);
  await page.waitForFunction((wanted) => document.documentElement.lang === wanted, language);
}

describe('the window with the real core, where much fails', () => {
  let browser: Browser;
  let parts: BuiltParts;
  let host: Host;
  beforeAll(async () => {
    [browser, parts] = await Promise.all([launchChromium(), buildParts()]);
    host = await hosts.HTTP(browser, parts);
    await host.page.locator('main h1').waitFor();
    await breakThings(host);
  });
  afterAll(async () => {
    await host.close();
    await browser.close();
    await parts.remove();
  });

  it.each(languages)('speaks no word of another language than %s', async (language) => {
    const { page } = host;
    await switchTo(page, language);
    const found: string[] = [];
    const read = async (place: string): Promise<void> => {
      found.push(...(await foreignTexts(page, language, content)).map((text) => `${place}: ${text}`));
    };
    const tcn = await ask(host.sinete);
    await page.getByRole('dialog', { name: texts[language].approval.title }).waitFor();
    await read('approval');
    await host.sinete.handlers['user-interface']['approvals.decide']({ tcn, decision: 'approve' });
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    for (const hash of pages) {
      await page.evaluate((target) => (location.hash = target), hash);
      await page.locator('main h1').waitFor();
      await act[hash]?.(page, texts[language]);
      await unfoldAll(page, texts[language]);
      await read(hash);
    }
    expect(found).toEqual([]);
    expect(host.faults).toEqual([]);
  });

  it('gets its font from the instance', async () => {
    const states = await host.page.evaluate(async () => {
      await document.fonts.ready;
      return [...document.fonts].map(({ status }) => status);
    });
    expect(states).toContain('loaded');
    expect(states).not.toContain('error');
  });
});
