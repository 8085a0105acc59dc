import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser, type BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openConsent, type Consent } from '../../src/service/consent/index.ts';
import { openStorage, SqlConsentStore, type Storage } from '../../src/storage/index.ts';
import { startTestServer, type TestServer } from '../http/start-test-server.ts';
import { startLoopbackServer, type LoopbackServer } from '../network/loopback-server.ts';
import { runProgram } from '../oracles/run-program.ts';
import { systemTool } from '../setup/system-packages.ts';
import { letTimePass, until } from '../setup/waits.ts';
import { attacks } from './attacks.ts';
import { recordingAssistant } from './recording-assistant.ts';

/**
 * A page of another origin in a real browser tries every way in. The browser's own protection of local addresses is
 * switched off: everything that the guard has to refuse arrives.
 */

let folder: string;
let storage: Storage;
let consent: Consent;
let helper: TestServer;
let secure: LoopbackServer;
let plain: LoopbackServer;
let browser: Browser;
let context: BrowserContext;
let windowIsOpen = false;
const effects: string[] = [];
const page = '<!doctype html><meta charset="utf-8"><body></body>';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sinete-attack-'));
  storage = await openStorage(join(folder, 'data'));
  const store = new SqlConsentStore(storage.database);
  consent = await openConsent({ store, configured: [], canAsk: () => windowIsOpen, now: () => new Date() });
  helper = await startTestServer({ consent, assistant: recordingAssistant(effects) });
  secure = await startLoopbackServer(
    (_request, response) => {
      response.setHeader('Content-Type', 'text/html');
      response.end(page);
    },
    await certificate(),
  );
  plain = await startLoopbackServer((_request, response) => {
    response.setHeader('Content-Type', 'text/html');
    response.end(page);
  });
  await openBrowser();
});
afterAll(async () => {
  await browser.close();
  await Promise.all([helper.stop(), secure.close(), plain.close()]);
  await consent.close();
  await storage.close();
  await rm(folder, { recursive: true });
});
beforeEach(() => {
  effects.length = 0;
  helper.requests.length = 0;
  helper.transactions.created.length = 0;
  windowIsOpen = false;
});

async function openBrowser(): Promise<void> {
  browser = await chromium.launch({
    executablePath: systemTool('chromium-headless-shell'),
    args: [
      '--disable-gpu',
      '--host-resolver-rules=MAP *.example 127.0.0.1',
      '--disable-features=LocalNetworkAccessChecks',
      '--disable-popup-blocking',
    ],
  });
  context = await browser.newContext({ ignoreHTTPSErrors: true });
  // What a rebound name showed before it led here.
  await context.route(`http://rebound.example:${helper.port}/page`, async (route) =>
    route.fulfill({ contentType: 'text/html', body: page }),
  );
}

/** A certificate for every name below `.example`, which the browser is told to accept. */
async function certificate(): Promise<{ readonly cert: string; readonly key: string }> {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const subject = ['-subj', '/CN=portal.example', '-addext', 'subjectAltName=DNS:*.example'];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const made = await runProgram('openssl', ['req', '-x509', ...kind, ...subject, '-keyout', key, '-out', cert]);
  expect(made.errors).not.toContain('rror:');
  return { key: await readFile(key, 'utf8'), cert: await readFile(cert, 'utf8') };
}

const portal = (): string => `https://portal.example:${secure.port}`;

/** Milliseconds after which the browser is stuck: a popup has been seen to keep it from ever answering again. */
const PATIENCE = 20_000;

/** Opens a page of an origin, lets it try, and waits until what it sent has been answered; anew where that got stuck. */
async function tryFrom(origin: string, run: (target: string) => unknown, target = helper.url): Promise<void> {
  for (let attempt = 1; attempt <= 2; attempt += 1) {
    const isDone = tryOnce(context, origin, run, target).then(() => true);
    if (await Promise.race([isDone, letTimePass(PATIENCE).then(() => false)])) return;
    isDone.catch(() => undefined);
    browser.close().catch(() => undefined);
    await openBrowser();
  }
  throw new Error(`The browser got stuck twice on a page of ${origin}.`);
}

async function tryOnce(
  where: BrowserContext,
  origin: string,
  run: (target: string) => unknown,
  target: string,
): Promise<void> {
  const tab = await where.newPage();
  await tab.goto(`${origin}/page`);
  const tried = tab.evaluate(`Promise.race([
    Promise.resolve().then(() => (${run.toString()})(${JSON.stringify(target)})).then(() => null, () => null),
    new Promise((resolve) => setTimeout(resolve, 1500)),
  ])`);
  // A page that goes elsewhere does not answer any more.
  await tried.catch(() => undefined);
  for (let left = 100; left > 0 && helper.requests.length === 0; left -= 1) await letTimePass(20);
  await letTimePass(100);
  await Promise.all(where.pages().map(async (one) => one.close()));
}

