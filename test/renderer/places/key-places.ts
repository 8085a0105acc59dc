import { finishedTransaction, check, token } from '../fake-data.ts';
import { dialogOf, goTo, openDialog, type Place } from './place.ts';
import { pickerOf } from '../actions.ts';

/** Home, and Certificates with its dialogs. */
export const keyPlaces: readonly Place[] = [
  {
    name: 'the page without a session',
    go: async (page, text) => {
      // The headings come before the session, which would be stored after the clearing.
      await page.waitForFunction(() => sessionStorage.length > 0);
      await page.evaluate(() => sessionStorage.clear());
      await page.reload();
      await page.getByText(text.session.noSessionTitle).waitFor();
    },
  },
  {
    name: 'Home with what was signed lately',
    core: (core) => {
      core.transactions = [
        finishedTransaction('t1', ['Contrato de prestação de serviços.pdf'], 4),
        finishedTransaction('t2', ['Petição inicial.pdf', 'Procuração.pdf', 'Anexo 1.pdf'], 55),
        finishedTransaction('t3', ['Ata da assembleia.pdf'], 320, {
          requester: 'Sinete',
          requesterKind: 'user-interface',
        }),
        finishedTransaction('t4', ['Laudo técnico.docx'], 1500, { type: 'CAdES-detached' }),
      ];
    },
    go: (page, text) => page.getByText(text.home.healthGood).waitFor(),
  },
  {
    name: 'the rest of the navigation, which a narrow window keeps in a menu',
    go: async (page, text) => {
      const more = page.getByRole('button', { name: text.app.more, exact: true });
      if (!(await more.isVisible())) return;
      await more.click();
      await page.getByRole('menuitem', { name: text.app.doctor }).waitFor();
    },
  },
  {
    name: 'Home with history, failing checks and keys in memory only',
    core: (core) => {
      core.transactions = [
        finishedTransaction('t1', ['Contrato.pdf'], 4),
        finishedTransaction('t2', ['Petição.pdf', 'Anexo protegido.pdf'], 90),
      ];
      core.home.secretStore = { kind: 'memory', detail: null };
      core.home.room = { state: 'scarce', cause: 'disk' };
      core.settings.found = [check('secret-place', 'secrets-in-memory', {}, { repairs: [{ kind: 'keep-keys' }] })];
      core.health = [check('data-folder', 'folder-scarce', { free: 4e8, kept: 0, awaited: 0, cause: 'disk' })];
    },
    go: async (page, text) => {
      await page.getByText(/^(Make room on the disk|Libere espaço no disco)/).waitFor();
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
    go: async (page, text) => {
      await page.getByRole('button', { name: text.firstRun.leave }).click();
      await page.getByRole('link', { name: text.firstRun.resume }).waitFor();
    },
  },
  {
    name: 'Certificates',
    go: async (page, text) => {
      await goTo(page, '#/certificates');
      await page.getByText(text.certificates.modules.quarantined).waitFor();
    },
  },
  {
    name: 'the details of a certificate',
    dialog: 'pages/certificates/details-panel',
    go: async (page, text) => {
      await openDialog(page, '#/certificates', text.certificates.detailsOf.replace('{{name}}', 'Maria'));
      await page.getByText(text.certificates.drawer.copyPem).waitFor();
    },
  },
  {
    name: 'the import of a key file',
    dialog: 'keys/import-dialog',
    go: async (page, text) => {
      await openDialog(page, '#/certificates', text.certificates.import);
      await page.getByRole('button', { name: text.certificates.importDialog.submit, exact: true }).click();
      await page.getByText(text.certificates.importDialog.noFile).waitFor();
    },
  },
  {
    name: 'making a test identity, with fields left empty',
    dialog: 'keys/test-identity-dialog',
    go: async (page, text) => {
      await openDialog(page, '#/certificates', text.certificates.makeTest);
      await page.getByRole('button', { name: text.certificates.testDialog.submit }).click();
      await page.getByText(text.certificates.testDialog.cpfError).waitFor();
    },
  },
  {
    name: 'adding a driver that works',
    dialog: 'keys/add-module-dialog',
    go: async (page, text) => {
      await openDialog(page, '#/certificates', text.certificates.addDriver);
      await page.getByText(text.certificates.modules.testFirst).waitFor();
      await page
        .getByRole('button', { name: text.certificates.modules.testNamed.replace('{{name}}', 'OpenSC') })
        .click();
      await page.getByText(text.certificates.modules.works).waitFor();
    },
  },
  {
    name: 'the last attempt at a PIN',
    dialog: 'questions/pin-dialog',
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
      await goTo(page, '#/certificates');
      const name = text.certificates.actionsOf.replace('{{name}}', 'Maria');
      await page.getByRole('button', { name }).first().click();
      await page.getByRole('menuitem', { name: text.certificates.remove }).waitFor();
    },
  },
  {
    name: 'the removal of a certificate',
    dialog: 'components/dialogs/confirm',
    go: async (page, text) => {
      await goTo(page, '#/certificates');
      await page
        .getByRole('button', { name: text.certificates.actionsOf.replace('{{name}}', 'Maria') })
        .first()
        .click();
      await page.getByRole('menuitem', { name: text.certificates.remove }).click();
      await dialogOf(page);
    },
  },
  {
    name: 'a certificate file that somebody sent',
    dialog: 'pages/certificates/file-panel',
    go: async (page, text) => {
      await goTo(page, '#/certificates');
      const buffer = Buffer.from('-----BEGIN CERTIFICATE-----');
      const file = { name: 'padaria.cer', mimeType: 'application/octet-stream', buffer };
      await pickerOf(page).setInputFiles(file);
      await page.getByText(text.certificates.inspection.codes.dateBad).waitFor();
    },
  },
  {
    name: 'an open menu of display preferences',
    go: async (page, text) => {
      await page.getByRole('button', { name: text.preferences.title }).filter({ visible: true }).click();
      await page.getByRole('menuitemradio', { name: text.preferences.dark }).waitFor();
    },
  },
];
