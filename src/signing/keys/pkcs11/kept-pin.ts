/** The PIN of keys that ask for it at each signature: kept while it is in use, and overwritten afterwards. */
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

  /** The PIN itself, not a copy: it is overwritten when it is dropped. Empty where there is none. */
  get bytes(): Buffer {
    return this.#pin ?? Buffer.alloc(0);
  }

  /** Keeps a copy. */
  keep(pin: Buffer): void {
    this.drop();
    this.#pin = Buffer.from(pin);
    this.prolong();
  }

  /** It was used, and stays for as long again. */
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
