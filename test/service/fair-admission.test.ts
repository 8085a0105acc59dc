import { describe, expect, it } from 'vitest';
import { FairAdmission } from '../../src/service/scheduling/index.ts';

const bounds = { weight: 10, waiting: 4, waitingPerLane: 3 };

/** Asks for entry and notes it under a name when it is given. */
function ask(admission: FairAdmission, entered: string[], name: string, weight: number): Promise<() => void> {
  return admission.enter(name.charAt(0), weight).then((leave) => (entered.push(name), leave));
}

describe('FairAdmission', () => {
  it('lets in as much as there is room for, and lets lanes take turns with the rest', async () => {
    const admission = new FairAdmission(bounds);
    const entered: string[] = [];
    const first = await ask(admission, entered, 'a1', 6);
    const others = ['a2', 'a3', 'b1'].map((name) => ask(admission, entered, name, 6));
    for (let leave: () => void = first, next = 0; next < others.length; next++) {
      leave();
      leave();
      await expect.poll(() => entered).toHaveLength(next + 2);
      leave = await (others[[0, 2, 1][next] ?? 0] as Promise<() => void>);
    }
    expect(entered).toEqual(['a1', 'a2', 'b1', 'a3']);
  });

  it('lets in alone what is heavier than all of it, and nothing lighter past it', async () => {
    const admission = new FairAdmission(bounds);
    const entered: string[] = [];
    const first = await ask(admission, entered, 'a1', 1);
    const heavy = ask(admission, entered, 'b1', 50);
    const light = ask(admission, entered, 'c1', 1);
    expect(entered).toEqual(['a1']);
    first();
    (await heavy)();
    await light;
    expect(entered).toEqual(['a1', 'b1', 'c1']);
  });

  it('refuses with a time to come back who finds no place to wait, in its lane or in all', async () => {
    const admission = new FairAdmission(bounds);
    const leave = await admission.enter('a', 10);
    const waiting = ['b', 'b', 'b'].map((lane) => admission.enter(lane, 1));
    await expect(admission.enter('b', 1)).rejects.toMatchObject({ code: 'BUSY', retryAfter: 5 });
    waiting.push(admission.enter('c', 1));
    await expect(admission.enter('d', 1)).rejects.toMatchObject({ code: 'BUSY' });
    leave();
    await Promise.all(waiting);
  });

  it('lets one lane have its part only, and others past those who wait for theirs', async () => {
    const admission = new FairAdmission({ ...bounds, weightPerLane: 6 });
    const entered: string[] = [];
    const first = await ask(admission, entered, 'a1', 6);
    const second = ask(admission, entered, 'a2', 6);
    const others = ['b1', 'b2', 'c1'].map((name) => ask(admission, entered, name, 2));
    await expect.poll(() => entered).toEqual(['a1', 'b1', 'b2']);
    first();
    await expect.poll(() => entered).toEqual(['a1', 'b1', 'b2', 'a2']);
    (await second)();
    for (const other of others) (await other)();
    expect(entered.at(-1)).toBe('c1');
  });

  it('forgets who goes away while it waits', async () => {
    const admission = new FairAdmission(bounds);
    const leave = await admission.enter('a', 10);
    const left = new AbortController();
    const gone = admission.enter('b', 10, left.signal);
    const next = admission.enter('b', 5);
    left.abort();
    await expect(gone).rejects.toThrow();
    leave();
    (await next)();
    expect(await admission.run('c', 10, () => Promise.resolve('in'))).toBe('in');
  });

  it('forgets a lane when its last request has left, inside or while it waits', async () => {
    const admission = new FairAdmission(bounds);
    const left = new AbortController();
    const leave = [await admission.enter('a', 5), await admission.enter('b', 5)];
    const second = admission.enter('a', 5);
    const gone = admission.enter('c', 5, left.signal);
    expect(admission.size).toBe(3);
    left.abort();
    await expect(gone).rejects.toThrow();
    expect(admission.size).toBe(2);
    leave[1]?.();
    (await second)();
    expect(admission.size).toBe(1);
    leave[0]?.();
    expect(admission.size).toBe(0);
  });
});
