/** The table: the verdict of each judge on each file at each time, and whether the verdict is true of the file. */
import { EXPLAINED_DIFFERENCES } from './explained-differences.ts';
import { isLongTerm, type Sample, type Verdicts } from './samples.ts';

type Outcome = 'equal' | 'explained' | 'different';

interface Row {
  readonly when: string;
  readonly judge: string;
  readonly sample: Sample;
  readonly says: string;
  readonly outcome: Outcome;
}

/** These tell intact files from tampered files, and name no level. */
const WITHOUT_LEVELS: ReadonlySet<string> = new Set(['OpenSSL', 'Bouncy Castle', 'PDFBox', 'iText 5']);
const PASSED = / ?\bpassed( under AD-R[BTVCA])?$/;

function isEqualForPyhanko(sample: Sample, says: string): boolean {
  if (sample.isTampered === true) return !/^(yes:yes:\S+ ?)+$/.test(says);
  return (isLongTerm(sample) ? /^(yes:yes:passed ?)+$/ : /^(yes:yes:- ?)+$/).test(says);
}

/** Judges of levels have to name ours, and the policy; the others have to tell intact files from tampered files. */
function isEqual(judge: string, sample: Sample, says: string): boolean {
  const { levels, profile, record, isTampered } = sample;
  if (judge.endsWith(' makes')) return says === 'made';
  if (judge === 'pyHanko') return isEqualForPyhanko(sample, says);
  const parts = says.split(', ');
  const isPassed = parts.every((part) => PASSED.test(part));
  if (isTampered === true) return !isPassed;
  if (!isPassed || WITHOUT_LEVELS.has(judge)) return isPassed;
  const hasLevels = levels.every((level) => parts.some((part) => part.startsWith(`${level} `)));
  const hasPolicy = profile === undefined || parts.some((part) => part.endsWith(` under ${profile}`));
  return hasLevels && hasPolicy && (record === undefined || parts.includes('RECORD passed'));
}

/** Collects and prints verdicts. */
export class Comparison {
  readonly #rows: Row[] = [];

  add(when: string, judge: string, verdicts: Verdicts): void {
    for (const [sample, says] of verdicts) {
      const isExplained = EXPLAINED_DIFFERENCES.some(
        (one) =>
          one.judge === judge && one.files.test(sample.name) && one.says.test(says) && sample.isTampered !== true,
      );
      const outcome = isEqual(judge, sample, says) ? 'equal' : isExplained ? 'explained' : 'different';
      this.#rows.push({ when, judge, sample, says, outcome });
    }
  }

  /** Prints the table; the answer is the number of unexplained differences. */
  print(): number {
    const rows = this.#rows;
    const different = rows.filter(({ outcome }) => outcome === 'different');
    printCounts(rows);
    for (const { when, judge, sample, says } of different) {
      const { name, levels, profile } = sample;
      const what = [...levels, ...(profile === undefined ? [] : [profile])].join(', ');
      console.log(`DIFFERENT ${when}: ${judge} on ${name} (${what}): ${says}`);
    }
    for (const one of EXPLAINED_DIFFERENCES) {
      const count = rows.filter(
        ({ outcome, judge, sample, says }) =>
          outcome === 'explained' && judge === one.judge && one.files.test(sample.name) && one.says.test(says),
      ).length;
      if (count > 0) console.log(`Explained, ${one.judge}, ${count} times: ${one.why}`);
    }
    const tampered = rows.filter(({ sample, judge }) => sample.isTampered === true && !judge.endsWith(' makes'));
    const passed = tampered.filter(({ outcome }) => outcome !== 'equal').length;
    console.log(`${tampered.length} verdicts on tampered files, ${passed} passed`);
    console.log(`${rows.length - different.length} passed, ${different.length} failed`);
    return different.length;
  }
}

function printCounts(rows: readonly Row[]): void {
  const judges = [...new Set(rows.map(({ judge }) => judge))];
  const times = [...new Set(rows.map(({ when }) => when))];
  console.log('when            judge           files  equal  explained  different');
  for (const when of times) {
    for (const judge of judges) {
      const own = rows.filter((row) => row.when === when && row.judge === judge);
      if (own.length === 0) continue;
      const count = (outcome: Outcome): number => own.filter((row) => row.outcome === outcome).length;
      const [files, ...counts] = [own.length, count('equal'), count('explained'), count('different')];
      const [equal, explained, different] = counts.map(String);
      console.log(
        `${when.padEnd(15)} ${judge.padEnd(15)} ${String(files).padStart(5)}  ${equal?.padStart(5) ?? ''}  ${explained?.padStart(9) ?? ''}  ${different?.padStart(9) ?? ''}`,
      );
    }
  }
}
