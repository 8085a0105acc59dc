import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { texts } from './actions.ts';
import { Stage } from './browser.ts';
import { FakeCore } from './fake-core.ts';
import { looks, places } from './places/all-places.ts';

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

describe.each(looks)('the GUI in $language, $viewport.width pixels wide', (look) => {
  it.each(places)(
    'shows $name without an accessibility finding, a policy violation or a cut-off line',
    async (place) => {
      const core = new FakeCore();
      place.core?.(core);
      const { locale, viewport } = look;
      const shown = await stage.showAgain(core, { locale, viewport });
      try {
        await place.go(shown.page, texts[look.language]);
        expect(await shown.page.getByRole('dialog').count()).toBe(place.dialog === undefined ? 0 : 1);
        expect(await stage.axe(shown.page)).toEqual([]);
        expect(await stage.axeInTheDark(shown.page)).toEqual([]);
        const wider = await shown.page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
        expect(wider).toBe(false);
        // 800 × 600 at 200 %: the window has half of it in CSS pixels (WCAG 2.2, 1.4.4 and 1.4.10).
        await shown.page.setViewportSize({ width: 400, height: 300 });
        expect(await cutOff(shown.page)).toEqual([]);
        expect(shown.faults).toEqual([]);
      } finally {
        await shown.close();
      }
    },
  );
});

describe('the places that are looked at', () => {
  it('leave no dialog out', async () => {
    const sources = fileURLToPath(new URL('../../renderer/src/', import.meta.url));
    const files = (await readdir(sources, { recursive: true })).filter((name) => name.endsWith('.tsx'));
    const withDialog: string[] = [];
    for (const name of files) {
      if (/<(Dialog|SidePanel)\b/.test(await readFile(sources + name, 'utf8'))) withDialog.push(name.slice(0, -4));
    }
    const shown = new Set(places.flatMap(({ dialog }) => (dialog === undefined ? [] : [dialog])));
    expect([...shown].sort()).toEqual(withDialog.sort());
  });
});
