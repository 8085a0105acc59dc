/**
 * The form of a benchmark, and the fair comparison of two things on a machine used by others too: in interleaved
 * rounds, as the median of the rounds' ratios. Times alone are never judged.
 */
import assert from 'node:assert/strict';

/** One comparison. The ratio means the words of `what`; without a bound, the ratio is printed only. */
export interface BenchLine {
  readonly what: string;
  readonly ratio: number;
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

/** Rounds of every comparison. */
export const ROUNDS = 9;

/** Rounds of a comparison with contenders taking a minute or more each: short disturbances even out inside a round. */
export const LONG_ROUNDS = 3;

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

/**
 * Measures all contenders in turn, round after round, each round in the opposite order of the round before, after a
 * first round without counting.
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
  const figures = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  for (const name of names) await contenders[name]();
  for (let round = 0; round < rounds; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) figures[name].push(await contenders[name]());
  }
  return figures;
}

/** The median over the rounds of `figures[over] / figures[under]`. */
export function medianRatio<Name extends string>(figures: Rounds<Name>, over: Name, under: Name): number {
  return median(figures[over].map((figure, round) => figure / (figures[under][round] ?? NaN)));
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

function verdict(line: BenchLine): string {
  if (line.bound === undefined) return '';
  return keepsBound(line) ? 'PASS' : 'MISS';
}

/** A line of the printed table: verdict, subject (`width` characters wide), ratio, bound and detail. */
export function lineText(line: BenchLine, width: number = line.what.length): string {
  const columns = [
    verdict(line).padEnd(4),
    line.what.padEnd(width),
    line.ratio.toFixed(line.ratio >= 100 ? 0 : 3).padStart(8),
    boundText(line).padEnd(10),
    line.detail,
  ];
  return `  ${columns.join('  ')}`.trimEnd();
}
