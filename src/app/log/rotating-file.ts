import { closeSync, existsSync, fstatSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';

/** The size of a full file, and the number of kept files. */
export interface RotationLimits {
  /** Bytes. */
  readonly size: number;
  readonly count: number;
}

/**
 * An append-only file, readable by its owner only. A full file becomes `FILE.1`, the old `FILE.1` becomes `FILE.2`, and
 * the oldest file is removed. Each line is written immediately and completely, so a crash loses none. On a full disk
 * only the line is lost: logging must not stop signatures.
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
      // There is no other place to report the failure.
    }
  }

  #rotate(): void {
    const name = (number: number): string => (number === 0 ? this.#path : `${this.#path}.${number}`);
    // Windows cannot rename an open file.
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
