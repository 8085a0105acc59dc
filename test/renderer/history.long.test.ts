import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { freePort } from '../app/run-sinete.ts';
import { countClicks, pdfOf, texts } from './actions.ts';
import type { RealWindow } from './browser.ts';
import { encryptPdf } from './encrypted-pdf.ts';
import type { RealCore, RealPlan } from './real-core.ts';
import { sharedStage } from './shared-stage.ts';
import { fillHistory, rememberRequests, signFiles, withTestIdentity } from './worlds.ts';

const text = texts['pt-BR'];
const stage = sharedStage();
const { inputsOf } = stage;
let shown: RealWindow;

async function openHistory(plan: RealPlan): Promise<Page> {
  shown = await stage.open(plan);
  const { page } = shown;
  await page.evaluate(() => (location.hash = '#/history'));
  await page.getByRole('heading', { level: 1, name: text.history.title, exact: true }).waitFor();
  return page;
}

/** A history of so many copied requests, and of their two originals. */
const withHistory = (count: number, requester?: string): RealPlan => ({
  prepare: async (core) => fillHistory(core, count, requester),
});

const rowOf = (name: string): RegExp => new RegExp(`^${text.history.details.replace('{{name}}', `.*${name}`)}`);

describe('History', () => {
  it('scrolls through 5,000 documents to the oldest, with few rows in the page', async () => {
    const page = await openHistory({
      prepare: async (core) => {
        const tcn = await signFiles(core, ['Contrato.pdf']);
        const names = (request: number): readonly string[] =>
          Array.from({ length: 100 }, (_, index) => `Contrato ${request}-${index}.pdf`);
        const past = Array.from({ length: 50 }, (_, request) => ({ minutesAgo: request * 90, names: names(request) }));
        await rememberRequests(core, tcn, past);
      },
    });
    const list = page.getByRole('group', { name: text.history.list });
    await page.getByText('Contrato 0-0', { exact: false }).first().waitFor();
    await list.evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await page.locator('[aria-rowindex="5002"]').getByText('Contrato 49-', { exact: false }).waitFor();
    expect(await page.getByRole('row').count()).toBeLessThan(120);
    expect(shown.faults).toEqual([]);
  });

  it('filters by text, status and type, and moves between rows by arrow keys', async () => {
    const page = await openHistory(withHistory(60));
    await page.getByLabel(text.history.text).fill('protegido');
    await page.getByLabel(text.history.status, { exact: true }).selectOption('ERROR');
    await page.getByLabel(text.history.type, { exact: true }).selectOption('PAdES');
    await page.getByText('8 documentos').waitFor();
    const asked = { text: 'protegido', status: 'ERROR', type: 'PAdES' };
    await expect.poll(() => inputsOf('history.documents').at(-1)).toMatchObject(asked);
    await page.getByRole('button', { name: rowOf('Anexo protegido 4\\.pdf') }).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Anexo protegido 13.pdf' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: text.history.clear }).click();
    await page.getByText('62 documentos').waitFor();
  });

  it('tells of a search with more documents than the counted 10,000', async () => {
    const page = await openHistory({
      prepare: async (core) => {
        const tcn = await signFiles(core, ['Contrato.pdf']);
        const names = Array.from({ length: 2001 }, (_, index) => `Anexo ${index}.pdf`);
        await rememberRequests(
          core,
          tcn,
          [1, 2, 3, 4, 5].map((minutesAgo) => ({ minutesAgo, names })),
        );
      },
    });
    await page.getByLabel(text.history.text).fill('Anexo');
    await page.getByText(text.history.foundMore.replace('{{number}}', '10.000')).waitFor();
    await page.getByText(/^Os [\d.]+ documentos mais recentes$/).waitFor();
    expect(await page.getByRole('table').getAttribute('aria-rowcount')).toBe('10001');
    expect(shown.faults).toEqual([]);
  });

  it('finds a document in a batch of 200 by two clicks and a name, then extends and signs the document again', async () => {
    const page = await openHistory(await withBatch());
    const { core } = shown;
    await page.getByRole('link', { name: text.app.home }).first().click();
    const clicks = await countClicks(page);
    await page.getByRole('link', { name: text.app.history }).first().click();
    await page.getByLabel(text.history.text, { exact: true }).click();
    await page.keyboard.type('doc-137');
    await page.getByText('1 documento', { exact: true }).waitFor();
    expect(await clicks()).toBe(2);
    await rm(join(core.folder, 'doc-137-signed.pdf'));
    await page.getByRole('button', { name: /doc-137\b/ }).click();
    const panel = page.getByRole('dialog', { name: 'doc-137-signed.pdf' });
    await panel.getByText(/não está mais em .*doc-137-signed\.pdf/).waitFor();
    expect(await panel.getByRole('button', { name: text.history.drawer.signAgain }).count()).toBe(0);
    await panel.getByRole('button', { name: 'Ver o lote (200)' }).click();
    await page.getByText('200 documentos', { exact: true }).waitFor();

    await page.getByRole('button', { name: /doc-2\b/ }).click();
    await extendWithPassword(page, 'segredo');
    await page.getByText(/^Está em .*doc-2-signed-B-LTA\.pdf/).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: text.history.drawer.signAgain }).click();
    await page.getByRole('heading', { level: 1, name: text.sign.title }).waitFor();
    await page.getByText('doc-2-signed-B-LTA.pdf', { exact: true }).waitFor();
    expect(inputsOf('results.content')).toMatchObject([{ documentId: '1' }]);
    expect(shown.faults).toEqual([]);
  });

  it('downloads a kept result again, and tells the end of an erased result', async () => {
    const page = await openHistory({
      prepare: async (core) => {
        await signContent(core, 'Contrato 0.pdf');
        const tcn = await signContent(core, 'Contrato 1.pdf');
        const { transactions } = core.sinete.core.storage;
        const [document] = (await transactions.read(tcn))?.documents ?? [];
        const at = new Date();
        await transactions.apply([{ kind: 'result-erased', key: document?.key ?? '', at }], at);
      },
    });
    await page.getByRole('button', { name: rowOf('Contrato 0') }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('dialog').getByRole('link').click();
    expect((await download).suggestedFilename()).toBe('Contrato 0-signed.pdf');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: rowOf('Contrato 1') }).click();
    await page.getByText(text.history.drawer.erased).waitFor();
    expect(await page.getByRole('dialog').getByRole('link').count()).toBe(0);
  });

  it('exports the filtered documents as CSV, with formulas made harmless', async () => {
    const page = await openHistory(withHistory(620, '=HYPERLINK("x");1'));
    await page.getByText('622 documentos').waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: text.history.exportCsv }).click();
    const content = await readFile(await (await download).path(), 'utf8');
    const lines = content.trimEnd().split('\r\n');
    expect(lines).toHaveLength(623);
    expect(lines[0]).toBe(
      '\uFEFFTCN;Pedido em;Concluído em;Pedido por;Interface;Certificado;Tipo;Documento;Situação;Erro;SHA-256;Arquivo assinado;SHA-256 do assinado',
    );
    expect(lines.slice(1).filter((line) => line.includes(`;"'=HYPERLINK(""x"");1";`))).toHaveLength(620);
    expect(lines[1]).toContain(';MARIA DA SILVA TESTE:***.982.247-**;');
  });
});

