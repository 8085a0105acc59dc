import { readdir, readFile } from 'node:fs/promises';
import { expect } from 'vitest';
import type { Sinete } from '../../../src/app/instance/start-sinete.ts';
import { goTo, text, type Story } from './story.ts';

const { doctor } = text;

/** The driver processes started by this process. */
async function driverProcesses(): Promise<readonly number[]> {
  const found: number[] = [];
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    // A process ending meanwhile does not count.
    const read = async (name: string): Promise<string> => readFile(`/proc/${entry}/${name}`, 'latin1').catch(() => '');
    if (!(await read('status')).includes(`\nPPid:\t${process.pid}\n`)) continue;
    if ((await read('cmdline')).includes('pkcs11/host.ts')) found.push(Number(entry));
  }
  return found;
}

/** Ends the driver's process like a crash, until Sinete gives up starting the process. */
async function crashDriver(sinete: Sinete): Promise<void> {
  const crash = async (): Promise<string | undefined> => {
    const [module] = await sinete.handlers['user-interface']['modules.list']({});
    if (module?.state !== 'quarantined') for (const id of await driverProcesses()) process.kill(id, 'SIGKILL');
    return module?.state;
  };
  await expect.poll(crash, { timeout: 60_000, interval: 200 }).toBe('quarantined');
}

/** Stories about broken parts. These stories come last, because the token forgets its PIN. */
export const repairStories: readonly Story[] = [
  {
    page: '#/doctor',
    does: 'starts the driver again that crashed until it was left alone, and finds its token',
    tell: async ({ host: { page, sinete } }) => {
      const tokenKeys = async (): Promise<number> => {
        const list = await sinete.handlers['user-interface']['certificates.list']({});
        return list.filter(({ source }) => source === 'token').length;
      };
      await crashDriver(sinete);
      expect(await tokenKeys()).toBe(0);
      await goTo(page, '#/doctor', doctor.title);
      await page.getByRole('button', { name: doctor.again }).click();
      const wrong = page.getByRole('list', { name: doctor.attention });
      await wrong.getByRole('button', { name: new RegExp(`^${doctor.repairs['retry-driver']}: `) }).click();
      await page.getByText(doctor.repaired).waitFor();
      const driver = page.getByRole('list', { name: doctor.fine }).getByText(/^Fonte de chaves: SoftHSM/);
      await driver.waitFor();
      expect(await tokenKeys()).toBe(1);
    },
  },
];
