import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { readConfiguration } from '../../../src/app/config/config.ts';
import { restoreBackup, type RestoredBackup, type RestoreRequest } from '../../../src/storage/index.ts';
import { runSinete, type Workplace } from '../../app/run-sinete.ts';
import { card, filled, goTo, text, type Story } from './story.ts';

const { way, backup } = text.operation;
const optional = (label: string): string => `${label} (${text.common.optional})`;

const passphrase = 'cavalo correto bateria';

/** Makes a backup of everything in its dialog. */
async function makeBackup(page: Page, path: string): Promise<void> {
  await page.getByRole('button', { name: backup.make, exact: true }).click();
  await page.getByLabel(backup.path, { exact: true }).fill(path);
  await page.getByLabel(backup.passphrase, { exact: true }).fill(passphrase);
  await page.getByLabel(backup.again, { exact: true }).fill(passphrase);
  await page.getByRole('button', { name: backup.submit, exact: true }).click();
  await page.getByText(backup.made, { exact: true }).waitFor();
  await page.getByRole('dialog').getByRole('button', { name: text.common.close, exact: true }).last().click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

/** Restores the backup into a new data folder, as `sinete restore` does. */
async function restoreElsewhere(path: string, dataFolder: string): Promise<RestoredBackup & { masterKey: Buffer }> {
  let masterKey = Buffer.alloc(0);
  const adopt: RestoreRequest['adopt'] = async (restored) => {
    masterKey = Buffer.from(restored.masterKey);
    return Promise.resolve();
  };
  const restored = await restoreBackup({
    path,
    key: { passphrase },
    dataFolder,
    replace: false,
    adopt,
    now: new Date(),
  });
  return { ...restored, masterKey };
}

/** The findings of Doctor needing attention, told like on the command line. */
async function findingsOfCommand(place: Workplace): Promise<number> {
  const { stdout } = await runSinete(place, ['doctor', '--json']);
  const { checks } = JSON.parse(stdout) as {
    readonly checks: readonly { readonly id: string; readonly ok: boolean }[];
  };
  // The command alone looks at the files of the window.
  return checks.filter(({ id, ok }) => id !== 'window' && !ok).length;
}

/** Problems listed by Home, and the number of all matters needing attention. */
export async function findingsOnHome(page: Page): Promise<{ readonly problems: number; readonly words: string }> {
  await goTo(page, '#/', text.home.title);
  const health = card(page, text.home.health);
  await health.getByRole('link', { name: text.home.toDoctor }).waitFor();
  return { problems: await health.getByRole('listitem').count(), words: await health.innerText() };
}

/** Settings and Doctor. */
export const operationStories: readonly Story[] = [
  {
    page: '#/settings',
    does: 'adds a time-stamp server, says why it does not answer, and removes it',
    tell: async ({ host: { page } }) => {
      const { timestamps } = text.settings;
      await goTo(page, '#/settings?part=keys', text.settings.title);
      await page.getByRole('button', { name: timestamps.add }).click();
      await page.getByLabel(timestamps.id, { exact: true }).fill('act');
      await page.getByLabel(timestamps.url, { exact: true }).fill('http://127.0.0.1:9/tsa');
      await page.getByRole('button', { name: timestamps.save, exact: true }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.getByRole('button', { name: filled(timestamps.testNamed, { name: 'act' }), exact: true }).click();
      await page.getByText(timestamps.fails).waitFor();
      await page.getByRole('button', { name: filled(text.common.removeNamed, { name: 'act' }), exact: true }).click();
      await page.getByRole('dialog').getByRole('button', { name: text.common.remove, exact: true }).click();
      await page.getByText('http://127.0.0.1:9/tsa').waitFor({ state: 'detached' });
    },
  },
  {
    page: '#/settings',
    does: 'refuses what is no address of a proxy, and keeps one for the next start until it is taken back',
    tell: async ({ host: { page, sinete } }) => {
      const { dataFolder } = sinete.core;
      const atNextStart = async () => (await readConfiguration({ dataFolder, environment: {} })).network;
      await goTo(page, '#/settings?part=network', text.settings.title);
      const proxy = page.getByLabel(optional(way.proxy), { exact: true });
      const save = page.getByRole('button', { name: way.save, exact: true });
      await proxy.fill('proxy.exemplo:3128');
      await save.click();
      await page.getByText(way.proxyError).waitFor();
      await proxy.fill('http://127.0.0.1:3128');
      await page.getByLabel(optional(way.allow), { exact: true }).fill('10.1.2.0/24');
      await save.click();
      await page.getByText(way.restart, { exact: true }).waitFor();
      const kept = await atNextStart();
      expect([kept.proxy, kept.allow]).toEqual(['http://127.0.0.1:3128', ['10.1.2.0/24']]);
      await goTo(page, '#/', text.home.title);
      await goTo(page, '#/settings?part=network', text.settings.title);
      expect(await proxy.inputValue()).toBe('http://127.0.0.1:3128');
      await proxy.fill('');
      await page.getByLabel(optional(way.allow), { exact: true }).fill('');
      await save.click();
      await page.getByText(way.restart, { exact: true }).waitFor({ state: 'detached' });
      const left = await atNextStart();
      expect([left.proxy, left.allow]).toEqual([undefined, []]);
    },
  },
  {
    page: '#/settings',
    does: 'makes an encrypted backup, from which a data folder can be made, and has it wait for the next start',
    tell: async ({ host: { page, sinete, folder } }) => {
      const path = join(folder, 'tudo.backup');
      await goTo(page, '#/settings?part=data', text.settings.title);
      await makeBackup(page, path);
      expect((await readFile(path)).includes('Maria da Silva')).toBe(false);
      const restored = await restoreElsewhere(path, join(folder, 'restored'));
      expect(restored).toMatchObject({
        audit: { state: 'intact' },
        masterKey: await sinete.core.secrets.getMasterKey(),
      });
      expect(restored.documents).toBeGreaterThan(0);

      await page.getByRole('button', { name: backup.restore, exact: true }).click();
      await page.getByLabel(backup.restorePath, { exact: true }).fill(path);
      await page.getByLabel(backup.understood).check();
      await page.getByLabel(backup.passphrase, { exact: true }).fill('outra frase');
      await page.getByRole('button', { name: backup.restoreSubmit, exact: true }).click();
      await page.getByRole('dialog').getByText(backup.wrongPassphrase).waitFor();
      await page.getByLabel(backup.passphrase, { exact: true }).fill(passphrase);
      await page.getByRole('button', { name: backup.restoreSubmit, exact: true }).click();
      await page.getByText(backup.opensOwn, { exact: true }).waitFor();
      await page.getByLabel(backup.keepAll, { exact: true }).check();
      await page.getByRole('button', { name: backup.restoreSubmit, exact: true }).click();
      await page.getByText(backup.pendingTitle, { exact: true }).waitFor();
      await page.getByRole('button', { name: backup.cancel, exact: true }).click();
      await page.getByText(backup.pendingTitle, { exact: true }).waitFor({ state: 'detached' });
    },
  },
  {
    page: '#/doctor',
    does: 'finds that no root of ICP-Brasil is here, and writes diagnostics that name nobody',
    tell: async ({ host: { page } }) => {
      await goTo(page, '#/doctor', text.doctor.title);
      await page.getByText('Dados de confiança', { exact: true }).first().waitFor();
      const saved = page.waitForEvent('download');
      await page.getByRole('button', { name: text.doctor.export }).click();
      const content = await readFile(await (await saved).path(), 'utf8');
      expect(content).not.toMatch(/Maria|Ana Exemplo|12ABC34501DE35|52998224725/);
    },
  },
  {
    page: '#/doctor',
    does: 'tells the worst finding first, as Home does, and as many findings as the command line',
    tell: async ({ host: { page, place } }) => {
      const { problems, words } = await findingsOnHome(page);
      await goTo(page, '#/doctor', text.doctor.title);
      const wrong = page.getByRole('list', { name: text.doctor.attention }).locator(':scope > li');
      await wrong.first().waitFor();
      const said = (await page.getByRole('status').allInnerTexts()).filter((one) => one !== '');
      const [first = ''] = said.join('\n').split('\n');
      if (problems === 0) expect(words).toContain(first);
      else expect(first).toMatch(new RegExp(`^${problems} `));
      expect(await wrong.count()).toBe(await findingsOfCommand(place));
    },
  },
];
