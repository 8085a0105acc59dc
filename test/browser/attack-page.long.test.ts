import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../setup/waits.ts';
import { AttackStage } from './attack-stage.ts';
import { attacks } from './attacks.ts';

/** A page of another origin in a real browser tries every way in; `attack-names.long.test.ts` has other kinds of origin. */

let stage: AttackStage;

beforeAll(async () => {
  stage = await AttackStage.open();
});
afterAll(async () => stage.close());
beforeEach(() => stage.clear());

describe('a page of an https site without a grant', () => {
  it.each(attacks)('has no effect by $way', async ({ run }) => {
    await stage.tryFrom(stage.site('portal'), run);
    expect(stage.happened()).toEqual([]);
    expect(stage.target.requests.length).toBeGreaterThan(0);
    expect(stage.target.requests.filter(({ status }) => status < 400 && status !== 204)).toEqual([]);
  });

  const askedAbout = attacks.filter(({ effect }) => effect !== undefined);

  it.each(askedAbout)('has none by $way when the user refuses', async ({ run }) => {
    stage.windowIsOpen = true;
    const stop = stage.consent.onChange(() => {
      for (const { id } of stage.consent.questions()) void stage.consent.answer(id, { allow: false });
    });
    await stage.tryFrom(stage.site('portal'), run);
    stop();
    expect(stage.happened()).toEqual([]);
    expect(await stage.consent.grants()).toEqual([]);
  });
});

describe('a page of a site with a grant of the usual scopes', () => {
  it.each(attacks)('does by $way only the acts allowed by CORS', async ({ run, effect }) => {
    await stage.consent.allow({
      origin: stage.site('portal'),
      scopes: ['user:read', 'user:write', 'certificates:read', 'sign'],
      days: null,
    });
    await stage.tryFrom(stage.site('portal'), run);
    await stage.consent.revoke(stage.site('portal'));
    const seen = stage.happened().filter((one) => one !== 'selected user read' || effect === one);
    expect(seen).toEqual(effect === undefined ? [] : [effect]);
  });
});

describe('a page the user is asked about', () => {
  it('goes on with all its requests as soon as let in by the user, after one question', async () => {
    stage.windowIsOpen = true;
    const questions: string[] = [];
    const stop = stage.consent.onChange(() => {
      for (const { id } of stage.consent.questions()) {
        if (questions.includes(id)) continue;
        questions.push(id);
        setTimeout(
          () => void stage.consent.answer(id, { allow: true, scopes: ['user:read', 'user:write'], days: 1 }),
          500,
        );
      }
    });
    const origin = stage.site('asked');
    const tab = await stage.context.newPage();
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
    }, stage.target.url);
    stop();
    await tab.close();
    await stage.consent.revoke(origin);
    expect(questions).toHaveLength(1);
    expect(answers).toEqual(['201 CACHE_CREATED', '200 SELECTED_USER_CHANGED', '200 USER_LISTED', '403 NOT_ALLOWED']);
  });

  it('is no longer asked about when closed', async () => {
    stage.windowIsOpen = true;
    const tab = await stage.context.newPage();
    await tab.goto(stage.site('closed'));
    await tab.evaluate((target) => {
      void fetch(`${target}/user`).catch(() => undefined);
    }, stage.target.url);
    await until(() => stage.consent.questions().length > 0, 'a question to the user');
    expect(stage.consent.questions()).toHaveLength(1);
    await tab.close();
    await until(() => stage.consent.questions().length === 0, 'no question to the user');
    expect(stage.happened()).toEqual([]);
  });
});
