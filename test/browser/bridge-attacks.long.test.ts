import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { refreshClient } from '../setup/built-client.ts';
import { letTimePass, until } from '../setup/waits.ts';
import { AttackStage } from './attack-stage.ts';

/** Pages in a real browser attack the bridge window of another site, and the window of their own. */

let stage: AttackStage;
let portal: string;
let evil: string;

beforeAll(async () => {
  await refreshClient();
  stage = await AttackStage.open({ clientFolder: join(import.meta.dirname, '../../src/client/dist') });
  [portal, evil] = [stage.site('portal'), stage.site('evil')];
  await stage.consent.allow({ origin: portal, scopes: ['user:read', 'sign'], days: null });
});
afterAll(async () => stage.close());
beforeEach(async () => {
  stage.clear();
  await Promise.all(stage.context.pages().map(async (page) => page.close()));
});

/** Opens a page of an origin. */
async function openPage(origin: string): Promise<Page> {
  const page = await stage.context.newPage();
  await page.goto(`${origin}/page`);
  return page;
}

/** Opens the bridge window of a page, and collects its messages in `globalThis.told`. */
async function openBridge(page: Page, address = `${stage.target.url}/bridge`): Promise<Page> {
  const opening = stage.context.waitForEvent('page');
  await page.evaluate((url) => {
    const world = globalThis as unknown as { told: unknown[]; bridge: Window | null };
    world.told = [];
    addEventListener('message', ({ data }: MessageEvent<unknown>) => world.told.push(data));
    world.bridge = window.open(url);
  }, address);
  const opened = await opening;
  await until(async () => (await told(page)).some((one) => 'hello' in one), 'the window greets');
  return opened;
}

const told = async (page: Page): Promise<readonly Record<string, unknown>[]> =>
  page.evaluate(() => (globalThis as unknown as { told: Record<string, unknown>[] }).told);

const readUser = { sinete: 1, id: 1, method: 'GET', path: '/selected-user', headers: {} };

/** Sends a message to the bridge window of the page. */
async function post(page: Page, message: object): Promise<void> {
  await page.evaluate((sent) => {
    (globalThis as unknown as { bridge: Window }).bridge.postMessage(sent, '*');
  }, message);
}

/** Gives an attack the time to show an effect. */
const wait = async (): Promise<void> => letTimePass(500);

const statusOf = async (page: Page, id: number): Promise<unknown> => {
  const find = async (): Promise<Record<string, unknown> | undefined> =>
    (await told(page)).find((one) => one['id'] === id && ('answer' in one || 'failure' in one));
  await until(async () => (await find()) !== undefined, `an answer to request ${id}`);
  const { answer, failure } = (await find()) ?? {};
  return (answer as { readonly status: number } | undefined)?.status ?? failure;
};

/** Operations that pages reached, besides the window itself and the browser's own look for a picture. */
const apiRequests = (): readonly string[] =>
  stage.target.requests.map(({ route }) => route).filter((route) => route !== 'none' && !/Bridge/.test(route));

