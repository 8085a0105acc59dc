/** The queues of all tokens of one module: what waits, what is under way, and how it ends without an answer. */
import { SigningError } from '../../errors.ts';
import { Lane, type Flight, type Job } from './lane.ts';

/** A request goes to at most this many children. */
const MAX_ATTEMPTS = 2;

export function rejectAll(jobs: Job[], error: SigningError): void {
  for (const job of jobs.splice(0)) job.reject(error);
}

export class Lanes {
  readonly #lanes = new Map<string, Lane>();
  readonly #late: (flight: Flight) => void;
  #waiting = 0;

  /** `late` is told of a request that runs past its deadline. */
  constructor(late: (flight: Flight) => void) {
    this.#late = late;
  }

  /** How many requests wait, over all tokens. */
  get waiting(): number {
    return this.#waiting;
  }

  get idle(): boolean {
    return [...this.#lanes.values()].every((lane) => lane.flights.length === 0);
  }

  all(): Iterable<Lane> {
    return this.#lanes.values();
  }

  lane(name: string): Lane {
    const known = this.#lanes.get(name);
    if (known !== undefined) return known;
    const lane = new Lane(this.#late);
    this.#lanes.set(name, lane);
    return lane;
  }

  add(name: string, job: Job): void {
    this.#waiting++;
    this.lane(name).waiting.push(job);
  }

  /** The next request of a lane, which is under way from now on; undefined: none waits, or the lane is full. */
  take(lane: Lane, nextId: () => number): Flight | undefined {
    const flight = lane.take(nextId);
    if (flight !== undefined) this.#waiting -= flight.jobs.length;
    return flight;
  }

  findFlight(id: number): readonly [Lane, Flight] | undefined {
    for (const lane of this.#lanes.values()) {
      const flight = lane.flights.find((one) => one.id === id);
      if (flight !== undefined) return [lane, flight];
    }
    return undefined;
  }

  /** Takes waiting requests out of a lane with an error. */
  remove(lane: Lane, chosen: (job: Job) => boolean, error: SigningError): void {
    const removed = lane.waiting.filter(chosen);
    const kept = lane.waiting.filter((job) => !removed.includes(job));
    this.#waiting -= removed.length;
    lane.waiting.splice(0, lane.waiting.length, ...kept);
    rejectAll(removed, error);
  }

  cancel(lane: Lane, chosen: (job: Job) => boolean): void {
    this.remove(lane, chosen, new SigningError('CANCELLED', 'The request was cancelled before it began.'));
  }

  rejectWaiting(error: SigningError): void {
    for (const lane of this.#lanes.values()) {
      this.#waiting -= lane.waiting.length;
      rejectAll(lane.waiting, error);
    }
  }

  /** Ends everything: what waits is cancelled, and what is under way fails. */
  close(error: SigningError): void {
    for (const lane of this.#lanes.values()) {
      this.cancel(lane, () => true);
      failFlights(lane, error);
    }
  }

  /**
   * Work that a dead child had begun fails; what it had not begun goes to the next child, once. A child that never got
   * as far as taking work (`wasReady` is false) counts for all that waited for it.
   */
  childLost(error: SigningError, wasReady: boolean): void {
    for (const lane of this.#lanes.values()) {
      const untouched = lane.flights.filter((flight) => !flight.started).flatMap((flight) => flight.jobs.splice(0));
      failFlights(lane, error);
      const tried = [...untouched, ...(wasReady ? [] : lane.waiting)];
      for (const job of tried) job.attempts++;
      const waiting = [...untouched, ...lane.waiting];
      this.#waiting += untouched.length;
      lane.waiting.splice(0, lane.waiting.length, ...waiting);
      this.remove(lane, (job) => job.attempts >= MAX_ATTEMPTS, error);
    }
  }
}

function failFlights(lane: Lane, error: SigningError): void {
  lane.stopClock();
  for (const flight of lane.flights.splice(0)) rejectAll(flight.jobs, error);
}
