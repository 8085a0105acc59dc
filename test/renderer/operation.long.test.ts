import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { texts } from './actions.ts';
import { freePort } from '../app/run-sinete.ts';
import { startReceiver } from '../service/notifications/receiver.ts';
import { makeParty } from '../signing/certificates/path/path-pki.ts';
import { startFaulty, startS3 } from '../storage/object-stores/object-servers.ts';
import type { RealWindow } from './browser.ts';
import { drag, grab } from './dragging.ts';
import type { RealPlan } from './real-core.ts';
import { sharedStage } from './shared-stage.ts';
import { addStore, changeAuditRow, makeStrangersBackup, passphrase, signFiles, withDeliveries } from './worlds.ts';

const text = texts['pt-BR'];
const stage = sharedStage();
const { inputsOf } = stage;
let shown: RealWindow;

async function open(page: Page, hash: string, title: string): Promise<void> {
  await page.evaluate((target) => (location.hash = target), hash);
  await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
}

/** Added time-stamp servers, at an address without a server. */
const withServers = (...ids: readonly string[]): RealPlan => ({
  prepare: async ({ calls }) => {
    for (const id of ids) {
      await calls['tsa.add']({
        id,
        url: 'http://127.0.0.1:9/tsa',
        digest: 'sha256',
        authentication: { kind: 'none' },
      });
    }
  },
});

/** A root of an authority, as a file and its fingerprint. */
function madeRoot(): {
  readonly file: { name: string; mimeType: string; buffer: Buffer };
  readonly fingerprint: string;
} {
  const { der, fingerprint } = makeParty({ name: 'Raiz Importada', authority: true }).certificate;
  return { file: { name: 'raiz.crt', mimeType: 'application/pkix-cert', buffer: der }, fingerprint };
}

describe('the settings of signed files', () => {
  it('keep a folder and an end of names, and leave unchanged texts alone', async () => {
    shown = await stage.open({ variables: { SINETE_ARCHIVE_BY_MONTH: 'true' }, archiveFolder: null });
    const { page } = shown;
    const { archive } = text.operation;
    await open(page, '#/settings', text.settings.title);
    const suffix = page.getByLabel(archive.suffix);
    await expect.poll(() => suffix.inputValue()).toBe('-assinado');
    expect(await page.getByRole('switch', { name: archive.byMonth }).isDisabled()).toBe(true);
    await page.getByRole('radio', { name: archive.places.folder }).check();
    await page.getByRole('button', { name: archive.save }).click();
    await page.getByText(archive.saved).first().waitFor();
    await page.getByLabel(archive.folder, { exact: true }).fill('/srv/contratos');
    await suffix.fill(' (assinado)');
    await page.getByText('contrato.pdf é salvo como contrato(assinado).pdf.').waitFor();
    await page.getByRole('button', { name: archive.save }).click();
    const unchanged = { language: 'pt-BR', place: 'folder', byMonth: true } as const;
    await expect
      .poll(() => inputsOf('archive.change'))
      .toEqual([
        { ...unchanged, folder: null, suffix: null },
        { ...unchanged, folder: '/srv/contratos', suffix: '(assinado)' },
      ]);
    expect(shown.faults).toEqual([]);
  });
});

