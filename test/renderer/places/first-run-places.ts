import type { Page } from 'playwright-core';
import type { RealPlan } from '../real-core.ts';
import { withOddToken } from '../worlds.ts';
import { goTo, prepared, type Place, type Texts } from './place.ts';

/** As right after the installation: no certificate, no driver. */
const fresh: RealPlan = { keys: 'none' };

async function toToken(page: Page, text: Texts): Promise<void> {
  await goTo(page, '#/first-run');
  const otherKey = page.getByRole('button', { name: text.firstRun.otherKey });
  const way = page.getByRole('button', { name: new RegExp(`^${text.home.tokenTitle}`) });
  await otherKey.or(way).waitFor();
  if (await otherKey.isVisible()) await otherKey.click();
  await way.click();
}

/** Signs the sample of the first steps up to its last step. */
export async function signSample(page: Page, text: Texts): Promise<void> {
  await goTo(page, '#/first-run');
  await page.getByRole('button', { name: text.firstRun.try.submit }).click();
  await page.getByRole('dialog').getByText(text.firstRun.sample.fileName).waitFor();
  await page.getByRole('button', { name: text.approval.approve }).click({ delay: 700 });
  await page.getByRole('heading', { name: text.firstRun.done.title }).waitFor();
}

/** The first steps. */
export const firstRunPlaces: readonly Place[] = [
  {
    name: 'the first steps before there is a certificate',
    plan: async () => Promise.resolve(fresh),
    go: (page, text) => page.getByRole('heading', { name: text.home.firstTitle }).waitFor(),
  },
  {
    name: 'the first steps with a token that no driver sees',
    plan: prepared((core) => {
      core.standIn({
        state: 'a computer without a driver for tokens',
        because: 'the packages of the tests bring drivers along, which the core finds',
        answers: { 'modules.suggest': () => [] },
      });
      return Promise.resolve();
    }, fresh),
    go: async (page, text) => {
      await toToken(page, text);
      await page.getByRole('button', { name: text.firstRun.token.search }).click();
      await page.getByText(text.firstRun.token.none).waitFor();
    },
  },
  {
    name: 'the first steps with a token that waits for its PIN',
    plan: async () => withOddToken(),
    go: async (page, text) => {
      await toToken(page, text);
      await page.getByRole('button', { name: text.firstRun.token.enterPin }).waitFor();
    },
  },
  {
    name: 'the sample that is about to be signed',
    go: async (page, text) => {
      await goTo(page, '#/first-run');
      await page.getByRole('heading', { name: text.firstRun.try.title }).waitFor();
    },
  },
  {
    name: 'the sample signed and checked',
    go: async (page, text) => {
      await signSample(page, text);
      await page.getByText(text.firstRun.done.signedBy.replace('{{name}}', '')).waitFor();
    },
  },
];
