import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  openConsent,
  type Consent,
  type ConsentDependencies,
  type GrantScope,
} from '../../../src/service/consent/index.ts';
import { SqlConsentStore, type Storage } from '../../../src/storage/index.ts';
import { openTestStorage } from '../../storage/engine.ts';

const portal = 'https://portal.example';
const hour = 3_600_000;
let folder: string;
let storage: Storage;
let store: SqlConsentStore;
let passed: number;
let windowIsOpen: boolean;
let consent: Consent;

const open = async (changes: Partial<ConsentDependencies> = {}): Promise<Consent> =>
  openConsent({
    store,
    configured: [],
    canAsk: () => windowIsOpen,
    now: () => new Date(Date.now() + passed),
    ...changes,
  });

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sinete-consent-'));
  storage = await openTestStorage(folder);
  store = new SqlConsentStore(storage.database);
  passed = 0;
  windowIsOpen = true;
  consent = await open();
});
afterEach(async () => {
  await consent.close();
  await storage.close();
  rmSync(folder, { recursive: true });
});

const ask = async (origin = portal, scope: GrantScope = 'user:read', signal = new AbortController().signal) =>
  consent.request(origin, scope, signal);
const questionId = (): string => consent.questions()[0]?.id ?? 'none';

describe('an undecided site', () => {
  it('is not offered the change of users unless the site asks for this change', () => {
    void ask(portal, 'sign');
    expect(consent.questions()).toMatchObject([
      { scopes: ['user:read', 'certificates:read', 'sign'], wanted: ['sign'] },
    ]);
  });

  it('is asked about once, however many of its requests wait, and all go on', async () => {
    const waiting = [ask(), ask(portal, 'sign'), ask(portal, 'user:write')];
    expect(consent.questions()).toMatchObject([
      {
        origin: portal,
        scopes: ['user:read', 'certificates:read', 'sign', 'user:write'],
        wanted: ['user:read', 'sign', 'user:write'],
      },
    ]);
    await consent.answer(questionId(), { allow: true, scopes: ['user:read', 'user:write', 'sign'], days: 30 });
    expect(await Promise.all(waiting)).toEqual(['granted', 'granted', 'granted']);
    expect(consent.questions()).toEqual([]);
    const [grant] = await consent.grants();
    expect(grant).toMatchObject({ origin: portal, scopes: ['user:read', 'user:write', 'sign'], source: 'user' });
    expect(Number(grant?.expiresAt) - Date.now()).toBeGreaterThan(29 * 24 * hour);
  });

  it("gets the user's choice and no more", async () => {
    const waiting = [ask(), ask(portal, 'sign')];
    await consent.answer(questionId(), { allow: true, scopes: ['user:read'], days: null });
    expect(await Promise.all(waiting)).toEqual(['granted', 'refused']);
    expect(await ask(portal, 'sign')).toBe('refused');
  });

  it('may do so this once: until five minutes without a call, an hour at the most, and unwritten', async () => {
    const waiting = [ask(), ask(portal, 'sign')];
    await consent.answer(questionId(), { allow: true, scopes: ['user:read', 'sign'], days: 'once' });
    expect(await Promise.all(waiting)).toEqual(['granted', 'granted']);
    expect(await consent.grants()).toMatchObject([{ origin: portal, source: 'user' }]);
    expect(await store.grants()).toEqual([]);
    for (let minutes = 0; minutes < 56; minutes += 4) {
      passed += 4 * 60_000;
      expect(await consent.grantOf(portal, true)).toBeDefined();
    }
    passed += 5 * 60_000;
    expect(consent.scopesOf(portal)).toBeUndefined();
    const again = ask();
    expect(consent.questions()).toHaveLength(1);
    await consent.answer(questionId(), { allow: true, scopes: ['sign'], days: 'once' });
    expect(await again).toBe('refused');
    passed += 5 * 60_000;
    expect(consent.scopesOf(portal)).toBeUndefined();
  });

  it('keeps its longer grants when allowed more this once', async () => {
    await consent.allow({ origin: portal, scopes: ['user:read'], days: null });
    const waiting = ask(portal, 'sign');
    await consent.answer(questionId(), { allow: true, scopes: ['sign'], days: 'once' });
    expect(await waiting).toBe('granted');
    expect(consent.scopesOf(portal)).toEqual(['user:read', 'sign']);
    expect((await consent.grantOf(portal, true))?.expiresAt).toBeNull();
    passed += 6 * 60_000;
    expect(consent.scopesOf(portal)).toEqual(['user:read']);
    const onceMore = ask(portal, 'sign');
    await consent.answer(questionId(), { allow: true, scopes: ['sign'], days: 'once' });
    expect(await onceMore).toBe('granted');
    await consent.revoke(portal);
    expect(consent.scopesOf(portal)).toBeUndefined();
  });

  it('is not asked about again for ten minutes after a refusal', async () => {
    const waiting = ask();
    await consent.answer(questionId(), { allow: false });
    expect(await waiting).toBe('refused');
    expect(await ask(portal, 'sign')).toBe('refused');
    expect(consent.questions()).toEqual([]);
    passed += 11 * 60_000;
    const later = ask();
    expect(consent.questions()).toHaveLength(1);
    await consent.answer(questionId(), { allow: false });
    expect(await later).toBe('refused');
  });

  it('is forgotten after 120 seconds', async () => {
    vi.useFakeTimers();
    const waiting = ask();
    await vi.advanceTimersByTimeAsync(119_000);
    expect(consent.questions()).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1_000);
    vi.useRealTimers();
    expect(await waiting).toBe('forgotten');
    expect(consent.questions()).toEqual([]);
  });

  it('is asked about at most three times in ten minutes', async () => {
    for (let times = 0; times < 3; times += 1) {
      const caller = new AbortController();
      const waiting = ask(portal, 'sign', caller.signal);
      caller.abort();
      expect(await waiting).toBe('refused');
    }
    expect(await ask()).toBe('refused');
    expect(consent.questions()).toEqual([]);
  });

  it('is no longer asked about when nobody waits', async () => {
    const [one, other] = [new AbortController(), new AbortController()];
    const waiting = [ask(portal, 'sign', one.signal), ask(portal, 'sign', other.signal)];
    one.abort();
    expect(consent.questions()).toHaveLength(1);
    other.abort();
    expect(consent.questions()).toEqual([]);
    expect(await Promise.all(waiting)).toEqual(['refused', 'refused']);
    expect(await consent.grants()).toEqual([]);
  });

  it('is not asked about where no window is open', async () => {
    windowIsOpen = false;
    expect(await ask()).toBe('nobody-to-ask');
  });

  it("is never asked about for the computer's secret", async () => {
    expect(await ask(portal, 'application:read')).toBe('refused');
    expect(consent.questions()).toEqual([]);
  });

  it('holds only so many requests, for one site and overall', async () => {
    const callers = new AbortController();
    for (let count = 0; count < 20; count += 1) void ask(portal, 'sign', callers.signal);
    expect(await ask()).toBe('too-many');
    for (let site = 0; site < 9; site += 1) void ask(`https://s${site}.example`, 'sign', callers.signal);
    expect(await ask('https://one-more.example')).toBe('too-many');
    callers.abort();
    expect(consent.questions()).toEqual([]);
    const again = ask('https://one-more.example');
    await consent.answer(questionId(), { allow: true, scopes: ['user:read'], days: 1 });
    expect(await again).toBe('granted');
  });

  it('asks only so often about any number of sites, as a page with many subdomains could be', async () => {
    for (let site = 0; site < 30; site += 1) {
      const asked = ask(`https://s${site}.example`);
      await consent.answer(questionId(), { allow: false });
      expect(await asked).toBe('refused');
    }
    expect(await ask('https://one-more.example')).toBe('too-many');
    expect(consent.questions()).toEqual([]);
    passed += 600_000;
    const later = ask('https://one-more.example');
    await consent.answer(questionId(), { allow: false });
    expect(await later).toBe('refused');
  });

  it('goes on when let in by hand meanwhile', async () => {
    const waiting = ask();
    await consent.allow({ origin: portal, scopes: ['user:read'], days: null });
    expect(await waiting).toBe('granted');
  });

  it('answers nothing to a closed question', async () => {
    await expect(consent.answer('gone', { allow: false })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('a grant', () => {
  it('of fewer scopes is asked about for the missing scope', async () => {
    await consent.allow({ origin: portal, scopes: ['user:read'], days: null });
    const waiting = ask(portal, 'sign');
    expect(consent.questions()).toMatchObject([{ scopes: ['sign'] }]);
    await consent.answer(questionId(), { allow: true, scopes: ['sign'], days: null });
    expect(await waiting).toBe('granted');
    expect(consent.scopesOf(portal)).toEqual(['user:read', 'sign']);
  });

  it('ends with its expiry', async () => {
    await consent.allow({ origin: portal, scopes: ['sign'], days: 1 });
    passed += 25 * hour;
    expect(consent.scopesOf(portal)).toBeUndefined();
    expect(await consent.grants()).toEqual([]);
  });

  it('is gone at once when revoked, with its approvals in advance', async () => {
    await consent.allow({ origin: portal, scopes: ['sign'], days: null });
    const approval = { origin: portal, certificateFingerprint: 'ab', signaturesLeft: 5 };
    await consent.allowSignatures({ ...approval, expiresAt: new Date(Date.now() + hour) });
    await consent.revoke('https://PORTAL.example/');
    expect(consent.scopesOf(portal)).toBeUndefined();
    expect(await consent.standingApprovals()).toEqual([]);
    await expect(consent.revoke(portal)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('counts its uses without a write for each, and keeps the count across a restart', async () => {
    await consent.allow({ origin: portal, scopes: ['sign'], days: null });
    const written = vi.spyOn(store, 'addUses');
    for (let use = 0; use < 1000; use += 1) await consent.grantOf(portal, true);
    expect(written).not.toHaveBeenCalled();
    expect(await consent.grants()).toMatchObject([{ uses: 1000 }]);
    await consent.close();
    expect(written).toHaveBeenCalledTimes(1);
    consent = await open();
    expect(await consent.grants()).toMatchObject([{ origin: portal, uses: 1000, scopes: ['sign'] }]);
    expect((await consent.grants())[0]?.lastUsedAt).toBeInstanceOf(Date);
  });

  it('lets a plain http site in after the warning alone, to sign and nothing else, and asks for each signature', async () => {
    const origin = 'http://intranet.example';
    const insecure = { origin, scopes: ['sign'], days: null, insecure: true } as const;
    await expect(consent.allow({ ...insecure, insecure: false })).rejects.toMatchObject({ code: 'REQUEST_INVALID' });
    await expect(consent.allow({ ...insecure, scopes: ['sign', 'user:read'] })).rejects.toMatchObject({
      code: 'REQUEST_INVALID',
    });
    expect(await consent.allow(insecure)).toMatchObject({ origin, scopes: ['sign'] });
    const standing = {
      origin,
      certificateFingerprint: 'a'.repeat(64),
      signaturesLeft: 3,
      expiresAt: new Date(Date.now() + hour),
    };
    await expect(consent.allowSignatures(standing)).rejects.toMatchObject({ code: 'REQUEST_INVALID' });
    await consent.revoke(origin);
    expect(await consent.grants()).toEqual([]);
  });

  it.each([
    'chrome-extension://abcdefghijklmnopabcdefghijklmnop',
    'moz-extension://2c127fa4-62c7-7e4f-90e5-472b45eecfdc',
    'app://org.example.editor',
  ])('is given to %s by the exact origin', async (origin) => {
    expect(await consent.allow({ origin, scopes: ['sign'], days: null })).toMatchObject({ origin });
    expect(consent.scopesOf(`${origin}x`)).toBeUndefined();
  });

  it.each([
    'http://portal.example',
    'chrome-extension://*',
    'chrome-extension://abc/page.html',
    'portal.example',
    'https://portal.example/path',
    'https://a:b@portal.example',
    'null',
    'file:///x',
  ])('is not given to %s', async (origin) => {
    await expect(consent.allow({ origin, scopes: ['sign'], days: null })).rejects.toMatchObject({
      code: 'REQUEST_INVALID',
    });
  });

  it.each([
    ['https://Portal.Example', 'https://portal.example'],
    ['https://portal.example:443/', 'https://portal.example'],
    ['https://portal.example:8443', 'https://portal.example:8443'],
    ['https://bücher.example', 'https://xn--bcher-kva.example'],
    ['http://localhost:3000', 'http://localhost:3000'],
    ['http://127.0.0.1:3000', 'http://127.0.0.1:3000'],
  ])('for %s counts for %s, in the spelling of browsers', async (given, origin) => {
    expect(await consent.allow({ origin: given, scopes: ['sign'], days: null })).toMatchObject({ origin });
  });
});

describe('a grant by configuration', () => {
  it('counts where nobody can be asked, and is changed nowhere else', async () => {
    await consent.close();
    windowIsOpen = false;
    consent = await open({ configured: [{ origin: 'https://PORTAL.example', scopes: ['sign'] }] });
    expect(await ask(portal, 'sign')).toBe('granted');
    expect(await ask(portal, 'user:read')).toBe('refused');
    expect(await consent.grants()).toMatchObject([{ origin: portal, source: 'configuration' }]);
    await expect(consent.revoke(portal)).rejects.toMatchObject({ code: 'REQUEST_INVALID' });
    await expect(consent.allow({ origin: portal, scopes: ['sign'], days: 1 })).rejects.toMatchObject({
      code: 'REQUEST_INVALID',
    });
  });
});

describe('signatures approved in advance', () => {
  const approve = async (signaturesLeft: number): Promise<void> =>
    consent.allowSignatures({
      origin: portal,
      certificateFingerprint: 'ab',
      signaturesLeft,
      expiresAt: new Date(Date.now() + hour),
    });

  it('are taken until there are none left, all of a transaction or none', async () => {
    await approve(5);
    expect(await consent.takeSignatures(portal, 'ab', 3)).toBe(true);
    expect(await consent.takeSignatures(portal, 'ab', 3)).toBe(false);
    expect(await consent.takeSignatures(portal, 'ab', 2)).toBe(true);
    expect(await consent.takeSignatures(portal, 'ab', 1)).toBe(false);
  });

  it('are for this site and this certificate, and end with their time', async () => {
    await approve(5);
    expect(await consent.takeSignatures('https://other.example', 'ab', 1)).toBe(false);
    expect(await consent.takeSignatures(portal, 'cd', 1)).toBe(false);
    passed += 2 * hour;
    expect(await consent.takeSignatures(portal, 'ab', 1)).toBe(false);
  });

  it('end at once on request of the user, and the site stays let in', async () => {
    await consent.allow({ origin: portal, scopes: ['sign'], days: null });
    await approve(5);
    await consent.endStandingApproval(portal, 'ab');
    expect(await consent.takeSignatures(portal, 'ab', 1)).toBe(false);
    expect(await consent.standingApprovals()).toEqual([]);
    expect(consent.scopesOf(portal)).toEqual(['sign']);
    await consent.endStandingApproval(portal, 'ab');
  });

  it('are never taken twice by requests at the same time', async () => {
    await approve(5);
    const taken = await Promise.all(Array.from({ length: 12 }, async () => consent.takeSignatures(portal, 'ab', 1)));
    expect(taken.filter(Boolean)).toHaveLength(5);
  });
});
