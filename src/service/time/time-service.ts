import type { ServiceLog } from '../monitoring/index.ts';

/** What is kept between two runs. */
export interface ClockNote {
  /** Wall time of the last look, milliseconds since 1970. */
  readonly seen: number;
  /** Whether erasing waited then. */
  readonly doubted: boolean;
  /** Wall time at which a person last accepted the clock, milliseconds since 1970; absent when nobody has. */
  readonly accepted?: number | undefined;
}

export interface ClockStore {
  /** Undefined before the first run. */
  read(): ClockNote | undefined;
  /** Failures are of no consequence: the note before stays. */
  write(note: ClockNote): void;
}

export interface TimeParts {
  readonly wall: () => Date;
  /** Milliseconds that no change of the wall clock touches. */
  readonly monotonic: () => number;
  readonly store: ClockStore;
  readonly log: Pick<ServiceLog, 'warn' | 'info'>;
}

/** What is known of the clock. */
export interface ClockState {
  /** Nothing is erased for good while true. */
  readonly doubted: boolean;
  /** Milliseconds that the clock is ahead of the last other clock; undefined when none was seen. */
  readonly ahead: number | undefined;
  /** When a person last accepted the clock, by that clock: later times of earlier rows prove nothing. */
  readonly accepted: Date | undefined;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Wall and monotonic clock may differ by this between two looks. */
const LEAP = 5 * MINUTE;
/** A longer time since the last run proves nothing: the computer was off, or its clock is ahead. */
const LONGEST_PAUSE = HOUR;
/** Other clocks may differ by this: their answers take time and have whole seconds. */
const AGREEMENT = 5 * MINUTE;
/** Running time without a leap that replaces another clock. */
const PROBATION = 24 * HOUR;

/**
 * Decides whether the wall clock can be believed where an error could not be undone. A leap against the monotonic clock
 * or against the last run makes erasing wait, until another clock agrees, or, where none answers, until the clock has run
 * evenly for 24 hours.
 */
export class TimeService {
  readonly #parts: TimeParts;
  #last: { readonly wall: number; readonly monotonic: number };
  /** Monotonic time since which the clock has run evenly; undefined: not doubted. */
  #doubtedSince: number | undefined;
  #ahead: number | undefined;
  #accepted: number | undefined;

  constructor(parts: TimeParts) {
    this.#parts = parts;
    const now = this.#read();
    this.#last = now;
    const note = parts.store.read();
    if (note === undefined) return;
    this.#accepted = note.accepted;
    const pause = now.wall - note.seen;
    if (note.doubted || pause > LONGEST_PAUSE || pause < -LEAP) this.#doubt(pause);
    this.#keep();
  }

  now(): Date {
    return this.#parts.wall();
  }

  /** Whether data may be erased, and work be ended for good, because its time is over. */
  readonly mayErase = (): boolean => {
    this.look();
    return this.#doubtedSince === undefined;
  };

  state(): ClockState {
    this.look();
    const accepted = this.#accepted === undefined ? undefined : new Date(this.#accepted);
    return { doubted: this.#doubtedSince !== undefined, ahead: this.#ahead, accepted };
  }

  /** Compares the clocks; called every minute at least. */
  look(): void {
    const now = this.#read();
    const leap = now.wall - this.#last.wall - (now.monotonic - this.#last.monotonic);
    if (Math.abs(leap) > LEAP) {
      this.#ahead = undefined;
      this.#doubt(leap);
    }
    this.#last = now;
    const even = this.#doubtedSince === undefined ? 0 : now.monotonic - this.#doubtedSince;
    if (even >= PROBATION && this.#ahead === undefined) this.#trust('the clock has run evenly for 24 hours');
  }

  /** Keeps the present time for the next run. */
  note(): void {
    this.look();
    this.#keep();
  }

  /** The time of another computer, seen between two readings of the monotonic clock that end now. */
  observe(other: Date, took = 0): void {
    this.look();
    const ahead = this.#last.wall - took / 2 - other.getTime();
    if (Math.abs(ahead) <= AGREEMENT) {
      this.#ahead = 0;
      if (this.#doubtedSince !== undefined) this.#trust('another clock agrees');
      return;
    }
    if (this.#ahead === undefined || this.#ahead === 0) {
      this.#parts.log.warn({ seconds: Math.round(ahead / 1000) }, 'the clock differs from another one');
    }
    this.#ahead = ahead;
    this.#doubtedSince ??= this.#last.monotonic;
    this.#keep();
  }

  /** A person has compared the clock with a right one. Another clock that differs afterwards counts again. */
  accept(): void {
    this.look();
    this.#ahead = undefined;
    this.#accepted = this.#last.wall;
    this.#trust('a person accepted it');
  }

  #read(): { readonly wall: number; readonly monotonic: number } {
    return { wall: this.#parts.wall().getTime(), monotonic: this.#parts.monotonic() };
  }

  #doubt(leap: number): void {
    const seconds = Math.round(leap / 1000);
    this.#parts.log.warn({ seconds }, 'the clock leapt, or this computer was off: nothing is erased for now');
    this.#doubtedSince = this.#parts.monotonic();
    this.#keep();
  }

  #trust(reason: string): void {
    this.#doubtedSince = undefined;
    this.#parts.log.info({ reason }, 'the clock is believed again');
    this.#keep();
  }

  #keep(): void {
    const doubted = this.#doubtedSince !== undefined;
    this.#parts.store.write({ seen: this.#read().wall, doubted, accepted: this.#accepted });
  }
}
