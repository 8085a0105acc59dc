/** Compares the table of later changes with the verdicts of today's validators. */
import { judgeLaterChanges, type LaterVerdict, type LaterVerdicts } from './judge-later-changes.ts';
import { LATER_CHANGES } from './later-changes.ts';
import type { Writers } from './writers.ts';

const MARKS: Readonly<Record<LaterVerdict, string>> = { allowed: '+', doubted: '?', forbidden: '-' };

const marksOf = ({ sinete, dss, pyhanko, itext }: LaterVerdicts): string =>
  [sinete, dss, pyhanko, itext].map((verdict) => MARKS[verdict]).join('');

/** Makes and judges the changes; answers the number of rows, and the rows with other verdicts than the table's. */
export async function checkLaterChanges(
  folder: string,
  writers: Writers,
): Promise<{ readonly rows: number; readonly different: readonly string[] }> {
  const rows = Object.values(LATER_CHANGES).flat();
  const found = await judgeLaterChanges(folder, rows, writers);
  const different = rows.flatMap(({ change, base, signature, marks }, index) => {
    const verdicts = found[index];
    if (verdicts === undefined || marksOf(verdicts) === marks) return [];
    return [`${change}, ${base}, ${signature}: ${marksOf(verdicts)}, not ${marks} (${verdicts.words.join(' | ')})`];
  });
  return { rows: rows.length, different };
}