describe('the bridge window of a site', () => {
  it('serves the page behind the window', async () => {
    const page = await openPage(portal);
    const bridge = await openBridge(page);
    await post(page, readUser);
    expect(await statusOf(page, 1)).toBe(200);
    expect(await bridge.locator('#site').textContent()).toBe(portal);
  });

  it('gives another page the rights of its own: a forged origin in the message means nothing', async () => {
    const page = await openPage(evil);
    await openBridge(page);
    const forged = { 'X-Sinete-Bridge-Origin': portal, 'X-Sinete-Bridge': 'x', Origin: portal };
    await post(page, { ...readUser, origin: portal, headers: forged });
    expect(await statusOf(page, 1)).toBe(403);
    expect(stage.happened()).toEqual([]);
  });

  it('takes no message of a second page with a handle to the window', async () => {
    const page = await openPage(portal);
    const bridge = await openBridge(page);
    await post(page, readUser);
    expect(await statusOf(page, 1)).toBe(200);
    stage.clear();
    // A frame of another site inside of the page reaches the window as a child of its top window's page.
    await page.evaluate(async (source) => {
      const frame = document.createElement('iframe');
      frame.src = source;
      document.body.append(frame);
      await new Promise((resolve) => frame.addEventListener('load', resolve));
    }, `${evil}/page`);
    const frame = page.frames().find((one) => one.url().startsWith(evil));
    await page
      .evaluate(() => {
        (globalThis as unknown as { bridge: Window }).bridge.name = 'shared';
      })
      .catch(() => undefined);
    await frame
      ?.evaluate(
        (sent) => {
          const named = window.open('', 'shared');
          for (const one of [named, window.top]) one?.postMessage(sent, '*');
        },
        { ...readUser, id: 7 },
      )
      .catch(() => undefined);
    await wait();
    expect(apiRequests()).toEqual([]);
    expect(await bridge.locator('#site').textContent()).toBe(portal);
  });

  it('serves nobody after its opener became another site', async () => {
    const page = await openPage(portal);
    await openBridge(page);
    await post(page, readUser);
    expect(await statusOf(page, 1)).toBe(200);
    stage.clear();
    await page.evaluate((source) => {
      const frame = document.createElement('iframe');
      frame.src = source;
      document.body.append(frame);
    }, `${evil}/page`);
    await page.goto(`${evil}/page`);
    await wait();
    expect(apiRequests()).toEqual([]);
  });

  it('is shown in no frame, and gets no key there', async () => {
    const page = await openPage(evil);
    await page.evaluate((source) => {
      const frame = document.createElement('iframe');
      frame.src = source;
      document.body.append(frame);
    }, `${stage.target.url}/bridge`);
    const framed = () => stage.target.requests.filter(({ route }) => route === 'showBridge');
    await until(() => framed().length > 0, 'the frame asked');
    expect(framed().map(({ status }) => status)).toEqual([403]);
  });

  it('serves a page on another port as the site of that port', async () => {
    const page = await openPage(stage.plain.origin);
    await openBridge(page);
    await post(page, readUser);
    expect(await statusOf(page, 1)).toBe(403);
    expect(stage.happened()).toEqual([]);
  });

  it('has a key without use for another page', async () => {
    const page = await openPage(portal);
    const bridge = await openBridge(page);
    const key = await bridge.locator('meta[name=bridge-key]').getAttribute('content');
    const other = await openPage(evil);
    const status = await other.evaluate(
      async ([url, value, origin]) =>
        fetch(`${url ?? ''}/selected-user`, {
          headers: { 'X-Sinete-Bridge': value ?? '', 'X-Sinete-Bridge-Origin': origin ?? '' },
        }).then(({ status }) => status, () => 0), // prettier-ignore
      [stage.target.url, key, portal],
    );
    expect(status).toBe(0);
    expect(stage.happened()).toEqual([]);
  });

  it('takes messages after the greeting alone, and none after the end', async () => {
    const page = await openPage(portal);
    const opening = stage.context.waitForEvent('page');
    await page.evaluate(
      ([url, sent]) => {
        const world = globalThis as unknown as { told: unknown[]; bridge: Window | null };
        world.told = [];
        addEventListener('message', ({ data }: MessageEvent<unknown>) => world.told.push(data));
        world.bridge = window.open(url);
        world.bridge?.postMessage(sent, '*');
      },
      [`${stage.target.url}/bridge`, { ...readUser, id: 3 }] as const,
    );
    const bridge = await opening;
    await until(async () => (await told(page)).some((one) => 'hello' in one), 'the window greets');
    await wait();
    expect((await told(page)).filter((one) => one['id'] === 3)).toEqual([]);
    const closed = bridge.waitForEvent('close');
    await post(page, { sinete: 1, end: true });
    await post(page, { ...readUser, id: 4 });
    await closed;
    await wait();
    expect(apiRequests()).toEqual([]);
    expect((await told(page)).some((one) => 'closing' in one)).toBe(true);
  });

  it('forwards no request beyond those of the client', async () => {
    const page = await openPage(portal);
    await openBridge(page);
    const bad: readonly [string, string][] = [
      ['GET', '/ui'],
      ['POST', '/ui/rpc'],
      ['POST', '/user'],
      ['GET', 'http://127.0.0.1:1/selected-user'],
      ['GET', '//evil.example/selected-user'],
      ['GET', '/selected-user/../ui'],
      ['DELETE', '/selected-user'],
      ['GET', '/signature-service/../../ui'],
    ];
    for (const [index, [method, path]] of bad.entries()) {
      await post(page, { ...readUser, id: 100 + index, method, path });
      expect(await statusOf(page, 100 + index)).toBe('refused');
    }
    for (const wrong of [null, 7, 'text', [], { sinete: 2, id: 1 }, { sinete: 1 }, { ...readUser, id: 'x' }]) {
      await page.evaluate((sent) => {
        (globalThis as unknown as { bridge: Window }).bridge.postMessage(sent, '*');
      }, wrong);
    }
    await wait();
    expect(apiRequests()).toEqual([]);
  });

  it('stays at work under ten thousand messages, and forwards at most twenty at a time', async () => {
    const page = await openPage(portal);
    const bridge = await openBridge(page);
    await page.evaluate((sent) => {
      const { bridge: target } = globalThis as unknown as { bridge: Window };
      for (let id = 1000; id < 11_000; id += 1) target.postMessage({ ...sent, id }, '*');
    }, readUser);
    await until(async () => (await told(page)).length >= 10_000, 'each message has an answer');
    const answers = await told(page);
    const refused = answers.filter(({ failure }) => failure === 'refused');
    expect(refused.length).toBeGreaterThan(5000);
    await post(page, { ...readUser, id: 2 });
    expect(await statusOf(page, 2)).toBe(200);
    expect(await bridge.locator('#site').textContent()).toBe(portal);
  });
});
