import { Secret, TOTP } from 'otpauth';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeWorkplace, runSinete, serve, type ServingProcess, type Workplace } from '../app/run-sinete.ts';
import { texts } from './actions.ts';
import { collectFaults, launchChromium } from './browser.ts';

const { users, consent, sites } = texts['pt-BR'];
const portal = 'https://portal.example';

/** The code that an authenticator shows some steps of thirty seconds from now. */
function codeOf(secret: string, steps: number): string {
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  return totp.generate({ timestamp: Date.now() + steps * 30_000 });
}

/** The built window with a real instance behind it: enrolment, use on this computer, and a site that is let in. */
describe('people and sites in the window of a running instance', () => {
  let place: Workplace;
  let instance: ServingProcess;
  let browser: Browser;

  beforeAll(async () => {
    place = await makeWorkplace();
    instance = await serve(place);
    browser = await launchChromium();
  });

  afterAll(async () => {
    await browser.close();
    expect(await instance.stop()).toBe(0);
    await place.remove();
  });

  async function openWindow(): Promise<{ readonly page: Page; readonly faults: string[] }> {
    const { stdout } = await runSinete(place, ['link']);
    const page = await browser.newPage({ locale: 'pt-BR', viewport: { width: 1200, height: 800 } });
    const faults = await collectFaults(page, () => instance.baseUrl);
    await page.goto(/http\S+/.exec(stdout)?.[0] ?? '');
    await page.locator('main h1').waitFor();
    return { page, faults };
  }

  it('enrols a person with the codes of an authenticator, selects them, and tells a site that was let in', async () => {
    const { page, faults } = await openWindow();
    await page.evaluate(() => (location.hash = '#/users'));
    await page.getByRole('button', { name: users.enrol }).click();
    await page.getByLabel(users.fields.name).fill('Ana Exemplo');
    await page.getByLabel(users.fields.username).fill('12ABC34501DE35');
    await page.getByRole('button', { name: users.enrolment.next }).click();
    const qrCode = page.getByRole('img', { name: /Código QR/ });
    await qrCode.waitFor();
    expect(await qrCode.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBeGreaterThan(0);
    const shownSecret = await page.getByText(/^[A-Z2-7]{4}( [A-Z2-7]{1,4})+$/).textContent();
    const secret = (shownSecret ?? '').replaceAll(' ', '');
    await page.getByLabel(users.enrolment.firstCode).fill(codeOf(secret, 0));
    await page.keyboard.press('Enter');
    await page.getByLabel(users.enrolment.saved).check();
    await page.getByRole('button', { name: users.enrolment.next }).click();
    // Each code is taken once, and the next step's is taken already.
    await page.getByLabel(users.fields.code).fill(codeOf(secret, 1));
    await page.keyboard.press('Enter');
    await page.getByText(users.selected, { exact: true }).waitFor();

    const asked = fetch(`${instance.baseUrl}/selected-user`, { headers: { Origin: portal } });
    await page.getByRole('dialog', { name: consent.title }).waitFor();
    await page.waitForTimeout(600);
    await page.getByRole('button', { name: consent.allow }).click();
    const answer = await asked;
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ name: 'Ana Exemplo', username: '12ABC34501DE35' });
    await page.evaluate(() => (location.hash = '#/sites'));
    await page.getByRole('button', { name: `${sites.revoke} ${portal}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: sites.revoke }).click();
    await page.getByText(sites.none, { exact: true }).waitFor();
    expect(faults).toEqual([]);
  });
});
