import { describe, expect, it } from 'vitest';
import { JOAO_CPF, personWith } from '../pki/identities.ts';
import { until } from '../setup/waits.ts';
import { texts } from './actions.ts';
import type { RealWindow } from './browser.ts';
import { mariaAlias, type RealPlan } from './real-core.ts';
import { sharedStage } from './shared-stage.ts';

const text = texts['pt-BR'];
const { sites, applications } = text;
const portal = 'https://portal.tribunal.jus.br';
const stage = sharedStage();
const { inputsOf } = stage;
let shown: RealWindow;

/** The people's own site, a site with misleading letters, and a site of the configuration; and an application. */
const withSites: RealPlan = {
  configuration: { sites: [{ origin: 'https://intranet.exemplo.org', scopes: ['sign'] }] },
  prepare: async ({ calls }) => {
    const scopes = ['certificates:read', 'sign', 'user:read'] as const;
    await calls['sites.change']({ origin: portal, scopes: [...scopes], days: 30 });
    await calls['sites.change']({ origin: 'https://xn--exmplo-iva.com.br:8443', scopes: ['sign'], days: null });
    const about = { email: 'app@exemplo.com.br', comments: 'Testes', redirectUris: ['http://127.0.0.1:8000/volta'] };
    await calls['applications.add']({ name: 'Aplicativo de celular', ...about, isPublic: false });
  },
};

async function openSites(plan: RealPlan = withSites): Promise<void> {
  shown = await stage.open(plan);
  await shown.page.evaluate(() => (location.hash = '#/sites'));
  await shown.page.getByRole('heading', { name: sites.title, level: 1 }).waitFor();
}

async function choose(application: RegExp, item: string): Promise<void> {
  await shown.page.getByRole('button', { name: application }).click();
  await shown.page.getByRole('menuitem', { name: item }).click();
}

