/**
 * The form of a benchmark, and the fair comparison of two things on a machine used by others too: in interleaved
 * rounds, as the median of the rounds' ratios. Times alone are never judged.
 */
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';

/** A ratio of two contenders over all rounds. */
export interface Compared {
  readonly ratio: number;
  /** Half of the distance between the quartiles of the rounds' ratios, in parts of their median. */
  readonly noise?: number;
  /** True if too few rounds were quiet: the line is not judged then. */
  readonly isDisturbed?: boolean;
}

/** One comparison. The ratio means the words of `what`; without a bound, the ratio is printed only. */
export interface BenchLine extends Compared {
  readonly what: string;
  readonly bound?: { readonly atLeast?: number; readonly atMost?: number };
  /** Rates or times behind the ratio, and the way of measuring. */
  readonly detail: string;
}

/** A file `test/bench/<topic>.bench.ts` exports a benchmark as `benchmark`, run in a process of its own. */
export interface Benchmark {
  readonly name: string;
  /** Bound of the whole process's peak resident memory, in units of 10^6 bytes. */
  readonly peakMegabytesAtMost?: number;
  /** `isShort`: a smaller form is enough, to try the benchmark. */
  run(form: { readonly isShort: boolean }): Promise<readonly BenchLine[]>;
}

/** A message of the child process to `run-bench.ts`. */
export interface BenchReport {
  readonly name: string;
  readonly lines: readonly BenchLine[];
  readonly peakMegabytes: number;
  readonly peakMegabytesAtMost?: number;
}

/** True under `npm run bench -- --quick`: fewer rounds, smaller forms. */
const isQuick = process.env['BENCH_QUICK'] === '1';

/** Rounds of every comparison. */
export const ROUNDS = isQuick ? 3 : 9;

/** Rounds of a comparison with contenders taking a minute or more each: short disturbances even out inside a round. */
export const LONG_ROUNDS = 3;

/** How much a fixed piece of work may take longer or shorter after a round than before it. */
const MOST_DRIFT = 0.1;
/** Attempts at a quiet round, in parts of the rounds that are wanted. */
const MOST_ATTEMPTS = 2;

/** The middle value; of an even number of values the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  assert.ok(values.length > 0, 'there is nothing to take the median of');
  const sorted = [...values].sort((left, right) => left - right);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? NaN)) / 2;
}

/** Milliseconds taken by an action. */
export async function milliseconds(action: () => unknown): Promise<number> {
  const start = performance.now();
  await action();
  return performance.now() - start;
}

/** A figure of a single contender per round: milliseconds, or a rate. */
export type Measure = () => Promise<number>;

/** The figures of all rounds by contender. */
export type Rounds<Name extends string> = Readonly<Record<Name, readonly number[]>>;

/** The figures of comparisons without enough quiet rounds. */
const disturbed = new WeakSet<object>();

const controlContent = Buffer.alloc(4_000_000, 'control');

/** Milliseconds of a fixed piece of work, the best of three: longer while the machine does something else too. */
function timeControl(): number {
  const times = Array.from({ length: 3 }, () => {
    const start = performance.now();
    hash('sha256', controlContent);
    return performance.now() - start;
  });
  return Math.min(...times);
}

/**
 * Measures all contenders in turn, round after round, each round in the opposite order of the round before, after a
 * first round without counting. A round is measured again if the machine was disturbed: a fixed piece of work, timed
 * before and after it, varies by more than a tenth. Without enough quiet rounds, the comparison is not judged.
 */
export async function interleave<Name extends string>(
  contenders: Readonly<Record<Name, Measure>>,
  rounds: number = ROUNDS,
): Promise<Rounds<Name>> {
  assert.ok(
    rounds === LONG_ROUNDS || rounds >= ROUNDS,
    `fewer than ${ROUNDS} short rounds say little on a shared machine`,
  );
  const names = Object.keys(contenders) as Name[];
  for (const name of names) await contenders[name]();
  const all: Record<Name, number>[] = [];
  const quiet: Record<Name, number>[] = [];
  for (let attempt = 0; attempt < rounds * MOST_ATTEMPTS && quiet.length < rounds; attempt++) {
    const before = timeControl();
    const round = {} as Record<Name, number>;
    for (const name of attempt % 2 === 0 ? names : names.toReversed()) round[name] = await contenders[name]();
    const drift = Math.abs(timeControl() / before - 1);
    all.push(round);
    if (drift <= MOST_DRIFT) quiet.push(round);
  }
  const isEnough = quiet.length === rounds;
  const counted = isEnough ? quiet : all;
  const figures = {} as Record<Name, readonly number[]>;
  for (const name of names) figures[name] = counted.map((round) => round[name]);
  if (!isEnough) disturbed.add(figures);
  return figures;
}

