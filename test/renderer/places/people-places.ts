import type { Page } from 'playwright-core';
import { oneTimeCode } from '../../app/one-time-code.ts';
import { askAsApplication, askAsPage } from '../asking.ts';
import { addOtherCertificates, withPauses, withRefusedSites, withSites, withUsers } from '../worlds.ts';
import { dialogOf, goTo, openFromMenu, prepared, type Place, type Texts } from './place.ts';

const users = async () => Promise.resolve(withUsers);
const sites = async () => Promise.resolve(withSites);

async function toAuthenticator(page: Page, { users }: Texts): Promise<void> {
  await goTo(page, '#/users');
  await page.getByRole('button', { name: users.enrol }).click();
  await page.getByLabel(users.fields.name).fill('Ana Exemplo de Souza');
  await page.getByLabel(users.fields.username).fill('12ABC34501DE35');
  await page.getByRole('button', { name: users.enrolment.next }).click();
  await page.getByLabel(users.enrolment.firstCode).waitFor();
}

/** Enrols a person up to the codes of the third step. */
export async function toRecoveryCodes(page: Page, text: Texts): Promise<void> {
  await toAuthenticator(page, text);
  const shown = await page.getByText(/^[A-Z2-7]{4}( [A-Z2-7]{1,4})+$/).textContent();
  await page.getByLabel(text.users.enrolment.firstCode).fill(oneTimeCode((shown ?? '').replaceAll(' ', ''), 0));
  await page.keyboard.press('Enter');
  await page.getByLabel(text.users.enrolment.saved).waitFor();
}

const elsewhere = 'https://identidade.exemplo.com.br';

const userPlaces: readonly Place[] = [
  {
    name: 'Users, with the menu of one open',
    plan: users,
    go: async (page, text) => {
      await goTo(page, '#/users');
      await page.getByText(text.users.selected, { exact: true }).waitFor();
      await page.locator('main [aria-haspopup=menu]').first().click();
      await page.getByRole('menuitem', { name: text.users.edit }).waitFor();
    },
  },
  {
    name: 'Users before there is one',
    go: async (page, text) => {
      await goTo(page, '#/users');
      await page.getByText(text.users.none).waitFor();
    },
  },
  {
    name: 'Users with those who must wait',
    plan: async () => Promise.resolve(withPauses),
    go: async (page, text) => {
      await goTo(page, '#/users');
      await page.getByText(text.users.pausedText).waitFor();
    },
  },
  {
    name: 'enrolment with wrong fields',
    dialog: 'pages/users/enrol-dialog',
    go: async (page, text) => {
      await goTo(page, '#/users');
      await page.getByRole('button', { name: text.users.enrol }).click();
      await page.getByRole('button', { name: text.users.enrolment.next }).click();
      await page.getByText(text.users.fields.usernameError).waitFor();
    },
  },
  { name: 'the authenticator of an enrolment', dialog: 'pages/users/enrol-dialog', go: toAuthenticator },
  { name: 'recovery codes', dialog: 'pages/users/enrol-dialog', go: toRecoveryCodes },
  {
    name: 'the last step of an enrolment',
    dialog: 'pages/users/enrol-dialog',
    go: async (page, text) => {
      await toRecoveryCodes(page, text);
      await page.getByLabel(text.users.enrolment.saved).check();
      await page.getByRole('button', { name: text.users.enrolment.next }).click();
      await page.getByLabel(text.users.fields.code).waitFor();
    },
  },
  {
    name: 'the change of a person',
    dialog: 'pages/users/edit-dialog',
    plan: users,
    go: (page, text) => openFromMenu(page, '#/users', 'Maria da Silva', text.users.edit),
  },
  {
    name: 'the certificates of a person',
    dialog: 'pages/users/linking-dialog',
    plan: prepared(async (core) => {
      await withUsers.prepare?.(core);
      await addOtherCertificates(core);
    }),
    go: async (page, text) => {
      await openFromMenu(page, '#/users', 'Maria da Silva', text.users.linkMenu);
      await page.getByRole('button', { name: text.users.linking.link }).first().waitFor();
    },
  },
  {
    name: 'the adding of a person who is enrolled elsewhere',
    dialog: 'pages/users/add-dialog',
    plan: async () => Promise.resolve({ configuration: { authorizationUrl: elsewhere, registryUrl: elsewhere } }),
    go: async (page, text) => {
      await goTo(page, '#/users');
      await page.getByText('identidade.exemplo.com.br').first().waitFor();
      await page.getByRole('button', { name: text.users.add }).click();
      await dialogOf(page);
    },
  },
];