const happened = (): readonly string[] => [
  ...new Set([...effects, ...helper.transactions.created.map(() => 'transaction created')]),
];

describe('a page of an https site without a grant', () => {
  it.each(attacks)('has no effect by $way', async ({ run }) => {
    await tryFrom(portal(), run);
    expect(happened()).toEqual([]);
    expect(helper.requests.length).toBeGreaterThan(0);
    expect(helper.requests.filter(({ status }) => status < 400 && status !== 204)).toEqual([]);
  });

  const askedAbout = attacks.filter(({ effect }) => effect !== undefined);

  it.each(askedAbout)('has none by $way when the user refuses', async ({ run }) => {
    windowIsOpen = true;
    const stop = consent.onChange(() => {
      for (const { id } of consent.questions()) void consent.answer(id, { allow: false });
    });
    await tryFrom(portal(), run);
    stop();
    expect(happened()).toEqual([]);
    expect(await consent.grants()).toEqual([]);
  });
});

describe('a page of plain http', () => {
  it.each(attacks)('has no effect by $way', async ({ run }) => {
    await tryFrom(`http://evil.example:${plain.port}`, run);
    expect(happened()).toEqual([]);
    expect(helper.requests.length).toBeGreaterThan(0);
    expect(helper.requests.filter(({ status }) => status < 400)).toEqual([]);
  });
});

describe('a page whose name was rebound to this computer', () => {
  it.each(attacks)('has no effect by $way', async ({ run }) => {
    const rebound = `http://rebound.example:${helper.port}`;
    await tryFrom(rebound, run, rebound);
    expect(happened()).toEqual([]);
    expect(helper.requests.length).toBeGreaterThan(0);
    expect(helper.requests.map(({ status }) => status).filter((status) => status !== 421)).toEqual([]);
  });
});

describe('a page of a site with a grant of the usual scopes', () => {
  it.each(attacks)('does by $way what CORS lets it answer for, and nothing else', async ({ run, effect }) => {
    await consent.allow({
      origin: portal(),
      scopes: ['user:read', 'user:write', 'certificates:read', 'sign'],
      days: null,
    });
    await tryFrom(portal(), run);
    await consent.revoke(portal());
    const seen = happened().filter((one) => one !== 'selected user read' || effect === one);
    expect(seen).toEqual(effect === undefined ? [] : [effect]);
  });
});

describe('a page that is asked about', () => {
  it('goes on with all that it has sent as soon as the user lets it in, after one question', async () => {
    windowIsOpen = true;
    const questions: string[] = [];
    const stop = consent.onChange(() => {
      for (const { id } of consent.questions()) {
        if (questions.includes(id)) continue;
        questions.push(id);
        setTimeout(() => void consent.answer(id, { allow: true, scopes: ['user:read', 'user:write'], days: 1 }), 500);
      }
    });
    const origin = `https://asked.example:${secure.port}`;
    const tab = await context.newPage();
    await tab.goto(origin);
    const answers = await tab.evaluate(async (target) => {
      const form = new URLSearchParams({ username: '1', password: '2' });
      const send = async (path: string, init: RequestInit): Promise<string> => {
        const response = await fetch(`${target}${path}`, init);
        const body = (await response.json()) as { detail: { status: string } };
        return `${response.status} ${body.detail.status}`;
      };
      return Promise.all([
        send('/user', { method: 'POST', body: form }),
        send('/selected-user', { method: 'PUT', body: form }),
        send('/user', {}),
        send('/selected-user/certificates', {}),
      ]);
    }, helper.url);
    stop();
    await tab.close();
    await consent.revoke(origin);
    expect(questions).toHaveLength(1);
    expect(answers).toEqual(['201 CACHE_CREATED', '200 SELECTED_USER_CHANGED', '200 USER_LISTED', '403 NOT_ALLOWED']);
  });

  it('is no longer asked about when it is closed', async () => {
    windowIsOpen = true;
    const tab = await context.newPage();
    await tab.goto(`https://closed.example:${secure.port}`);
    await tab.evaluate((target) => {
      void fetch(`${target}/user`).catch(() => undefined);
    }, helper.url);
    await until(() => consent.questions().length > 0, 'a question to the user');
    expect(consent.questions()).toHaveLength(1);
    await tab.close();
    await until(() => consent.questions().length === 0, 'no question to the user');
    expect(happened()).toEqual([]);
  });
});
