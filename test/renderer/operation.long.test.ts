import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { countClicks, texts } from './actions.ts';
import { freePort } from '../app/run-sinete.ts';
import { makeParty } from '../signing/certificates/path/path-pki.ts';
import type { RealWindow, Window } from './browser.ts';
import { drag, grab } from './dragging.ts';
import { FakeCore } from './fake-core.ts';
import { finishedTransaction, check, stoppedDriver } from './fake-data.ts';
import { keptFile } from './fake-renewals.ts';
import type { RealPlan } from './real-core.ts';
import { sharedStage } from './shared-stage.ts';

const text = texts['pt-BR'];
const stage = sharedStage();
const { inputsOf } = stage;
let shown: Window;
/** A window over the product's core. */
let real: RealWindow;

async function open(page: Page, hash: string, title: string): Promise<void> {
  await page.evaluate((target) => (location.hash = target), hash);
  await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
}

/** A year of signatures, the newest first. */
function manyTransactions(count: number): FakeCore {
  const core = new FakeCore();
  core.transactions = Array.from({ length: count }, (_, index) =>
    finishedTransaction(
      `t${index}`,
      [index % 9 === 4 ? `Anexo protegido ${index}.pdf` : `Contrato ${index}.pdf`],
      index * 90,
    ),
  );
  return core;
}

/** Time-stamp servers somebody has added, at an address where nothing answers. */
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

