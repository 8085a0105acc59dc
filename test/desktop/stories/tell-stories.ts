import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../app/run-sinete.ts';
import { launchChromium } from '../../renderer/browser.ts';
import { createSoftHsm, type SoftHsm } from '../../token/softhsm.ts';
import { buildParts, type BuiltParts } from '../build-parts.ts';
import { hosts, type Bridge } from '../hosts.ts';
import { desktopStories } from './desktop-stories.ts';
import { documentStories } from './document-stories.ts';
import { evidenceStories } from './evidence-stories.ts';
import { keyStories, tokenStories } from './key-stories.ts';
import { operationStories } from './operation-stories.ts';
import { peopleStories } from './people-stories.ts';
import { repairStories } from './repair-stories.ts';
import { text, type Story, type World } from './story.ts';

/** A story for each page at least; one window goes through all in this order. */
const stories = [
  ...keyStories,
  ...documentStories,
  ...evidenceStories,
  ...tokenStories,
  ...peopleStories,
  ...operationStories,
];
const storiesOn = (bridge: Bridge): readonly Story[] =>
  bridge === 'IPC' ? [...stories, ...desktopStories, ...repairStories] : [...stories, ...repairStories];

/**
 * Registers the tests of the window over one bridge, with the real core and a token. The calling file replaces the
 * module `electron`.
 */
export function tellStories(bridge: Bridge): void {
  let browser: Browser;
  let parts: BuiltParts;
  let token: SoftHsm;

  beforeAll(async () => {
    [browser, parts, token] = await Promise.all([
      launchChromium(),
      buildParts(),
      createSoftHsm([{ label: 'sinete', keys: [{ label: 'rsa', keyId: '01', kind: 'rsa-2048' }] }]),
    ]);
  });
  afterAll(async () => {
    await browser.close();
    await parts.remove();
    await token.remove();
  });

  describe(`the window over ${bridge}, with the real core and a token`, () => {
    let world: World;

    beforeAll(async () => {
      const host = await hosts[bridge](browser, parts, {
        SINETE_PKCS11_ENVIRONMENT: JSON.stringify(token.environment),
        SINETE_TEST_SERVICES_PORT: String(await freePort()),
      });
      await host.page.locator('main h1').waitFor();
      world = { host, token };
    });
    afterAll(async () => world.host.close());

    const told = async ({ tell }: Story): Promise<void> => {
      await tell(world);
      expect(world.host.faults).toEqual([]);
    };
    it.each(storiesOn(bridge))('on $page $does', told, 180_000);

    it('has a story for each page of its navigation', async () => {
      const links = await world.host.page
        .getByRole('navigation', { name: text.app.navigation })
        .getByRole('link', { includeHidden: true })
        .evaluateAll((all) => all.map((link) => link.getAttribute('href')));
      expect(links.length).toBeGreaterThan(0);
      expect(links.filter((link) => !stories.some(({ page }) => page === link))).toEqual([]);
    });

    it('answers wrong input, unknown calls and failures as values', async () => {
      const { sinete } = world.host;
      expect(await sinete.callUi('transactions.list', { limit: 0 })).toMatchObject({
        ok: false,
        error: { code: 'INPUT_INVALID' },
      });
      expect(await sinete.callUi('__proto__', {})).toMatchObject({ ok: false, error: { code: 'INPUT_INVALID' } });
      expect(await sinete.callUi('transactions.read', { tcn: 'x' })).toMatchObject({
        ok: false,
        error: { code: 'TRANSACTION_NOT_FOUND' },
      });
    });
  });
}
