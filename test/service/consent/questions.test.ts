/** Questions to the owner about sites, with limits that a test can count to. */
import { beforeEach, describe, expect, it, vi, afterEach } from 'vitest';
import type { GrantScope } from '../../../src/service/consent/consent.ts';
import { defaultConsentLimits, Questions } from '../../../src/service/consent/questions.ts';

const site = 'https://a.example';
const limits = { ...defaultConsentLimits, heldPerOrigin: 2, heldOverall: 4, openQuestions: 3, questionsOverall: 5 };

let now: Date;
let changes: number;
let questions: Questions;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  now = new Date('2026-03-01T12:00:00Z');
  changes = 0;
  questions = new Questions(limits, () => now, () => (changes += 1)); // prettier-ignore
});
afterEach(() => void vi.useRealTimers());

const pass = (milliseconds: number): void => void (now = new Date(now.getTime() + milliseconds));
const hold = async (origin = site, scope: GrantScope = 'sign', signal = new AbortController().signal) =>
  questions.hold(origin, scope, ['sign'], signal);
const answerAll = (): void => questions.endAll('refused');

describe('a question about a site', () => {
  it('is one for all requests of the site, with its times and the scopes that are wanted', async () => {
    const first = hold();
    const second = hold(site, 'user:read');
    expect(questions.list()).toMatchObject([
      { origin: site, scopes: ['sign', 'user:read'], wanted: ['sign', 'user:read'], askedAt: now, expiresAt: new Date(now.getTime() + 120_000) }, // prettier-ignore
    ]);
    expect(changes).toBe(2);
    questions.take(questions.list()[0]?.id ?? '')?.end((scope) => (scope === 'sign' ? 'granted' : 'refused'));
    expect(await Promise.all([first, second])).toEqual(['granted', 'refused']);
    expect([questions.list(), changes, vi.getTimerCount()]).toEqual([[], 3, 0]);
  });

  it('is that of its own site, and answers no other one', async () => {
    const [first, second] = [hold('https://a.example'), hold('https://b.example')];
    expect(questions.list().map(({ origin }) => origin)).toEqual(['https://a.example', 'https://b.example']);
    const taken = questions.take(questions.list()[1]?.id ?? '');
    expect(taken?.origin).toBe('https://b.example');
    taken?.end(() => 'granted');
    expect(await second).toBe('granted');
    expect(questions.list()).toHaveLength(1);
    expect(questions.take('no such question')).toBeUndefined();
    answerAll();
    expect(await first).toBe('refused');
  });

  it('is forgotten after its patience', async () => {
    const held = hold();
    await vi.advanceTimersByTimeAsync(119_999);
    expect(questions.list()).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(await held).toBe('forgotten');
    expect(questions.list()).toEqual([]);
  });

  it('ends with its last request, which hung up, and is told of each', async () => {
    const [one, other] = [new AbortController(), new AbortController()];
    const first = hold(site, 'sign', one.signal);
    const second = hold(site, 'sign', other.signal);
    one.abort();
    expect(await first).toBe('refused');
    expect([questions.list().length, changes]).toEqual([1, 3]);
    other.abort();
    expect(await second).toBe('refused');
    expect([questions.list().length, changes]).toEqual([0, 4]);
    expect(await hold(site, 'sign', one.signal)).toBe('refused');
  });

  it('is not changed by a request that hangs up after its answer', async () => {
    const abort = new AbortController();
    const held = hold(site, 'sign', abort.signal);
    answerAll();
    await held;
    const before = changes;
    abort.abort();
    expect(changes).toBe(before);
  });

  it('ends with all others, with the outcome of all', async () => {
    const all = [hold('https://a.example'), hold('https://b.example')];
    questions.endAll('forgotten');
    expect(await Promise.all(all)).toEqual(['forgotten', 'forgotten']);
  });
});