describe('sites let in', () => {
  it('show in words the rights of each, and leave the rights from the configuration unchanged', async () => {
    await openSites();
    const { page } = shown;
    await page.getByText('Ver certificados, pedir assinaturas e ver usuários').waitFor();
    await page.getByText('https://xn--exmplo-iva.com.br:8443').waitFor();
    const configured = page.getByRole('listitem').filter({ hasText: sites.fromConfiguration });
    expect(await configured.getByRole('button').count()).toBe(0);
    expect(shown.faults).toEqual([]);
  });

  it('get other permissions, and are revoked after a confirmation', async () => {
    await openSites();
    const { page } = shown;
    await page.getByRole('button', { name: `Alterar o que ${portal} pode fazer` }).click();
    await page.getByLabel(sites.scopes.userRead).uncheck();
    await page.getByLabel(sites.durations.day).check();
    await page.getByRole('button', { name: sites.save }).click();
    await page.getByText('Ver certificados e pedir assinaturas', { exact: true }).waitFor();
    expect(inputsOf('sites.change')).toEqual([{ origin: portal, scopes: ['certificates:read', 'sign'], days: 1 }]);
    await page.getByRole('button', { name: `Revogar ${portal}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: sites.revoke }).click();
    await page.getByRole('button', { name: `Revogar ${portal}` }).waitFor({ state: 'detached' });
    expect(inputsOf('sites.revoke')).toEqual([{ origin: portal }]);
    expect(shown.faults).toEqual([]);
  });

  it('lose their approvals in advance, one certificate at a time', async () => {
    await openSites({
      ...withSites,
      prepare: async (core) => {
        await withSites.prepare?.(core);
        const away = await core.importKey(await personWith({ name: 'ANA EXEMPLO', cpf: JOAO_CPF }));
        for (const [alias, signatures] of [
          [mariaAlias, 12],
          [away, 1],
        ] as const) {
          const tcn = await core.askAsSite(portal, { certificate_alias: alias });
          const standing = { signatures, minutes: 10 };
          await core.calls['approvals.decide']({ tcn, decision: 'approve', standing });
          await until(async () => (await core.statusOf(tcn)) === 'SIGNED', 'it is signed');
        }
        await core.calls['certificates.remove']({ alias: away });
      },
    });
    const { page } = shown;
    await page.getByText(/^12 assinaturas com Maria da Silva Teste/i).waitFor();
    await page.getByRole('button', { name: /^Encerrar as assinaturas aprovadas para Maria/i }).click();
    await page.getByText(/^12 assinaturas/).waitFor({ state: 'detached' });
    await page.getByText(/^1 assinatura com um certificado que não está aqui/).waitFor();
    expect(inputsOf('sites.endStandingApproval')).toHaveLength(1);
    expect(shown.faults).toEqual([]);
  });

  it('are added by hand, by an origin and nothing more', async () => {
    await openSites({});
    const { page } = shown;
    await page.getByText(sites.none, { exact: true }).waitFor();
    await page.getByRole('button', { name: sites.add }).click();
    const origin = page.getByLabel(sites.origin);
    await origin.fill('http://portal.example/pagina');
    await page.getByRole('button', { name: sites.save }).click();
    await page.getByText(sites.originError).waitFor();
    await origin.fill('https://portal.example');
    await origin.press('Enter');
    await page.getByText('Ver certificados e pedir assinaturas', { exact: true }).waitFor();
    expect(inputsOf('sites.change')).toHaveLength(1);
    expect(shown.faults).toEqual([]);
  });

  it('get a folder opened by its path for a time, and lose the folder after a confirmation', async () => {
    await openSites();
    const { page } = shown;
    const { folders } = sites;
    await page.getByRole('button', { name: folders.add }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: folders.save }).click();
    await dialog.getByText(folders.callerError).waitFor();
    await dialog.getByLabel(folders.caller).fill(portal);
    await dialog.getByLabel(folders.root, { exact: false }).fill('Documentos');
    await dialog.getByRole('button', { name: folders.save }).click();
    await dialog.getByText(folders.rootError).waitFor();
    await dialog.getByLabel(folders.root, { exact: false }).fill('/home/maria/saida');
    await dialog.getByLabel(folders.accesses.write, { exact: true }).check();
    await dialog.getByLabel(sites.durations.day).check();
    await dialog.getByRole('button', { name: folders.save }).click();
    await page.getByText('/home/maria/saida', { exact: true }).waitFor();
    const root = '/home/maria/saida';
    expect(inputsOf('sites.allowFiles')).toEqual([{ caller: portal, root, access: 'write', days: 1 }]);
    await page.getByRole('button', { name: `Fechar pasta ${root} para ${portal}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: folders.revoke }).click();
    await page.getByText(root, { exact: true }).waitFor({ state: 'detached' });
    expect(inputsOf('sites.revokeFiles')).toEqual([{ caller: portal, root }]);
    expect(shown.faults).toEqual([]);
  });

  it('are proposed by a link, and let in by nobody but the user', async () => {
    await openSites();
    const { page } = shown;
    await page.evaluate(() => (location.hash = '#/sites?pair=https%3A%2F%2Fportal.example'));
    const origin = page.getByLabel(sites.origin);
    await origin.waitFor();
    expect(await origin.inputValue()).toBe('https://portal.example');
    expect(inputsOf('sites.change')).toEqual([]);
    await page.getByRole('button', { name: sites.save }).click();
    await origin.waitFor({ state: 'detached' });
    expect(inputsOf('sites.change')).toMatchObject([{ origin: 'https://portal.example' }]);
    expect(await page.evaluate(() => location.hash)).toBe('#/sites');
    expect(shown.faults).toEqual([]);
  });
});

