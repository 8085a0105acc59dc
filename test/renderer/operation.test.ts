import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { texts } from './actions.ts';
import { Stage, type Window } from './browser.ts';
import { FakeCore } from './fake-core.ts';
import { finishedTransaction } from './fake-data.ts';

const text = texts['pt-BR'];
let stage: Stage;
let shown: Window;

beforeAll(async () => {
  stage = await Stage.open();
}, 120_000);
afterAll(() => stage.close());
afterEach(() => shown.close());

async function open(page: Page, hash: string, title: string): Promise<void> {
  await page.evaluate((target) => (location.hash = target), hash);
  await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
}

/** What one name was called with. */
function inputsOf(name: string): unknown[] {
  return shown.core.log.filter((entry) => entry.name === name).map((entry) => entry.input);
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
    await page.getByText('7 pedidos de assinatura').waitFor();
    const asked = { text: 'protegido', status: 'ERROR', type: 'PAdES' };
    await expect.poll(() => inputsOf('history.list').at(-1)).toMatchObject(asked);
    await page.getByRole('button', { name: /Anexo protegido 4\.pdf/ }).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Anexo protegido 13.pdf' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: text.history.clear }).click();
    await page.getByText('60 pedidos de assinatura').waitFor();
  });

  it('downloads a result again while it lives, and says that it was erased afterwards', async () => {
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
      '\uFEFFTCN;Pedido em;Concluído em;Pedido por;Certificado;Tipo;Documento;Situação;Erro;SHA-256',
    );
    expect(lines[1]).toContain(`;"'=HYPERLINK(""x"");1";`);
  });
});

describe('Settings', () => {
  it('adds a time-stamp server with a password, tests it, and says why another one does not answer', async () => {
    shown = await stage.show();
    const { page, core } = shown;
    core.operation.silent.add('act-exemplo');
    await open(page, '#/settings', text.settings.title);
    await page.getByRole('button', { name: text.settings.timestamps.add }).click();
    await page.getByLabel(text.settings.timestamps.id, { exact: true }).fill('act-nova');
    await page.getByLabel(text.settings.timestamps.url, { exact: true }).fill('https://act.nova.example/tsa');
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
        ...{ id: 'act-nova', url: 'https://act.nova.example/tsa', digest: 'sha256' },
        authentication: { kind: 'basic', user: 'maria', password: 'segredo' },
      },
    ]);
  });

  it('imports a root by its fingerprint, and stops trusting it', async () => {
    shown = await stage.show();
    const { page } = shown;
    await open(page, '#/settings', text.settings.title);
    await page.getByRole('button', { name: text.settings.trust.add, exact: true }).click();
    const dialog = page.getByRole('dialog');
    const buffer = Buffer.from('a root');
    await dialog.locator('input[type=file]').setInputFiles({ name: 'raiz.crt', mimeType: 'text/plain', buffer });
    await dialog.getByLabel(new RegExp(`^${text.settings.trust.pin}`)).fill('AB '.repeat(32));
    await page.keyboard.press('Enter');
    await page.getByText('Raiz Importada', { exact: true }).waitFor();
    expect(inputsOf('trust.import')).toEqual([{ file: buffer.toString('base64'), fingerprint: 'ab'.repeat(32) }]);
    await page.getByRole('button', { name: 'Remover Raiz Importada' }).click();
    await page.getByRole('dialog').getByRole('button', { name: text.common.remove }).click();
    await page.getByText(text.settings.trust.removed).waitFor();
  });

  it('runs the test services while the switch is on, tests drivers, and speaks another language', async () => {
    shown = await stage.show();
    const { page } = shown;
    await open(page, '#/settings', text.settings.title);
    await page.getByRole('switch', { name: text.settings.testServices.toggle }).focus();
    await page.keyboard.press('Space');
    await page.getByText('http://127.0.0.1:17180 ', { exact: false }).first().waitFor();
    await page.getByRole('button', { name: 'Testar SafeNet Authentication Client' }).click();
    await page.getByText(text.certificates.modules.works).waitFor();
    await page.getByRole('radio', { name: 'English' }).click();
    await page.getByRole('heading', { level: 1, name: texts.en.settings.title }).waitFor();
    await page.getByRole('switch', { name: texts.en.settings.testServices.toggle }).click();
    await page.getByText(texts.en.settings.testServices.stopped).waitFor();
    expect(inputsOf('testServices.stop')).toHaveLength(1);
  });
});

describe('Doctor', () => {
  it('repairs what it can by one click, and looks again', async () => {
    const core = new FakeCore();
    core.operation.anchors = [];
    core.health = {
      status: 'ERROR',
      checks: [{ id: 'key-source:starsign', ok: false, message: 'It crashed.', remedy: 'Update it.' }],
    };
    shown = await stage.show(core);
    const { page } = shown;
    await open(page, '#/doctor', text.doctor.title);
    await page.getByText('2 pontos precisam da sua atenção').waitFor();
    await page.getByRole('button', { name: new RegExp(`^${text.doctor.repairs.updateTrust}`) }).click();
    await page.getByText('1 ponto precisa da sua atenção').waitFor();
    core.health = { status: 'OK', checks: [{ id: 'key-source:starsign', ok: true, message: 'Fine.', remedy: null }] };
    await page.getByRole('button', { name: new RegExp(`^${text.doctor.repairs.retryDriver}`) }).click();
    await page.getByText(text.doctor.good, { exact: true }).waitFor();
    expect(inputsOf('modules.retry')).toEqual([{ id: 'starsign' }]);
  });

  it('saves diagnostics that name nobody', async () => {
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
