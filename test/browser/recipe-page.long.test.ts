import { createServer, type Server } from 'node:http';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeTextPdf } from '../../src/app/demo/write-text-pdf.ts';
import { clientFolder } from '../../src/app/instance/start-sinete.ts';
import { verifyPdf } from '../../src/signing/index.ts';
import { startRealInstance, type RealInstance } from '../interface/real-instance.ts';
import { launchChromium } from '../renderer/browser.ts';

/** The page of the recipes. */

const recipe = join(import.meta.dirname, '../../docs/examples/recipes/page.html.txt');
let instance: RealInstance;
let site: Server;
let origin: string;
let browser: Browser;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sinete-recipe-'));
  instance = await startRealInstance({ approve: 'all' });
  const { 'user-interface': calls } = instance.sinete.handlers;
  await calls['certificates.makeTestIdentity']({ name: 'ANA LIMA', cpf: '11144477735' });
  // The instance of a test is on none of the usual ports.
  const page = (await readFile(recipe, 'utf8')).replace('Sinete.find()', `Sinete.find({ ports: [${instance.port}] })`);
  site = createServer((request, response) => {
    const isScript = request.url === '/client.js';
    response.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html; charset=utf-8');
    void readFile(join(clientFolder, 'client.js')).then((script) => response.end(isScript ? script : page));
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  browser = await launchChromium();
});
afterAll(async () => {
  await browser.close();
  await new Promise((resolve) => site.close(resolve));
  await instance.stop();
  await rm(folder, { recursive: true });
});

const pdf = writeTextPdf({ title: 'Contrato', paragraphs: ['Texto.'], footer: 'x' }, new Date());
const file = (name: string, content: Uint8Array | string) => {
  return { name, mimeType: 'application/pdf', buffer: Buffer.from(content) };
};

async function sign(files: readonly ReturnType<typeof file>[]): Promise<Page> {
  const page = await browser.newPage();
  await page.goto(origin);
  await page.getByLabel('Documents').setInputFiles([...files]);
  await page.getByRole('button', { name: 'Sign' }).click();
  return page;
}

describe('the page of the recipes', () => {
  it('tells a visitor whose Sinete does not let the site in', async () => {
    const page = await sign([file('one.pdf', pdf)]);
    await page.getByRole('status').getByText('Sinete did not let this site in.').waitFor();
  });

  it('signs two documents of three, names the refused document, and ends with a full progress bar', async () => {
    const calls = instance.sinete.handlers['user-interface'];
    const letIn = async (): Promise<void> => {
      for (const { id, scopes } of await calls['consent.questions']({})) {
        await calls['consent.answer']({ id, allow: true, scopes, days: 1 });
      }
    };
    instance.openWindow(({ name }) => {
      if (name === 'consent-changed') void letIn();
    });
    const page = await sign([file('um.pdf', pdf), file('ruim.pdf', 'no PDF'), file('ação.pdf', pdf)]);
    await page.getByRole('status').getByText('Done.').waitFor();
    await page.getByText(/^ruim\.pdf: The document is not a PDF/).waitFor();
    expect(await page.locator('progress').evaluate((bar: HTMLProgressElement) => bar.value)).toBe(1);
    for (const name of ['um-signed.pdf', 'ação-signed.pdf']) {
      const [download] = await Promise.all([page.waitForEvent('download'), page.getByText(name).click()]);
      expect(download.suggestedFilename()).toBe(name);
      const path = join(folder, name);
      await download.saveAs(path);
      expect((await verifyPdf(path)).signatures.map(({ outcome }) => outcome)).toEqual(['intact']);
    }
  });
});
