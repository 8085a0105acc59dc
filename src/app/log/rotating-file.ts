import { closeSync, existsSync, fstatSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';

/** When a file is long enough to be set aside, and how many of those are kept. */
export interface RotationLimits {
  /** Octets. */
  readonly size: number;
  readonly count: number;
}

/**
 * A file that lines are added to, readable by its owner only: when it is long enough it becomes `FILE.1`, what was
 * `FILE.1` becomes `FILE.2`, and the oldest goes. Lines are written at once and whole, so that a crash loses none. A disk
 * that takes no more costs the line and nothing else: a log must not stop signatures.
 */
export class RotatingFile {
  readonly #path: string;
  readonly #limits: RotationLimits;
  #file: number;
  #size: number;

  constructor(path: string, limits: RotationLimits) {
    this.#path = path;
    this.#limits = limits;
    this.#file = openSync(path, 'a', 0o600);
    this.#size = fstatSync(this.#file).size;
  }

  write(line: string): void {
    try {
      const length = Buffer.byteLength(line);
      if (this.#size > 0 && this.#size + length > this.#limits.size) this.#rotate();
      writeSync(this.#file, line);
      this.#size += length;
    } catch {
      // There is nowhere to tell it.
    }
  }

  #rotate(): void {
    const name = (number: number): string => (number === 0 ? this.#path : `${this.#path}.${number}`);
    // Windows renames no file that is open.
    closeSync(this.#file);
    try {
      rmSync(name(this.#limits.count), { force: true });
      for (let number = this.#limits.count - 1; number >= 0; number--) {
        if (existsSync(name(number))) renameSync(name(number), name(number + 1));
      }
    } finally {
      this.#file = openSync(this.#path, 'a', 0o600);
      this.#size = fstatSync(this.#file).size;
    }
  }
}
