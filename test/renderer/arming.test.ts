import { beforeEach, describe, expect, it } from 'vitest';
import { armingTime, followArming } from '../../renderer/src/components/dialogs/arming.ts';

let isOnTop: boolean;
let changed: () => void;
let timers: { readonly after: number; readonly then: () => void }[];
let told: boolean[];
let stop: () => void;

/** Puts the page behind another window, or on top. */
function put(onTop: boolean): void {
  isOnTop = onTop;
  changed();
}

function passTime(): void {
  for (const { then } of timers.splice(0)) then();
}

function ask(onTop: boolean): void {
  isOnTop = onTop;
  stop = followArming(
    { isOnTop: () => isOnTop, onChange: (listener) => ((changed = listener), () => (changed = () => undefined)) },
    (after, then) => {
      const timer = { after, then };
      timers.push(timer);
      return () => void (timers = timers.filter((one) => one !== timer));
    },
    (armed) => told.push(armed),
  );
}

beforeEach(() => {
  [timers, told] = [[], []];
});

describe('a question on top', () => {
  it('may be answered after the arming time', () => {
    ask(true);
    expect(timers.map(({ after }) => after)).toEqual([armingTime]);
    expect(told).toEqual([]);
    passTime();
    expect(told).toEqual([true]);
  });

  it('waits while its window is behind another', () => {
    ask(false);
    expect(timers).toEqual([]);
    expect(told).toEqual([false]);
    put(true);
    passTime();
    expect(told).toEqual([false, true]);
  });

  it('begins again when its window went behind another before the end of the time', () => {
    ask(true);
    put(false);
    expect(timers).toEqual([]);
    put(true);
    expect(timers).toHaveLength(1);
    expect(told).toEqual([false]);
  });

  it('is no longer answered when its window goes behind another', () => {
    ask(true);
    passTime();
    put(false);
    expect(told).toEqual([true, false]);
  });

  it('does not begin again for a change leaving it on top', () => {
    ask(true);
    put(true);
    expect(timers).toHaveLength(1);
  });

  it('ends with its dialog', () => {
    ask(true);
    stop();
    expect(timers).toEqual([]);
  });
});
