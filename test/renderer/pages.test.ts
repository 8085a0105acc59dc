import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { texts } from './actions.ts';
import { Stage } from './browser.ts';
import { FakeCore } from './fake-core.ts';
import { looks, places } from './places/all-places.ts';

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
      const shown = await stage.show(core, { locale, viewport });
      try {
        await place.go(shown.page, texts[look.language]);
        expect(await shown.page.getByRole('dialog').count()).toBe(place.dialog === undefined ? 0 : 1);
        expect(await stage.axe(shown.page)).toEqual([]);
        await shown.page.emulateMedia({ colorScheme: 'dark' });
        expect(await stage.axe(shown.page)).toEqual([]);
        const wider = await shown.page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
        expect(wider).toBe(false);
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
