import { describe, expect, it } from 'vitest';
import type { CallInput } from '../../src/ui-contract/ui-contract.ts';
import { buildPdf, onePage } from '../signing/pdf/build-pdf.ts';
import { texts } from './actions.ts';
import type { RealWindow } from './browser.ts';
import { createSoftHsm } from '../token/softhsm.ts';
import { Keyboard } from './keyboard.ts';
import type { RealPlan } from './real-core.ts';
import { sharedStage } from './shared-stage.ts';
import { fillHistory, stopDriver, useOddToken, withOddToken } from './worlds.ts';

const text = texts['pt-BR'];
const stage = sharedStage();
const { inputsOf } = stage;
let shown: RealWindow;

async function open(plan?: RealPlan): Promise<Keyboard> {
  shown = await stage.open(plan, { viewport: { width: 1280, height: 800 } });
  return Keyboard.of(shown.page);
}

/** Leads from the beginning of the window to a page, by the navigation. */
async function goToPage(keyboard: Keyboard, name: string): Promise<void> {
  const { page } = shown;
  const link = page.getByRole('navigation', { name: text.app.navigation }).getByRole('link', { name, exact: true });
  const before = await page.locator('main h1').innerText();
  await keyboard.enter(link);
  // The page before may have the same buttons, and stays until the new page has come.
  await page.locator('main h1').filter({ hasNotText: before }).waitFor();
}

const threePages = buildPdf({
  ...onePage({ 2: '<</Type /Pages /Kids [10 0 R 11 0 R 12 0 R] /Count 3 /MediaBox [0 0 300 400]>>' }),
  ...Object.fromEntries([10, 11, 12].map((number) => [number, '<</Type /Page /Parent 2 0 R>>'])),
});

