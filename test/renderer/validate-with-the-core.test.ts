import { readFile } from 'node:fs/promises';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeTextPdf } from '../../src/app/demo/write-text-pdf.ts';
import { verifyPdf } from '../../src/signing/index.ts';
import { freePort } from '../app/run-sinete.ts';
import { startRealInstance, type RealInstance } from '../interface/real-instance.ts';
import { MARIA_CPF } from '../pki/identities.ts';
import { verifyWithPdfBox } from '../signing/pdf/long-term-oracles.ts';
import { texts } from './actions.ts';
import { collectFaults, launchChromium } from './browser.ts';

const text = texts['pt-BR'];

/** The built window with a real core behind it, whose test authority publishes its revocation lists. */
describe('validating in the window what was signed in it', () => {
  let instance: RealInstance;
  let browser: Browser;
  let page: Page;
  let faults: readonly string[];

  beforeAll(async () => {
    instance = await startRealInstance({ testServicesPort: await freePort() });
    const calls = instance.sinete.handlers['command-line'];
    await calls['certificates.makeTestIdentity']({ name: 'Maria de Teste', cpf: MARIA_CPF });
    await calls['testServices.run']({});
    browser = await launchChromium();
    page = await browser.newPage({ locale: 'pt-BR', viewport: { width: 1200, height: 900 } });
    faults = await collectFaults(page, () => instance.url);
    await page.goto(instance.sinete.issueLink());
    await page.getByText(text.home.ready).waitFor();
  });

  afterAll(async () => {
    await browser.close();
    await instance.stop();
  });

  const card = (name: string): Locator => page.getByRole('region', { name, exact: true });

  async function choose(route: string, name: string, buffer: Buffer): Promise<void> {
    await page.evaluate((target) => (location.hash = target), route);
    const input = page.locator('main input[type=file]').first();
    await input.setInputFiles({ name, mimeType: 'application/octet-stream', buffer });
  }

  it('shows the green light, and the red one after a page was tampered with', async () => {
    const pdf = writeTextPdf({ title: 'Contrato', paragraphs: ['Texto.'], footer: 'x' }, new Date());
    await choose('#/sign', 'contrato.pdf', pdf);
    await page.getByLabel(text.signOptions.stamp).check();
    await page.getByLabel(text.signOptions.corners['top-right']).check();
    await page.locator('form button[type=submit]').click();
    await page.getByRole('dialog').getByText('contrato.pdf', { exact: true }).waitFor();
    await page.waitForTimeout(600);
    await page.getByRole('button', { name: text.approval.approve }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: /contrato-signed\.pdf/ }).click();
    const signed = await readFile(await (await download).path());

    await choose('#/validate', 'contrato-signed.pdf', signed);
    const good = card('contrato-signed.pdf');
    await good.getByText('Todas as assinaturas são válidas.').waitFor();
    await good.getByText(text.validate.hierarchy.test).first().waitFor();
    await good.getByRole('button', { name: /^Detalhes de/ }).click();
    await good.getByText(text.validate.changesNone).waitFor();
    const tampered = Buffer.from(signed);
    tampered[tampered.indexOf('Texto') + 1] = 0x45;
    await choose('#/validate', 'adulterado.pdf', tampered);
    const bad = card('adulterado.pdf');
    await bad.getByText('Pelo menos uma assinatura é inválida.').waitFor();
    await bad.getByRole('button', { name: /^Detalhes de/ }).click();
    await bad.getByText(text.validate.outcome.failed).first().waitFor();
    expect(await page.getByText('Válidos: 1 · Não válidos: 1 · Indeterminados: 0').isVisible()).toBe(true);

    const saved = page.waitForEvent('download');
    await good.getByRole('button', { name: /^Salvar relatório/ }).click();
    await page.getByRole('menuitem', { name: text.validate.formats.pdf }).click();
    const report = await readFile(await (await saved).path());
    expect(report.subarray(0, 5).toString()).toBe('%PDF-');
    expect(faults).toEqual([]);
  });

  it('raises what was validated to B-LTA, saves it, and finds it good', async () => {
    const saved = page.waitForEvent('download');
    await card('contrato-signed.pdf').getByRole('button', { name: 'Elevar para B-LTA: contrato-signed.pdf' }).click();
    const download = await saved;
    expect(download.suggestedFilename()).toBe('contrato-signed-B-LTA.pdf');
    const path = await download.path();
    const { signatures } = await verifyPdf(path);
    expect(signatures.map(({ subFilter, outcome }) => [subFilter, outcome])).toEqual([
      ['ETSI.CAdES.detached', 'intact'],
      ['ETSI.RFC3161', 'intact'],
      ['ETSI.RFC3161', 'intact'],
    ]);
    expect((await verifyWithPdfBox([path]))[0]).toMatch(/^signature timestamp timestamp certs=[5-9]/);
    const raised = card('contrato-signed-B-LTA.pdf');
    await raised.getByText('Todas as assinaturas são válidas.').waitFor();
    expect(
      await card('adulterado.pdf')
        .getByRole('button', { name: /^Elevar/ })
        .count(),
    ).toBe(0);
    expect(faults).toEqual([]);
  });

  it('tells that the certificate is good, revocation and chain included', async () => {
    await page.evaluate(() => (location.hash = '#/certificates'));
    await page.getByRole('button', { name: /^Detalhes de Maria/ }).click();
    const panel = page.getByRole('dialog');
    await panel.getByText(text.certificates.inspection.codes.crlGood).waitFor();
    await panel.getByText(text.certificates.inspection.codes.dateGood).waitFor();
    const hierarchy = text.validate.hierarchy.test;
    await panel.getByText(text.certificates.inspection.codes.trustGood.replace('{{hierarchy}}', hierarchy)).waitFor();
    expect(faults).toEqual([]);
  });
});
