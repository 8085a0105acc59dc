import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { expect } from 'vitest';
import { systemFile } from '../../setup/system-packages.ts';
import { answer, card, filled, goTo, text, type Story } from './story.ts';

const program = 'Programa de teste';

/** A request of a program for a single document, leading to a question. */
async function askAsProgram(baseUrl: string): Promise<string> {
  const created = await fetch(`${baseUrl}/signature-service`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'User-Agent': program },
    body: JSON.stringify({ type: 'CAdES', documents_source: 'DATA_URL', documents: 'data:,pedido' }),
  });
  const { tcn } = (await created.json()) as { readonly tcn: string };
  return tcn;
}

/** Has a driver tried unless that is under way; answers whether the driver was found to work. */
async function tryDriver(path: Locator, works: Locator): Promise<boolean> {
  const page = path.page();
  if (await page.getByText(text.certificates.modules.testing).isVisible()) return false;
  if (await works.isVisible()) return true;
  await path.press('Enter');
  return false;
}

/** The first steps, and Home. */
export const keyStories: readonly Story[] = [
  {
    page: '#/first-run',
    does: 'leads from nothing to a signed and checked sample by a test identity',
    tell: async ({ host: { page } }) => {
      await page.getByRole('button', { name: new RegExp(`^${text.home.testTitle}`) }).click();
      await page.getByLabel(text.certificates.testDialog.name).fill('Maria da Silva Teste');
      await page.getByLabel('CPF').fill('52998224725');
      await page.getByRole('button', { name: text.certificates.testDialog.submit }).click();
      await page.getByRole('button', { name: text.firstRun.try.submit }).click();
      await page.getByRole('dialog').getByText(text.firstRun.sample.fileName, { exact: true }).waitFor();
      await answer(page, text.approval.approve);
      await page.getByRole('heading', { name: text.firstRun.done.title }).waitFor();
      await page.getByRole('button', { name: text.firstRun.leave }).waitFor({ state: 'detached' });
      const signedBy = filled(text.firstRun.done.signedBy, { name: '' });
      const verdict = page.getByRole('status').filter({ hasText: signedBy });
      expect(await verdict.textContent()).toContain('Todas as assinaturas são válidas.');
      await page.getByRole('button', { name: text.firstRun.done.finish }).click();
      await page.getByRole('heading', { name: text.home.ready }).waitFor();
    },
  },
  {
    page: '#/',
    does: 'shows the sample among what was signed, and what a program asks for until it is refused',
    tell: async ({ host: { page, sinete } }) => {
      await goTo(page, '#/', text.home.title);
      await card(page, text.home.recent).getByText(text.firstRun.sample.fileName).waitFor();
      const tcn = await askAsProgram(sinete.baseUrl);
      await page.getByRole('dialog', { name: text.approval.title }).getByText(program).first().waitFor();
      await answer(page, text.approval.later);
      const waiting = card(page, text.home.approvals);
      await waiting.getByText(filled(text.home.askedBy, { name: program })).waitFor();
      await waiting.getByRole('button', { name: new RegExp(`^${text.app.review}`) }).click();
      await answer(page, text.approval.refuse);
      const refused = await fetch(`${sinete.baseUrl}/signature-service/${tcn}?wait=20`);
      expect(await refused.json()).toMatchObject({
        status: 'ERROR',
        documents: [{ error: { code: 'APPROVAL_REFUSED' } }],
      });
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    },
  },
];

/** Keys in tokens. */
export const tokenStories: readonly Story[] = [
  {
    page: '#/certificates',
    does: 'adds the driver of a token, asks for its PIN when a signature needs it, and says that a wrong one is wrong',
    tell: async ({ host: { page, sinete, folder }, token }) => {
      const { certificates } = text;
      await goTo(page, '#/certificates', certificates.title);
      await page.getByRole('button', { name: certificates.addDriver }).click();
      await page.getByLabel(certificates.modules.path).fill(systemFile('softhsm'));
      const works = page.getByText(certificates.modules.works);
      const path = page.getByLabel(certificates.modules.path);
      // A driver's process taking too long to start on a busy computer is started again, as a person would.
      await expect.poll(async () => tryDriver(path, works), { timeout: 60_000, interval: 200 }).toBe(true);
      await page.getByRole('button', { name: certificates.modules.add, exact: true }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.getByText('Token sinete').first().waitFor();

      const list = await sinete.handlers['user-interface']['certificates.list']({});
      const alias = list.find(({ source }) => source === 'token')?.alias;
      const source = join(folder, 'ata.txt');
      await writeFile(source, 'ata');
      const { tcn } = await sinete.handlers['user-interface']['sign.paths']({
        type: 'CAdES-attached',
        digest: 'sha256',
        files: [{ path: source, destination: `${source}.p7m` }],
        alias,
      });
      await page.getByRole('dialog').getByText('ata.txt', { exact: true }).waitFor();
      await answer(page, text.approval.approve);
      const field = page.getByRole('dialog').getByLabel(certificates.unlockDialog.pin).first();
      const submit = page
        .getByRole('dialog')
        .getByRole('button', { name: certificates.unlockDialog.submit, exact: true });
      await field.fill('0000-errado');
      await submit.click();
      await page.getByText(text.errors.PIN_INCORRECT).waitFor();
      await field.fill(token.pin);
      await submit.click();
      await expect
        .poll(async () => (await sinete.core.transactions.query(tcn)).documents[0]?.status, { timeout: 30_000 })
        .toBe('SIGNED');
      expect((await readFile(`${source}.p7m`)).length).toBeGreaterThan(1000);
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    },
  },
];
