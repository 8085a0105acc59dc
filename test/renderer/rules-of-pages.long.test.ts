import { describe, expect, it } from 'vitest';
import { systemFile } from '../setup/system-packages.ts';
import { chooseFiles, texts } from './actions.ts';
import { sharedStage } from './shared-stage.ts';

const text = texts['pt-BR'];
const stage = sharedStage();
const { inputsOf } = stage;

describe('a result on the page Sign', () => {
  it('has the name and the size of the signed file', async () => {
    const { page, faults } = await stage.open();
    await chooseFiles(page, ['contrato.pdf']);
    const row = page.locator('[data-results]');
    await page.locator('form button[type=submit]').click();
    await row.getByText('contrato-assinado.pdf', { exact: true }).waitFor();
    await row.getByText(/^\d+(,\d)?\skB$/).waitFor();
    expect(faults).toEqual([]);
  });
});

describe('the parts of Settings', () => {
  it('begin with looks and language', async () => {
    const { page, faults } = await stage.open();
    const looks = page.getByRole('heading', { name: text.settings.appearance.title });
    await page.evaluate(() => (location.hash = '#/settings'));
    await looks.waitFor();
    await page.evaluate(() => (location.hash = '#/settings?part=keys'));
    await page.getByRole('heading', { name: text.settings.drivers.title }).waitFor();
    expect(await looks.count()).toBe(0);
    expect(faults).toEqual([]);
  });
});

describe('the dialog for a new driver', () => {
  it('asks for a test of the driver first, and adds the tested driver', async () => {
    const { page, faults } = await stage.open();
    const { modules, addDriver } = text.certificates;
    await page.evaluate(() => (location.hash = '#/certificates'));
    await page.getByRole('button', { name: addDriver }).first().click();
    const dialog = page.getByRole('dialog');
    const add = dialog.getByRole('button', { name: modules.add });
    await dialog.getByText(modules.testFirst).waitFor();
    expect(await add.isDisabled()).toBe(true);
    await dialog.getByRole('button', { name: modules.testNamed.replace('{{name}}', 'SoftHSM') }).click();
    await dialog.locator('li[aria-current]', { hasText: 'SoftHSM' }).waitFor();
    await dialog.getByText(modules.testFirst).waitFor({ state: 'detached' });
    await add.click();
    await page.getByText(modules.added).waitFor();
    expect(inputsOf('modules.add')).toEqual([{ path: systemFile('softhsm') }]);
    expect(faults).toEqual([]);
  });
});