/** The median over the rounds of `figures[over] / figures[under]`. */
export function medianRatio<Name extends string>(figures: Rounds<Name>, over: Name, under: Name): number {
  return median(ratiosOf(figures, over, under));
}

const ratiosOf = <Name extends string>(figures: Rounds<Name>, over: Name, under: Name): readonly number[] =>
  figures[over].map((figure, round) => figure / (figures[under][round] ?? NaN));

/** The median ratio with its noise, for a line. */
export function compared<Name extends string>(figures: Rounds<Name>, over: Name, under: Name): Compared {
  const ratios = ratiosOf(figures, over, under).toSorted((left, right) => left - right);
  const quartile = (part: number): number => ratios[Math.round(part * (ratios.length - 1))] ?? NaN;
  const ratio = median(ratios);
  return { ratio, noise: (quartile(0.75) - quartile(0.25)) / 2 / ratio, isDisturbed: disturbed.has(figures) };
}

/** True when the ratio is a number within the line's bound. */
export function keepsBound({ ratio, bound }: BenchLine): boolean {
  return Number.isFinite(ratio) && ratio >= (bound?.atLeast ?? -Infinity) && ratio <= (bound?.atMost ?? Infinity);
}

function boundText({ bound }: BenchLine): string {
  const parts = [
    ...(bound?.atLeast === undefined ? [] : [`>= ${bound.atLeast}`]),
    ...(bound?.atMost === undefined ? [] : [`<= ${bound.atMost}`]),
  ];
  return parts.join(' and ');
}

/** The judgement of a line; `NOISY`: it has a bound, and too few quiet rounds. Empty: nothing is promised. */
export function verdictOf(line: BenchLine): 'PASS' | 'MISS' | 'NOISY' | '' {
  if (line.bound === undefined) return '';
  if (line.isDisturbed === true) return 'NOISY';
  return keepsBound(line) ? 'PASS' : 'MISS';
}

/** A line of the printed table: verdict, subject (`width` characters wide), ratio with its noise, bound and detail. */
export function lineText(line: BenchLine, width: number = line.what.length): string {
  const noise = line.noise === undefined ? '' : `± ${(line.noise * 100).toFixed(0)} %`;
  const columns = [
    verdictOf(line).padEnd(5),
    line.what.padEnd(width),
    line.ratio.toFixed(line.ratio >= 100 ? 0 : 3).padStart(8),
    noise.padEnd(6),
    boundText(line).padEnd(10),
    line.detail,
  ];
  return `  ${columns.join('  ')}`.trimEnd();
}

/** A line for each comparison of two runs: the ratios, their change, and whether it is more than the noise of both. */
export function compareHistories(before: readonly BenchReport[], after: readonly BenchReport[]): readonly string[] {
  const known = new Map(before.flatMap(({ name, lines }) => lines.map((line) => [`${name}: ${line.what}`, line])));
  return after.flatMap(({ name, lines }) => [
    `\n${name}`,
    ...lines.map((line) => {
      const earlier = known.get(`${name}: ${line.what}`);
      if (earlier === undefined) return `  new      ${line.what}  ${line.ratio.toFixed(3)}`;
      const change = line.ratio / earlier.ratio - 1;
      const isNoise = Math.abs(change) <= (line.noise ?? 0) + (earlier.noise ?? 0);
      const words = isNoise ? 'same   ' : `${change > 0 ? '+' : ''}${(change * 100).toFixed(0)} %`.padEnd(7);
      return `  ${words}  ${line.what}  ${earlier.ratio.toFixed(3)} → ${line.ratio.toFixed(3)}`;
    }),
  ]);
}
