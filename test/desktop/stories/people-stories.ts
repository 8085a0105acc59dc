import { expect } from 'vitest';
import { enrolAna } from '../../renderer/enrol.ts';
import { answer, goTo, text, type Story } from './story.ts';

const { users, consent, sites, applications } = text;
const portal = 'https://portal.example';

/** People, and the sites and applications that ask for them. */
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
    does: 'registers an application, whose secret is shown once and opens the interface',
    tell: async ({ host: { page, sinete } }) => {
      await goTo(page, '#/sites', sites.title);
      await page.getByRole('button', { name: applications.add }).click();
      await page.getByLabel(applications.name).fill('Portal');
      await page.getByLabel(applications.redirectUris).fill(`${portal}/volta`);
      await page.getByLabel(applications.email).fill('ti@portal.example');
      await page.getByLabel(applications.comments).fill('Assina laudos');
      await page.getByRole('button', { name: applications.register, exact: true }).click();
      await page.getByRole('dialog', { name: applications.secretsTitle }).waitFor();
      const copy = page.getByRole('button', {
        name: text.common.copyNamed.replace('{{name}}', applications.clientSecret),
      });
      const secret = await copy.locator('..').locator('span').first().textContent();
      await page.getByRole('button', { name: applications.secretsDone }).click();
      const [registered] = await sinete.handlers['user-interface']['applications.list']({});
      const granted = await fetch(`${sinete.baseUrl}/oauth`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({
          grant_type: 'client_credentials',
          client_id: registered?.clientId ?? '',
          client_secret: secret ?? '',
        }),
      });
      expect([granted.status, registered?.name]).toEqual([200, 'Portal']);
    },
  },
];
