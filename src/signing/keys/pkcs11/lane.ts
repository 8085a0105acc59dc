/**
 * The queue of one token, or of the module for requests without a token. First in, first out. Signatures that wait for
 * the same key are sent in one message. The next message is sent while the child works on the previous message, so that
 * the token is never idle.
 */
import type { SigningError } from '../../errors.ts';
import { MAX_BATCH, type KeyReference, type Operation, type TokenMechanism } from './protocol.ts';

interface Waiting<Result> {
  resolve(result: Result): void;
  reject(error: SigningError): void;
  /** How often the request was sent to a child that died before starting the work. */
  attempts: number;
}

/** Any operation but `sign`. */
export interface CallJob extends Waiting<unknown> {
  readonly kind: 'call';
  readonly operation: Exclude<Operation, { op: 'sign' }>;
  readonly deadline: number;
}

/** One signature. */
export interface SignJob extends Waiting<Buffer> {
  readonly kind: 'signature';
  readonly key: KeyReference;
  readonly mechanism: TokenMechanism;
  readonly input: Uint8Array;
  readonly deadline: number;
}

export type Job = CallJob | SignJob;

/** A request sent to the child. `jobs` are the unanswered jobs, in order; a call has exactly one job. */
export interface Flight {
  readonly id: number;
  readonly operation: Operation;
  readonly jobs: Job[];
  readonly deadline: number;
  started: boolean;
}

const MAX_FLIGHTS = 2;

function sameBatch(first: SignJob, other: Job): other is SignJob {
  return (
    other.kind === 'signature' &&
    other.key.keyId === first.key.keyId &&
    other.key.publicKey === first.key.publicKey &&
    other.mechanism.name === first.mechanism.name &&
    (other.mechanism.name !== 'rsa-pss' ||
      (first.mechanism.name === 'rsa-pss' && other.mechanism.digest === first.mechanism.digest))
  );
}

export class Lane {
  readonly waiting: Job[] = [];
  readonly flights: Flight[] = [];
  #timer: NodeJS.Timeout | undefined;
  #lateAt = 0;
  #remaining: number | undefined;
  readonly #late: (flight: Flight) => void;

  /** `late` is called when the first request in flight exceeds its deadline. */
  constructor(late: (flight: Flight) => void) {
    this.#late = late;
  }

  /** Starts the deadline of the first request in flight only: the others wait inside the child. */
  startClock(): void {
    const [flight] = this.flights;
    this.stopClock();
    if (flight !== undefined) this.#run(flight.deadline);
  }

  stopClock(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#remaining = undefined;
  }

  /** Pauses the deadline while the child is blocked by another token. */
  pauseClock(): void {
    if (this.#timer === undefined) return;
    const remaining = Math.max(0, this.#lateAt - performance.now());
    this.stopClock();
    this.#remaining = remaining;
  }

  resumeClock(): void {
    if (this.#remaining !== undefined) this.#run(this.#remaining);
  }

  #run(milliseconds: number): void {
    this.#remaining = undefined;
    this.#lateAt = performance.now() + milliseconds;
    this.#timer = setTimeout(() => {
      const [flight] = this.flights;
      if (flight !== undefined) this.#late(flight);
    }, milliseconds);
  }

  /** The next request for the child; undefined while nothing waits or enough requests are in flight. */
  take(nextId: () => number): Flight | undefined {
    const [first] = this.waiting;
    if (first === undefined || this.flights.length >= MAX_FLIGHTS) return undefined;
    const flight = first.kind === 'call' ? this.#takeCall(first, nextId) : this.#takeBatch(first, nextId);
    if (flight !== undefined) this.flights.push(flight);
    return flight;
  }

  /** A call is sent alone, because later requests depend on the result of a login. */
  #takeCall(job: CallJob, nextId: () => number): Flight | undefined {
    if (this.flights.length > 0) return undefined;
    this.waiting.shift();
    return { id: nextId(), operation: job.operation, jobs: [job], deadline: job.deadline, started: false };
  }

  #takeBatch(first: SignJob, nextId: () => number): Flight | undefined {
    if (this.flights.some((flight) => flight.operation.op !== 'sign')) return undefined;
    let count = 1;
    while (count < Math.min(MAX_BATCH, this.waiting.length)) {
      const next = this.waiting[count];
      if (next === undefined || !sameBatch(first, next)) break;
      count++;
    }
    const jobs = this.waiting.splice(0, count).filter((job) => job.kind === 'signature');
    const inputs = jobs.map((job) => job.input);
    return {
      id: nextId(),
      operation: { op: 'sign', key: first.key, mechanism: first.mechanism, inputs },
      jobs,
      deadline: first.deadline,
      started: false,
    };
  }
}
