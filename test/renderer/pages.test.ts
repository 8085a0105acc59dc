import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { Stage } from './browser.ts';
import { FakeCore } from './fake-core.ts';
import { finishedTransaction, programTransaction, token } from './fake-data.ts';
import { chooseFiles, dropFiles, texts } from './actions.ts';
import { peoplePlaces, type Place } from './people-places.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(() => stage.close());

async function openDialog(page: Page, hash: string, button: string): Promise<void> {
  await page.evaluate((target) => (location.hash = target), hash);
  await page.getByRole('button', { name: button }).first().click();
  await page.getByRole('dialog').waitFor();
}

const dialogOf = (page: Page): Promise<void> => page.getByRole('dialog').waitFor();

const places: readonly Place[] = [
  {
    name: 'Home with history, failing checks and keys in memory only',
    core: (core) => {
      core.transactions = [
        finishedTransaction('t1', ['Contrato.pdf'], 4),
        finishedTransaction('t2', ['Petição.pdf', 'Anexo protegido.pdf'], 90),
      ];
      core.home.secretStore = { kind: 'memory', detail: null };
      core.health = {
        status: 'ERROR',
        checks: [{ id: 'disk', ok: false, message: 'The disk is almost full.', remedy: 'Free some space.' }],
      };
    },
    go: async (page, text) => {
      await page.getByText('The disk is almost full.').waitFor();
      await page
        .getByRole('button', { name: new RegExp(`^${text.home.showDocuments}`) })
        .nth(1)
        .click();
      await page.getByRole('link', { name: /-signed\.pdf/ }).waitFor();
    },
  },
  {
    name: 'Home before there is a certificate',
    core: (core) => {
      core.certificates = [];
      core.tokens = [];
      core.modules = [];
    },
    go: (page, text) => page.getByText(text.home.firstTitle).waitFor(),
  },
  {
    name: 'Certificates',
    go: async (page, text) => {
      await page.evaluate(() => (location.hash = '#/certificates'));
      await page.getByText(text.certificates.modules.quarantined).waitFor();
    },
  },
  {
    name: 'the details of a certificate',
    go: async (page, text) => {
      await openDialog(page, '#/certificates', text.certificates.detailsOf.replace('{{name}}', 'Maria'));
      await page.getByText(text.certificates.drawer.copyPem).waitFor();
    },
  },
  {
    name: 'the import of a key file',
    go: async (page, text) => {
      await openDialog(page, '#/certificates', text.certificates.import);
      await page.getByRole('button', { name: text.certificates.importDialog.submit, exact: true }).click();
      await page.getByText(text.certificates.importDialog.noFile).waitFor();
    },
  },
  {
    name: 'making a test identity, with fields left empty',
    go: async (page, text) => {
      await openDialog(page, '#/certificates', text.certificates.makeTest);
      await page.getByRole('button', { name: text.certificates.testDialog.submit }).click();
      await page.getByText(text.certificates.testDialog.cpfError).waitFor();
    },
  },
  {
    name: 'adding a driver that works',
    go: async (page, text) => {
      await openDialog(page, '#/certificates', text.certificates.addDriver);
      await page
        .getByRole('button', { name: text.certificates.modules.testNamed.replace('{{name}}', 'OpenSC') })
        .click();
      await page.getByText(text.certificates.modules.works).waitFor();
    },
  },
  {
    name: 'the last attempt at a PIN',
    core: (core) => {
      core.certificates = core.certificates.map((one) =>
        one.token === null ? one : { ...one, token: { ...token, pinAttempts: 'last' } },
      );
    },
    go: (page, text) => openDialog(page, '#/certificates', text.certificates.unlockNamed.replace('{{name}}', 'Maria')),
  },
  {
    name: 'the open menu of a certificate',
    go: async (page, text) => {
      await page.evaluate(() => (location.hash = '#/certificates'));
      const name = text.certificates.actionsOf.replace('{{name}}', 'Maria');
      await page.getByRole('button', { name }).first().click();
      await page.getByRole('menuitem', { name: text.certificates.remove }).waitFor();
    },
  },
  {
    name: 'the removal of a certificate',
    go: async (page, text) => {
      await page.evaluate(() => (location.hash = '#/certificates'));
      await page
        .getByRole('button', { name: text.certificates.actionsOf.replace('{{name}}', 'Maria') })
        .first()
        .click();
      await page.getByRole('menuitem', { name: text.certificates.remove }).click();
      await dialogOf(page);
    },
  },
  {
    name: 'an open menu of display preferences',
    go: async (page, text) => {
      await page.getByRole('button', { name: text.preferences.title }).filter({ visible: true }).click();
      await page.getByRole('menuitemradio', { name: text.preferences.dark }).waitFor();
    },
  },
  {
    name: 'Sign without files',
    go: async (page, text) => {
      await page.evaluate(() => (location.hash = '#/sign'));
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
      await page.getByLabel(text.signOptions.policy, { exact: true }).selectOption('B-T');
      await page.getByLabel(text.signOptions.stamp).check();
      await page.getByText(text.signOptions.preview).waitFor();
    },
  },
  {
    name: 'Validate before there is a file',
    go: async (page, text) => {
      await page.evaluate(() => (location.hash = '#/validate'));
      await page.getByText(text.validate.teachTitle).waitFor();
    },
  },
  {
    name: 'validations of every kind, with all details',
    go: async (page, text) => {
      await page.evaluate(() => (location.hash = '#/validate'));
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
      await page.getByRole('button', { name: text.approval.approve }).click({ delay: 700 });
      await page.getByText(text.errors.DOCUMENT_ENCRYPTED).waitFor();
    },
  },
  {
    name: 'an approval of many documents',
    core: (core) => {
      core.transactions = [programTransaction('p1', ['1.pdf', '2.pdf', '3.pdf', '4.pdf', '5.pdf', '6.pdf', '7.pdf'])];
    },
    go: dialogOf,
  },
  {
    name: 'a PIN that a signature waits for',
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
  ...peoplePlaces,
];

/** Both languages, wide and narrow; colours are switched within each, as the system does it at dusk. */
const looks = [
  { language: 'pt-BR', locale: 'pt-BR', viewport: { width: 1200, height: 800 } },
  { language: 'en', locale: 'en-US', viewport: { width: 380, height: 780 } },
] as const;

describe.each(looks)('the GUI in $language, $viewport.width pixels wide', (look) => {
  it.each(places)(
    'shows $name without an accessibility finding, a policy violation or a cut-off line',
    async (place) => {
      const core = new FakeCore();
      place.core?.(core);
      const { locale, viewport } = look;
      const shown = await stage.show(core, { locale, viewport });
      try {
        await place.go(shown.page, texts[look.language]);
        expect(await stage.axe(shown.page)).toEqual([]);
        await shown.page.emulateMedia({ colorScheme: 'dark' });
        expect(await stage.axe(shown.page)).toEqual([]);
        const wider = await shown.page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
        expect(wider).toBe(false);
        expect(shown.faults).toEqual([]);
      } finally {
        await shown.close();
      }
    },
  );
});
