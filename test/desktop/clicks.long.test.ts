import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { writeTextPdf } from '../../src/app/demo/write-text-pdf.ts';
import { createTestAuthority, issueTestPerson, writePkcs12 } from '../../src/test-authority/index.ts';
import { chooseByClick, countClicks } from '../renderer/actions.ts';
import { launchChromium } from '../renderer/browser.ts';
import { drag } from '../renderer/dragging.ts';
import { buildParts, type BuiltParts } from './build-parts.ts';
import { hosts, type Host } from './hosts.ts';
import { goTo, text } from './stories/story.ts';

vi.mock('electron', async () => import('./fake-electron.ts'));

const password = 'segredo';
let browser: Browser;
let parts: BuiltParts;
let host: Host;

beforeAll(async () => {
  [browser, parts] = await Promise.all([launchChromium(), buildParts()]);
  host = await hosts.HTTP(browser, parts);
  await host.page.locator('main h1').waitFor();
});
afterAll(async () => {
  await host.close();
  await browser.close();
  await parts.remove();
});

const pdf = (title: string) => writeTextPdf({ title, paragraphs: ['Texto.'], footer: 'Página 1' }, new Date());

describe('a person in the window, with the real core', () => {
  it('imports a key file by three clicks and its password', async () => {
    const authority = await createTestAuthority({ keyKind: 'ec-p256' });
    const person = await issueTestPerson(authority, { name: 'ANA LIMA', cpf: '11144477735', keyKind: 'ec-p256' });
    const buffer = await writePkcs12(person, password, { friendlyName: 'ana' });
    const { page } = host;
    const { importDialog } = text.certificates;
    const clicks = await countClicks(page);
    await page.getByRole('button', { name: new RegExp(`^${text.home.importTitle}`) }).click();
    const choose = page.getByRole('dialog').getByRole('button', { name: importDialog.choose, exact: true });
    await chooseByClick(page, choose, { name: 'ana.p12', mimeType: 'application/x-pkcs12', buffer });
    await page.getByText('ana.p12').waitFor();
    await page.keyboard.type(password);
    await page.getByRole('dialog').getByRole('button', { name: importDialog.submit, exact: true }).click();
    await page.getByRole('button', { name: text.firstRun.try.submit }).waitFor();
    expect(await clicks()).toBe(3);
  });

  it('signs three PDFs with a dragged stamp by five clicks from Home', async () => {
    const { page } = host;
    await goTo(page, '#/', text.home.title);
    const clicks = await countClicks(page);
    const files = ['a.pdf', 'b.pdf', 'c.pdf'].map((name) => ({
      name,
      mimeType: 'application/pdf',
      buffer: pdf(name),
    }));
    await chooseByClick(page, page.getByRole('button', { name: text.sign.chooseFiles }).first(), files);
    await page.getByRole('group', { name: text.stamp.pages }).waitFor();
    await page.getByLabel(text.signOptions.stamp).click();
    const stamp = page.getByRole('application');
    await stamp.locator('canvas').waitFor();
    await drag(page, stamp, 20, -60);
    await page.locator('form button[type=submit]').click();
    await page.getByText('3 documentos assinados').waitFor();
    expect(await clicks()).toBeLessThanOrEqual(5);
  });

  it('finds document 137 of a batch of 200 by two clicks and its name', async () => {
    const { page } = host;
    await page.getByRole('button', { name: text.sign.again }).click();
    const files = Array.from({ length: 200 }, (_, index) => ({
      name: `doc-${index + 1}.txt`,
      mimeType: 'text/plain',
      buffer: Buffer.from(`Documento ${index + 1}`),
    }));
    await chooseByClick(page, page.getByRole('button', { name: text.sign.chooseFiles }).first(), files);
    await page.locator('form button[type=submit]').click();
    await page.getByText('200 documentos assinados').waitFor();
    const clicks = await countClicks(page);
    await page.getByRole('link', { name: text.app.history }).first().click();
    await page.getByLabel(text.history.text, { exact: true }).click();
    await page.keyboard.type('doc-137');
    await page.getByText('1 documento', { exact: true }).waitFor();
    expect(await clicks()).toBe(2);
    await page.getByRole('button', { name: /doc-137\.txt/ }).waitFor();
    expect(host.faults).toEqual([]);
  });
});
