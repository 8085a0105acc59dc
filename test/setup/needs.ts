/** Tests needing rights possibly missing in a run. */
import { appendFileSync } from 'node:fs';
import { expect, it, type TestAPI } from 'vitest';

/** A right or a part, named as in the closing line: `3 passed, 0 failed (12 need root)`. */
export type Need = 'root' | 'Linux' | 'SQLite';

/** The variable of `npm run postgres`: the address of its server, with `DATABASE` for the name of a database. */
export const POSTGRES_SERVER = 'TESTS_POSTGRES_SERVER';

const isThere: Readonly<Record<Need, () => boolean>> = {
  root: () => process.getuid?.() === 0,
  Linux: () => process.platform === 'linux',
  SQLite: () => process.env[POSTGRES_SERVER] === undefined,
};

/** The variable with the file of unregistered tests, collected by `closing-line.ts`, a line each. */
export const UNMET_NEEDS = 'TESTS_UNMET_NEEDS';

/** An unregistered test, and its file. */
export interface UnmetNeed {
  readonly need: Need;
  readonly file: string;
}

/** The part of `it` used by such tests. */
export interface NeedingTest {
  (name: string, test: () => unknown, timeout?: number): void;
  each<Row>(rows: readonly Row[]): (name: string, test: (row: Row) => unknown, timeout?: number) => void;
}

function count(need: Need, tests: number): void {
  const collected = process.env[UNMET_NEEDS];
  if (collected === undefined) return;
  const line = JSON.stringify({ need, file: expect.getState().testPath ?? '' } satisfies UnmetNeed);
  appendFileSync(collected, `${line}\n`.repeat(tests));
}

/**
 * `it` if the run has the right. Otherwise the tests are not registered, and the closing line counts these tests,
 * because a skipped test looks like a passed test.
 */
export function itNeeding(need: Need): NeedingTest {
  if (isThere[need]()) return it as TestAPI & NeedingTest;
  const absent = (): void => count(need, 1);
  return Object.assign(absent, { each: (rows: readonly unknown[]) => () => count(need, rows.length) });
}
