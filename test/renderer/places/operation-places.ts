import type { FakeCore } from '../fake-core.ts';
import { finishedTransaction, check, stoppedDriver, programTransaction } from '../fake-data.ts';
import { keptFile } from '../fake-renewals.ts';
import { goTo, openDialog, type Place } from './place.ts';

/** Months of signatures, a few of which failed, and one request that has just begun. */
function withHistory(core: FakeCore): void {
  const past = Array.from({ length: 120 }, (_, index) =>
    finishedTransaction(
      `t${index}`,
      [index % 9 === 4 ? `Anexo protegido ${index}.pdf` : `Contrato ${index}.pdf`],
      index * 90,
    ),
  );
  core.transactions = [{ ...programTransaction('waiting', ['Novo.pdf']), waitingFor: 'upload' }, ...past];
}

/** Files in every state looking different, and a folder that cannot be read. */
function withRenewals(core: FakeCore): void {
  const why = {
    'pt-BR': 'A proteção por Carimbo do Tempo ACT Exemplo termina em 10/01/2027. O servidor não responde.',
    en: 'The protection by Carimbo do Tempo ACT Exemplo ends on 2027-01-10. The server does not answer.',
  };
  core.renewals.folders = [
    { path: '/home/ana/Documentos/Assinados', unreadable: false },
    { path: '/mnt/rede/arquivo', unreadable: true },
  ];
  core.renewals.files = [
    keptFile('/home/ana/Documentos/Assinados/2025-01/procuração.pdf', 'failed', 20, why),
    keptFile('/home/ana/Documentos/Assinados/2025-02/nota.txt.p7s', 'content-missing', 30),
    keptFile('/home/ana/Documentos/Assinados/2025-03/escritura.pdf', 'renewed', 1800),
    { ...keptFile('/home/ana/Documentos/Assinados/contrato.pdf', 'not-due', 900), origin: 'history' },
  ];
}

/** History, Renewals, Settings and Doctor. */
export const operationPlaces: readonly Place[] = [
  {
    name: 'History with charts',
    core: withHistory,
    go: async (page) => {
      await goTo(page, '#/history');
      await page.locator('figure [role="img"] [data-status="signed"]').nth(1).waitFor();
      await page.locator('figure circle[data-status="signed"]').waitFor();
    },
  },
  {
    name: 'the details of a request',
    dialog: 'pages/history/history-details',
    core: withHistory,
    go: async (page, text) => {
      await goTo(page, '#/history');
      await page.getByRole('button', { name: text.history.details.replace('{{name}}', 'Contrato 0.pdf') }).click();
      await page.getByRole('dialog').getByText('Contrato 0-signed.pdf').waitFor();
    },
  },
  {
    name: 'a signed file to be extended',
    dialog: 'pages/history/extend-dialog',
    panels: 1,
    core: (core) => {
      core.transactions = [finishedTransaction('t1', ['/home/maria/Contrato.pdf'], 4)];
    },
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
    core: (core) => {
      core.transactions = [finishedTransaction('t1', ['/home/maria/Contrato.pdf'], 4)];
    },
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
    core: withRenewals,
    go: async (page, text) => {
      await goTo(page, '#/renewals');
      await page.getByText(text.renewals.states['not-due'], { exact: true }).waitFor();
    },
  },
  {
    name: 'Settings',
    go: async (page) => {
      await goTo(page, '#/settings?part=keys');
      await page.getByText('act-exemplo').waitFor();
      await page.getByText('Autoridade Certificadora Raiz Brasileira v10').waitFor();
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
    go: async (page, text) => {
      await goTo(page, '#/settings?part=keys');
      const { trust } = text.settings;
      await page.getByText(trust.intermediates_other.replace('{{count}}', '143')).click();
      await page.getByRole('button', { name: trust.refuseNamed.replace('{{name}}', 'AC Exemplo') }).click();
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
    core: (core) => {
      core.operation.anchors = [];
      core.health = [
        check('database', 'database-works'),
        stoppedDriver,
        check('timestamp-server:act-exemplo', 'server-silent', { name: 'act-exemplo' }),
      ];
    },
    go: async (page, text) => {
      await goTo(page, '#/doctor');
      await page.getByText(text.doctor.attention).waitFor();
    },
  },
];
