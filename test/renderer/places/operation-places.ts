import { freePort } from '../../app/run-sinete.ts';
import type { RealCore } from '../real-core.ts';
import { addServer, fillHistory, signFiles, stopDriver, withOddToken, withRenewals } from '../worlds.ts';
import { goTo, openDialog, prepared, type Place } from './place.ts';

/** Days of signatures, a few of which failed, and one request that has just begun. */
const withHistory = prepared(async (core) => {
  await fillHistory(core, 120);
  const documents = [{ original_file_name: 'Novo.pdf' }];
  await core.ask({ type: 'PAdES', documents_source: 'UPLOAD_REFERENCE', documents });
});

const withContract = prepared(async (core: RealCore) => signFiles(core, ['Contrato.pdf']));

/** History, Renewals, Settings and Doctor. */
export const operationPlaces: readonly Place[] = [
  {
    name: 'History with charts',
    plan: withHistory,
    go: async (page) => {
      await goTo(page, '#/history');
      await page.locator('figure [role="img"] [data-status="signed"]').nth(1).waitFor();
      await page.locator('figure circle[data-status="signed"]').waitFor();
    },
  },
  {
    name: 'the details of a request',
    dialog: 'pages/history/history-details',
    plan: withHistory,
    go: async (page, text) => {
      await goTo(page, '#/history');
      await page.getByRole('button', { name: text.history.details.replace('{{name}}', 'Contrato 0.pdf') }).click();
      await page.getByRole('heading', { name: 'Contrato 0-assinado.pdf' }).waitFor();
    },
  },
  {
    name: 'a signed file to be extended',
    dialog: 'pages/history/extend-dialog',
    panels: 1,
    plan: withContract,
    go: async (page, text) => {
      await goTo(page, '#/history');
      const details = new RegExp(text.history.details.replace('{{name}}', '.*Contrato'));
      await page.getByRole('button', { name: details }).click();
      await page.getByRole('button', { name: text.history.extend.open, exact: true }).click();
      await page.getByRole('radio', { name: text.history.extend.places.replace }).waitFor();
    },
  },
  {
    name: 'the folder of a result, where no file manager is',
    dialog: 'components/result-actions',
    plan: withContract,
    go: async (page, text) => {
      await page.getByRole('button', { name: new RegExp(`^${text.home.showDocuments}`) }).click();
      const name = text.sign.revealNamed.replace('{{name}}', 'Contrato-signed.pdf');
      await page.getByRole('button', { name }).click();
      await page.getByText(text.sign.revealPath).waitFor();
    },
  },
  {
    name: 'History before there is any',
    go: async (page, text) => {
      await goTo(page, '#/history');
      await page.getByText(text.history.noneText).waitFor();
    },
  },
  {
    name: 'the general part of Settings',
    go: async (page, text) => {
      await goTo(page, '#/settings');
      await page.getByLabel(text.operation.archive.suffix).waitFor();
    },
  },
  {
    name: 'Renewals',
    plan: async () => withRenewals(await freePort()),
    go: async (page, text) => {
      await goTo(page, '#/renewals');
      await page.getByText(text.renewals.states.failed, { exact: true }).waitFor();
    },
  },
  {
    name: 'Settings',
    plan: prepared(addServer),
    go: async (page) => {
      await goTo(page, '#/settings?part=keys');
      await page.getByText('act-exemplo').waitFor();
      await page.getByText('Autoridade Certificadora Raiz Brasileira v10', { exact: true }).waitFor();
    },
  },
  {
    name: 'a time-stamp server with wrong fields',
    dialog: 'pages/settings/timestamp-dialog',
    go: async (page, text) => {
      const { timestamps } = text.settings;
      await openDialog(page, '#/settings?part=keys', timestamps.add);
      await page.getByLabel(timestamps.authentication).selectOption('basic');
      await page.getByRole('button', { name: timestamps.save }).click();
      await page.getByText(timestamps.idError).waitFor();
    },
  },
  {
    name: 'the refusal of an authority',
    dialog: 'components/dialogs/confirm',
    go: async (page, text, core) => {
      await goTo(page, '#/settings?part=keys');
      const { trust } = text.settings;
      const { intermediates, authorities = [] } = await core.calls['trust.list']({ authorities: true });
      await page.getByText(trust.intermediates_other.replace('{{count}}', String(intermediates))).click();
      const name = trust.refuseNamed.replace('{{name}}', authorities[0]?.name ?? '');
      await page.getByRole('button', { name, exact: true }).first().click();
      await page.getByRole('dialog', { name: text.settings.trust.refuseTitle }).waitFor();
    },
  },
  {
    name: 'the import of a root',
    dialog: 'pages/settings/trust-dialog',
    go: (page, text) => openDialog(page, '#/settings?part=keys', text.settings.trust.add),
  },
  {
    name: 'Doctor with problems and their repairs',
    plan: async () =>
      withOddToken(async (core) => {
        await addServer(core);
        await stopDriver(core);
      }),
    go: async (page, text) => {
      await goTo(page, '#/doctor');
      await page.getByText(text.doctor.attention).waitFor();
    },
  },
];
