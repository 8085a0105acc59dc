import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { freePort } from '../app/run-sinete.ts';
import { texts } from './actions.ts';
import { sharedStage } from './shared-stage.ts';
import { withRenewals } from './worlds.ts';

const text = texts['pt-BR'];
const stage = sharedStage();
const { inputsOf } = stage;

describe('Renewals', () => {
  it('lists each file with its next renewal and reason, renews a file, and adds and removes a folder', async () => {
    const { page, core, faults } = await stage.open(withRenewals(await freePort()));
    await page.evaluate(() => (location.hash = '#/renewals'));
    await page.getByText(text.renewals.states.failed, { exact: true }).waitFor();
    const reasonIn = async (language: 'pt-BR' | 'en'): Promise<string> => {
      const { files } = await core.calls['renewals.list']({ offset: 0, limit: 10, language });
      return files.find(({ outcome }) => outcome?.state === 'failed')?.outcome?.detail ?? '';
    };
    const reason = await reasonIn('pt-BR');
    expect(reason).not.toBe(await reasonIn('en'));
    await page.getByText(reason).waitFor();
    await core.calls['testServices.run']({});
    await page.getByRole('button', { name: `${text.renewals.renew}: escritura-signed.pdf` }).click();
    await page.getByText(text.renewals.states.renewed, { exact: true }).waitFor();
    const path = join(core.folder, 'arquivo', 'escritura-signed.pdf');
    expect(inputsOf('renewals.renew')).toEqual([{ path, within: 'always', language: 'pt-BR' }]);

    const { folders } = text.renewals;
    const field = page.getByLabel(folders.path, { exact: true });
    await field.fill('arquivo');
    await page.getByRole('button', { name: folders.add }).click();
    await page.getByText(folders.wrong).waitFor();
    const folder = join(core.folder, 'outro');
    await mkdir(folder);
    await field.fill(folder);
    await page.getByRole('button', { name: folders.add }).click();
    const remove = page.getByRole('button', { name: text.common.removeNamed.replace('{{name}}', folder) });
    await remove.click();
    await page.getByRole('dialog').getByRole('button', { name: text.common.remove, exact: true }).click();
    await remove.waitFor({ state: 'detached' });
    expect(faults).toEqual([]);
  });

  it('saves the report in the language of the window', async () => {
    const { page } = await stage.open();
    await page.evaluate(() => (location.hash = '#/renewals'));
    await page.getByRole('button', { name: text.renewals.report }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: text.validate.formats.pdf }).click();
    expect((await download).suggestedFilename()).toMatch(/^sinete-renovacoes-.*\.pdf$/);
    expect(inputsOf('renewals.report')).toEqual([{ format: 'pdf', language: 'pt-BR' }]);
  });
});
