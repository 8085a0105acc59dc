import { describe, expect, it } from 'vitest';
import { texts } from './actions.ts';
import type { RealWindow } from './browser.ts';
import { oneTimeCode } from '../app/one-time-code.ts';
import { startRealInstance } from '../interface/real-instance.ts';
import { COMPANY_CNPJ, JOAO_CPF, MARIA_CPF } from '../pki/identities.ts';
import type { RealPlan } from './real-core.ts';
import { sharedStage } from './shared-stage.ts';
import { withPauses } from './worlds.ts';

const text = texts['pt-BR'];
const { users } = text;
const stage = sharedStage();
const { inputsOf } = stage;
let shown: RealWindow;

/** Maria and a company are enrolled, and users of this computer. */
const withUsers: RealPlan = {
  prepare: async (core) => {
    await core.enrolUser('Maria da Silva Teste', MARIA_CPF);
    await core.enrolUser('Padaria Exemplo Ltda', COMPANY_CNPJ);
  },
};

async function openUsers(plan: RealPlan = withUsers): Promise<void> {
  shown = await stage.open(plan);
  await shown.page.evaluate(() => (location.hash = '#/users'));
  await shown.page.getByRole('heading', { name: users.title, level: 1 }).waitFor();
}

async function choose(person: RegExp, item: string): Promise<void> {
  await shown.page.getByRole('button', { name: person }).click();
  await shown.page.getByRole('menuitem', { name: item }).click();
}

/** A picture with many colours, wider than high, drawn by the browser itself. */
async function drawPicture(): Promise<Buffer> {
  const uri = await shown.page.evaluate(() => {
    const canvas = document.createElement('canvas');
    canvas.width = 1600;
    canvas.height = 900;
    const context = canvas.getContext('2d');
    if (context === null) throw new Error('No canvas.');
    for (let x = 0; x < 1600; x += 10) {
      for (let y = 0; y < 900; y += 10) {
        context.fillStyle = `hsl(${(x * y) % 360} 80% 50%)`;
        context.fillRect(x, y, 10, 10);
      }
    }
    return canvas.toDataURL('image/png');
  });
  return Buffer.from(uri.slice(uri.indexOf(',') + 1), 'base64');
}

describe('enrolling a person', () => {
  it('refuses wrong fields, makes a small square of the photo, shows the secret once, and ends with a user here', async () => {
    await openUsers({});
    const { page } = shown;
    await page.getByText(users.none).waitFor();
    await page.getByRole('button', { name: users.enrol }).click();
    await page.getByLabel(users.fields.name).fill('Ana Exemplo de Souza');
    const username = page.getByLabel(users.fields.username);
    await username.fill('12.abc.345/01de-36');
    await username.press('Enter');
    await page.getByText(users.fields.usernameError).waitFor();
    expect(await username.evaluate((field) => field === document.activeElement)).toBe(true);
    await username.fill('12abc34501de35');
    expect(await username.inputValue()).toBe('12.ABC.345/01DE-35');
    const photo = page.locator('[role=dialog] input[type=file]');
    await photo.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('no picture') });
    await page.getByText(users.fields.photoUnreadable).waitFor();
    await photo.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: await drawPicture() });
    await page.getByRole('button', { name: users.fields.removePhoto }).waitFor();
    await page.getByRole('button', { name: users.enrolment.next }).click();

    await page.getByRole('img', { name: /Código QR/ }).waitFor();
    const spaced = await page.getByText(/^[A-Z2-7]{4}( [A-Z2-7]{1,4})+$/).textContent();
    const secret = (spaced ?? '').replaceAll(' ', '');
    const code = page.getByLabel(users.enrolment.firstCode);
    expect(await code.evaluate((field) => field === document.activeElement)).toBe(true);
    await code.fill('000000');
    await code.press('Enter');
    await page.getByText(users.enrolment.wrongCode).waitFor();
    await code.fill(oneTimeCode(secret, 0));
    await code.press('Enter');

    await page.getByRole('button', { name: users.enrolment.copy }).click();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    const codes = copied.split('\n');
    expect(codes).toHaveLength(10);
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByText(codes[0] ?? '').isVisible()).toBe(true);
    expect(await page.getByRole('button', { name: users.enrolment.print, includeHidden: true }).isVisible()).toBe(
      false,
    );
    await page.emulateMedia({ media: 'screen' });
    await page.keyboard.press('Escape');
    await page.getByText(users.enrolment.leaving).waitFor();
    await page.getByLabel(users.enrolment.saved).check();
    await page.getByRole('button', { name: users.enrolment.next }).click();

    const next = page.getByLabel(users.fields.code);
    await next.fill(oneTimeCode(secret, 0));
    await next.press('Enter');
    await page.getByText(users.adding.wrong).waitFor();
    await next.fill(oneTimeCode(secret, 1));
    await next.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByText(users.selected, { exact: true }).waitFor();

    const [begun] = inputsOf('users.begin') as { name: string; username: string; photo: string }[];
    expect(begun).toMatchObject({ name: 'Ana Exemplo de Souza', username: '12ABC34501DE35' });
    expect(begun?.photo.length).toBeLessThan(64_000);
    const size = await page.evaluate(async (uri) => {
      const image = new Image();
      image.src = uri;
      await image.decode();
      return [image.naturalWidth, image.naturalHeight];
    }, begun?.photo ?? '');
    expect(size).toEqual([192, 192]);
    expect(shown.faults).toEqual([]);
  });

  it('tells at once somebody is enrolled already, without asking the core', async () => {
    await openUsers();
    const { page } = shown;
    await page.getByRole('button', { name: users.enrol }).click();
    await page.getByLabel(users.fields.name).fill('Maria');
    await page.getByLabel(users.fields.username).fill('529.982.247-25');
    await page.getByRole('button', { name: users.enrolment.next }).click();
    await page.getByText(users.fields.usernameTaken).waitFor();
    expect(inputsOf('users.begin')).toEqual([]);
  });
});