describe('Settings', () => {
  it('adds and tests a time-stamp server with a password, and tells the fault of a silent server', async () => {
    const port = await freePort();
    shown = await stage.open({
      configuration: { testServicesPort: port },
      prepare: async (core) => {
        await withServers('act-exemplo').prepare?.(core);
        await core.calls['testServices.run']({});
      },
    });
    const { page } = shown;
    await open(page, '#/settings?part=keys', text.settings.title);
    await page.getByRole('button', { name: text.settings.timestamps.add }).click();
    await page.getByLabel(text.settings.timestamps.id, { exact: true }).fill('act-nova');
    await page.getByLabel(text.settings.timestamps.url, { exact: true }).fill(`http://127.0.0.1:${port}/tsa`);
    await page.getByLabel(text.settings.timestamps.authentication).selectOption('basic');
    await page.getByLabel(text.settings.timestamps.user, { exact: true }).fill('maria');
    await page.getByLabel(text.settings.timestamps.password, { exact: true }).fill('segredo');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Testar act-nova' }).click();
    await page.getByText(text.settings.timestamps.works).waitFor();
    await page.getByRole('button', { name: 'Testar act-exemplo' }).click();
    await page.getByText(text.settings.timestamps.fails).waitFor();
    expect(inputsOf('tsa.add')).toEqual([
      {
        id: 'act-nova',
        url: `http://127.0.0.1:${port}/tsa`,
        digest: 'sha256',
        authentication: { kind: 'basic', user: 'maria', password: 'segredo' },
      },
    ]);
  });

  it('imports a root by the fingerprint, and removes the root', async () => {
    shown = await stage.open();
    const { page } = shown;
    await open(page, '#/settings?part=keys', text.settings.title);
    await page.getByRole('button', { name: text.settings.trust.add, exact: true }).click();
    const dialog = page.getByRole('dialog');
    const { file, fingerprint } = madeRoot();
    await dialog.locator('input[type=file]').setInputFiles(file);
    const printed = fingerprint.toUpperCase().replaceAll(/(..)/g, '$1 ');
    await dialog.getByLabel(new RegExp(`^${text.settings.trust.pin}`)).fill(printed);
    await page.keyboard.press('Enter');
    await page.getByText('Raiz Importada', { exact: true }).waitFor();
    expect(inputsOf('trust.import')).toEqual([{ file: file.buffer.toString('base64'), fingerprint }]);
    await page.getByRole('button', { name: 'Remover Raiz Importada' }).click();
    await page.getByRole('dialog').getByRole('button', { name: text.common.remove }).click();
    await page.getByText(text.settings.trust.removed).waitFor();
  });

  it('shows the authorities below the roots when their list is opened', async () => {
    shown = await stage.open();
    const { page } = shown;
    const { trust } = text.settings;
    await open(page, '#/settings?part=keys', text.settings.title);
    expect(inputsOf('trust.list')).not.toContainEqual({ authorities: true });
    await page.getByText(/^\d+ autoridades abaixo delas são conhecidas/).click();
    const list = page.getByRole('list', { name: trust.authorities });
    await list
      .getByText(/^AC .*, emitida por .*, válida até /)
      .first()
      .waitFor();
    expect(inputsOf('trust.list')).toContainEqual({ authorities: true });
  });

  it('refuses an authority after a question, and accepts the authority again', async () => {
    shown = await stage.open();
    const { page } = shown;
    const { trust } = text.settings;
    await open(page, '#/settings?part=keys', text.settings.title);
    await page.getByText(/^\d+ autoridades abaixo delas são conhecidas/).click();
    const [authority] = (await shown.core.calls['trust.list']({ authorities: true })).authorities ?? [];
    const { name, fingerprint } = authority ?? { name: '', fingerprint: '' };
    await page.locator(`button[aria-label="Recusar ${name}"]`).first().click();
    await page.getByRole('dialog').getByRole('button', { name: trust.refuse, exact: true }).click();
    await page.getByText(trust.refused).waitFor();
    expect(inputsOf('trust.remove')).toEqual([{ fingerprint }]);
    await page.getByRole('list', { name: trust.refusedOnes }).getByText(`${name}, `, { exact: false }).waitFor();
    await page.getByRole('button', { name: `Aceitar de novo ${name}` }).click();
    await page.getByText(trust.accepted).waitFor();
    await page.getByRole('list', { name: trust.refusedOnes }).waitFor({ state: 'detached' });
    expect(inputsOf('trust.accept')).toEqual([{ fingerprint }]);
  });

  it('imports a root for trying out, or for time stamps only, by its fingerprint alone', async () => {
    shown = await stage.open();
    const { page } = shown;
    const { trust } = text.settings;
    await open(page, '#/settings?part=keys', text.settings.title);
    const { file, fingerprint } = madeRoot();
    for (const choice of [trust.isTest, trust.timeStampsOnly]) {
      await page.getByRole('button', { name: trust.add, exact: true }).click();
      const dialog = page.getByRole('dialog');
      await dialog.locator('input[type=file]').setInputFiles(file);
      await dialog.getByRole('switch', { name: choice }).check();
      await dialog.getByRole('button', { name: trust.submit, exact: true }).click();
      await dialog.getByText(trust.pinNeededError).waitFor();
      await dialog.getByLabel(new RegExp(`^${trust.pin}`)).fill(fingerprint);
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Remover Raiz Importada' }).click();
      await page.getByRole('dialog').getByRole('button', { name: text.common.remove }).click();
      await dialog.waitFor({ state: 'detached' });
    }
    const pinned = { file: file.buffer.toString('base64'), fingerprint };
    expect(inputsOf('trust.import')).toEqual([
      { ...pinned, isTest: true },
      { ...pinned, timeStampsOnly: true },
    ]);
  });

  it('runs the test services while the switch is on, and speaks another language', async () => {
    const port = await freePort();
    shown = await stage.open({ configuration: { testServicesPort: port } });
    const { page } = shown;
    await open(page, '#/settings?part=keys', text.settings.title);
    await page.getByRole('switch', { name: text.settings.testServices.toggle }).focus();
    await page.keyboard.press('Space');
    await page.getByText(`http://127.0.0.1:${port} `, { exact: false }).first().waitFor();
    await page.getByRole('button', { name: text.preferences.title }).click();
    await page.getByRole('menuitemradio', { name: 'English' }).click();
    await page.getByRole('heading', { level: 1, name: texts.en.settings.title }).waitFor();
    await page.getByRole('switch', { name: texts.en.settings.testServices.toggle }).click();
    await page.getByText(texts.en.settings.testServices.stopped).waitFor();
    expect(inputsOf('testServices.stop')).toHaveLength(1);
  });
});

