import { describe, expect, it } from 'vitest';
import { texts } from './actions.ts';
import { FakeCore } from './fake-core.ts';
import { finishedTransaction } from './fake-data.ts';
import { sharedStage } from './shared-stage.ts';

const text = texts['pt-BR'];
const stage = sharedStage();

describe('History in a window of 800 by 600', () => {
  it('shows three documents before anybody scrolls', async () => {
    const core = new FakeCore();
    core.transactions = Array.from({ length: 30 }, (_, index) =>
      finishedTransaction(`t${index}`, [`Contrato ${index}.pdf`], index),
    );
    const { page, faults } = await stage.show(core, { viewport: { width: 800, height: 600 } });
    await page.evaluate(() => (location.hash = '#/history'));
    const rows = page.getByRole('table', { name: text.history.list }).getByRole('button');
    await rows.nth(2).waitFor();
    const bottoms = await rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect().bottom));
    expect(bottoms.filter((bottom) => bottom < 600).length).toBeGreaterThanOrEqual(3);
    expect(faults).toEqual([]);
  });
});

describe('the first steps', () => {
  it('that were left by the navigation are not opened again by the next link', async () => {
    const core = new FakeCore();
    core.certificates = [];
    const { page, server } = await stage.show(core);
    await page.getByRole('heading', { level: 1, name: text.firstRun.title }).waitFor();
    const navigation = page.getByRole('navigation', { name: text.app.navigation });
    await navigation.getByRole('link', { name: text.app.history, exact: true }).click();
    await page.getByRole('heading', { level: 1, name: text.history.title }).waitFor();
    await page.goto('about:blank');
    await page.goto(server.link());
    await page.getByRole('heading', { level: 1, name: text.home.title }).waitFor();
    await page.getByRole('link', { name: text.firstRun.resume }).waitFor();
  });
});