const sitePlaces: readonly Place[] = [
  {
    name: 'Sites with grants of every kind, and applications',
    plan: sites,
    go: async (page) => {
      await goTo(page, '#/sites');
      await page.getByText('Aplicativo de celular').waitFor();
    },
  },
  {
    name: 'Sites before there is one',
    go: async (page, text) => {
      await goTo(page, '#/sites');
      await page.getByText(text.sites.none, { exact: true }).waitFor();
    },
  },
  {
    name: 'Sites with refused sites',
    plan: async () => Promise.resolve(withRefusedSites),
    go: async (page, text) => {
      await goTo(page, '#/sites');
      await page.getByText(text.sites.refused.text).waitFor();
    },
  },
  {
    name: 'the permissions of a refused site of plain http',
    dialog: 'pages/sites/site-dialog',
    plan: async () => Promise.resolve(withRefusedSites),
    go: async (page, text) => {
      await goTo(page, '#/sites');
      await page.getByRole('button', { name: text.sites.refused.letIn, exact: false }).last().click();
      await page.getByText(text.sites.plainTitle).waitFor();
    },
  },
  {
    name: 'the permissions of a site',
    dialog: 'pages/sites/site-dialog',
    plan: sites,
    go: async (page, text) => {
      await goTo(page, '#/sites');
      await page.getByRole('button', { name: text.sites.change }).nth(1).click();
      await dialogOf(page);
    },
  },
  {
    name: 'a folder to open to a site, with wrong fields',
    dialog: 'pages/sites/folder-dialog',
    plan: sites,
    go: async (page, text) => {
      await goTo(page, '#/sites');
      await page.getByRole('button', { name: text.sites.folders.add }).click();
      await page.getByRole('button', { name: text.sites.folders.save, exact: true }).click();
      await page.getByText(text.sites.folders.rootError).waitFor();
    },
  },
  {
    name: 'the registration of an application with wrong fields',
    dialog: 'pages/sites/application-dialog',
    go: async (page, text) => {
      await goTo(page, '#/sites');
      await page.getByRole('button', { name: text.applications.add }).click();
      await page.getByRole('button', { name: text.applications.register, exact: true }).click();
      await page.getByText(text.applications.commentsError).waitFor();
    },
  },
  {
    name: 'the secrets of an application',
    dialog: 'pages/sites/secrets-dialog',
    plan: sites,
    go: async (page, text) => {
      await openFromMenu(page, '#/sites', 'Processo Eletrônico Exemplo', text.applications.rotate);
      await page.getByRole('dialog').getByRole('button', { name: text.applications.rotate }).click();
      await page
        .getByRole('dialog')
        .getByText(/^whsec_/)
        .waitFor();
    },
  },
];

const questionPlaces: readonly Place[] = [
  {
    name: 'a site that asks to be let in, whose letters can be mistaken',
    dialog: 'questions/consent-dialog',
    go: async (page, _text, core) => {
      askAsPage(core, 'https://entrar.xn--trbunal-vfb.jus.br');
      await dialogOf(page);
    },
  },
  {
    name: 'an application that asks to be authorized',
    dialog: 'questions/authorization-dialog',
    go: async (page, _text, core) => {
      await askAsApplication(core);
      await dialogOf(page);
    },
  },
];

/** The pages Users and Sites with their dialogs, and the questions coming up on top. */
export const peoplePlaces: readonly Place[] = [...userPlaces, ...sitePlaces, ...questionPlaces];
