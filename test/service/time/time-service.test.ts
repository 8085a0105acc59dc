import { describe, expect, it } from 'vitest';
import { TimeService, type ClockNote } from '../../../src/service/time/index.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const begin = Date.UTC(2026, 10, 22);

/** A computer whose clocks are set by the test; the note survives a restart. */
class Computer {
  wall = begin;
  monotonic = 0;
  note: ClockNote | undefined;
  service = this.start();

  start(): TimeService {
    this.service = new TimeService({
      wall: () => new Date(this.wall),
      monotonic: () => this.monotonic,
      store: { read: () => this.note, write: (note) => void (this.note = note) },
      log: { warn: () => undefined, info: () => undefined },
    });
    return this.service;
  }

  /** Both clocks run, with a look every half hour. */
  run(milliseconds: number): void {
    for (let left = milliseconds; left > 0; left -= HOUR / 2) {
      const step = Math.min(left, HOUR / 2);
      this.wall += step;
      this.monotonic += step;
      this.service.note();
    }
  }

  leap(milliseconds: number): void {
    this.wall += milliseconds;
  }

  startAfter(milliseconds: number): void {
    this.leap(milliseconds);
    this.start();
  }
}

describe('erasing because of the time', () => {
  it('is allowed on a new computer and while the clocks run together', () => {
    const computer = new Computer();
    expect(computer.service.mayErase()).toBe(true);
    computer.run(30 * DAY);
    expect(computer.service.mayErase()).toBe(true);
  });

  it.each([
    ['a leap ahead while running', (one: Computer) => one.leap(DAY)],
    ['a leap back while running', (one: Computer) => one.leap(-HOUR)],
    ['a start with a clock that is ahead', (one: Computer) => one.startAfter(DAY)],
    ['a start with a clock that is behind', (one: Computer) => one.startAfter(-HOUR)],
  ])('waits after %s, until the clock has run evenly for 24 hours', (_state, change) => {
    const computer = new Computer();
    computer.run(HOUR);
    change(computer);
    expect(computer.service.mayErase()).toBe(false);
    computer.run(DAY - HOUR);
    expect(computer.service.mayErase()).toBe(false);
    computer.run(2 * HOUR);
    expect(computer.service.mayErase()).toBe(true);
  });

  it('still waits after the leap was put right, and after a quick restart', () => {
    const computer = new Computer();
    computer.run(HOUR);
    computer.leap(40 * DAY);
    expect(computer.service.mayErase()).toBe(false);
    computer.start();
    expect(computer.service.mayErase()).toBe(false);
    computer.leap(-40 * DAY);
    expect(computer.service.mayErase()).toBe(false);
  });

  it('goes on at once when another clock agrees, and never while another one differs', () => {
    const computer = new Computer();
    computer.run(HOUR);
    computer.leap(DAY);
    computer.service.observe(new Date(computer.wall - DAY));
    computer.run(3 * DAY);
    expect(computer.service.state()).toMatchObject({ doubted: true, ahead: DAY });
    computer.leap(-DAY);
    computer.service.observe(new Date(computer.wall - 1000));
    expect(computer.service.state()).toMatchObject({ doubted: false, ahead: 0 });
  });

  it('goes on at once when a person accepts the clock, also after a restart, and until another clock differs', () => {
    const computer = new Computer();
    computer.run(HOUR);
    computer.leap(DAY);
    computer.service.observe(new Date(computer.wall - DAY));
    computer.service.accept();
    const accepted = new Date(computer.wall);
    expect(computer.service.state()).toEqual({ doubted: false, ahead: undefined, accepted });
    computer.start();
    expect(computer.service.state()).toEqual({ doubted: false, ahead: undefined, accepted });
    computer.service.observe(new Date(computer.wall - DAY));
    expect(computer.service.mayErase()).toBe(false);
  });

  it('does not mind a restart within an hour', () => {
    const computer = new Computer();
    computer.run(HOUR);
    computer.leap(HOUR / 2);
    computer.start();
    expect(computer.service.mayErase()).toBe(true);
  });
});