describe('registered applications', () => {
  it('are registered with all fields of the registry, and show their secrets once', async () => {
    await openSites();
    const { page } = shown;
    await page.getByRole('button', { name: applications.add }).click();
    await page.getByRole('button', { name: applications.register, exact: true }).click();
    await page.getByText(applications.redirectUrisError).waitFor();
    await page.getByLabel(applications.name).fill('Sistema novo');
    await page.getByLabel(applications.redirectUris).fill('https://sistema.example/volta\nhttp://127.0.0.1:9000/volta');
    await page.getByLabel(applications.email).fill('ti@sistema.example');
    await page.getByLabel(applications.comments).fill('Assina laudos');
    await page.getByLabel(applications.documentsPerDay).fill('200');
    await page.getByLabel(applications.hours).fill('8-18');
    await page.getByRole('button', { name: applications.register, exact: true }).click();
    await page.getByText(applications.hoursError).waitFor();
    await page.getByLabel(applications.hours).fill('08:00-18:00');
    await page.getByRole('button', { name: applications.register, exact: true }).click();
    const told =
      (await page
        .getByRole('dialog')
        .getByText(/^whsec_/)
        .textContent()) ?? '';
    await page.keyboard.press('Escape');
    await page.getByText(applications.secretsLeaving).waitFor();
    await page.getByRole('button', { name: applications.secretsDone }).click();
    await page.getByText('Sistema novo').waitFor();
    await page.getByText('200 documentos por dia · 08:00-18:00').waitFor();
    expect(await page.getByText(told).count()).toBe(0);
    expect(inputsOf('applications.add')).toEqual([
      {
        name: 'Sistema novo',
        email: 'ti@sistema.example',
        comments: 'Assina laudos',
        redirectUris: ['https://sistema.example/volta', 'http://127.0.0.1:9000/volta'],
        limits: { documentsPerDay: 200, hours: '08:00-18:00' },
        isPublic: false,
      },
    ]);
    expect(shown.faults).toEqual([]);
  });

  it('keep their buttons in sight in a small window, and lead to the first wrong field', async () => {
    shown = await stage.open({}, { viewport: { width: 800, height: 600 } });
    const { page } = shown;
    await page.evaluate(() => (location.hash = '#/sites'));
    await page.getByRole('button', { name: applications.add }).click();
    const dialog = page.getByRole('dialog');
    const submit = dialog.locator('button[type=submit]');
    await submit.waitFor();
    const isInSight = await submit.evaluate((button) => button.getBoundingClientRect().bottom < innerHeight);
    expect(isInSight).toBe(true);
    const fields = dialog.getByRole('textbox');
    await fields.last().focus();
    await submit.click();
    await expect.poll(() => fields.first().evaluate((field) => field === document.activeElement)).toBe(true);
    expect(await fields.first().getAttribute('aria-invalid')).toBe('true');
    expect(shown.faults).toEqual([]);
  });

  it('are renamed, get other secrets, and are removed', async () => {
    await openSites();
    const { page } = shown;
    await choose(/Ações para Aplicativo/, applications.edit);
    await page.getByRole('textbox', { name: applications.name }).fill('Aplicativo novo');
    await page.getByRole('button', { name: applications.save }).click();
    await choose(/Ações para Aplicativo novo/, applications.rotate);
    await page.getByRole('button', { name: applications.rotate }).last().click();
    await page
      .getByRole('dialog')
      .getByText(/^whsec_/)
      .waitFor();
    await page.getByRole('button', { name: applications.secretsDone }).click();
    await choose(/Ações para Aplicativo novo/, applications.remove);
    await page.getByRole('dialog').getByRole('button', { name: text.common.remove }).click();
    await page.getByText('Aplicativo novo', { exact: true }).waitFor({ state: 'detached' });
    expect(inputsOf('applications.rotate')).toHaveLength(1);
    expect(inputsOf('applications.remove')).toEqual(inputsOf('applications.rotate'));
    expect(await shown.core.calls['applications.list']({})).toEqual([]);
    expect(shown.faults).toEqual([]);
  });
});
