import { malformed } from '../syntax/pdf-error.ts';

/**
 * Bounds the work for a document. A unit is about one byte read; real files with a hundred thousand form fields need a
 * tenth of the limit, and hostile files reach the limit within seconds.
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
