import { readIndirectObjectWithEnd } from './indirect-object.ts';
import type { CipherOf, IndirectObject } from './indirect-object.ts';
import type { PdfFile } from './pdf-file.ts';

/** Octets of all objects that are kept, and of one of them. */
const MAX_OCTETS = 1024 * 1024;
const MAX_OBJECT = 64 * 1024;
/** What asking again costs of the budget. */
const COST = 64;

/**
 * Objects by their place in the file, kept for those who read the same ones through many revisions and change none. All
 * have to ask with the same keys of encryption.
 */
export class RecentObjects {
  readonly #objects = new Map<number, IndirectObject>();
  #octets = 0;

  read(file: PdfFile, position: number, cipherOf: CipherOf): IndirectObject {
    const kept = this.#objects.get(position);
    if (kept !== undefined) {
      file.budget.spend(COST);
      return kept;
    }
    const { end, ...object } = readIndirectObjectWithEnd(file, position, cipherOf);
    const size = end - position;
    if (size > MAX_OBJECT) return object;
    if (this.#octets + size > MAX_OCTETS) {
      this.#objects.clear();
      this.#octets = 0;
    }
    this.#objects.set(position, object);
    this.#octets += size;
    return object;
  }
}
