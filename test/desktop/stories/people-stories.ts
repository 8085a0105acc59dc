import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { enrolAna } from '../../renderer/enrol.ts';
import { answer, filled, goTo, text, type Story } from './story.ts';

const { users, consent, sites, applications } = text;
const portal = 'https://portal.example';

/** Reads the visible secret, and says it was kept. */
async function takeSecret(page: Page): Promise<string> {
  const dialog = page.getByRole('dialog', { name: applications.secretsTitle });
  const copy = dialog.getByRole('button', { name: filled(text.common.copyNamed, { name: applications.clientSecret }) });
  const secret = await copy.locator('..').locator('span').first().textContent();
  await dialog.getByRole('button', { name: applications.secretsDone }).click();
  await dialog.waitFor({ state: 'detached' });
  return secret ?? '';
}

/** The answer of the interface to an application sending its secret. */
async function askForToken(baseUrl: string, clientId: string, secret: string): Promise<number> {
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: secret,
  });
  const answered = await fetch(`${baseUrl}/oauth`, { method: 'POST', body });
  return answered.status;
}

/** People, and the sites and applications asking for people's signatures. */
export const peopleStories: readonly Story[] = [
  {
    page: '#/users',
    does: 'enrols a person with the codes of an authenticator, and selects them',
    tell: async ({ host: { page } }) => {
      await goTo(page, '#/users', users.title);
      await enrolAna(page);
    },
  },
  {
    page: '#/sites',
    does: 'lets a site in that asks for the selected user, and takes it back',
    tell: async ({ host: { page, sinete } }) => {
      await goTo(page, '#/sites', sites.title);
      const asked = fetch(`${sinete.baseUrl}/selected-user`, { headers: { Origin: portal } });
      await page.getByRole('dialog', { name: consent.title }).waitFor();
      await page.getByLabel(sites.durations.month).check();
      await answer(page, consent.allow);
      const given = await asked;
      expect(given.status).toBe(200);
      expect(await given.json()).toMatchObject({ name: 'Ana Exemplo', username: '12ABC34501DE35' });
      await page.getByRole('button', { name: `${sites.revoke} ${portal}` }).click();
      await page.getByRole('dialog').getByRole('button', { name: sites.revoke }).click();
      await page.getByText(sites.none, { exact: true }).waitFor();
    },
  },
  {
    page: '#/sites',
    does: 'registers an application, whose secret is shown once and opens the interface until it is changed',
    tell: async ({ host: { page, sinete } }) => {
      await goTo(page, '#/sites', sites.title);
      await page.getByRole('button', { name: applications.add }).click();
      const fill = async (name: string, value: string): Promise<void> =>
        page.getByRole('dialog').getByRole('textbox', { name, exact: true }).fill(value);
      await fill(applications.name, 'Portal');
      await fill(applications.redirectUris, `${portal}/volta`);
      await fill(applications.email, 'ti@portal.example');
      await fill(applications.comments, 'Assina laudos');
      await page.getByRole('button', { name: applications.register, exact: true }).click();
      const first = await takeSecret(page);
      const [registered] = await sinete.handlers['user-interface']['applications.list']({});
      const { clientId, name } = registered ?? { clientId: '', name: '' };
      expect([await askForToken(sinete.baseUrl, clientId, first), name]).toEqual([200, 'Portal']);

      await page.getByRole('button', { name: filled(applications.actionsOf, { name }), exact: true }).click();
      await page.getByRole('menuitem', { name: applications.rotate }).click();
      const question = page.getByRole('dialog', { name: applications.rotateTitle });
      await question.getByRole('button', { name: applications.rotate, exact: true }).click();
      const second = await takeSecret(page);
      expect(second).not.toBe(first);
      expect(await askForToken(sinete.baseUrl, clientId, first)).toBe(401);
      expect(await askForToken(sinete.baseUrl, clientId, second)).toBe(200);
    },
  },
];
