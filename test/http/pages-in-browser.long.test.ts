import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildOpenApi } from '../../src/http/openapi.ts';
import { systemTool } from '../setup/system-packages.ts';
import { exampleResult } from './fake-transactions.ts';
import { startTestServer, type TestServer } from './start-test-server.ts';

let server: TestServer;
let browser: Browser;

beforeAll(async () => {
  server = await startTestServer();
  browser = await chromium.launch({ executablePath: systemTool('chromium-headless-shell') });
});
afterAll(async () => {
  await browser.close();
  await server.stop();
});

/** A page with a record of the browser's complaints and of its addresses. */
async function openPage(path: string): Promise<{ page: Page; complaints: string[]; addresses: string[] }> {
  const page = await browser.newPage();
  const complaints: string[] = [];
  const addresses: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().includes('favicon')) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => addresses.push(request.url()));
  await page.goto(`${server.url}${path}`);
  return { page, complaints, addresses };
}

describe('the pages in Chromium', () => {
  it('/docs shows every operation, offline and without breaking its policy', async () => {
    const { page, complaints, addresses } = await openPage('/docs');
    await page.waitForSelector('.opblock');
    const paths = Object.values(buildOpenApi('0.1.0').paths ?? {});
    const described = paths.flatMap((path) => Object.keys(path)).length;
    const operations = await page.locator('.opblock').count();
    expect(operations).toBe(described);
    await page.locator('.opblock-summary').first().click();
    await page.waitForSelector('.opblock-body');
    expect(complaints).toEqual([]);
    const elsewhere = addresses.filter((url) => !url.startsWith(server.url) && !/^(data|blob):/.test(url));
    expect(elsewhere).toEqual([]);
    await page.close();
  });

  it('our own page may call the interface and start a download', async () => {
    const result = await exampleResult(Buffer.from('signed'));
    server.transactions.resultFile = result.file;
    const { page } = await openPage('/');
    const status = await page.evaluate(async () => (await fetch('/dashboard')).status);
    expect(status).toBe(200);
    for (const attribute of ['', 'download']) {
      const started = page.waitForEvent('download');
      await page.evaluate((name) => {
        const link = document.createElement('a');
        link.href = '/file-transfer/T/0';
        if (name !== '') link.setAttribute(name, '');
        document.body.append(link);
        link.click();
      }, attribute);
      const download = await started;
      expect([download.suggestedFilename(), await download.failure()]).toEqual(['contract-signed.pdf', null]);
    }
    await page.close();
    await result.remove();
  });

  it('a page of another origin neither reads nor writes, not even blindly', async () => {
    const other = await startTestServer();
    const page = await browser.newPage();
    await page.goto(other.url);
    // The page's own policy would stop the request first; an attacker's page has none.
    await page.route(`${other.url}/evil`, async (route) =>
      route.fulfill({ contentType: 'text/html', body: '<!doctype html><body></body>' }),
    );
    await page.goto(`${other.url}/evil`);
    const outcome = await page.evaluate(async (target) => {
      const tried = async (options: RequestInit): Promise<string> =>
        fetch(`${target}/signature-service`, options).then(
          (response) => response.type,
          () => 'blocked',
        );
      return [
        await tried({ method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' }),
        await tried({ method: 'POST', mode: 'no-cors', body: 'x=1' }),
        await tried({}),
      ];
    }, server.url);
    expect(outcome[0]).toBe('blocked');
    expect(outcome[2]).toBe('blocked');
    expect(server.transactions.created).toEqual([]);
    await page.close();
    await other.stop();
  });
});