describe('the network and stores of Settings', () => {
  it('adds a store with credentials, and tests a refusing and a working store', async () => {
    const office = await startS3(['contratos']);
    const cloud = await startFaulty((_request, response) => response.writeHead(403).end());
    shown = await stage.open({ prepare: async (core) => addStore(core, office.url) });
    const { page } = shown;
    const { stores } = text.operation;
    await open(page, '#/settings?part=network', text.settings.title);
    await page.getByRole('button', { name: stores.add }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(stores.id, { exact: true }).fill('nuvem');
    await dialog.getByLabel(new RegExp(`^${stores.endpoint}`)).fill(cloud.url);
    await dialog.getByLabel(stores.bucket, { exact: true }).fill('cartas');
    await dialog.getByLabel(stores.pathStyle).check();
    await dialog.getByLabel(stores.accessKeyId, { exact: true }).fill('AKIA');
    await dialog.getByLabel(stores.secretAccessKey, { exact: true }).fill('segredo');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Testar nuvem' }).click();
    await page.getByText(text.errors.STORE_REFUSED).waitFor();
    await page.getByRole('button', { name: 'Testar escritorio' }).click();
    await page.getByText(stores.works).waitFor();
    expect(inputsOf('stores.add')).toEqual([
      {
        kind: 's3',
        id: 'nuvem',
        endpoint: cloud.url,
        bucket: 'cartas',
        prefix: '',
        region: 'us-east-1',
        pathStyle: true,
        overwrite: false,
        accessKeyId: 'AKIA',
        secretAccessKey: 'segredo',
      },
    ]);
    await page.getByRole('button', { name: 'Remover nuvem' }).click();
    await page.getByRole('dialog').getByRole('button', { name: text.common.remove }).click();
    await page.getByText(stores.removed).waitFor();
    await page.getByText('s3://cartas/').waitFor({ state: 'detached' });
    await Promise.all([office.stop(), cloud.stop()]);
  });

  it('keeps the proxy and private addresses for the next start, and leaves fixed keys alone', async () => {
    shown = await stage.open({ variables: { SINETE_NETWORK_NO_PROXY: '["interno.exemplo"]' } });
    const { page } = shown;
    const { way } = text.operation;
    await open(page, '#/settings?part=network', text.settings.title);
    const proxy = page.getByLabel(new RegExp(`^${way.proxy}`));
    await proxy.fill('http://maria:segredo@proxy.example');
    await page.getByRole('button', { name: way.save }).click();
    await page.getByText(way.proxyError).waitFor();
    expect(inputsOf('settings.changeNetwork')).toEqual([]);
    await proxy.fill('http://proxy.example:3128');
    await page.getByLabel(new RegExp(`^${way.allow}`)).fill('10.0.0.0/8\nminio.interno:9000');
    expect(await page.getByLabel(new RegExp(`^${way.noProxy}`)).isDisabled()).toBe(true);
    await page.getByRole('button', { name: way.save }).click();
    await page.getByText(way.restart).waitFor();
    expect(inputsOf('settings.changeNetwork')).toEqual([
      { proxy: 'http://proxy.example:3128', noProxy: ['interno.exemplo'], allow: ['10.0.0.0/8', 'minio.interno:9000'] },
    ]);
  });

  it('orders time-stamp servers by keys, and tells the new place', async () => {
    shown = await stage.open(withServers('a', 'b', 'c'));
    const { page } = shown;
    await open(page, '#/settings?part=keys', text.settings.title);
    const down = page.getByRole('button', { name: 'Mover a para baixo' });
    await down.press('Enter');
    await page.getByText('a agora é o número 2.').waitFor({ state: 'attached' });
    await expect.poll(() => down.evaluate((one) => one === document.activeElement)).toBe(true);
    expect(inputsOf('tsa.reorder')).toEqual([{ ids: ['b', 'a', 'c'] }]);
  });

  it('orders time-stamp servers by the mouse, keeps the place of the drop, and gives up at Escape', async () => {
    shown = await stage.open(withServers('a', 'b', 'c'));
    const { page } = shown;
    await open(page, '#/settings?part=keys', text.settings.title);
    const handle = (id: string): Locator => page.locator(`[data-server=${id}] > [aria-hidden]`).first();
    const rows = page.locator('[data-server]');
    const height = (await rows.first().boundingBox())!.height;
    await drag(page, handle('c'), 0, -2 * height);
    await page.getByText('c agora é o número 1.').waitFor({ state: 'attached' });
    const order = (): Promise<readonly (string | null)[]> =>
      rows.evaluateAll((all) => all.map((row) => row.getAttribute('data-server')));
    await expect.poll(order).toEqual(['c', 'a', 'b']);
    await drag(page, handle('c'), 40, height);
    await expect.poll(order).toEqual(['a', 'c', 'b']);
    await drag(page, handle('a'), 0, height / 4);
    await grab(page, handle('a'), 0, 2 * height);
    await page.locator('[data-server=b][data-target=after]').waitFor();
    await page.keyboard.press('Escape');
    await page.mouse.up();
    expect(await page.locator('[data-dragged=true]').count()).toBe(0);
    expect(inputsOf('tsa.reorder')).toEqual([{ ids: ['c', 'a', 'b'] }, { ids: ['a', 'c', 'b'] }]);
    expect(shown.faults).toEqual([]);
  });
});

describe('the part of Settings for operators', () => {
  it('is the list of notifications: delivered again, and given up', async () => {
    const receiver = await startReceiver();
    receiver.behave(503);
    shown = await stage.open(withDeliveries(receiver.origin));
    const { page } = shown;
    const { notifications } = text.operation;
    await open(page, '#/settings?part=deliveries', text.settings.title);
    await page.getByText(notifications.failures.answered.replace('{{status}}', '503')).first().waitFor();
    await page.getByRole('button', { name: `Desistir de ${receiver.origin}/assinado` }).click();
    await page.getByText(notifications.gaveUp).waitFor();
    receiver.behave(200);
    await page.getByRole('button', { name: `Entregar de novo a ${receiver.origin}/fim` }).click();
    await page.getByText(notifications.redelivered).waitFor();
    const states = async (): Promise<unknown> =>
      (await shown.core.calls['notifications.list']({ limit: 10 })).map(({ status }) => status).sort();
    await expect.poll(states, { timeout: 20_000 }).toEqual(['DELIVERED', 'GIVEN_UP']);
    expect(inputsOf('notifications.giveUp')).toHaveLength(1);
    expect(inputsOf('notifications.redeliver')).toHaveLength(1);
    await receiver.close();
  });

  it('is the audit log: a broken row is named, and all rows are saved', async () => {
    shown = await stage.open({
      prepare: async (core) => {
        await signFiles(core, ['contrato.pdf']);
        await changeAuditRow(core, 2);
      },
    });
    const { page } = shown;
    const { audit } = text.operation;
    await open(page, '#/settings?part=data', text.settings.title);
    await page.getByRole('button', { name: audit.verify }).click();
    await page.getByText(audit.reasons.ROW_CHANGED, { exact: false }).waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: audit.export }).click();
    const lines = (await readFile(await (await download).path(), 'utf8')).trimEnd().split('\n');
    const rows = await shown.core.calls['audit.list']({ after: 0, limit: 1000 });
    expect(rows.length).toBeGreaterThan(2);
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject(rows.map(({ sequence }) => ({ sequence })));
  });

  it('is a new backup, and a backup for the next start, which is called off', async () => {
    shown = await stage.open();
    const { page, core } = shown;
    const { backup } = text.operation;
    const path = join(core.folder, 'tudo.backup');
    await open(page, '#/settings?part=data', text.settings.title);
    await page.getByRole('button', { name: backup.make }).click();
    await page.getByLabel(backup.path, { exact: true }).fill(path);
    await page.getByLabel(backup.passphrase, { exact: true }).fill('cavalo correto bateria');
    await page.getByLabel(backup.again, { exact: true }).fill('cavalo correto bateria');
    await page.keyboard.press('Enter');
    await page.getByText(backup.made).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: backup.restore }).click();
    await page.getByLabel(backup.restorePath, { exact: true }).fill(path);
    await page.getByLabel(backup.understood).check();
    await page.getByLabel(backup.passphrase, { exact: true }).fill('outra frase');
    await page.getByRole('button', { name: backup.restoreSubmit }).click();
    await page.getByText(backup.wrongPassphrase).waitFor();
    await page.getByLabel(backup.passphrase, { exact: true }).fill('cavalo correto bateria');
    await page.getByRole('button', { name: backup.restoreSubmit }).click();
    await page.getByText(backup.pendingTitle).waitFor();
    await page.getByRole('button', { name: backup.cancel }).click();
    await page.getByText(backup.cancelled).waitFor();
    expect(inputsOf('backup.make')).toEqual([{ path, passphrase: 'cavalo correto bateria' }]);
    expect(shown.faults).toEqual([]);
  });

  it('asks before the restore of a backup of another instance, kind by kind, and restores the ticked kinds only', async () => {
    const { backup } = text.operation;
    let path = '';
    shown = await stage.open({ prepare: async (core) => (path = await makeStrangersBackup(core)) });
    const { page } = shown;
    await open(page, '#/settings?part=data', text.settings.title);
    await page.getByRole('button', { name: backup.restore }).click();
    await page.getByLabel(backup.restorePath, { exact: true }).fill(path);
    await page.getByLabel(backup.understood).check();
    await page.getByLabel(backup.passphrase, { exact: true }).fill(passphrase);
    await page.getByRole('button', { name: backup.restoreSubmit }).click();
    await page.getByText('https://evil.example').first().waitFor();
    // The core names a row in English, and the window in its own language.
    expect(await page.getByRole('dialog').getByRole('listitem').allInnerTexts()).toEqual([
      'Site: https://evil.example',
      'Pessoa: Maria',
    ]);
    expect(await page.getByLabel(backup.groups.sites, { exact: true }).isChecked()).toBe(false);
    await page.getByLabel(backup.groups.people, { exact: true }).check();
    await page.getByRole('button', { name: backup.restoreSubmit }).click();
    await page.getByText(backup.pendingTitle).waitFor();
    expect(inputsOf('backup.restore').map((input) => (input as { keep?: unknown }).keep)).toEqual([
      undefined,
      ['people'],
    ]);
    expect(shown.faults).toEqual([]);
  });
});

describe('the address of the window', () => {
  it.each([
    ['#/sites?pair=https%3A%2F%2Fportal.example', text.app.sites],
    ['#/history', text.app.history],
    ['#/history/', text.app.history],
    ['#/nothing-of-that-name', text.app.home],
  ])('%s leads to %s', async (hash, name) => {
    shown = await stage.open();
    await shown.page.evaluate((target) => (location.hash = target), hash);
    await shown.page.locator(`nav a[aria-current=page]`, { hasText: name }).waitFor();
  });
});