describe('by the keyboard alone', () => {
  it('a PDF is chosen, the stamp moved to another page, the options changed, and the PDF is signed with a PIN', async () => {
    const token = await createSoftHsm([{ label: 'sinete', keys: [{ label: 'a3', keyId: '01', kind: 'ec-p256' }] }]);
    const keyboard = await open({ token });
    const { page } = shown;
    await goToPage(keyboard, text.app.sign);
    const files = [{ name: 'contrato.pdf', mimeType: 'application/pdf', buffer: threePages }];
    await keyboard.choose(page.getByRole('button', { name: text.sign.chooseFiles }).first(), files);
    await page.getByRole('group', { name: text.stamp.pages }).waitFor();

    const certificate = page.getByLabel(text.sign.certificate, { exact: true });
    await keyboard.to(certificate);
    await keyboard.press('ArrowDown');
    const alias = await certificate.inputValue();
    expect(alias).toMatch(/a3/i);

    await keyboard.enter(page.getByLabel(text.signOptions.stamp), 'Space');
    const stamp = page.getByRole('application', { name: /^Carimbo: / });
    await stamp.locator('canvas').waitFor();
    await keyboard.to(stamp);
    const before = await stamp.getAttribute('aria-label');
    await keyboard.press('ArrowLeft', 'ArrowUp', 'Shift+ArrowDown');
    expect(await stamp.getAttribute('aria-label')).not.toBe(before);
    const thumbnails = page.getByRole('group', { name: text.stamp.thumbnails });
    await keyboard.enter(thumbnails.getByRole('button').nth(1));
    await keyboard.to(page.getByRole('button', { name: text.stamp.putHere }), 'Shift+Tab');
    await keyboard.press('Enter');
    await stamp.waitFor();

    await keyboard.enter(page.getByRole('button', { name: text.sign.more }));
    await keyboard.to(page.getByLabel(`${text.sign.reason} (${text.common.optional})`));
    await keyboard.type('Aprovação');
    await keyboard.enter(page.locator('form button[type=submit]'));

    const pin = page.getByRole('dialog').getByLabel(text.certificates.unlockDialog.pin, { exact: true });
    await keyboard.to(pin);
    await keyboard.type(token.pin);
    await keyboard.press('Enter');
    await page.getByText(text.sign.allSigned_one, { exact: true }).first().waitFor();
    const [asked] = inputsOf('sign.create') as CallInput<'sign.create'>[];
    expect(asked).toMatchObject({ alias, reason: 'Aprovação', visible: { pages: [2] } });
    await token.remove();
    expect(shown.faults).toEqual([]);
  });

  it('History is searched, gone through by arrows, and a document opened and closed again', async () => {
    const keyboard = await open({ prepare: async (core) => fillHistory(core, 4) });
    const { page } = shown;
    await goToPage(keyboard, text.app.history);
    const search = page.getByLabel(text.history.text, { exact: true });
    await keyboard.to(search);
    await keyboard.type('Contrato');
    await expect.poll(() => inputsOf('history.documents').at(-1)).toMatchObject({ text: 'Contrato' });
    const rows = page.getByRole('button', { name: new RegExp(`^${text.history.details.replace('{{name}}', '')}`) });
    await keyboard.to(rows.first());
    await keyboard.press('ArrowDown', 'ArrowDown', 'ArrowUp');
    const opened = await page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
    expect(opened).toBe(await rows.nth(1).getAttribute('aria-label'));
    await keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await keyboard.to(dialog.getByRole('button').last());
    await keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(opened);
    await keyboard.to(page.getByRole('button', { name: text.history.clear }), 'Shift+Tab');
    await keyboard.press('Enter');
    expect(await search.inputValue()).toBe('');
    expect(shown.faults).toEqual([]);
  });

  it('every part of Settings is reached, and a time-stamp server is added', async () => {
    const keyboard = await open();
    const { page } = shown;
    await goToPage(keyboard, text.app.settings);
    const parts = page.getByRole('navigation', { name: text.operation.parts }).getByRole('link');
    await parts.first().waitFor();
    const addresses = await parts.evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
    expect(addresses.length).toBeGreaterThan(3);
    for (const address of addresses) {
      await keyboard.enter(page.locator(`main nav a[href="${address}"]`));
      await page.locator(`main nav a[href="${address}"][aria-current=page]`).waitFor();
    }
    const { timestamps } = text.settings;
    await keyboard.to(page.locator('main nav a[href$="part=keys"]'), 'Shift+Tab');
    await keyboard.press('Enter');
    await keyboard.enter(page.getByRole('button', { name: timestamps.add }));
    const dialog = page.getByRole('dialog');
    await keyboard.to(dialog.getByLabel(timestamps.id));
    await keyboard.type('act');
    await keyboard.to(dialog.getByLabel(timestamps.url));
    await keyboard.type('act.example/tsa');
    await keyboard.enter(dialog.getByRole('button', { name: timestamps.save }));
    await dialog.waitFor({ state: 'detached' });
    expect(inputsOf('tsa.add')).toMatchObject([{ id: 'act', url: 'https://act.example/tsa' }]);
    expect(shown.faults).toEqual([]);
  });

  it('Doctor looks again, starts a quarantined driver, and saves the findings', async () => {
    const keyboard = await open(await withOddToken(stopDriver));
    const { page } = shown;
    await useOddToken();
    await goToPage(keyboard, text.app.doctor);
    const wrong = page.getByRole('list', { name: text.doctor.attention });
    await wrong.waitFor();
    const looks = inputsOf('doctor.read').length;
    await keyboard.enter(page.getByRole('button', { name: text.doctor.again }));
    await expect.poll(() => inputsOf('doctor.read').length).toBeGreaterThan(looks);
    const saved = page.waitForEvent('download');
    await keyboard.enter(page.getByRole('button', { name: text.doctor.export }));
    expect((await saved).suggestedFilename()).toMatch(/^sinete-doctor-/);
    await keyboard.enter(wrong.getByRole('button', { name: new RegExp(`^${text.doctor.repairs['retry-driver']}: `) }));
    await page.getByText(text.doctor.repaired).waitFor();
    expect(inputsOf('modules.retry')).toHaveLength(1);
    expect(shown.faults).toEqual([]);
  });
});
