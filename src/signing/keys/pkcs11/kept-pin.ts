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

  /** Empty where there is none. */
  get text(): string {
    return this.#pin?.toString('utf8') ?? '';
  }

  keep(pin: string): void {
    this.drop();
    this.#pin = Buffer.from(pin, 'utf8');
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
