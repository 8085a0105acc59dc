import { readdirSync, readFileSync } from 'node:fs';

/** Bytes of memory that a process has now (Linux). */
export function memoryOf(pid: number): number {
  const found = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  if (found === undefined) throw new Error(`The process ${pid} has ended.`);
  return Number(found) * 1024;
}

/** How many file descriptors a process has open now (Linux). */
export const descriptorsOf = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length;

/** Looks at the memory of a process four times a second, and keeps the peak of each quarter of a work. */
export class PeakWatch {
  readonly #pid: number;
  readonly #progress: () => number;
  readonly #timer: NodeJS.Timeout;
  readonly peaks: [number, number, number, number] = [0, 0, 0, 0];

  /** `progress` goes from 0 to 1. */
  constructor(pid: number, progress: () => number) {
    this.#pid = pid;
    this.#progress = progress;
    this.#timer = setInterval(() => this.look(), 250);
  }

  look(): void {
    const quarter = Math.min(3, Math.floor(this.#progress() * 4)) as 0 | 1 | 2 | 3;
    this.peaks[quarter] = Math.max(this.peaks[quarter], memoryOf(this.#pid));
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
