import { readFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { goTo, text, type Story } from './story.ts';

/** Settings and Doctor. */
export const operationStories: readonly Story[] = [
  {
    page: '#/settings',
    does: 'adds a time-stamp server, says why it does not answer, and removes it',
    tell: async ({ host: { page } }) => {
      const { timestamps } = text.settings;
      await goTo(page, '#/settings', text.settings.title);
      await page.getByRole('button', { name: timestamps.add }).click();
      await page.getByLabel(timestamps.id, { exact: true }).fill('act');
      await page.getByLabel(timestamps.url, { exact: true }).fill('http://127.0.0.1:9/tsa');
      await page.getByRole('button', { name: timestamps.save }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.getByRole('button', { name: timestamps.testNamed.replace('{{name}}', 'act') }).click();
      await page.getByText(timestamps.fails).waitFor();
      await page.getByRole('button', { name: text.common.removeNamed.replace('{{name}}', 'act') }).click();
      await page.getByRole('dialog').getByRole('button', { name: text.common.remove, exact: true }).click();
      await page.getByText('http://127.0.0.1:9/tsa').waitFor({ state: 'detached' });
    },
  },
  {
    page: '#/doctor',
    does: 'finds that no root of ICP-Brasil is here, and writes diagnostics that name nobody',
    tell: async ({ host: { page } }) => {
      await goTo(page, '#/doctor', text.doctor.title);
      await page.getByText(text.doctor.checks.trust.title, { exact: true }).waitFor();
      const saved = page.waitForEvent('download');
      await page.getByRole('button', { name: text.doctor.export }).click();
      const content = await readFile(await (await saved).path(), 'utf8');
      expect(content).not.toMatch(/Maria|Ana Exemplo|12ABC34501DE35|52998224725/);
    },
  },
];
