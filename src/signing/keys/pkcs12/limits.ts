import { SigningError } from '../../errors.ts';

/** What a PKCS#12 file may cost before it is refused. */
export interface Pkcs12Limits {
  /** Size of the file in octets. */
  readonly maxBytes: number;
  /** Rounds of all key derivations of the file together; one scrypt block counts as one round. */
  readonly maxIterations: number;
  /** Bags (keys, certificates and others) of the file together. */
  readonly maxBags: number;
}

/** Ample for files that people have (a few thousand rounds, at most some hundred thousand), and still bounded. */
export const DEFAULT_PKCS12_LIMITS: Pkcs12Limits = {
  maxBytes: 10 * 1024 * 1024,
  maxIterations: 10_000_000,
  maxBags: 1000,
};

/** Counts what one file has cost so far. Throws `PKCS12_UNSUPPORTED`, which names the limit, before the work is done. */
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

  /** Announces one bag. */
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
