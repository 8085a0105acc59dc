import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Sinete, type FindOptions, type SineteError } from '../../src/client/index.ts';
import { agents, enterWorld, type Happened, type World } from './browser-world.ts';

const usual = [17171, 27171, 37171, 47171, 57171];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Milliseconds of the test's own clock, moved by its timers alone. */
const clock = (): number => vi.getMockedSystemTime()?.getTime() ?? 0;

/** The outcome of a search in a world: the helper, or the error. */
async function search(
  world: World,
  options: FindOptions = {},
): Promise<{ readonly found: Sinete | SineteError; readonly happened: Happened; readonly took: number }> {
  const happened = enterWorld(world);
  const began = clock();
  const searching = Sinete.find(options).catch((error: unknown) => error as SineteError);
  await vi.runAllTimersAsync();
  return { found: await searching, happened, took: clock() - began };
}

describe('a search of a page whose browser would ask its user', () => {
  it('says the helper is not installed when all ports are dead, without an answer of the user', async () => {
    const { found, happened } = await search({ ports: {} });
    expect(found).toMatchObject({ code: 'NOT_INSTALLED', reason: undefined });
    expect(happened).toEqual({ asked: usual, questions: [], opened: [] });
  });

  it.each([2, 3, 4])('leaves the time of a question for the port at place %i', async (place) => {
    const port = usual[place - 1]!;
    const { found } = await search({ ports: { [port]: 'sinete' }, user: { answer: 'granted', after: 9000 } });
    expect(found).toMatchObject({ address: `http://127.0.0.1:${port}`, way: 'direct' });
  });

  it('reports the dismissed question, and asks no second port', async () => {
    const world = { ports: { 27171: 'sinete', 37171: 'sinete' }, user: { answer: 'prompt', after: 4000 } } as const;
    const { found, happened } = await search(world);
    expect(found).toMatchObject({ code: 'BLOCKED_BY_BROWSER', reason: 'dismissed', offersBridge: true });
    expect(happened.questions).toEqual([27171]);
  });

  it('reports the dismissed question of the first port', async () => {
    const { found, happened } = await search({ ports: { 17171: 'sinete' }, user: { answer: 'prompt', after: 3000 } });
    expect(found).toMatchObject({ code: 'BLOCKED_BY_BROWSER', reason: 'dismissed' });
    expect(happened.questions).toEqual([17171]);
  });

  it('reports a question without an answer as dismissed, after two minutes', async () => {
    const { found, took } = await search({ ports: { 17171: 'sinete' } });
    expect(found).toMatchObject({ code: 'BLOCKED_BY_BROWSER', reason: 'dismissed' });
    expect(Math.round(took / 1000)).toBe(120);
  });

  it('reports the refusal of the user, and asks no other port', async () => {
    const world = { ports: { 17171: 'sinete', 27171: 'sinete' }, user: { answer: 'denied', after: 3000 } } as const;
    const { found, happened } = await search(world);
    expect(found).toMatchObject({ code: 'BLOCKED_BY_BROWSER', reason: 'denied', offersBridge: true });
    expect(happened.asked).toEqual([17171]);
  });

  it('goes on behind a port with another program, which the user let the page reach', async () => {
    const world = { ports: { 17171: 'other', 27171: 'sinete' }, user: { answer: 'granted', after: 3000 } } as const;
    const { found, happened } = await search(world);
    expect(found).toMatchObject({ address: 'http://127.0.0.1:27171' });
    expect(happened.questions).toEqual([17171]);
  });

  it.each([450, 900, 2030])(
    'takes no dead port for a question on a computer that needs %i ms to refuse',
    async (time) => {
      const { found } = await search({ ports: {}, deadAfter: time });
      expect(found).toMatchObject({ code: 'NOT_INSTALLED' });
    },
  );

  it('recognises a dismissed question on a computer that needs 2 s to find a port dead', async () => {
    const user = { answer: 'prompt', after: 6000 } as const;
    const { found } = await search({ ports: { 27171: 'sinete' }, deadAfter: 2030, user });
    expect(found).toMatchObject({ code: 'BLOCKED_BY_BROWSER', reason: 'dismissed' });
  });

  it('asks once when the user clicks twice, and starts a fresh search afterwards', async () => {
    const happened = enterWorld({ ports: { 17171: 'sinete' }, user: { answer: 'granted', after: 3000 } });
    const both = [Sinete.find(), Sinete.find()];
    await vi.runAllTimersAsync();
    expect((await Promise.all(both)).map(({ address }) => address)).toEqual(both.map(() => 'http://127.0.0.1:17171'));
    expect([happened.asked, happened.questions]).toEqual([[17171], [17171]]);
    const later = Sinete.find();
    await vi.runAllTimersAsync();
    await later;
    expect(happened.asked).toEqual([17171, 17171]);
  });

  it('ends when the page cancels, while the question is on the screen', async () => {
    const cancel = new AbortController();
    setTimeout(() => cancel.abort(), 50);
    const { found, took } = await search({ ports: { 17171: 'sinete' } }, { signal: cancel.signal });
    expect([(found as SineteError).code, took]).toEqual(['CANCELLED', 50]);
  });
});

