import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeWorkplace, runSinete, serve, type ServingProcess, type Workplace } from '../app/run-sinete.ts';
import { texts } from './actions.ts';
import { collectFaults, launchChromium } from './browser.ts';
import { enrolAna } from './enrol.ts';

const { consent, sites } = texts['pt-BR'];
const portal = 'https://portal.example';

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
    await enrolAna(page);

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