/** 200 signed files, the second one encrypted, and running test services for their extension. */
async function withBatch(): Promise<RealPlan> {
  const names = Array.from({ length: 200 }, (_, index) => `doc-${index + 1}.pdf`);
  const contents = Object.fromEntries(names.map((name) => [name, pdfOf(name)]));
  contents['doc-2.pdf'] = await encryptPdf(pdfOf('doc-2.pdf'), 'segredo');
  const plan = withTestIdentity(await freePort(), async (core) => signFiles(core, contents, { password: 'segredo' }));
  // The automatic renewals would look at the 200 files at the same time.
  return { ...plan, configuration: { ...plan.configuration, renewal: { mode: 'off', within: 0 } } };
}

/** Extends the opened result into a file beside it, after two refusals: no password, and a wrong password. */
async function extendWithPassword(page: Page, right: string): Promise<void> {
  const { extend, drawer } = text.history;
  await page.getByRole('button', { name: extend.open, exact: true }).click();
  await page.getByLabel(extend.places.beside).check();
  const submit = page.getByRole('button', { name: extend.submit, exact: true }).last();
  const password = page.getByLabel(text.stamp.password, { exact: true });
  expect(await password.count()).toBe(0);
  await submit.click();
  await page.getByText(extend.needsPassword).waitFor();
  await password.fill('outra');
  await submit.click();
  await page.getByText(text.stamp.wrongPassword).waitFor();
  await password.fill(right);
  await submit.click();
  await page.getByText(drawer.extended_one).waitFor();
}

/** Signs a PDF from the body of its request: Sinete keeps the result for a while. */
async function signContent(core: RealCore, name: string): Promise<string> {
  const data = `data:application/pdf;base64,${pdfOf(name).toString('base64')}`;
  const documents = [{ original_file_name: name, data }];
  const tcn = await core.ask({ type: 'PAdES', documents_source: 'DATA_URL', documents });
  await core.approve(tcn);
  return tcn;
}
