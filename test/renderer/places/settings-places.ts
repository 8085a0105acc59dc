import type { FakeCore } from '../fake-core.ts';
import { check } from '../fake-data.ts';
import { goTo, openDialog, type Place } from './place.ts';

const damaged = (core: FakeCore): void => {
  const time = new Date(Date.now() - 86_400_000).toISOString();
  const folder = '/home/maria/.local/share/sinete';
  core.settings.backup = {
    folder: '/home/maria/Documents',
    copies: [{ path: `${folder}/backups/before-0008-audit-2026-01-02.db`, time, size: 1_200_000 }],
    aside: [{ path: `${folder}/sinete.db.damaged-2026-01-02`, time, size: 900_000, kind: 'damaged' }],
    pending: { createdAt: time, documents: 3, auditIntact: false },
  };
};

const around = (core: FakeCore): void => {
  const name = { name: 'SafeNet eToken 5110' };
  core.settings.found = [
    check('card-reader', 'token-without-driver', name, {
      repairs: [{ kind: 'add-driver', path: '/usr/lib/libeToken.so' }],
    }),
    check('certificate:maria', 'certificate-expires', { name: 'Maria da Silva', count: 12, day: '2026-12-03' }),
    check(
      'object-store:nuvem',
      'store-silent',
      { name: 'nuvem', code: 'STORE_REFUSED', reason: 'The store does not know these credentials.' },
      { repairs: [{ kind: 'test-store', id: 'nuvem' }] },
    ),
    ...core.settings.found.slice(1),
  ];
};

const opened = (core: FakeCore): void => {
  core.settings.restoreAsks = {
    isOwn: false,
    kinds: [
      { group: 'approval', lines: ['approve = all'] },
      { group: 'sites', lines: ['sites = {"https://evil.example":["sign"]}', 'site: https://evil.example'] },
      { group: 'drivers', lines: ['driver /home/maria/Downloads/driver.so'] },
    ],
  };
};

/** The parts of Settings that operators use, their dialogs, and what the Doctor finds around Sinete. */
export const settingsPlaces: readonly Place[] = [
  {
    name: 'the network and stores of Settings',
    go: async (page) => {
      await goTo(page, '#/settings?part=network');
      await page.getByText('s3://contratos/entrada/').waitFor();
    },
  },
  {
    name: 'an object store with wrong fields',
    dialog: 'pages/settings/store-dialog',
    go: async (page, text) => {
      const { stores } = text.operation;
      await openDialog(page, '#/settings?part=network', stores.add);
      await page.getByRole('dialog').getByRole('button', { name: stores.save }).click();
      await page.getByText(stores.idError).waitFor();
    },
  },
  {
    name: 'what applications were told',
    go: async (page) => {
      await goTo(page, '#/settings?part=deliveries');
      await page.getByText('https://portal.example/assinado').waitFor();
    },
  },
  {
    name: 'the audit log, copies, a damaged database and a backup that waits',
    core: damaged,
    go: async (page, text) => {
      await goTo(page, '#/settings?part=data');
      await page.getByText(text.operation.backup.pendingTitle).waitFor();
      await page.getByRole('button', { name: text.operation.audit.verify }).click();
      await page.getByText(text.operation.audit.intact).waitFor();
    },
  },
  {
    name: 'a backup with passphrases that differ',
    dialog: 'pages/settings/backup/backup-dialog',
    go: async (page, text) => {
      const { backup } = text.operation;
      await openDialog(page, '#/settings?part=data', backup.make);
      await page.getByLabel(backup.passphrase, { exact: true }).fill('cavalo correto bateria');
      await page.getByRole('button', { name: backup.submit }).click();
      await page.getByText(backup.againError).waitFor();
    },
  },
  {
    name: 'a restore that nobody has understood yet',
    dialog: 'pages/settings/backup/restore-dialog',
    go: async (page, text) => {
      const { backup } = text.operation;
      await openDialog(page, '#/settings?part=data', backup.restore);
      await page.getByRole('button', { name: backup.restoreSubmit }).click();
      await page.getByText(backup.understoodError).waitFor();
    },
  },
  {
    name: 'a restore of a backup of a stranger',
    dialog: 'pages/settings/backup/restore-dialog',
    core: opened,
    go: async (page, text) => {
      const { backup } = text.operation;
      await openDialog(page, '#/settings?part=data', backup.restore);
      await page.getByLabel(backup.restorePath, { exact: true }).fill('/media/usb/tudo.backup');
      await page.getByLabel(backup.passphrase, { exact: true }).fill('cavalo correto bateria');
      await page.getByLabel(backup.understood).check();
      await page.getByRole('button', { name: backup.restoreSubmit }).click();
      await page.getByText(backup.opens).waitFor();
    },
  },
  {
    name: 'what the Doctor found around Sinete, and the watch of sites',
    core: around,
    go: async (page, text) => {
      await goTo(page, '#/doctor');
      await page.getByText(text.findings.watch.chrome.name).click();
      await page.getByRole('button', { name: text.findings.watch.start }).click();
      await page.getByText(text.findings.watch.running).waitFor();
    },
  },
];
