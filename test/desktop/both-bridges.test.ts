import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { writeTextPdf } from '../../src/app/demo/write-text-pdf.ts';
import { verifyPdf } from '../../src/signing/index.ts';
import { texts } from '../renderer/actions.ts';
import { launchChromium } from '../renderer/browser.ts';
import { createSoftHsm, SOFTHSM_MODULE, type SoftHsm } from '../token/softhsm.ts';
import { buildParts, type BuiltParts } from './build-parts.ts';
import { hosts, type Host } from './hosts.ts';

vi.mock('electron', async () => import('./fake-electron.ts'));

const text = texts['pt-BR'];
const person = { name: 'MARIA DA SILVA', cpf: '52998224725' };
const program = { kind: 'native-program', name: 'Programa de teste' } as const;

/** What a program asks for, as the interface takes it. */
const request = {
  type: 'CAdES-attached',
  digest: 'sha256',
  mode: 'async',
  policy: 'none',
  settings: [{ id: 'default' }],
  destination: 'LOCAL',
  autoFixDocument: false,
  returnSignature: false,
  documentsSource: 'DATA_URL',
  documents: [{ data: 'data:,pedido', originalFileName: 'pedido.txt' }],
} as const;

let browser: Browser;
let parts: BuiltParts;
let token: SoftHsm;

beforeAll(async () => {
  [browser, parts, token] = await Promise.all([
    launchChromium(),
    buildParts(),
    createSoftHsm([{ label: 'sinete', keys: [{ label: 'rsa', keyId: '01', kind: 'rsa-2048' }] }]),
  ]);
});
afterAll(async () => {
  await browser.close();
  await parts.remove();
  await token.remove();
});

async function approve(page: Page): Promise<void> {
  // The dialog takes no answer in its first moment: nobody should approve what has just come under their finger.
  await page.waitForTimeout(600);
  await page.getByRole('button', { name: text.approval.approve }).click();
}

describe.each(hosts)('the window over %s', (_name, open) => {
  let host: Host;

  beforeEach(async () => {
    host = await open(browser, parts, {
      SINETE_PKCS11_ENVIRONMENT: JSON.stringify(token.environment),
    });
    await host.page.locator('main h1').waitFor();
  });
  afterEach(async () => {
    expect(host.faults).toEqual([]);
    await host.close();
  });

  it('makes an identity, signs a PDF once it is approved, and gives it back whole', async () => {
    const { page, sinete } = host;
    await page.getByRole('button', { name: new RegExp(text.home.testTitle) }).click();
    await page.getByLabel(text.certificates.testDialog.name).fill('Maria da Silva Teste');
    await page.getByLabel('CPF').fill('52998224725');
    await page.getByRole('button', { name: text.certificates.testDialog.submit }).click();
    await page.getByText(text.firstRun.try.title).waitFor();

    const pdf = writeTextPdf({ title: 'Contrato', paragraphs: ['Texto.'], footer: 'x' }, new Date());
    await page.evaluate(() => (location.hash = '#/sign'));
    const file = { name: 'contrato.pdf', mimeType: 'application/pdf', buffer: pdf };
    await page.locator('main input[type=file]').first().setInputFiles(file);
    await page.locator('form button[type=submit]').click();
    await page.getByRole('dialog').getByText('contrato.pdf', { exact: true }).waitFor();
    await approve(page);
    await page.getByText('contrato-signed.pdf').first().waitFor();

    const [transaction] = await sinete.core.transactions.recent(1);
    const [document] = transaction?.documents ?? [];
    const result = join(host.folder, 'result.pdf');
    await writeFile(result, await host.download(transaction?.tcn ?? '', document?.id ?? ''));
    expect((await readFile(result)).subarray(0, pdf.length).equals(pdf)).toBe(true);
    const { signatures } = await verifyPdf(result);
    expect(signatures.map(({ outcome, coversWholeFile }) => [outcome, coversWholeFile])).toEqual([['intact', true]]);
  });

  it('shows what a program asks for while it waits, and refuses it at a click', async () => {
    const { page, sinete } = host;
    await sinete.handlers['user-interface']['certificates.makeTestIdentity'](person);
    const { tcn } = await sinete.core.transactions.create(request, program);
    await page.getByRole('dialog').getByText('pedido.txt').waitFor();
    await page.waitForTimeout(600);
    await page.getByRole('button', { name: text.approval.refuse }).click();
    const refused = await sinete.core.transactions.query(tcn, { waitSeconds: 20 });
    expect(refused.documents.map(({ error }) => error?.code)).toEqual(['APPROVAL_REFUSED']);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('asks for the PIN of a token, says that a wrong one is wrong, and signs with the right one', async () => {
    const { page, sinete } = host;
    const calls = sinete.handlers['user-interface'];
    expect(await calls['modules.add']({ path: SOFTHSM_MODULE })).toMatchObject({ works: true });
    const source = join(host.folder, 'ata.txt');
    await writeFile(source, 'ata');
    const files = [{ path: source, destination: `${source}.p7m` }];
    const { tcn } = await calls['sign.paths']({ type: 'CAdES-attached', digest: 'sha256', files });
    await page.getByRole('dialog').getByText('ata.txt').waitFor();
    await approve(page);
    const field = page.getByRole('dialog').getByLabel(text.certificates.unlockDialog.pin).first();
    await field.fill('0000-errado');
    await page.getByRole('button', { name: text.certificates.unlockDialog.submit }).click();
    await page.getByText(text.errors.PIN_INCORRECT).waitFor();
    await field.fill(token.pin);
    await page.getByRole('button', { name: text.certificates.unlockDialog.submit }).click();
    let signed = await sinete.core.transactions.query(tcn);
    for (let changes = 0; changes < 10 && signed.documents[0]?.status === 'WAITING'; changes += 1) {
      signed = await sinete.core.transactions.query(tcn, { waitSeconds: 10 });
    }
    expect(signed.documents.map(({ status }) => status)).toEqual(['SIGNED']);
    expect((await readFile(`${source}.p7m`)).length).toBeGreaterThan(1000);
  });

  it('answers wrong input, unknown calls and failures as values', async () => {
    const { sinete } = host;
    expect(await sinete.callUi('transactions.list', { limit: 0 })).toMatchObject({
      ok: false,
      error: { code: 'INPUT_INVALID' },
    });
    expect(await sinete.callUi('__proto__', {})).toMatchObject({ ok: false, error: { code: 'INPUT_INVALID' } });
    expect(await sinete.callUi('transactions.read', { tcn: 'x' })).toMatchObject({
      ok: false,
      error: { code: 'TRANSACTION_NOT_FOUND' },
    });
  });
});
