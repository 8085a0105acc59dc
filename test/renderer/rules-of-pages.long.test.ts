import { describe, expect, it } from 'vitest';
import { chooseFiles, texts } from './actions.ts';
import { FakeCore } from './fake-core.ts';
import { finishedTransaction } from './fake-data.ts';
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
    await row.getByText('contrato-assinado.pdf').waitFor();
    await row.getByText(/^\d+(,\d)?\skB$/).waitFor();
    expect(faults).toEqual([]);
  });
});

describe('the parts of Settings', () => {
  it('begin with looks and language, which no other part has', async () => {
    const { page, faults } = await stage.show();
    const looks = page.getByRole('heading', { name: text.settings.appearance.title });
    await page.evaluate(() => (location.hash = '#/settings'));
    await looks.waitFor();
    await page.evaluate(() => (location.hash = '#/settings?part=keys'));
    await page.getByRole('heading', { name: text.settings.drivers.title }).waitFor();
    expect(await looks.count()).toBe(0);
    expect(faults).toEqual([]);
  });
});

describe('the dialog adding a driver', () => {
  it('says a driver is tested first, and adds the one that was tested', async () => {
    const { page, faults } = await stage.show();
    const { modules, addDriver } = text.certificates;
    await page.evaluate(() => (location.hash = '#/certificates'));
    await page.getByRole('button', { name: addDriver }).first().click();
    const dialog = page.getByRole('dialog');
    const add = dialog.getByRole('button', { name: modules.add });
    await dialog.getByText(modules.testFirst).waitFor();
    expect(await add.isDisabled()).toBe(true);
    await dialog.getByRole('button', { name: modules.testNamed.replace('{{name}}', 'OpenSC') }).click();
    await dialog.locator('li[aria-current]', { hasText: 'OpenSC' }).waitFor();
    await dialog.getByText(modules.testFirst).waitFor({ state: 'detached' });
    await add.click();
    await page.getByText(modules.added).waitFor();
    expect(inputsOf('modules.add')).toEqual([{ path: '/usr/lib/x86_64-linux-gnu/opensc-pkcs11.so' }]);
    expect(faults).toEqual([]);
  });
});

describe('History', () => {
  it('says a search found more documents than are counted', async () => {
    const core = new FakeCore();
    core.transactions = Array.from({ length: 8 }, (_, index) => finishedTransaction(`t${index}`, ['a.pdf'], index));
    core.operation.mostCounted = 5;
    const { page, faults } = await stage.show(core);
    await page.evaluate(() => (location.hash = '#/history'));
    await page.getByText(text.history.foundMore.replace('{{number}}', '5')).waitFor();
    await page.getByText(/^Os \d documentos mais recentes$/).waitFor();
    expect(await page.getByRole('table').getAttribute('aria-rowcount')).toBe('6');
    expect(faults).toEqual([]);
  });
});
