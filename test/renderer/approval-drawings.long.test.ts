import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import {
  endlessDrawings,
  hiddenAmounts,
  plainDrawings,
  readAmounts,
  spokenAmounts,
  type HiddenAmount,
} from '../preview-gate/hidden-amounts.ts';
import { texts } from './actions.ts';
import { askForFiles } from './asking.ts';
import type { RealWindow } from './browser.ts';
import { sharedStage } from './shared-stage.ts';

const { approval } = texts['pt-BR'];
const stage = sharedStage();
let shown: RealWindow;
let dialog: Locator;

const named = (list: readonly HiddenAmount[], words: string): HiddenAmount => {
  const found = list.find(({ name }) => name.includes(words));
  if (found === undefined) throw new Error(`No PDF has the name "${words}".`);
  return found;
};

/** A program asks for the signature of PDFs. */
async function open(...drawings: readonly HiddenAmount[]): Promise<void> {
  const files = Object.fromEntries(drawings.map(({ name, content }) => [`${name}.pdf`, content]));
  shown = await stage.open({ prepare: async (core) => askForFiles(core, files) });
  dialog = shown.page.getByRole('dialog', { name: approval.title });
  await dialog.waitFor();
}

const approve = (state: { readonly disabled: boolean }): Promise<void> =>
  dialog.getByRole('button', { name: approval.approve, exact: true, ...state }).waitFor();

describe('the approval of a PDF drawn by two programs', () => {
  it('shows nothing more for equal drawings of a page', async () => {
    await open(named(plainDrawings, 'embedded font'));
    await approve({ disabled: false });
    expect(await dialog.locator('canvas').count()).toBe(1);
    for (const words of [approval.pageDiffers, approval.pageAlone, approval.pagePartial, approval.concerns]) {
      expect(await dialog.getByText(words).count()).toBe(0);
    }
    expect(shown.faults).toEqual([]);
  });

  it('shows different drawings, with marks at the places', async () => {
    await open(named(hiddenAmounts, 'beginning of a form'));
    await dialog.getByText(approval.pageDiffers).waitFor();
    const second = dialog.getByRole('figure', { name: approval.secondDrawing });
    await second.locator('canvas').waitFor();
    expect(await second.locator('canvas ~ div').count()).toBeGreaterThan(0);
    await approve({ disabled: false });
    expect(shown.faults).toEqual([]);
  });

  it('tells of missing parts when a picture cannot be decoded', async () => {
    await open(named(hiddenAmounts, 'cannot be decoded'));
    await dialog.getByText(approval.pagePartial).waitFor();
    await approve({ disabled: false });
  });
});

describe('the words for a screen reader', () => {
  const wordsOf = async (drawings: HiddenAmount): Promise<string> => {
    await open(drawings);
    const words = dialog.locator('p', { hasText: approval.spokenWords });
    await words.waitFor({ state: 'attached' });
    return ((await words.textContent()) ?? '').replace(approval.spokenWords, '').trim();
  };

  it.each(readAmounts.map(({ name }) => name))('are those of the page with %s', async (name) => {
    expect(await wordsOf(named(readAmounts, name))).toBe('Pay 100 EUR');
  });

  it.each(spokenAmounts.map(({ name }) => name))('name no amount that is not drawn, with %s', async (name) => {
    const words = await wordsOf(named(spokenAmounts, name));
    expect(words).toMatch(/Pay .* EUR/);
    expect(words).not.toContain('1');
    expect(['999', approval.unreadableLetters].some((told) => words.includes(told))).toBe(true);
  });
});

describe('the approval of a PDF with an endless drawing', () => {
  it.each(endlessDrawings.map(({ name }) => name))(
    'gives up %s before the answer, and draws the next document',
    async (name) => {
      await open(named(endlessDrawings, name), named(plainDrawings, 'embedded font'));
      await dialog.getByText(approval.waitsForPage).waitFor();
      await approve({ disabled: true });
      await dialog.getByText(approval.pageTooSlow).waitFor();
      await approve({ disabled: false });
      await dialog.getByRole('button', { name: 'an embedded font.pdf' }).click();
      await dialog.locator('canvas').waitFor();
      await approve({ disabled: false });
      expect(await dialog.getByText(approval.pageTooSlow).count()).toBe(0);
    },
  );
});

describe('the concerns of the approval', () => {
  it.each(hiddenAmounts.filter(({ name }) => !/CMap|decoded/.test(name)).map(({ name }) => name))(
    'name %s',
    async (name) => {
      await open(named(hiddenAmounts, name));
      await dialog.getByText(approval.concerns).waitFor();
    },
  );

  it('are a line, with further concerns folded below', async () => {
    await open(named(hiddenAmounts, 'portfolio'));
    const summary = dialog.locator('summary');
    expect(await summary.textContent()).toContain(approval.concern.portfolio);
    const other = dialog.getByText(approval.concern.attachment);
    expect(await other.isVisible()).toBe(false);
    await summary.click();
    await other.waitFor();
  });
});
