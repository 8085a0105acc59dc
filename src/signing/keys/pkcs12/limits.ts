import { SigningError } from '../../errors.ts';

/** Limits on the cost of a PKCS#12 file. */
export interface Pkcs12Limits {
  /** Size of the file in bytes. */
  readonly maxBytes: number;
  /** Maximum number of rounds of all key derivations of the file together; a scrypt block counts as a round. */
  readonly maxIterations: number;
  /** Bags (keys, certificates and others) of the file together. */
  readonly maxBags: number;
}

/** Ample for real files (a few thousand rounds, at most some hundred thousand), and still bounded. */
export const DEFAULT_PKCS12_LIMITS: Pkcs12Limits = {
  maxBytes: 10 * 1024 * 1024,
  maxIterations: 10_000_000,
  maxBags: 1000,
};

/** Counts the cost of a file so far. Throws `PKCS12_UNSUPPORTED` with the name of the limit before doing the work. */
export class Pkcs12Budget {
  readonly #limits: Pkcs12Limits;
  #iterations = 0;
  #bags = 0;

  constructor(limits: Pkcs12Limits) {
    this.#limits = limits;
  }

  /** Announces `count` rounds of a key derivation. */
  spendIterations(count: number): void {
    this.#iterations += count;
    if (this.#iterations > this.#limits.maxIterations) {
      throw new SigningError(
        'PKCS12_UNSUPPORTED',
        `The PKCS#12 file asks for more than ${this.#limits.maxIterations} rounds of password hashing, ` +
          'which is the limit. Export it again with fewer iterations.',
      );
    }
  }

  /** Announces a bag. */
  spendBag(): void {
    this.#bags += 1;
    if (this.#bags > this.#limits.maxBags) {
      throw new SigningError(
        'PKCS12_UNSUPPORTED',
        `The PKCS#12 file holds more than ${this.#limits.maxBags} entries, which is the limit.`,
      );
    }
  }
}
