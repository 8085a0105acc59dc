import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { texts } from './actions.ts';
import { Stage } from './browser.ts';
import { FakeCore } from './fake-core.ts';
import { looks, places } from './places/all-places.ts';
import type { Place } from './places/place.ts';

type Look = (typeof looks)[number];

/** What reaches beyond the window sideways, or cannot be scrolled to in a dialog. */
async function cutOff(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const scrolls = (element: Element, side: 'overflowX' | 'overflowY'): boolean =>
      ['auto', 'scroll'].includes(getComputedStyle(element)[side]);
    const within = (element: Element, side: 'overflowX' | 'overflowY'): boolean => {
      for (let above = element.parentElement; above !== null; above = above.parentElement) {
        if (scrolls(above, side)) return true;
      }
      return false;
    };
    const things = [...document.querySelectorAll('h1, h2, h3, p, li, dd, a, button, label, input, select')];
    const found = things.filter((thing) => {
      const { left, right, bottom, width, height } = thing.getBoundingClientRect();
      if (width < 2 || height < 2 || thing.closest('.visually-hidden, [aria-hidden=true]') !== null) return false;
      if ((left < -1 || right > innerWidth + 1) && !within(thing, 'overflowX')) return true;
      return thing.closest('[role=dialog]') !== null && bottom > innerHeight && !within(thing, 'overflowY');
    });
    return found.map((thing) => `${thing.tagName} ${thing.textContent.slice(0, 40)}`);
  });
}

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(() => stage.close());

/** Another language, as chosen in another window, and another size of this one: what was open stays so. */
async function switchLook(page: Page, look: Look): Promise<void> {
  await page.setViewportSize(look.viewport);
  await page.evaluate((language) => {
    const key = 'sinete.language';
    localStorage.setItem(key, language);
    dispatchEvent(new StorageEvent('storage', { key, newValue: language }));
  }, look.language);
  await page.waitForFunction((language) => document.documentElement.lang === language, look.language);
}

/** Holds the place to what is promised of it in both colours, and at twice the size. */
async function hold(page: Page, place: Place): Promise<void> {
  expect(await page.getByRole('dialog').count()).toBe(place.dialog === undefined ? 0 : 1);
  expect(await stage.axe(page)).toEqual([]);
  expect(await stage.axeInOtherColours(page)).toEqual([]);
  const wider = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  expect(wider).toBe(false);
  // 800 × 600 at 200 %: the window has half of it in CSS pixels (WCAG 2.2, 1.4.4 and 1.4.10).
  await page.setViewportSize({ width: 400, height: 300 });
  // An open menu follows its button to the new size in a later frame.
  await expect.poll(() => cutOff(page), { timeout: 5000 }).toEqual([]);
}

// Every other place is gone to in the second look, so that the ways are walked in both.
const firsts = looks.map((first, parity) => ({
  ...{ first, second: looks[1 - parity] ?? first },
  own: places.filter((_, index) => index % looks.length === parity),
}));

describe.each(firsts)('the GUI, first in $first.language and $first.viewport.width pixels wide', (order) => {
  it.each(order.own)(
    'shows $name without an accessibility finding, a policy violation or a cut-off line',
    async (place) => {
      const core = new FakeCore();
      place.core?.(core);
      const { first, second } = order;
      const shown = await stage.showAgain(core, { locale: first.locale, viewport: first.viewport });
      const { page } = shown;
      try {
        await place.go(page, texts[first.language]);
        await hold(page, place);
        await switchLook(page, second);
        await hold(page, place);
        expect(shown.faults).toEqual([]);
      } finally {
        await shown.close();
      }
    },
  );
});

/** Components that others make their dialogs of. */
const frames = [
  'components/dialogs/form-dialog.tsx',
  'questions/question-dialog.tsx',
  'pages/settings/entry-dialog.tsx',
];

describe('the places that are looked at', () => {
  it('leave no dialog out', async () => {
    const sources = fileURLToPath(new URL('../../renderer/src/', import.meta.url));
    const files = (await readdir(sources, { recursive: true })).filter((name) => name.endsWith('.tsx'));
    const withDialog: string[] = [];
    for (const name of files.filter((file) => !frames.includes(file))) {
      if (/<((Entry|Form|Question)?Dialog|SidePanel)\b/.test(await readFile(sources + name, 'utf8')))
        withDialog.push(name.slice(0, -4));
    }
    const shown = new Set(places.flatMap(({ dialog }) => (dialog === undefined ? [] : [dialog])));
    expect([...shown].sort()).toEqual(withDialog.sort());
  });
});