describe('History', () => {
  it('scrolls through 5,000 requests to the oldest, with few rows in the page', async () => {
    shown = await stage.show(manyTransactions(5000));
    const { page } = shown;
    await open(page, '#/history', text.history.title);
    const list = page.getByRole('group', { name: text.history.list });
    await page.getByText('Contrato 0.pdf').waitFor();
    await list.evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await page.getByText('Anexo protegido 4999.pdf').waitFor();
    expect(await page.getByRole('row').count()).toBeLessThan(120);
    expect(await page.locator('[aria-rowindex="5001"]').count()).toBe(1);
    expect(shown.faults).toEqual([]);
  });

  it('asks for what fits text, status and type only, and moves between rows by arrow keys', async () => {
    shown = await stage.show(manyTransactions(60));
    const { page } = shown;
    await open(page, '#/history', text.history.title);
    await page.getByLabel(text.history.text).fill('protegido');
    await page.getByLabel(text.history.status, { exact: true }).selectOption('ERROR');
    await page.getByLabel(text.history.type, { exact: true }).selectOption('PAdES');
    await page.getByText('7 documentos').waitFor();
    const asked = { text: 'protegido', status: 'ERROR', type: 'PAdES' };
    await expect.poll(() => inputsOf('history.documents').at(-1)).toMatchObject(asked);
    await page.getByRole('button', { name: /Anexo protegido 4\.pdf/ }).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Anexo protegido 13.pdf' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: text.history.clear }).click();
    await page.getByText('60 documentos').waitFor();
  });

  it('finds a document in a batch of 200 by two clicks and its name, and goes on with that document', async () => {
    const core = new FakeCore();
    const names = Array.from({ length: 200 }, (_, index) => `/home/maria/doc-${index + 1}.pdf`);
    const batch = finishedTransaction('lote', names, 3);
    const inFolder = (path: string | null): string => (path ?? '').replace('maria', 'maria/Documentos');
    core.transactions = [
      {
        ...batch,
        documents: batch.documents.map((one) => ({ ...one, destination: inFolder(one.resultPath), lifetime: null })),
      },
    ];
    core.operation.presence = 'missing';
    shown = await stage.show(core);
    const { page } = shown;
    const clicks = await countClicks(page);
    await page.getByRole('link', { name: text.app.history }).first().click();
    await page.getByLabel(text.history.text, { exact: true }).click();
    await page.keyboard.type('doc-137');
    await page.getByText('1 documento', { exact: true }).waitFor();
    expect(await clicks()).toBe(2);
    await page.getByRole('button', { name: /doc-137\.pdf/ }).click();
    const panel = page.getByRole('dialog', { name: 'doc-137-signed.pdf' });
    await panel.getByText(/não está mais em .*doc-137-signed\.pdf/).waitFor();
    expect(await panel.getByRole('button', { name: text.history.drawer.signAgain }).count()).toBe(0);
    await panel.getByRole('button', { name: 'Ver o lote (200)' }).click();
    await page.getByText('200 documentos', { exact: true }).waitFor();

    core.operation.presence = 'there';
    await page.getByRole('button', { name: /doc-2\.pdf/ }).click();
    await page.getByRole('button', { name: text.history.extend.open, exact: true }).click();
    await page.getByLabel(text.history.extend.places.beside).check();
    const extend = page.getByRole('button', { name: text.history.extend.submit, exact: true }).last();
    core.operation.filePassword = 'segredo';
    expect(await page.getByLabel(text.stamp.password, { exact: true }).count()).toBe(0);
    await extend.click();
    await page.getByText(text.history.extend.needsPassword).waitFor();
    await page.getByLabel(text.stamp.password, { exact: true }).fill('outra');
    await extend.click();
    await page.getByText(text.stamp.wrongPassword).waitFor();
    await page.getByLabel(text.stamp.password, { exact: true }).fill('segredo');
    await extend.click();
    await page.getByText(text.history.drawer.extended_one).waitFor();
    await page.getByText(/^Está em .*doc-2-signed-B-LTA\.pdf/).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: text.history.drawer.signAgain }).click();
    await page.getByRole('heading', { level: 1, name: text.sign.title }).waitFor();
    await page.getByText('doc-2-signed.pdf', { exact: true }).waitFor();
    expect(inputsOf('results.content')).toEqual([{ tcn: 'lote', documentId: '1' }]);
    expect(shown.faults).toEqual([]);
  });

  it('downloads a result again while it lives, and says it was erased afterwards', async () => {
    const core = manyTransactions(2);
    const gone = core.transactions[1]!;
    core.transactions[1] = { ...gone, documents: gone.documents.map((one) => ({ ...one, lifetime: 0 })) };
    shown = await stage.show(core);
    const { page } = shown;
    await open(page, '#/history', text.history.title);
    await page.getByRole('button', { name: /Contrato 0\.pdf/ }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('dialog').getByRole('link').click();
    expect((await download).suggestedFilename()).toBe('Contrato 0-signed.pdf');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /Contrato 1\.pdf/ }).click();
    await page.getByText(text.history.drawer.erased).waitFor();
    expect(await page.getByRole('dialog').getByRole('link').count()).toBe(0);
  });

  it('exports all that fits as CSV, with formulas made harmless', async () => {
    const core = manyTransactions(620);
    core.transactions[0] = { ...core.transactions[0]!, requester: '=HYPERLINK("x");1' };
    shown = await stage.show(core);
    const { page } = shown;
    await open(page, '#/history', text.history.title);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: text.history.exportCsv }).click();
    const content = await readFile(await (await download).path(), 'utf8');
    const lines = content.trimEnd().split('\r\n');
    expect(lines).toHaveLength(621);
    expect(lines[0]).toBe(
      '\uFEFFTCN;Pedido em;Concluído em;Pedido por;Certificado;Tipo;Documento;Situação;Erro;SHA-256;Arquivo assinado;SHA-256 do assinado',
    );
    expect(lines[1]).toContain(`;"'=HYPERLINK(""x"");1";`);
    expect(lines[2]).toContain(';MARIA DA SILVA TESTE:***.982.247-**;');
  });
});

describe('the settings of signed files', () => {
  it('keep a folder and an end of names, and leave alone what nobody changed', async () => {
    real = await stage.open({ variables: { SINETE_ARCHIVE_BY_MONTH: 'true' }, archiveFolder: null });
    const { page } = real;
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
    expect(real.faults).toEqual([]);
  });
});

