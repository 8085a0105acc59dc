import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AttackStage } from './attack-stage.ts';
import { attacks } from './attacks.ts';

/**
 * A page of a public site tries every way in, while the browser's own guard of local addresses is on (Local Network
 * Access). Our guard and the browser's must not open a way together that each of them closes alone.
 */

let stage: AttackStage;

beforeAll(async () => {
  stage = await AttackStage.open({}, 'on');
});
afterAll(async () => stage.close());
beforeEach(() => stage.clear());

/** Requests that were answered as if allowed; preflights are answered to everybody. */
const answered = () => stage.target.requests.filter(({ status }) => status < 400 && status !== 204);

describe('a page of a public site, under the guard of the browser', () => {
  it.each(attacks)('has no effect by $way, unanswered', async ({ run }) => {
    await stage.tryFrom(stage.site('portal'), run);
    expect(stage.happened()).toEqual([]);
    expect(answered()).toEqual([]);
  });

  it('sends nothing by fetch before its user has answered', async () => {
    await stage.tryFrom(stage.site('portal'), (target) => fetch(`${target}/user`));
    expect(stage.target.requests).toEqual([]);
  });

  it.each(attacks)('has no effect by $way, allowed by the browser alone', async ({ run }) => {
    await stage.answerBrowser(stage.site('portal'));
    await stage.tryFrom(stage.site('portal'), run);
    expect(stage.happened()).toEqual([]);
    expect(answered()).toEqual([]);
  });

  it('is asked about in our window although the browser has let it in', async () => {
    stage.windowIsOpen = true;
    await stage.answerBrowser(stage.site('portal'));
    const asked: string[] = [];
    const stop = stage.consent.onChange(() => {
      for (const { id, origin } of stage.consent.questions()) {
        asked.push(origin);
        void stage.consent.answer(id, { allow: false });
      }
    });
    await stage.tryFrom(stage.site('portal'), (target) => fetch(`${target}/user`));
    stop();
    expect(new Set(asked)).toEqual(new Set([stage.site('portal')]));
    expect(stage.happened()).toEqual([]);
    expect(await stage.consent.grants()).toEqual([]);
  });
});
