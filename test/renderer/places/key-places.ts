import { companyWith } from '../../pki/identities.ts';
import { pem } from '../../pki/openssl.ts';
import { pickerOf } from '../actions.ts';
import { check, withChecks } from '../stand-ins.ts';
import {
  addOtherCertificates,
  fillHistory,
  inDays,
  rememberRequests,
  signFiles,
  withCertificates,
  withOddToken,
} from '../worlds.ts';
import { dialogOf, goTo, openDialog, prepared, type Place } from './place.ts';

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
    plan: prepared(async (core) => {
      const tcn = await signFiles(core, ['Contrato de prestação de serviços.pdf']);
      await rememberRequests(core, tcn, [
        { minutesAgo: 55, names: ['Petição inicial.pdf', 'Procuração.pdf', 'Anexo 1.pdf'] },
        { minutesAgo: 320, names: ['Ata da assembleia.pdf'] },
        { minutesAgo: 1500, names: ['Laudo técnico.pdf'], requester: 'Processo Eletrônico Exemplo' },
      ]);
    }),
    go: (page, text) => page.getByText(text.doctor.good).or(page.getByText(text.home.toDoctor)).first().waitFor(),
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
    plan: prepared(
      async (core) => {
        await fillHistory(core, 5);
        core.standIn({
          state: 'the keys are in memory only',
          because: 'the key file and the keychain of the person who runs the tests would be used',
          answers: {
            'doctor.read': (real) =>
              withChecks(real, check('secret-place', 'secrets-in-memory', {}, { repairs: [{ kind: 'keep-keys' }] })),
            'home.read': async (real) => ({ ...(await real()), secretStore: { kind: 'memory', detail: null } }),
          },
        });
      },
      { diskSpace: async () => Promise.resolve({ free: 4e8, total: 1e12 }) },
    ),
    go: async (page, text) => {
      await page.getByText(/^(Make room on the disk|Libere espaço no disco)/).waitFor();
      await page
        .getByRole('button', { name: new RegExp(`^${text.home.showDocuments}`) })
        .first()
        .click();
      await page.getByText('Contrato 0-assinado.pdf', { exact: true }).waitFor();
    },
  },
  {
    name: 'Home before there is a certificate',
    plan: async () => Promise.resolve({ keys: 'none' }),
    go: async (page, text) => {
      await page.getByRole('button', { name: text.firstRun.leave }).click();
      await page.getByRole('link', { name: text.firstRun.resume }).waitFor();
    },
  },
  {
    name: 'Certificates',
    plan: withCertificates,
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
        .getByRole('button', { name: text.certificates.modules.testNamed.replace('{{name}}', 'SoftHSM') })
        .click();
      await page.getByText(text.certificates.modules.works).waitFor();
    },
  },
  {
    name: 'the last attempt at a PIN',
    dialog: 'questions/pin-dialog',
    plan: async () =>
      withOddToken(async ({ calls }) => {
        const locked = (await calls['certificates.list']({})).find((one) => one.locked);
        for (const pin of ['0000', '1111']) {
          await calls['certificates.unlock']({ alias: locked?.alias ?? '', pin }).catch(() => undefined);
        }
      }),
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
    plan: prepared(addOtherCertificates),
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
      const { certificate } = await companyWith({ notBefore: inDays(-400), notAfter: inDays(-35) });
      const buffer = Buffer.from(pem('CERTIFICATE', certificate));
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
