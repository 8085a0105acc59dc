/**
 * Reads a `Blob` for code that reads at once. A `Blob` answers later, so missing parts are noted, the attempt is given
 * up, and the work begins anew when the parts are there.
 */
import { Bytes } from './bytes.ts';

/** Bytes of a block; a block that follows the one before is read with as many more as were read already. */
const BLOCK = 64 * 1024;
const MOST_BLOCKS = 64;
/** Most bytes of the structure of a file, and of its decoded streams. */
const MOST_KEPT = 256 * 1024 * 1024;
const MOST_DECODED = 64 * 1024 * 1024;
/** Bytes of a step through the whole file; neighbours share enough for a reference. */
const STEP = 1024 * 1024;
const OVERLAP = 64;
const REFERENCE = /(?<=[\s\0])(\d{1,10})[\s\0]+\d+[\s\0]+R/g;

/** A part that was not there. */
class Missing extends Error {
  override readonly name = 'Missing';
}

/** A `Blob` whose parts are fetched between attempts. */
export class BlobFile {
  readonly size: number;
  readonly #blob: Blob;
  readonly #blocks = new Map<number, Uint8Array>();
  readonly #inflated: { readonly data: Uint8Array; readonly result: Uint8Array | undefined }[] = [];
  #references: Bytes | undefined;
  #kept = 0;
  #need: (() => Promise<void>) | undefined;

  constructor(blob: Blob) {
    this.#blob = blob;
    this.size = blob.size;
  }

  /** Runs `action` until nothing is missing any more, and answers or throws its last result. */
  async run<Result>(action: () => Promise<Result>): Promise<Result> {
    for (;;) {
      this.#need = undefined;
      const outcome = await action().then(
        (result) => ({ result }),
        (error: unknown) => ({ error }),
      );
      // Set by `#require` during the action, also where the action went on without the part.
      const need = this.#need as (() => Promise<void>) | undefined;
      if (need === undefined) {
        if ('error' in outcome) throw outcome.error;
        return outcome.result;
      }
      await need();
    }
  }

  /** Fills the buffer from `position` on, and answers the number of bytes. */
  read(buffer: Uint8Array, position: number): number {
    const end = Math.min(position + buffer.length, this.size);
    for (let at = position; at < end;) {
      const number = Math.floor(at / BLOCK);
      const block = this.#blocks.get(number) ?? this.#require(async () => this.#fetch(number, Math.ceil(end / BLOCK)));
      const part = block.subarray(at - number * BLOCK, end - number * BLOCK);
      buffer.set(part, at - position);
      at += part.length;
    }
    return Math.max(0, end - position);
  }

  /** The decoded zlib data. Throws for damaged data. */
  inflate(data: Uint8Array): Uint8Array {
    const found = this.#inflated.find((one) => Bytes.compare(one.data, data) === 0);
    if (found === undefined) {
      const copy = Bytes.from(data);
      return this.#require(async () => {
        const result = await inflate(copy);
        this.#keep(copy.length + (result?.length ?? 0));
        this.#inflated.push({ data: copy, result });
      });
    }
    if (found.result === undefined) throw new Error('The data cannot be decompressed.');
    return found.result;
  }

  /** All different references of the file, as text; nothing else of the file. */
  references(): Uint8Array {
    return this.#references ?? this.#require(async () => this.#collectReferences());
  }

  async #fetch(first: number, end: number): Promise<void> {
    let count = Math.max(1, end - first);
    for (let before = first - 1; count < MOST_BLOCKS && this.#blocks.has(before); before -= 1) count += 1;
    const start = first * BLOCK;
    const bytes = new Uint8Array(await this.#blob.slice(start, start + count * BLOCK).arrayBuffer());
    this.#keep(bytes.length);
    for (let at = 0; at < bytes.length; at += BLOCK)
      this.#blocks.set(first + at / BLOCK, bytes.subarray(at, at + BLOCK));
    if (bytes.length === 0) throw new Error('The file became shorter while it was read.');
  }

  async #collectReferences(): Promise<void> {
    const numbers = new Set<string>();
    for (let start = 0; start < this.size; start += STEP) {
      const bytes = await this.#blob.slice(Math.max(0, start - OVERLAP), start + STEP).arrayBuffer();
      for (const [, number = ''] of Bytes.from(bytes).toString('latin1').matchAll(REFERENCE)) numbers.add(number);
    }
    this.#references = Bytes.from(Array.from(numbers, (number) => ` ${number} 0 R `).join(''), 'latin1');
  }

  #keep(length: number): void {
    this.#kept += length;
    if (this.#kept > MOST_KEPT) throw new Error('The structure of the PDF is too large for a page. Send the document.');
  }

  #require(fetch: () => Promise<void>): never {
    this.#need ??= fetch;
    throw new Missing();
  }
}

/** The decoded data as far as they are sound, as in other readers; undefined if nothing is. */
async function inflate(data: Uint8Array<ArrayBuffer>): Promise<Uint8Array | undefined> {
  const decoded: ReadableStream<Uint8Array> = new Blob([data]).stream().pipeThrough(new DecompressionStream('deflate'));
  const reader = decoded.getReader();
  const parts: Uint8Array[] = [];
  let length = 0;
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      parts.push(next.value);
      length += next.value.length;
      if (length > MOST_DECODED) return undefined;
    }
  } catch {
    if (parts.length === 0) return undefined;
  }
  return Bytes.concat(parts);
}