describe('the users of this computer', () => {
  it('are told who must wait after wrong codes, and are told nothing while nobody must', async () => {
    await openUsers();
    await shown.page.getByText('Padaria Exemplo Ltda').waitFor();
    expect(await shown.page.getByText(users.paused, { exact: true }).count()).toBe(0);
    await openUsers(withPauses);
    const waits = shown.page.getByRole('region', { name: users.paused }).getByRole('listitem');
    await waits.first().waitFor();
    expect((await waits.allInnerTexts()).sort()).toEqual([
      expect.stringMatching(/^Aplicação: Processo Eletrônico Exemplo\. De um endereço, até .*\d\d:\d\d/),
      expect.stringMatching(/^Pessoa: João Exemplo\. De um endereço, até .*\d\d:\d\d/),
    ]);
    expect(shown.faults).toEqual([]);
  });

  it('are selected with the keyboard, and the mark moves', async () => {
    await openUsers();
    const { page } = shown;
    const row = page.getByRole('listitem').filter({ hasText: 'Padaria Exemplo' });
    await row.getByRole('button', { name: 'Selecionar Padaria Exemplo Ltda' }).press('Enter');
    await row.getByText(users.selected, { exact: true }).waitFor();
    expect(await page.getByText(users.selected, { exact: true }).count()).toBe(1);
    expect(inputsOf('assistant.select')).toEqual([{ username: '12ABC34501DE35' }]);
    expect(await page.getByText('12.ABC.345/01DE-35').count()).toBe(0);
    expect(shown.faults).toEqual([]);
  });

  it('get certificates by hand and lose them again', async () => {
    await openUsers();
    const { page } = shown;
    await choose(/Ações para Padaria/, users.linkMenu);
    await page.getByText(users.linking.nothing).waitFor();
    await page.getByRole('button', { name: /^Vincular o certificado de Maria/i }).click();
    await page.getByText(users.linking.byHand).waitFor();
    await page.getByRole('button', { name: /^Desvincular o certificado de Maria/i }).click();
    await page.getByText(users.linking.nothing).waitFor();
    expect(inputsOf('assistant.link')).toHaveLength(1);
    expect(inputsOf('assistant.unlink')).toEqual(inputsOf('assistant.link'));
    expect(shown.faults).toEqual([]);
  });

  it('change their name, and leave only after a confirmation whose harmless answer has the focus', async () => {
    await openUsers();
    const { page } = shown;
    await choose(/Ações para Maria/, users.edit);
    await page.getByRole('textbox', { name: users.fields.name }).fill('Maria Nova');
    await page.getByRole('button', { name: users.editing.submit }).click();
    await page.getByText('Maria Nova').waitFor();
    await choose(/Ações para Maria Nova/, users.removeAccount);
    await page.locator('[role=dialog] button:focus', { hasText: text.common.cancel }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(inputsOf('users.remove')).toEqual([]);
    await choose(/Ações para Maria Nova/, users.removeAccount);
    await page.getByRole('button', { name: users.removeAccount }).last().click();
    await page.getByRole('button', { name: /Ações para Maria Nova/ }).waitFor({ state: 'detached' });
    expect(inputsOf('users.remove')).toEqual([{ id: 1 }]);
    const { calls } = shown.core;
    const left = async (): Promise<readonly string[]> =>
      [...(await calls['users.list']({})), ...(await calls['assistant.users']({}))].map(({ username }) => username);
    await expect.poll(left, { timeout: 20_000 }).toEqual([COMPANY_CNPJ, COMPANY_CNPJ]);
    expect(shown.faults).toEqual([]);
  });

  it('are added by CPF and code where another instance keeps the people, and nobody is enrolled here', async () => {
    const remote = await startRealInstance();
    const [code = ''] = await remote.enrol('Ana de Outro Lugar', JOAO_CPF);
    await openUsers({ configuration: { authorizationUrl: remote.url, registryUrl: remote.url } });
    const { page } = shown;
    await page.getByText(remote.url, { exact: false }).first().waitFor();
    expect(await page.getByRole('button', { name: users.enrol }).count()).toBe(0);
    await page.getByRole('button', { name: users.add }).click();
    await page.getByLabel(users.fields.username).fill(JOAO_CPF);
    await page.getByLabel(users.fields.code).fill(code);
    await page.keyboard.press('Enter');
    await page.getByText('Ana de Outro Lugar', { exact: true }).waitFor();
    expect(inputsOf('assistant.add')).toEqual([{ username: JOAO_CPF, code }]);
    expect(shown.faults).toEqual([]);
    await remote.stop();
  });
});
