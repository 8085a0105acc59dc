import { inspect } from 'node:util';

/** A PIN for a token. The PIN is never printed, compared or serialised, and is wiped after use. */
export class Pin {
  readonly #bytes: Buffer;

  constructor(text: string) {
    this.#bytes = Buffer.from(text, 'utf8');
  }

  /** Hands the text to `action` once. JavaScript cannot wipe this copy, so the text must go straight to the driver. */
  use<Result>(action: (text: string) => Result): Result {
    return action(this.#bytes.toString('utf8'));
  }

  /** Overwrites the PIN; later uses see zeros. */
  wipe(): void {
    this.#bytes.fill(0);
  }

  toString(): string {
    return '[PIN]';
  }

  toJSON(): string {
    return '[PIN]';
  }

  [inspect.custom](): string {
    return '[PIN]';
  }
}
