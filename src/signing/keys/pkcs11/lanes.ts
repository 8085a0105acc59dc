/** The queues of all tokens of one module: waiting requests, requests in flight, and failures without an answer. */
import { SigningError } from '../../errors.ts';
import { Lane, type Flight, type Job } from './lane.ts';

/** Maximum number of children to which a request is sent. */
const MAX_ATTEMPTS = 2;

export function rejectAll(jobs: Job[], error: SigningError): void {
  for (const job of jobs.splice(0)) job.reject(error);
}

export class Lanes {
  readonly #lanes = new Map<string, Lane>();
  readonly #late: (flight: Flight) => void;
  #waiting = 0;

  /** `late` is called for a request that exceeds its deadline. */
  constructor(late: (flight: Flight) => void) {
    this.#late = late;
  }

  /** The number of waiting requests, over all tokens. */
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

  /** Moves the next request of a lane into flight; undefined when no request waits or the lane is full. */
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

  /** Rejects and removes waiting requests of a lane. */
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

  /** Ends all requests: waiting requests are cancelled, and requests in flight fail. */
  close(error: SigningError): void {
    for (const lane of this.#lanes.values()) {
      this.cancel(lane, () => true);
      failFlights(lane, error);
    }
  }

  /**
   * Handles a dead child: work in progress fails, and unstarted work goes to the next child, once. If the child never
   * became ready (`wasReady` is false), the attempt counts for all waiting requests.
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
