import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { ptBr } from '../../renderer/src/i18n/pt-br/index.ts';
import { oneTimeCode } from '../app/one-time-code.ts';

const { users } = ptBr;

/** Enrols a person on the page Users, as somebody with an authenticator does, and selects them. */
export async function enrolAna(page: Page): Promise<void> {
  await page.getByRole('button', { name: users.enrol }).click();
  await page.getByLabel(users.fields.name).fill('Ana Exemplo');
  await page.getByLabel(users.fields.username).fill('12ABC34501DE35');
  await page.getByRole('button', { name: users.enrolment.next }).click();
  const qrCode = page.getByRole('img', { name: /Código QR/ });
  await qrCode.waitFor();
  expect(await qrCode.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBeGreaterThan(0);
  const shownSecret = await page.getByText(/^[A-Z2-7]{4}( [A-Z2-7]{1,4})+$/).textContent();
  const secret = (shownSecret ?? '').replaceAll(' ', '');
  await page.getByLabel(users.enrolment.firstCode).fill(oneTimeCode(secret, 0));
  await page.keyboard.press('Enter');
  await page.getByLabel(users.enrolment.saved).check();
  await page.getByRole('button', { name: users.enrolment.next }).click();
  // Each code is taken once, and the next step's is taken already.
  await page.getByLabel(users.fields.code).fill(oneTimeCode(secret, 1));
  await page.keyboard.press('Enter');
  await page.getByText(users.selected, { exact: true }).waitFor();
}
