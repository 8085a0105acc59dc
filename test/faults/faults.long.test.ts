/** Short forms of `npm run faults`. */
import { expect, it } from 'vitest';
import { itNeeding } from '../setup/needs.ts';
import { leapClock } from './clocks.ts';
import { failCalls, fewPlans } from './failing-calls.ts';
import { fillDisk } from './narrow.ts';

const none = { lost: 0, doubled: 0, mixedUp: 0, hidden: 0 };

it('a real instance with failing flushes and writes loses and doubles nothing', async () => {
  const { acknowledged, ...counts } = await failCalls(fewPlans);
  expect(counts).toMatchObject(none);
  expect(acknowledged).toBeGreaterThan(0);
});

itNeeding('Linux')(
  'a real instance with a leaping clock, in a run and at a start, withholds documents, and loses none',
  async () => {
    const { acknowledged, ...counts } = await leapClock(['+1d']);
    expect(counts).toMatchObject(none);
    expect(acknowledged).toBeGreaterThan(0);
  },
);

itNeeding('root')('a real instance on a filling disk, and its next start on the full disk, lose nothing', async () => {
  const { acknowledged, ...counts } = await fillDisk();
  expect(counts).toMatchObject(none);
  expect(acknowledged).toBeGreaterThan(0);
});
