import { createHash } from 'node:crypto';
import type { ReceivedFile } from '../../service/transactions/index.ts';
import { PassingKind } from '../../values/file-kind.ts';

/** Counts and hashes passing bytes, and detects their kind. */
export class Measure {
  readonly #hash = createHash('sha256');
  readonly #kind = new PassingKind();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(chunk: Uint8Array): void {
    this.#kind.add(chunk);
    this.#hash.update(chunk);
    this.#size += chunk.length;
  }

  finish(): ReceivedFile {
    return {
      size: this.#size,
      checksum: this.#hash.digest('hex'),
      head: Buffer.from(this.#kind.head),
      kind: this.#kind.finish(),
    };
  }
}
