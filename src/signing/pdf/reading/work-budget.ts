import { malformed } from '../syntax/pdf-error.ts';

/**
 * Bounds the work that one document may cause. A unit is about one octet looked at; real files with a hundred
 * thousand form fields need a tenth of the limit, and the limit is reached within seconds.
 */
const MAX_WORK = 256 * 1024 * 1024;

export class WorkBudget {
  #left = MAX_WORK;

  /** True when the share is used up. */
  get exhausted(): boolean {
    return this.#left < 0;
  }

  /** Throws `PDF_MALFORMED` when the document has used up its share. */
  spend(units: number): void {
    this.#left -= units;
    if (this.#left < 0) malformed('reading its structure takes more work than any real document needs');
  }
}
