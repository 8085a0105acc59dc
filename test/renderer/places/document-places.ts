import { chooseFiles, dropFiles, pickerOf } from '../actions.ts';
import { changedPage } from '../changed-pdf.ts';
import { programTransaction } from '../fake-data.ts';
import { dialogOf, goTo, type Place } from './place.ts';

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
    go: async (page, text) => {
      await goTo(page, '#/validate');
      await page.getByText(text.validate.teachTitle).waitFor();
    },
  },
  {
    name: 'validations of every kind, with all details',
    go: async (page, text) => {
      await goTo(page, '#/validate');
      await page.getByText(text.validate.teachTitle).waitFor();
      await dropFiles(page, 'main', ['bom.pdf', 'adulterado.pdf', 'outra.p7s', 'solto.docx', 'protegido.pdf']);
      await page.getByLabel(text.validate.password, { exact: true }).waitFor();
      const details = new RegExp(`^${text.validate.detailsOf.replace('{{name}}', '')}`);
      for (const button of await page.getByRole('button', { name: details }).all()) await button.click();
      await page.getByText(text.validate.missing).waitFor();
    },
  },
  {
    name: 'the results of a batch, one of which failed',
    go: async (page, text) => {
      await chooseFiles(page, ['a.pdf', 'protegido.pdf']);
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
    go: async (page, text) => {
      await goTo(page, '#/validate');
      await page.getByText(text.validate.teachTitle).waitFor();
      const file = { name: 'anotado.pdf', mimeType: 'application/pdf', buffer: changedPage };
      await pickerOf(page).setInputFiles(file);
      const compare = text.validate.compareNamed.replace('{{name}}', 'Maria da Silva Teste');
      await page.getByRole('button', { name: compare }).click();
      await page.getByRole('dialog').getByText(text.validate.differentPage).waitFor();
    },
  },
  {
    name: 'a PIN that a signature waits for',
    dialog: 'questions/pin-dialog',
    core: (core) => {
      core.transactions = [{ ...programTransaction('p1', ['1.pdf']), waitingFor: 'pin', certificateAlias: 'maria-a3' }];
    },
    go: dialogOf,
  },
  {
    name: 'an approval put off',
    core: (core) => {
      core.transactions = [programTransaction('p1', ['1.pdf'])];
    },
    go: async (page, text) => {
      await page.getByRole('button', { name: text.approval.later }).last().click();
      await page.getByRole('button', { name: text.app.review, exact: true }).waitFor();
    },
  },
];
