import { join } from 'node:path';
import { MARIA_CPF, personWith } from '../../pki/identities.ts';
import { check, withChecks } from '../stand-ins.ts';
import { addStore, inDays, makeStrangersBackup, passphrase, strangersBackup, withDeliveries } from '../worlds.ts';
import { goTo, openDialog, prepared, type Place } from './place.ts';

/** An address without a server. */
const nowhere = 'http://127.0.0.1:9';

/** A damaged database that was set aside, and a backup for the next start. */
const damaged = prepared(async (core) => {
  const { calls, folder } = core;
  await core.put('data/sinete.db.damaged-2026-01-02', 'damaged');
  const backup = { path: join(folder, 'tudo.backup'), passphrase };
  await calls['backup.make'](backup);
  await calls['backup.restore'](backup);
});

const around = prepared(async (core) => {
  await core.importKey(await personWith({ name: 'ANA EXEMPLO', cpf: MARIA_CPF, notAfter: inDays(12) }));
  await addStore(core, nowhere);
  const reader = check(
    'card-reader',
    'token-without-driver',
    { name: 'SafeNet eToken 5110' },
    { repairs: [{ kind: 'add-driver', path: '/usr/lib/libeToken.so' }] },
  );
  core.standIn({
    state: 'a card in a reader that no driver reads',
    because: 'the computer of a test has no reader of cards',
    answers: { 'doctor.read': (real) => withChecks(real, reader) },
  });
});

/** The operators' parts of Settings, their dialogs, and the Doctor's findings around Sinete. */
export const settingsPlaces: readonly Place[] = [
  {
    name: 'the network and stores of Settings',
    plan: prepared(async (core) => addStore(core, nowhere)),
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
    plan: async () => Promise.resolve(withDeliveries(nowhere)),
    go: async (page) => {
      await goTo(page, '#/settings?part=deliveries');
      await page.getByText(`${nowhere}/assinado`).waitFor();
    },
  },
  {
    name: 'the audit log, copies, a damaged database and a backup that waits',
    plan: damaged,
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
    plan: prepared(makeStrangersBackup),
    go: async (page, text, core) => {
      const { backup } = text.operation;
      await openDialog(page, '#/settings?part=data', backup.restore);
      await page.getByLabel(backup.restorePath, { exact: true }).fill(join(core.folder, strangersBackup));
      await page.getByLabel(backup.passphrase, { exact: true }).fill(passphrase);
      await page.getByLabel(backup.understood).check();
      await page.getByRole('button', { name: backup.restoreSubmit }).click();
      await page.getByText(backup.opens).waitFor();
    },
  },
  {
    name: 'what the Doctor found around Sinete, and the watch of sites',
    plan: around,
    go: async (page, text) => {
      await goTo(page, '#/doctor');
      await page.getByText(text.findings.watch.chrome.name).click();
      await page.getByRole('button', { name: text.findings.watch.start }).click();
      await page.getByText(text.findings.watch.running).waitFor();
    },
  },
];
