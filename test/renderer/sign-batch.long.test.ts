import { describe, expect, it } from 'vitest';
import { dropFiles, texts } from './actions.ts';
import { FakeCore } from './fake-core.ts';
import { sharedStage } from './shared-stage.ts';

const text = texts['pt-BR'];
const stage = sharedStage();

/** Names of a batch in which both kinds of signature are needed. */
const names = Array.from({ length: 500 }, (_, index) => `${index} ${index % 2 === 0 ? 'contrato.pdf' : 'notas.txt'}`);

describe('a drop of 500 files', () => {
  it('is drawn as far as it is in sight, and the page answers while they are sent and signed', async () => {
    const core = new FakeCore();
    core.signingTime = 2;
    const { page, faults } = await stage.show(core);
    const rows = (): Promise<number> => page.locator('main li').count();
    const callsOf = (name: string): number => core.log.filter((entry) => entry.name === name).length;
    await dropFiles(page, 'main', names);
    await page.getByText('500 arquivos', { exact: false }).first().waitFor();
    const drawn = await rows();
    expect(drawn).toBeGreaterThan(4);
    expect(drawn).toBeLessThan(40);
    await page.getByRole('group', { name: '500 arquivos' }).evaluate((list) => (list.scrollTop = list.scrollHeight));
    await page.getByText('499 notas.txt', { exact: true }).waitFor();
    expect(await page.locator('main li').last().getAttribute('aria-posinset')).toBe('500');
    expect(await rows()).toBeLessThan(40);

    await page.locator('form button[type=submit]').click();
    await page.getByText(/^[1-9]\d* de 500 arquivos lidos/).waitFor();
    // Each answer of the page is an input that was taken and drawn while files were under way.
    const menu = page.getByRole('button', { name: text.preferences.title });
    for (let times = 0; times < 2; times += 1) {
      await menu.click();
      await page.getByRole('menuitemradio', { name: text.preferences.dark }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('menuitemradio', { name: text.preferences.dark }).waitFor({ state: 'detached' });
    }
    await page.getByText('500 documentos assinados').waitFor();
    expect(await rows()).toBeLessThan(40);
    // Changes are told 500 times; what they changed is read a few times.
    expect(callsOf('transactions.read')).toBeLessThan(250);
    expect(callsOf('approvals.decide')).toBe(2);
    expect(faults).toEqual([]);
  }, 180_000);
});
