import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refreshClient } from '../setup/built-client.ts';
import { browserNames, rows } from './rows.ts';
import { differences, Stage } from './run-row.ts';

/** The short form of `npm run browsers`, in Chromium: the guard of local addresses is on, and a person answers. */

let stage: Stage;
beforeAll(async () => {
  await refreshClient();
  stage = await Stage.open();
});
afterAll(async () => stage.close());

const short = rows.filter((row) => row.short === true && row.browsers.includes('chromium'));

describe('a page of a public site in a window of Chromium', () => {
  it.each(short)('$row: $place, $way', async (row) => {
    expect(differences(row, await stage.run(row, 'chromium'))).toEqual([]);
  });
});

describe('the table of rows', () => {
  it('has a short form of six rows, names each row of a browser once, and leaves no browser out', () => {
    expect(short).toHaveLength(6);
    const names = rows.flatMap(({ row, browsers }) => browsers.map((browser) => `${browser} ${row}`));
    expect(new Set(names).size).toBe(names.length);
    expect(new Set(rows.flatMap(({ browsers }) => browsers))).toEqual(new Set(browserNames));
  });
});
