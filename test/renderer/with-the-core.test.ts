import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeTextPdf } from '../../src/app/demo/write-text-pdf.ts';
import { verifyPdf } from '../../src/signing/index.ts';
import { makeWorkplace, runSinete, serve, type ServingProcess, type Workplace } from '../app/run-sinete.ts';
import { texts } from './actions.ts';
import { collectFaults, launchChromium } from './browser.ts';

const text = texts['pt-BR'];

/** The built window with a real instance behind it: what the other tests of the window pretend, these do. */
describe('the window of a running instance', () => {
  let place: Workplace;
  let instance: ServingProcess;
  let browser: Browser;

  beforeAll(async () => {
    place = await makeWorkplace();
    instance = await serve(place);
    browser = await launchChromium();
  });

  afterAll(async () => {
    await browser.close();
    expect(await instance.stop()).toBe(0);
    await place.remove();
  });

  it('makes an identity, signs a PDF once it is approved, gives it back, and shows what a program asks for', async () => {
    const { code, stdout, stderr } = await runSinete(place, ['link']);
    expect(code, stderr).toBe(0);
    const page = await browser.newPage({ locale: 'pt-BR', viewport: { width: 1200, height: 800 } });
    const faults = await collectFaults(page, () => instance.baseUrl);
    await page.goto(/http\S+/.exec(stdout)?.[0] ?? '');

    await page.getByRole('button', { name: new RegExp(text.home.testTitle) }).click();
    await page.getByLabel(text.certificates.testDialog.name).fill('Maria da Silva Teste');
    await page.getByLabel('CPF').fill('52998224725');
    await page.getByRole('button', { name: text.certificates.testDialog.submit }).click();
    await page.getByText(text.firstRun.try.title).waitFor();

    const pdf = writeTextPdf({ title: 'Contrato', paragraphs: ['Texto.'], footer: 'x' }, new Date());
    await page.evaluate(() => (location.hash = '#/sign'));
    await page
      .locator('main input[type=file]')
      .first()
      .setInputFiles({ name: 'contrato.pdf', mimeType: 'application/pdf', buffer: pdf });
    await page.locator('form button[type=submit]').click();
    await page.getByRole('dialog').getByText('contrato.pdf', { exact: true }).waitFor();
    await page.waitForTimeout(600);
    await page.getByRole('button', { name: text.approval.approve }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: /contrato-signed\.pdf/ }).click();
    const result = join(place.folder, 'result.pdf');
    await (await download).saveAs(result);
    expect((await readFile(result)).subarray(0, pdf.length).equals(pdf)).toBe(true);
    const { signatures } = await verifyPdf(result);
    expect(signatures.map(({ outcome, coversWholeFile }) => [outcome, coversWholeFile])).toEqual([['intact', true]]);

    const created = await fetch(`${instance.baseUrl}/signature-service`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ type: 'CAdES', documents_source: 'DATA_URL', documents: 'data:,pedido' }),
    });
    const { tcn } = (await created.json()) as { tcn: string };
    await page
      .getByRole('dialog')
      .getByText(/[0-9a-f]{8}/)
      .first()
      .waitFor();
    await page.waitForTimeout(600);
    await page.getByRole('button', { name: text.approval.refuse }).click();
    const refused = await fetch(`${instance.baseUrl}/signature-service/${tcn}?wait=20`);
    expect(await refused.json()).toMatchObject({
      status: 'ERROR',
      documents: [{ error: { code: 'APPROVAL_REFUSED' } }],
    });
    expect(faults).toEqual([]);
  });
});
