import { appendFile, readFile, rm } from 'node:fs/promises';
import type { Locator } from 'playwright-core';
import { expect } from 'vitest';
import { verifyPdf } from '../../../src/signing/index.ts';
import { verifyWithPdfBox } from '../../oracles/pdf-box.ts';
import { card, filled, goTo, text, type Story } from './story.ts';
import { signedPdf, verdicts } from './document-stories.ts';

const { validate, certificates } = text;

/**
 * Time stamps and revocation data of the test services. This story comes after a test identity has signed a document.
 */
export const evidenceStories: readonly Story[] = [
  {
    page: '#/settings',
    does: 'runs the test services, which answer on this computer',
    tell: async ({ host: { page, sinete } }) => {
      const { testServices } = text.settings;
      await goTo(page, '#/settings?part=keys', text.settings.title);
      await page.getByLabel(testServices.toggle).click();
      await page.getByText(/^Estão em http:\/\/127\.0\.0\.1:\d+ /).waitFor();
      const { origin } = await sinete.handlers['user-interface']['testServices.run']({});
      expect((await fetch(origin)).status).toBe(200);
    },
  },
  {
    page: '#/validate',
    does: 'raises what was signed to B-LTA, saves it, and finds it good, as PDFBox does',
    tell: async ({ host: { page } }) => {
      // Earlier validations are still shown.
      await goTo(page, '#/validate', validate.title);
      const saved = page.waitForEvent('download');
      const raise = filled(validate.raiseNamed, { level: 'B-LTA', name: signedPdf });
      await card(page, signedPdf).getByRole('button', { name: raise, exact: true }).click();
      const download = await saved;
      expect(download.suggestedFilename()).toBe('contract-assinado-B-LTA.pdf');
      const path = await download.path();
      const { signatures } = await verifyPdf(path);
      expect(signatures.map(({ subFilter, outcome }) => [subFilter, outcome])).toEqual([
        ['ETSI.CAdES.detached', 'intact'],
        ['ETSI.RFC3161', 'intact'],
        ['ETSI.RFC3161', 'intact'],
      ]);
      expect((await verifyWithPdfBox([path]))[0]).toMatch(/^signature timestamp timestamp certs=[5-9]/);
      await card(page, 'contract-assinado-B-LTA.pdf').getByText(verdicts.good).waitFor();
      const offers = card(page, 'adulterado.pdf').getByRole('button', { name: /^Elevar/ });
      expect(await offers.count()).toBe(0);
    },
  },
  {
    page: '#/history',
    does: 'extends a file of the archive beside it, and tells that the file was changed, and then that it is gone',
    tell: async ({ host: { page, sinete } }) => {
      const { history } = text;
      const details = async (): Promise<Locator> => {
        await goTo(page, '#/history', history.title);
        await page.getByLabel(history.text, { exact: true }).fill('paginas');
        await page.getByRole('button', { name: filled(history.details, { name: 'paginas.pdf' }), exact: true }).click();
        return page.getByRole('dialog');
      };
      const leave = async (): Promise<void> => {
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'detached' });
        await goTo(page, '#/', text.home.title);
      };
      const panel = await details();
      await panel.getByRole('button', { name: history.extend.open, exact: true }).click();
      await page.getByLabel(history.extend.levels['B-T'], { exact: true }).check();
      await page.getByLabel(history.extend.places.beside, { exact: true }).check();
      await page.getByRole('button', { name: history.extend.submit, exact: true }).last().click();
      await panel.getByText(history.drawer.extended_one).waitFor();
      const calls = sinete.handlers['user-interface'];
      const found = await calls['history.documents']({ text: 'paginas', offset: 0, limit: 1 });
      const path = found.documents[0]?.document.resultPath ?? '';
      expect(path).toMatch(/Assinados.*paginas-assinado-B-T\.pdf$/);
      const { signatures } = await verifyPdf(path);
      expect(signatures.map(({ subFilter, outcome }) => [subFilter, outcome])).toEqual([
        ['ETSI.CAdES.detached', 'intact'],
        ['ETSI.RFC3161', 'intact'],
      ]);

      await leave();
      await appendFile(path, ' ');
      await (await details()).getByText(filled(history.drawer.changed, { path })).waitFor();
      await leave();
      await rm(path);
      await (await details()).getByText(filled(history.drawer.missing, { path })).waitFor();
      await leave();
    },
  },
  {
    page: '#/certificates',
    does: 'tells that the certificate is good, its revocation and chain included',
    tell: async ({ host: { page } }) => {
      const { codes } = certificates.inspection;
      await goTo(page, '#/certificates', certificates.title);
      await page.getByRole('button', { name: /^Detalhes de Maria/ }).click();
      const panel = page.getByRole('dialog');
      await panel.getByText(codes.crlGood).waitFor();
      await panel.getByText(codes.dateGood).waitFor();
      await panel.getByText(filled(codes.trustGood, { hierarchy: validate.hierarchy.test })).waitFor();
      await page.keyboard.press('Escape');
      await panel.waitFor({ state: 'detached' });
    },
  },
  {
    page: '#/renewals',
    does: 'looks at a folder of signed files that is kept valid, and saves a report about it',
    tell: async ({ host: { page, folder } }) => {
      const { renewals } = text;
      await goTo(page, '#/renewals', renewals.title);
      await page.getByLabel(renewals.folders.path, { exact: true }).fill(folder);
      await page.getByRole('button', { name: renewals.folders.add, exact: true }).click();
      await page.getByText(folder, { exact: true }).waitFor();
      await page.getByRole('button', { name: renewals.look, exact: true }).click();
      await page.getByText(/ verificados?, 0 renovados?$/).waitFor();
      await page.getByRole('button', { name: renewals.report, exact: true }).click();
      const saved = page.waitForEvent('download');
      await page.getByRole('menuitem', { name: validate.formats.json, exact: true }).click();
      const report = JSON.parse(await readFile(await (await saved).path(), 'utf8')) as { readonly files: unknown };
      expect(Array.isArray(report.files)).toBe(true);
    },
  },
];