describe('Settings', () => {
  it('adds a time-stamp server with a password, tests it, and says why another one does not answer', async () => {
    const port = await freePort();
    real = await stage.open({
      configuration: { testServicesPort: port },
      prepare: async (core) => {
        await withServers('act-exemplo').prepare?.(core);
        await core.calls['testServices.run']({});
      },
    });
    const { page } = real;
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

  it('imports a root by its fingerprint, and stops trusting it', async () => {
    real = await stage.open();
    const { page } = real;
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
    real = await stage.open();
    const { page } = real;
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
    real = await stage.open();
    const { page } = real;
    const { trust } = text.settings;
    await open(page, '#/settings?part=keys', text.settings.title);
    await page.getByText(/^\d+ autoridades abaixo delas são conhecidas/).click();
    const [authority] = (await real.core.calls['trust.list']({ authorities: true })).authorities ?? [];
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
    real = await stage.open();
    const { page } = real;
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
    real = await stage.open({ configuration: { testServicesPort: port } });
    const { page } = real;
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
  it('adds a store with its credentials, tests both, and says what one of them said', async () => {
    shown = await stage.show();
    const { page } = shown;
    const { stores } = text.operation;
    await open(page, '#/settings?part=network', text.settings.title);
    await page.getByRole('button', { name: stores.add }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(stores.id, { exact: true }).fill('nuvem');
    await dialog.getByLabel(new RegExp(`^${stores.endpoint}`)).fill('https://s3.nuvem.example');
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
        endpoint: 'https://s3.nuvem.example',
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
  });

  it('keeps the proxy and private addresses for the next start, and leaves alone what is fixed', async () => {
    real = await stage.open({ variables: { SINETE_NETWORK_NO_PROXY: '["interno.exemplo"]' } });
    const { page } = real;
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

  it('orders time-stamp servers by keys, and says where one has come', async () => {
    real = await stage.open(withServers('a', 'b', 'c'));
    const { page } = real;
    await open(page, '#/settings?part=keys', text.settings.title);
    const down = page.getByRole('button', { name: 'Mover a para baixo' });
    await down.press('Enter');
    await page.getByText('a agora é o número 2.').waitFor({ state: 'attached' });
    await expect.poll(() => down.evaluate((one) => one === document.activeElement)).toBe(true);
    expect(inputsOf('tsa.reorder')).toEqual([{ ids: ['b', 'a', 'c'] }]);
  });

  it('orders time-stamp servers by the mouse, keeps what is dropped in its place, and gives up at Escape', async () => {
    real = await stage.open(withServers('a', 'b', 'c'));
    const { page } = real;
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
    expect(real.faults).toEqual([]);
  });
});

describe('what operators look after in Settings', () => {
  it('is what applications were told: delivered again, and given up', async () => {
    shown = await stage.show();
    const { page } = shown;
    const { notifications } = text.operation;
    await open(page, '#/settings?part=deliveries', text.settings.title);
    await page.getByText(notifications.failures.answered.replace('{{status}}', '503')).waitFor();
    await page.getByRole('button', { name: 'Desistir de https://portal.example/assinado' }).click();
    await page.getByText(notifications.gaveUp).waitFor();
    await page.getByRole('button', { name: 'Entregar de novo a https://antigo.example/fim' }).click();
    await page.getByText(notifications.redelivered).waitFor();
    expect(inputsOf('notifications.giveUp')).toEqual([{ id: 'msg_3' }]);
    expect(inputsOf('notifications.redeliver')).toEqual([{ idOrTcn: 'msg_1' }]);
  });

  it('is the audit log, of which a broken row is named, and which is saved row by row', async () => {
    const core = new FakeCore();
    core.settings.verdict = { state: 'broken', row: 17, reason: 'ROW_CHANGED', mark: null };
    shown = await stage.show(core);
    const { page } = shown;
    const { audit } = text.operation;
    await open(page, '#/settings?part=data', text.settings.title);
    await page.getByRole('button', { name: audit.verify }).click();
    await page.getByText(audit.reasons.ROW_CHANGED, { exact: false }).waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: audit.export }).click();
    const lines = (await readFile(await (await download).path(), 'utf8')).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([1, 2, 3].map((sequence) => ({ sequence })));
  });

  it('is a backup made, and one that waits for the next start until it is called off', async () => {
    shown = await stage.show();
    const { page } = shown;
    const { backup } = text.operation;
    await open(page, '#/settings?part=data', text.settings.title);
    await page.getByRole('button', { name: backup.make }).click();
    await page.getByLabel(backup.path, { exact: true }).fill('/media/usb/tudo.backup');
    await page.getByLabel(backup.passphrase, { exact: true }).fill('cavalo correto bateria');
    await page.getByLabel(backup.again, { exact: true }).fill('cavalo correto bateria');
    await page.keyboard.press('Enter');
    await page.getByText(backup.made).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: backup.restore }).click();
    await page.getByLabel(backup.restorePath, { exact: true }).fill('/media/usb/tudo.backup');
    await page.getByLabel(backup.understood).check();
    await page.getByLabel(backup.passphrase, { exact: true }).fill('outra frase');
    await page.getByRole('button', { name: backup.restoreSubmit }).click();
    await page.getByText(backup.wrongPassphrase).waitFor();
    await page.getByLabel(backup.passphrase, { exact: true }).fill('cavalo correto bateria');
    await page.getByRole('button', { name: backup.restoreSubmit }).click();
    await page.getByText(backup.pendingTitle).waitFor();
    await page.getByRole('button', { name: backup.cancel }).click();
    await page.getByText(backup.cancelled).waitFor();
    expect(inputsOf('backup.make')).toEqual([{ path: '/media/usb/tudo.backup', passphrase: 'cavalo correto bateria' }]);
    expect(shown.faults).toEqual([]);
  });
});

describe('a backup of a stranger', () => {
  it('is restored with the ticked kinds alone', async () => {
    const core = new FakeCore();
    core.settings.restoreAsks = {
      isOwn: false,
      kinds: [
        { group: 'sites', lines: ['site: https://evil.example'] },
        { group: 'people', lines: ['person: Maria'] },
      ],
    };
    shown = await stage.show(core);
    const { page } = shown;
    const { backup } = text.operation;
    await open(page, '#/settings?part=data', text.settings.title);
    await page.getByRole('button', { name: backup.restore }).click();
    await page.getByLabel(backup.restorePath, { exact: true }).fill('/media/usb/tudo.backup');
    await page.getByLabel(backup.understood).check();
    await page.getByLabel(backup.passphrase, { exact: true }).fill('cavalo correto bateria');
    await page.getByRole('button', { name: backup.restoreSubmit }).click();
    await page.getByText('site: https://evil.example').waitFor();
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

describe('Renewals', () => {
  it('lists each file with its next renewal and reason, renews one, and keeps and forgets a folder', async () => {
    const core = new FakeCore();
    const why = { 'pt-BR': 'O servidor “act” não responde.', en: 'The server "act" does not answer.' };
    core.renewals.files = [keptFile('/home/ana/arquivo/velho.pdf', 'failed', 20, why)];
    shown = await stage.show(core);
    const { page } = shown;
    await open(page, '#/renewals', text.renewals.title);
    await page.getByText(why['pt-BR']).waitFor();
    await page.getByText(text.renewals.states.failed, { exact: true }).waitFor();
    await page.getByRole('button', { name: `${text.renewals.renew}: velho.pdf` }).click();
    await page.getByText(text.renewals.states.renewed, { exact: true }).waitFor();
    expect(inputsOf('renewals.renew')).toEqual([
      { path: '/home/ana/arquivo/velho.pdf', within: 'always', language: 'pt-BR' },
    ]);

    const folder = page.getByLabel(text.renewals.folders.path, { exact: true });
    await folder.fill('arquivo');
    await page.getByRole('button', { name: text.renewals.folders.add }).click();
    await page.getByText(text.renewals.folders.wrong).waitFor();
    await folder.fill('/home/ana/arquivo');
    await page.getByRole('button', { name: text.renewals.folders.add }).click();
    const remove = page.getByRole('button', { name: text.common.removeNamed.replace('{{name}}', '/home/ana/arquivo') });
    await remove.click();
    await page.getByRole('dialog').getByRole('button', { name: text.common.remove, exact: true }).click();
    await page.getByText(text.renewals.folders.none).waitFor();
  });

  it('saves the report in the language of the window', async () => {
    shown = await stage.show(new FakeCore());
    const { page } = shown;
    await open(page, '#/renewals', text.renewals.title);
    await page.getByRole('button', { name: text.renewals.report }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: text.validate.formats.pdf }).click();
    expect((await download).suggestedFilename()).toBe('sinete-renewals.pdf');
    expect(inputsOf('renewals.report')).toEqual([{ format: 'pdf', language: 'pt-BR' }]);
  });
});

describe('Doctor', () => {
  it('finds the same as Home', async () => {
    const core = new FakeCore();
    core.operation.anchors = [];
    core.health = [check('clock', 'clock-early')];
    shown = await stage.show(core);
    const { page } = shown;
    const titles = ['Dados de confiança', 'Relógio'];
    for (const title of titles) await page.getByText(title, { exact: true }).waitFor();
    expect(await page.getByText(text.home.healthGood, { exact: true }).count()).toBe(0);
    await open(page, '#/doctor', text.doctor.title);
    await page.getByText('2 pontos precisam da sua atenção').waitFor();
    for (const title of titles) await page.getByText(title, { exact: true }).waitFor();
  });

  it('tells lost rows and a wrong clock above every page, and takes the clock for right when a person says so', async () => {
    const core = new FakeCore();
    const early = check('clock', 'clock-early');
    const lost = { rows: 9, transactions: 3, documents: 4, signed: 2 };
    core.health = [early, check('database-rows', 'rows-missing', lost)];
    shown = await stage.show(core);
    const { page } = shown;
    await open(page, '#/sign', text.sign.title);
    const bars = page.locator('main [role=status]').filter({ hasText: text.home.toDoctor });
    await expect.poll(() => bars.count()).toBe(2);
    expect(await bars.allTextContents()).toEqual([
      expect.stringContaining('Mostra uma hora anterior a algo que já aconteceu.'),
      expect.stringMatching(/Faltam 3 pedidos e 4 documentos, 2 deles assinados\..*o Sinete só lê/),
    ]);
    await bars.first().getByRole('link').click();
    core.health = [check('clock', 'clock-plausible')];
    await page.getByRole('button', { name: new RegExp(`^${text.doctor.repairs['accept-clock']}`) }).click();
    await page.getByText(text.doctor.repaired).waitFor();
    await expect.poll(() => bars.count()).toBe(0);
    expect(inputsOf('clock.accept')).toEqual([{}]);
  });

  it('moves keys from memory into a file by a single click on Home', async () => {
    const core = new FakeCore();
    core.home.secretStore = { kind: 'memory', detail: null };
    core.settings.found = [check('secret-place', 'secrets-in-memory', {}, { repairs: [{ kind: 'keep-keys' }] })];
    shown = await stage.show(core);
    const { page } = shown;
    const problem = page.getByText(
      'Não há chaveiro: as chaves estão só na memória e se perdem quando o Sinete termina.',
    );
    await problem.waitFor();
    core.settings.found = [check('secret-place', 'secrets-kept')];
    await page.getByRole('button', { name: new RegExp(`^${text.doctor.repairs['keep-keys']}`) }).click();
    await page.getByText(text.doctor.repaired).waitFor();
    await problem.waitFor({ state: 'detached' });
    await page.getByText(text.home.healthGood).waitFor();
    expect(inputsOf('secrets.keep')).toEqual([{}]);
  });

  it('keeps the port of now by a single click', async () => {
    const core = new FakeCore();
    core.settings.found = [check('port', 'port-other', { port: 27_171, taken: '17171 (java)' })];
    shown = await stage.show(core);
    const { page } = shown;
    await open(page, '#/doctor', text.doctor.title);
    await page.getByRole('button', { name: new RegExp(`^${text.doctor.repairs['keep-port']}`) }).click();
    await page.getByText(text.doctor.repaired).waitFor();
    await page.getByText('17171 (java)').waitFor({ state: 'detached' });
    expect(inputsOf('doctor.keepPort')).toEqual([{}]);
  });

  it('repairs findings by a single click, and looks again', async () => {
    const core = new FakeCore();
    core.operation.anchors = [];
    core.health = [stoppedDriver];
    shown = await stage.show(core);
    const { page } = shown;
    await open(page, '#/doctor', text.doctor.title);
    await page.getByText('2 pontos precisam da sua atenção').waitFor();
    await page.getByText('Falhou várias vezes e foi parado.', { exact: true }).waitFor();
    await page.getByRole('button', { name: new RegExp(`^${text.doctor.repairs['update-trust']}`) }).click();
    await page.getByText('1 ponto precisa da sua atenção').waitFor();
    core.health = [
      check('key-source:files', 'source-works', {}, { area: 'key-files' }),
      check('key-source:token:starsign', 'source-works', { name: 'StarSign' }),
    ];
    await page.getByRole('button', { name: new RegExp(`^${text.doctor.repairs['retry-driver']}`) }).click();
    await page.getByText(text.doctor.good, { exact: true }).waitFor();
    await page.getByText('Arquivos de certificado', { exact: true }).waitFor();
    expect(inputsOf('modules.retry')).toEqual([{ id: 'starsign' }]);
  });

  it('says what it found around Sinete, and adds the driver that a card waits for', async () => {
    const core = new FakeCore();
    core.settings.found = [
      check(
        'card-reader',
        'token-without-driver',
        { name: 'SafeNet eToken' },
        { repairs: [{ kind: 'add-driver', path: '/usr/lib/libeToken.so' }] },
      ),
    ];
    shown = await stage.show(core);
    const { page } = shown;
    await open(page, '#/doctor', text.doctor.title);
    await page.getByText('Há um cartão em “SafeNet eToken”', { exact: false }).waitFor();
    core.settings.found = [check('card-reader', 'tokens-seen', { count: 1 })];
    await page.getByRole('button', { name: new RegExp(`^${text.doctor.repairs['add-driver']}`) }).click();
    await page.getByText(text.doctor.repaired).waitFor();
    await page.getByText('1 token está conectado e visível.', { exact: false }).waitFor();
    expect(inputsOf('modules.add')).toEqual([{ path: '/usr/lib/libeToken.so' }]);
  });

  it('watches for sites, and tells the one whose request a browser let through', async () => {
    shown = await stage.show();
    const { page, core } = shown;
    await open(page, '#/doctor', text.doctor.title);
    const at = (minutes: number): string => new Date(Date.now() + minutes * 60_000).toISOString();
    const visit = { origin: 'http://portal.example', browser: 'Firefox', outcome: 'ORIGIN_NOT_SECURE' } as const;
    core.settings.visits = [{ ...visit, origin: 'https://before.example', at: at(-5) }];
    await page.getByRole('button', { name: text.findings.watch.start }).click();
    await expect.poll(() => inputsOf('doctor.visits').length).toBeGreaterThan(0);
    core.settings.visits = [{ ...visit, at: at(1) }, ...core.settings.visits];
    await page.getByText(text.findings.watch.outcomes.ORIGIN_NOT_SECURE).waitFor();
    expect(await page.getByText('https://before.example').count()).toBe(0);
  });

  it('saves diagnostics naming nobody', async () => {
    shown = await stage.show();
    const { page } = shown;
    await open(page, '#/doctor', text.doctor.title);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: text.doctor.export }).click();
    const content = await readFile(await (await download).path(), 'utf8');
    expect(JSON.parse(content)).toMatchObject({ product: 'Sinete', version: '0.1.0' });
    expect(content).not.toMatch(/Maria|eToken|act-exemplo|\/usr|OpenSC/);
  });
});

describe('the address of the window', () => {
  it.each([
    ['#/sites?pair=https%3A%2F%2Fportal.example', text.app.sites],
    ['#/history', text.app.history],
    ['#/history/', text.app.history],
    ['#/nothing-of-that-name', text.app.home],
  ])('%s leads to %s', async (hash, name) => {
    shown = await stage.show();
    await shown.page.evaluate((target) => (location.hash = target), hash);
    await shown.page.locator(`nav a[aria-current=page]`, { hasText: name }).waitFor();
  });
});
