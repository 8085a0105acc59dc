import { createHash } from 'node:crypto';
import type { ReceivedFile } from '../../service/transactions/index.ts';

const HEAD_SIZE = 1024;

/** Counts and hashes passing bytes, and remembers the first bytes. */
export class Measure {
  readonly #hash = createHash('sha256');
  readonly #head: Uint8Array[] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(chunk: Uint8Array): void {
    if (this.#size < HEAD_SIZE) this.#head.push(Buffer.from(chunk.subarray(0, HEAD_SIZE - this.#size)));
    this.#hash.update(chunk);
    this.#size += chunk.length;
  }

  finish(): ReceivedFile {
    return { size: this.#size, checksum: this.#hash.digest('hex'), head: Buffer.concat(this.#head) };
  }
}
