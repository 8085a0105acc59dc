import { readIndirectObjectWithEnd } from './indirect-object.ts';
import type { CipherOf, IndirectObject } from './indirect-object.ts';
import type { PdfFile } from './pdf-file.ts';

/** Most bytes of all cached objects, and of a single object. */
const MAX_OCTETS = 1024 * 1024;
const MAX_OBJECT = 64 * 1024;
/** Cost of a repeated read in the work budget. */
const COST = 64;

/**
 * A cache of objects by their place in the file, for callers that read the same objects through many revisions and
 * change none. All callers have to use the same encryption keys.
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