describe('a search of a page with a decided permission', () => {
  it('asks no port when the site is denied', async () => {
    const { found, happened } = await search({ ports: { 17171: 'sinete' }, permission: 'denied' });
    expect(found).toMatchObject({ code: 'BLOCKED_BY_BROWSER', reason: 'denied' });
    expect(happened.asked).toEqual([]);
  });

  it('gives each port two seconds when the site is granted', async () => {
    const { found, took } = await search({ ports: {}, permission: 'granted', deadAfter: 60_000 });
    expect(found).toMatchObject({ code: 'NOT_INSTALLED', offersBridge: false });
    expect(Math.round(took / 1000)).toBe(10);
  });
});

describe('a search of a page in a frame', () => {
  it('names the missing attribute of the outer page, and blames no user', async () => {
    const { found } = await search({ ports: {}, permission: 'denied', frame: 'without' }, { way: 'direct' });
    expect(found).toMatchObject({ code: 'FRAME_NOT_ALLOWED', offersBridge: true });
    expect((found as SineteError).message).toContain('allow="loopback-network"');
  });

  it('names the attribute where the browser does not show the policy of the frame', async () => {
    const world = { ports: {}, permission: 'denied', frame: 'hidden', agent: agents.firefox } as const;
    const { found } = await search(world, { way: 'direct' });
    expect((found as SineteError).code).toBe('FRAME_NOT_ALLOWED');
    expect((found as SineteError).message).toContain('allow="loopback-network"');
  });

  it('reports the refusal of the user for a frame with the attribute', async () => {
    const { found } = await search({ ports: {}, permission: 'denied', frame: 'allowed' });
    expect(found).toMatchObject({ code: 'BLOCKED_BY_BROWSER', reason: 'denied' });
  });

  it('finds the helper from a frame with the attribute', async () => {
    const user = { answer: 'granted', after: 2000 } as const;
    const { found } = await search({ ports: { 17171: 'sinete' }, frame: 'allowed', user });
    expect(found).toMatchObject({ address: 'http://127.0.0.1:17171' });
  });
});

describe('a search where requests cannot work, or the browser tells nothing', () => {
  const http = { ports: {}, isSecure: false } as const;
  const safari = { ports: {}, permission: 'unknown', agent: agents.safari } as const;

  it('calls a page over plain http insecure, and asks no port', async () => {
    const { found, happened } = await search(http, { way: 'direct' });
    expect(found).toMatchObject({ code: 'INSECURE_PAGE', offersBridge: true });
    expect(happened.asked).toEqual([]);
  });

  it.each([
    ['a page over plain http', http],
    ['Safari', safari],
    ['a frame without the permission', { ports: {}, permission: 'denied', frame: 'without' }],
  ] as const)('opens the bridge for %s inside the click', async (_name, world) => {
    const { found, happened } = await search(world);
    expect(happened.opened).toEqual(['http://127.0.0.1:17171/bridge']);
    expect(found).toMatchObject({ code: 'BLOCKED_BY_BROWSER', reason: 'popup' });
  });

  it.each([
    ['a page over plain http', http, 'INSECURE_PAGE'],
    ['Safari', safari, 'UNREACHABLE'],
  ] as const)('opens no window for %s without a click, and offers the bridge', async (_name, world, code) => {
    const { found, happened } = await search({ ...world, isActive: false });
    expect(found).toMatchObject({ code, offersBridge: true });
    expect(happened.opened).toEqual([]);
  });

  it('answers no refusal of the user with a window', async () => {
    const { happened } = await search({ ports: {}, permission: 'denied' });
    expect(happened.opened).toEqual([]);
  });

  it.each([
    ['Safari', { agent: agents.safari, permission: 'unknown' }, /Safari/],
    ['Brave', { isBrave: true }, /Brave/],
    ['a browser without the permission', { agent: agents.firefox, permission: 'unknown' }, /does not say which/],
  ] as const)('names the known facts of %s', async (_name, world, words) => {
    const { found } = await search({ ports: {}, ...world }, { way: 'direct' });
    expect(found).toMatchObject({ code: 'UNREACHABLE', offersBridge: true });
    expect((found as SineteError).message).toMatch(words);
  });
});

describe('the words of an error for the user of the page', () => {
  it.each([
    [{ ports: {} }, 'install-pt', /Instale-o/],
    [{ ports: {}, permission: 'denied' }, 'allow-chrome-pt', /configurações do site/],
    [{ ports: {}, permission: 'denied', agent: agents.edge }, 'allow-edge-pt', /configurações do site/],
    [{ ports: {}, permission: 'denied', frame: 'without', isActive: false }, 'for-the-site-pt', /quem cuida/],
    [{ ports: {}, isSecure: false, isActive: false }, 'http-pt', /https/],
    [{ ports: {}, permission: 'unknown', agent: agents.safari, isActive: false }, 'allow-safari-pt', /Safari/],
    [{ ports: {}, isBrave: true }, 'allow-brave-pt', /Brave/],
  ] as const)('are Portuguese and English, with the section of the help: %j', async (world, section, words) => {
    const { found } = await search(world, { help: '/ajuda.html' });
    const { forUser, help } = found as SineteError;
    expect(help).toBe(`https://portal.example/ajuda.html#${section}`);
    expect(forUser['pt-BR']).toMatch(words);
    expect(forUser.en).not.toBe(forUser['pt-BR']);
  });
});
