import type { Page } from 'playwright-core';
import { freePort } from '../../app/run-sinete.ts';
import { buildPdf, onePage } from '../../signing/pdf/build-pdf.ts';
import { chooseFiles, contentOf, dropContents, pickerOf } from '../actions.ts';
import { askForContent } from '../asking.ts';
import { annotated, tampered } from '../changed-files.ts';
import { encryptPdf } from '../encrypted-pdf.ts';
import { addServer, withOddToken, withTestIdentity } from '../worlds.ts';
import { dialogOf, goTo, prepared, type Place, type Texts } from './place.ts';

const plainPage = buildPdf(onePage());

async function goToValidate(page: Page, text: Texts): Promise<void> {
  await goTo(page, '#/validate');
  await page.getByText(text.validate.teachTitle).waitFor();
}

/** Sign and Validate, and the approvals coming up on top. */
export const documentPlaces: readonly Place[] = [
  {
    name: 'Sign without files',
    go: async (page, text) => {
      await goTo(page, '#/sign');
      await page.getByRole('button', { name: text.sign.chooseFiles }).filter({ visible: true }).waitFor();
    },
  },
  {
    name: 'Sign with files, one of them empty, and all options open',
    go: async (page, text) => {
      await chooseFiles(page, ['a.pdf', 'b.txt', 'vazio.txt']);
      await page.getByRole('button', { name: text.sign.more }).click();
      await page.getByLabel(new RegExp(`^${text.sign.reason}`)).waitFor();
    },
  },
  {
    name: 'Sign with a level that needs time stamps, and a stamp',
    plan: prepared(addServer),
    go: async (page, text) => {
      await chooseFiles(page, ['a.pdf', 'b.txt']);
      await page.getByRole('button', { name: text.sign.more }).click();
      await page.getByLabel(text.signOptions.policy, { exact: true }).selectOption('B-T');
      await page.getByLabel(text.signOptions.stamp).check();
      await page.getByText(text.signOptions.preview).waitFor();
    },
  },
  {
    name: 'Validate before there is a file',
    go: goToValidate,
  },
  {
    name: 'validations of every kind, with all details',
    plan: async () => withTestIdentity(await freePort()),
    go: async (page, text, core) => {
      const signed = await core.sign('bom.pdf', plainPage);
      const files = {
        'bom.pdf': signed,
        'adulterado.pdf': tampered(signed),
        'outra.p7s': await core.sign('outra', contentOf('outra'), 'CAdES-detached'),
        'solto.docx': contentOf('solto.docx'),
        'protegido.pdf': await encryptPdf(plainPage, 'segredo'),
      };
      await goToValidate(page, text);
      await dropContents(page, 'main', files);
      await page.getByLabel(text.validate.password, { exact: true }).waitFor();
      const details = new RegExp(`^${text.validate.detailsOf.replace('{{name}}', '')}`);
      for (const button of await page.getByRole('button', { name: details }).all()) await button.click();
      await page.getByText(text.validate.missing).waitFor();
    },
  },
  {
    name: 'the results of a batch, one of which failed',
    go: async (page, text) => {
      await goTo(page, '#/sign');
      const files = { 'a.pdf': contentOf('a.pdf'), 'protegido.pdf': await encryptPdf(plainPage, 'segredo') };
      await page.getByRole('heading', { name: text.sign.title }).waitFor();
      await dropContents(page, 'main', files);
      await page.locator('form button[type=submit]').click();
      await page.getByText(text.errors.DOCUMENT_ENCRYPTED).first().waitFor();
      // The mouse rests where the button was: over an action of the results, whose tooltip would open.
      await page.mouse.move(0, 0);
      await page.getByRole('tooltip').waitFor({ state: 'detached' });
    },
  },
  {
    name: 'the comparison of a page that was changed after its signature',
    dialog: 'pages/validate/compare-dialog',
    plan: async () => withTestIdentity(await freePort()),
    go: async (page, text, core) => {
      const buffer = annotated(await core.sign('contrato.pdf', plainPage));
      await goToValidate(page, text);
      const file = { name: 'anotado.pdf', mimeType: 'application/pdf', buffer };
      await pickerOf(page).setInputFiles(file);
      const compare = text.validate.compareNamed.replace('{{name}}', 'Maria da Silva Teste');
      await page.getByRole('button', { name: compare }).click();
      await page.getByRole('dialog').getByText(text.validate.differentPage).waitFor();
    },
  },
  {
    name: 'a PIN that a signature waits for',
    dialog: 'questions/pin-dialog',
    plan: async () =>
      withOddToken(async (core) => {
        const locked = (await core.calls['certificates.list']({})).find((one) => one.locked);
        const documents = { type: 'CAdES-detached', documents_source: 'DATA_URL', documents: 'data:,um' };
        const tcn = await core.ask({ ...documents, certificate_alias: locked?.alias });
        await core.calls['approvals.decide']({ tcn, decision: 'approve' });
      }),
    go: dialogOf,
  },
  {
    name: 'an approval put off',
    plan: prepared(async (core) => askForContent(core, '1.pdf', plainPage)),
    go: async (page, text) => {
      await page.getByRole('button', { name: text.approval.later }).last().click();
      await page.getByRole('button', { name: text.app.review, exact: true }).waitFor();
    },
  },
];