describe('the limits of questions', () => {
  it('hold so many requests of a site, and so many of all', async () => {
    const held = [hold('https://a.example'), hold('https://a.example')];
    expect(await hold('https://a.example')).toBe('too-many');
    held.push(hold('https://b.example'), hold('https://b.example'));
    expect(await hold('https://c.example')).toBe('too-many');
    answerAll();
    await Promise.all(held);
    const next = hold('https://c.example');
    expect(questions.list()).toHaveLength(1);
    answerAll();
    expect(await next).toBe('refused');
  });

  it('open so many questions at a time, and let requests join an open one', async () => {
    const held = ['a', 'b', 'c'].map(async (name) => hold(`https://${name}.example`));
    expect(await hold('https://d.example')).toBe('too-many');
    held.push(hold('https://a.example'));
    expect(questions.list()).toHaveLength(3);
    answerAll();
    await Promise.all(held);
  });

  it('ask about a site three times in ten minutes, and again when the oldest is as old', async () => {
    for (let round = 0; round < 3; round += 1) {
      const held = hold();
      answerAll();
      await held;
      pass(1000);
    }
    expect(await hold()).toBe('refused');
    expect(questions.list()).toEqual([]);
    pass(600_000 - 3001);
    expect(await hold()).toBe('refused');
    pass(1);
    const held = hold();
    expect(questions.list()).toHaveLength(1);
    answerAll();
    await held;
  });

  it('let requests join the last permitted question', async () => {
    for (let round = 0; round < 2; round += 1) {
      const held = hold();
      answerAll();
      await held;
    }
    const held = [hold(), hold()];
    expect(questions.list()).toHaveLength(1);
    answerAll();
    await Promise.all(held);
  });

  it('ask only so often about all sites together', async () => {
    for (const name of ['a', 'b', 'c', 'd']) {
      const held = hold(`https://${name}.example`);
      answerAll();
      await held;
    }
    const last = [hold('https://e.example'), hold('https://e.example')];
    expect(questions.list()).toHaveLength(1);
    expect(await hold('https://f.example')).toBe('too-many');
    answerAll();
    await Promise.all(last);
    pass(600_000);
    const held = hold('https://f.example');
    expect(questions.list()).toHaveLength(1);
    answerAll();
    await held;
  });
});

describe('a refusal', () => {
  it('counts for ten minutes, to the millisecond, for its scope or for all', async () => {
    questions.remember(site, 'sign');
    expect(await hold(site, 'sign')).toBe('refused');
    const other = hold(site, 'user:read');
    expect(questions.list()).toHaveLength(1);
    answerAll();
    await other;
    questions.remember(site, '*');
    expect(await hold(site, 'user:read')).toBe('refused');
    pass(599_999);
    expect(await hold(site, 'sign')).toBe('refused');
    pass(1);
    const held = hold(site, 'sign');
    expect(questions.list()).toHaveLength(1);
    answerAll();
    await held;
  });

  it('is forgotten, with earlier questions, for its own site alone', async () => {
    questions.remember(site, '*');
    questions.remember('https://a.example.evil.example', '*');
    questions.forget(site);
    expect(await hold('https://a.example.evil.example')).toBe('refused');
    for (let round = 0; round < 3; round += 1) {
      const held = hold();
      answerAll();
      await held;
    }
    expect(await hold()).toBe('refused');
    questions.forget(site);
    const held = hold();
    expect(questions.list()).toHaveLength(1);
    answerAll();
    await held;
  });

  it('is remembered for the newest thousand sites', async () => {
    questions.remember('https://first.example', '*');
    questions.remember('https://second.example', '*');
    questions.remember('https://first.example', '*');
    for (let count = 0; count < 998; count += 1) questions.remember(`https://s${count}.example`, '*');
    expect(await hold('https://second.example')).toBe('refused');
    questions.remember('https://last.example', '*');
    expect(await hold('https://first.example')).toBe('refused');
    const held = hold('https://second.example');
    expect(questions.list()).toHaveLength(1);
    answerAll();
    await held;
  });
});
