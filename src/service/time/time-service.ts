import type { ServiceLog } from '../monitoring/index.ts';

/** The state that is kept between two runs. */
export interface ClockNote {
  /** Wall time of the last check, milliseconds since 1970. */
  readonly seen: number;
  /** True if the clock was in doubt, so that nothing was deleted. */
  readonly doubted: boolean;
  /** Wall time at which a person last accepted the clock, milliseconds since 1970; absent when nobody has. */
  readonly accepted?: number;
}

export interface ClockStore {
  /** Undefined before the first run. */
  read(): ClockNote | undefined;
  /** Never fails: if the write is impossible, the earlier state stays. */
  write(note: ClockNote): void;
}

export interface TimeParts {
  readonly wall: () => Date;
  /** Milliseconds that are not affected by changes of the wall clock. */
  readonly monotonic: () => number;
  readonly store: ClockStore;
  readonly log: Pick<ServiceLog, 'warn' | 'info'>;
}

/** The known state of the clock. */
export interface ClockState {
  /** True while nothing may be deleted permanently. */
  readonly doubted: boolean;
  /** Milliseconds by which the local clock is ahead of the last other clock; undefined if no other clock was seen. */
  readonly ahead: number | undefined;
  /** The time, by this clock, at which a person last accepted the clock. Later times in earlier rows prove nothing. */
  readonly accepted: Date | undefined;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Accepted difference between wall and monotonic clock between two checks. */
const LEAP = 5 * MINUTE;
/** A longer time since the last run proves nothing: the computer was off, or its clock is ahead. */
const LONGEST_PAUSE = HOUR;
/** Accepted difference to other clocks: answers take time and have whole seconds. */
const AGREEMENT = 5 * MINUTE;
/** Even running time that counts as much as another clock. */
const PROBATION = 24 * HOUR;

/**
 * Decides whether the wall clock can be trusted for actions that cannot be undone. After a jump against the monotonic
 * clock or the last run, nothing is deleted until another clock agrees, or, if none answers, until the clock has run
 * evenly for 24 hours.
 */
export class TimeService {
  readonly #parts: TimeParts;
  #last: { readonly wall: number; readonly monotonic: number };
  /** Monotonic time since which the clock has run evenly; undefined if the clock is not in doubt. */
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

  /** True if expired data may be deleted and expired work be ended. */
  readonly mayErase = (): boolean => {
    this.look();
    return this.#doubtedSince === undefined;
  };

  state(): ClockState {
    this.look();
    const accepted = this.#accepted === undefined ? undefined : new Date(this.#accepted);
    return { doubted: this.#doubtedSince !== undefined, ahead: this.#ahead, accepted };
  }

  /** Compares wall and monotonic clock; called at least every minute. */
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

  /** Stores the present time for the next run. */
  note(): void {
    this.look();
    this.#keep();
  }

  /**
   * Compares the clock with the time of another computer, seen between two readings of the monotonic clock, the later
   * of which is now.
   */
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

  /**
   * Records that a person has compared the clock with a correct one. If another clock differs afterwards, the clock is
   * in doubt again.
   */
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
