import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { dropFiles } from '../../renderer/actions.ts';
import { powerMonitor, Tray } from '../fake-electron.ts';
import { findingsOnHome } from './operation-stories.ts';
import { goTo, text, type Story } from './story.ts';

/** Functions that only the desktop has. These stories come after the others. */
export const desktopStories: readonly Story[] = [
  {
    page: '#/',
    does: 'signs a file that is dropped on the window where it lies, beside itself',
    tell: async ({ host: { page, folder } }) => {
      const path = join(folder, 'nota.txt');
      await writeFile(path, 'Uma nota.');
      await page.evaluate((paths) => Object.assign(globalThis, { __paths: paths }), { 'nota.txt': path });
      await goTo(page, '#/', text.home.title);
      await dropFiles(page, 'main', ['nota.txt']);
      await page.getByLabel(text.signOptions.destinations.beside).check();
      await page.locator('form button[type=submit]').click();
      await page.getByText('nota.txt.p7s').first().waitFor();
      expect((await readFile(`${path}.p7s`)).length).toBeGreaterThan(1000);
    },
  },
  {
    page: '#/certificates',
    does: 'locks the token when the screen is locked',
    tell: async ({ host: { page, sinete } }) => {
      const isLocked = async (): Promise<boolean | undefined> => {
        const list = await sinete.handlers['user-interface']['certificates.list']({});
        return list.find(({ source }) => source === 'token')?.locked;
      };
      await goTo(page, '#/certificates', text.certificates.title);
      expect(await isLocked()).toBe(false);
      powerMonitor.emit('lock-screen');
      await expect.poll(isLocked, { timeout: 20_000 }).toBe(true);
      await page.getByRole('button', { name: new RegExp(`^${text.certificates.unlock} `) }).waitFor();
    },
  },
  {
    page: '#/',
    does: 'tells in the tray whether Home lists a problem',
    tell: async ({ host: { page } }) => {
      const { problems } = await findingsOnHome(page);
      // Health is read again after the keys have changed, as by the lock of the screen.
      const image = problems > 0 ? /error\.png$/ : /idle\.png$/;
      await expect.poll(() => Tray.last?.image, { timeout: 20_000 }).toMatch(image);
    },
  },
];
