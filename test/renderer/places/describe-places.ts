/** The tests of places of the GUI: accessibility, content policy and size of the window. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { texts } from '../actions.ts';
import { Stage } from '../browser.ts';
import { looks, places } from './all-places.ts';
import type { Place } from './place.ts';

type Look = (typeof looks)[number];

/** The first look of a place: the second look for every other place, so that both looks are tested on the ways. */
const firstLook = (place: Place): Look => looks[places.indexOf(place) % looks.length] ?? looks[0];
const otherLook = (look: Look): Look => looks.find((one) => one !== look) ?? look;

/** Elements wider than the window, or out of reach of scrolling in a dialog. */
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

/** Changes the language, as another window does, and the size of the window. Open parts stay open. */
async function switchLook(page: Page, look: Look): Promise<void> {
  await page.setViewportSize(look.viewport);
  await page.evaluate((language) => {
    const key = 'sinete.language';
    localStorage.setItem(key, language);
    dispatchEvent(new StorageEvent('storage', { key, newValue: language }));
  }, look.language);
  await page.waitForFunction((language) => document.documentElement.lang === language, look.language);
}

/** Tests the place's promises in both colours, and at twice the size. */
async function hold(stage: Stage, page: Page, place: Place): Promise<void> {
  const dialogs = place.dialog === undefined ? 0 : 1 + (place.panels ?? 0);
  expect(await page.getByRole('dialog').count()).toBe(dialogs);
  expect(await stage.axe(page)).toEqual([]);
  expect(await stage.axeInOtherColours(page)).toEqual([]);
  // CPF and CNPJ are shown masked; only an input has a whole number.
  expect(await page.locator('body').innerText()).not.toMatch(/529\.?982\.?247-?25|12\.?ABC\.?345\/?01DE-?35/);
  const wider = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  expect(wider).toBe(false);
  // 800 × 600 at 200 %: half as many CSS pixels (WCAG 2.2, 1.4.4 and 1.4.10).
  await page.setViewportSize({ width: 400, height: 300 });
  // An open menu follows its button to the new size in a later frame.
  await expect.poll(() => cutOff(page), { timeout: 5000 }).toEqual([]);
}

/**
 * Describes the tests of some places. A page is tested in both looks, in the same window. A dialog is tested in the
 * first look, or with `inOtherLook` in the other look, without the pages.
 */
export function describePlaces(some: readonly Place[], { inOtherLook = false } = {}): void {
  let stage: Stage;
  beforeAll(async () => {
    stage = await Stage.open();
  });
  afterAll(() => stage.close());

  const rows = some
    .filter(({ dialog }) => !inOtherLook || dialog !== undefined)
    .map((place) => {
      const look = inOtherLook ? otherLook(firstLook(place)) : firstLook(place);
      return { name: place.name, place, look, language: look.language };
    });

  describe('the GUI', () => {
    it.each(rows)(
      'shows $name without an accessibility finding, a policy violation or a cut-off line, first in $language',
      async ({ place, look }) => {
        const shown = await stage.open(await place.plan?.(), { locale: look.locale, viewport: look.viewport });
        const { page, core } = shown;
        try {
          await place.go(page, texts[look.language], core);
          await hold(stage, page, place);
          if (place.dialog === undefined) {
            await switchLook(page, otherLook(look));
            await hold(stage, page, place);
          }
          expect(shown.faults).toEqual([]);
        } finally {
          await shown.close();
        }
      },
    );
  });
}
