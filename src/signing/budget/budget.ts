/**
 * Limits the resources for reading one input: elements read, bytes decoded, signatures checked, buffers, processor
 * time. A worker thread reads one input at a time, so the budget belongs to the thread. Outside of `withBudget` nothing
 * is limited.
 */
import { getHeapStatistics } from 'node:v8';
import { SigningError } from '../errors.ts';

/**
 * - `objects`: elements of DER and objects of a PDF.
 * - `bytes`: bytes that encoded streams decode to.
 * - `candidates`: signatures checked with a candidate's key, the most expensive step.
 * - `buffers`: bytes that the thread's buffers take in addition; the heap has a limit of its own (`WorkerLimits`).
 * - `time`: milliseconds of processor time of the thread.
 */
export type BudgetKind = 'objects' | 'bytes' | 'candidates' | 'buffers' | 'time';

/** Kinds counted by the readers. Buffers and time are measured instead. */
type CountedKind = Exclude<BudgetKind, 'buffers' | 'time'>;

/** Amounts of each kind. */
export type Amounts = Readonly<Record<BudgetKind, number>>;

const MEBIBYTE = 2 ** 20;

/** The budget of an empty input. */
const BASE: Amounts = {
  objects: 200_000,
  bytes: 128 * MEBIBYTE,
  candidates: 1_000,
  buffers: 200 * MEBIBYTE,
  time: 2_000,
};

/**
 * The additional budget for each MiB of input. The number of candidates suffices, because a signature with its
 * certificate takes more than a kilobyte.
 */
const PER_MEBIBYTE: Amounts = {
  objects: 1_000_000,
  bytes: 16 * MEBIBYTE,
  candidates: 1_000,
  buffers: 2 * MEBIBYTE,
  time: 1_000,
};

const KINDS: readonly BudgetKind[] = ['objects', 'bytes', 'candidates', 'buffers', 'time'];

/** The budget of an input of this many bytes: up to 1 MiB the processor time of 2 seconds, then a second for each MiB. */
export function budgetFor(size: number): Amounts {
  const mebibytes = size / MEBIBYTE;
  const amount = (kind: BudgetKind): number => Math.ceil(BASE[kind] + PER_MEBIBYTE[kind] * mebibytes);
  return {
    objects: amount('objects'),
    bytes: amount('bytes'),
    candidates: amount('candidates'),
    buffers: amount('buffers'),
    time: Math.ceil(BASE.time + PER_MEBIBYTE.time * Math.max(0, mebibytes - 1)),
  };
}

const LIMIT_TEXTS: Readonly<Record<BudgetKind, (limit: number) => string>> = {
  objects: (limit) => `more than ${limit} objects`,
  bytes: (limit) => `more than ${Math.round(limit / MEBIBYTE)} MiB of decoded data`,
  candidates: (limit) => `more than ${limit} checks of signatures`,
  buffers: (limit) => `more than ${Math.round(limit / MEBIBYTE)} MiB of buffers`,
  time: (limit) => `more than ${limit / 1000} seconds of processor time`,
};

/** Milliseconds of processor time that this thread has used. */
function threadTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Bytes of this thread's buffers, including buffers that are not yet garbage-collected. */
const threadBuffers = (): number => getHeapStatistics().external_memory;

/** Number of cheap steps between two measurements of processor time and buffers. */
const STEPS_BETWEEN_CHECKS = 4_096;

class Meter {
  readonly #used: Record<BudgetKind, number> = { objects: 0, bytes: 0, candidates: 0, buffers: 0, time: 0 };
  readonly #started = threadTime();
  readonly #buffersAtStart = threadBuffers();
  #limits: Amounts;
  #steps = 0;
  #exceeded: BudgetKind | undefined;

  constructor(limits: Amounts) {
    this.#limits = limits;
  }

  get used(): Amounts {
    return { ...this.#used, time: threadTime() - this.#started };
  }

  /** Raises the limits for bytes from the network or the cache: a revocation list may be longer than the input. */
  allow(size: number): void {
    const [more, none] = [budgetFor(size), budgetFor(0)];
    const sum = (kind: BudgetKind): number =>
      this.#limits[kind] + (kind === 'time' ? (PER_MEBIBYTE.time * size) / MEBIBYTE : more[kind] - none[kind]);
    this.#limits = {
      objects: sum('objects'),
      bytes: sum('bytes'),
      candidates: sum('candidates'),
      buffers: sum('buffers'),
      time: sum('time'),
    };
  }

  spend(kind: CountedKind, amount: number): void {
    this.#used[kind] += amount;
    this.step(kind === 'objects' ? amount : STEPS_BETWEEN_CHECKS);
  }

  /** Counts cheap steps, and measures time and buffers after every `STEPS_BETWEEN_CHECKS` steps. */
  step(count: number): void {
    this.#steps += count;
    if (this.#steps >= STEPS_BETWEEN_CHECKS) {
      this.#steps = 0;
      this.#used.time = threadTime() - this.#started;
      this.#used.buffers = Math.max(this.#used.buffers, threadBuffers() - this.#buffersAtStart);
    }
    this.check();
  }

  get isExceeded(): boolean {
    return this.#exceeded !== undefined;
  }

  /**
   * Throws `LIMIT_EXCEEDED` after a limit was exceeded, and again at every later step, in case a caller swallowed the
   * error.
   */
  check(): void {
    this.#exceeded ??= KINDS.find((kind) => this.#used[kind] > this.#limits[kind]);
    if (this.#exceeded === undefined) return;
    const what = LIMIT_TEXTS[this.#exceeded](this.#limits[this.#exceeded]);
    throw new SigningError('LIMIT_EXCEEDED', `Reading the file was stopped, because it took ${what}.`);
  }
}

let current: Meter | undefined;

/** Counts what the current input uses. Throws `LIMIT_EXCEEDED` beyond its budget. */
export function spend(kind: CountedKind, amount = 1): void {
  current?.spend(kind, amount);
}

/**
 * Counts cheap steps, such as the bytes read by a loop. Steps have no limit of their own: only the limits on processor
 * time and buffers end a loop. Throws `LIMIT_EXCEEDED`.
 */
export function spendSteps(count: number): void {
  current?.step(count);
}

/** True when the current input has exceeded its budget. Readers that skip damaged parts must stop then. */
export const isBudgetExceeded = (): boolean => current?.isExceeded === true;

/** Raises the limits of the current input for `size` bytes from the network or the cache. */
export function allowBytes(size: number): void {
  current?.allow(size);
}

/**
 * Runs `action` within a budget, one action at a time in a thread, and calls `onUsed` with the used amounts. Rejects
 * with `LIMIT_EXCEEDED`, naming the limit, even when `action` swallowed the error.
 */
export async function withBudget<Result>(
  limits: Amounts,
  action: () => Promise<Result>,
  onUsed: (used: Amounts) => void = () => undefined,
): Promise<Result> {
  const meter = new Meter(limits);
  current = meter;
  try {
    const result = await action();
    meter.check();
    return result;
  } catch (error) {
    meter.check();
    throw error;
  } finally {
    current = undefined;
    onUsed(meter.used);
  }
}
