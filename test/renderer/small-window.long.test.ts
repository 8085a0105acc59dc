import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { texts } from './actions.ts';
import { keyFileOf, rightPassword, type RealPlan } from './real-core.ts';
import { toRecoveryCodes } from './places/people-places.ts';
import { sharedStage } from './shared-stage.ts';
import { fillHistory } from './worlds.ts';

const text = texts['pt-BR'];
const stage = sharedStage();

describe('History in a window of 800 by 600', () => {
  it('shows three documents without scrolling', async () => {
    const plan: RealPlan = { prepare: async (core) => fillHistory(core, 30) };
    const { page, faults } = await stage.open(plan, { viewport: { width: 800, height: 600 } });
    await page.evaluate(() => (location.hash = '#/history'));
    const rows = page.getByRole('table', { name: text.history.list }).getByRole('button');
    await rows.nth(2).waitFor();
    const bottoms = await rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect().bottom));
    expect(bottoms.filter((bottom) => bottom < 600).length).toBeGreaterThanOrEqual(3);
    expect(faults).toEqual([]);
  });
});

describe('the first steps', () => {
  it('do not come back with the next link after a person left them by the navigation', async () => {
    const { page, core } = await stage.open({ keys: 'none' });
    await page.getByRole('heading', { level: 1, name: text.firstRun.title }).waitFor();
    const navigation = page.getByRole('navigation', { name: text.app.navigation });
    await navigation.getByRole('link', { name: text.app.history, exact: true }).click();
    await page.getByRole('heading', { level: 1, name: text.history.title }).waitFor();
    await page.goto('about:blank');
    await page.goto(core.link());
    await page.getByRole('heading', { level: 1, name: text.home.title }).waitFor();
    await page.getByRole('link', { name: text.firstRun.resume }).waitFor();
  });
});

/** The title and the steps under a notice, as soon as the second step is shown with a notice. */
const coveredByNotice = (page: Page): Promise<readonly string[]> =>
  page
    .waitForFunction(() => {
      const notices = [...document.querySelectorAll('section[aria-live=polite] > [data-kind]')];
      const isSecondStep = document.querySelector('main ol > li[data-state=past]') !== null;
      if (notices.length === 0 || !isSecondStep) return undefined;
      const boxes = notices.map((notice) => notice.getBoundingClientRect());
      const things = [...document.querySelectorAll('main h1, main ol > li[data-state] > span')];
      const covered = things.filter((thing) => {
        // A title is as wide as the page, in contrast to the text of the title.
        const range = document.createRange();
        range.selectNodeContents(thing);
        return [...range.getClientRects()].some((text) =>
          boxes.some((box) => text.left < box.right && text.right > box.left && text.top < box.bottom),
        );
      });
      return { covered: covered.map(({ textContent }) => textContent) };
    })
    .then((handle) => handle.evaluate((found) => found?.covered ?? []));

describe('a notice in the first steps', () => {
  it.each([
    [800, 600],
    [1280, 800],
    [1920, 1080],
  ])('covers neither the title nor a step at %i by %i', async (width, height) => {
    const { page } = await stage.open({ keys: 'none' }, { viewport: { width, height } });
    await page.getByRole('button', { name: new RegExp(`^${text.home.importTitle}`) }).click();
    const file = { name: 'ana.pfx', mimeType: 'application/x-pkcs12', buffer: await keyFileOf('ANA EXEMPLO') };
    await page.locator('[role=dialog] input[type=file]').setInputFiles(file);
    const password = page.getByLabel(text.certificates.importDialog.password, { exact: true });
    await password.fill(rightPassword);
    const covered = coveredByNotice(page);
    await password.press('Enter');
    expect(await covered).toEqual([]);
  });
});

describe('recovery codes in a window of 800 by 600', () => {
  it('have their step, the buttons and the checkbox in sight and uncovered', async () => {
    const { page } = await stage.open({}, { viewport: { width: 800, height: 600 } });
    await toRecoveryCodes(page, text);
    const { enrolment } = text.users;
    const dialog = page.getByRole('dialog');
    const things = [
      dialog.getByText(enrolment.step.replace('{{position}}', '3').replace('{{count}}', '4'), { exact: true }),
      dialog.getByRole('button', { name: text.common.close, exact: true }),
      dialog.getByText(enrolment.copy, { exact: true }),
      dialog.getByRole('button', { name: enrolment.print }),
      dialog.getByLabel(enrolment.saved),
      dialog.getByRole('button', { name: enrolment.next }),
    ];
    const seen = await Promise.all(
      things.map((thing) =>
        thing.evaluate((element) => {
          const { left, top, width, height } = element.getBoundingClientRect();
          const [x, y] = [left + width / 2, top + height / 2];
          // A notice outside the dialog takes no clicks, and is no element at a point.
          const notices = [...document.querySelectorAll('section[aria-live=polite] > [data-kind]')];
          const isCovered = notices.some((notice) => {
            const box = notice.getBoundingClientRect();
            return x > box.left && x < box.right && y > box.top && y < box.bottom;
          });
          return !isCovered && element.contains(document.elementFromPoint(x, y));
        }),
      ),
    );
    expect(seen).toEqual(things.map(() => true));
    // A higher dialog, as with a larger font, begins where notices are.
    expect(await page.locator('section[aria-live=polite] > [data-kind]').count()).toBe(0);
  });
});
