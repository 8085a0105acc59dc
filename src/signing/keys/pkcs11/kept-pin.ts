/** The PIN of keys that demand the PIN for each signature: kept while in use, and overwritten afterwards. */
export class KeptPin {
  readonly #idleMilliseconds: number;
  #pin: Buffer | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(idleMilliseconds: number) {
    this.#idleMilliseconds = idleMilliseconds;
  }

  get isThere(): boolean {
    return this.#pin !== undefined;
  }

  /** The stored PIN itself, not a copy: `drop` overwrites the bytes. Empty without a PIN. */
  get bytes(): Buffer {
    return this.#pin ?? Buffer.alloc(0);
  }

  /** Stores a copy of the PIN. */
  keep(pin: Buffer): void {
    this.drop();
    this.#pin = Buffer.from(pin);
    this.prolong();
  }

  /** Restarts the time limit after a use of the PIN. */
  prolong(): void {
    clearTimeout(this.#timer);
    if (this.#pin !== undefined) this.#timer = setTimeout(() => this.drop(), this.#idleMilliseconds);
  }

  drop(): void {
    clearTimeout(this.#timer);
    this.#pin?.fill(0);
    this.#pin = undefined;
  }
}
