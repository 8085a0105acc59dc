/** Digests of several byte ranges of a file, computed in a single pass. */
import type { Hash } from 'node:crypto';
import { type ReadableDigestAlgorithm, copyDigest, createDigest } from '../../algorithms/algorithms.ts';
import { forEachChunk } from '../../signed-data/content.ts';
import type { PdfFile } from '../reading/pdf-file.ts';

/** A sound byte range: from 0 to the hole, and from the end of the hole to the end. */
export type SoundRange = readonly [start: 0, length: number, secondStart: number, secondLength: number];

/** For a range without a problem: its four numbers. */
export const soundRange = ([, length = 0, secondStart = 0, secondLength = 0]: readonly number[]): SoundRange => [
  0,
  length,
  secondStart,
  secondLength,
];

async function feed(file: PdfFile, digest: Hash, start: number, length: number): Promise<void> {
  await forEachChunk({ file: file.handle, start, length }, (chunk) => {
    digest.update(chunk);
    return undefined;
  });
}

/**
 * All ranges begin at 0 and end their first part in front of their own signature, so a single pass over the file serves
 * all ranges: the state of the hash is kept at the beginning of each hole. The part after a hole is read once more, up
 * to the end of the revision.
 */
export class SharedDigests {
  readonly #file: PdfFile;
  readonly #holes: readonly number[];
  readonly #states = new Map<ReadableDigestAlgorithm, Promise<ReadonlyMap<number, Hash>>>();

  constructor(file: PdfFile, ranges: readonly SoundRange[]) {
    this.#file = file;
    this.#holes = [...new Set(ranges.map(([, length]) => length))].sort((first, second) => first - second);
  }

  /** Digest of a range. Rejects with `CONTENT_CHANGED` and the system's own errors. */
  async digest([, hole, start, length]: SoundRange, algorithm: ReadableDigestAlgorithm): Promise<Buffer> {
    const states = this.#states.get(algorithm) ?? this.#readStates(algorithm);
    this.#states.set(algorithm, states);
    const state = (await states).get(hole);
    if (state === undefined) throw new TypeError('The range is none of those that are shared.');
    const digest = copyDigest(state, algorithm);
    await feed(this.#file, digest, start, length);
    return digest.digest();
  }

  async #readStates(algorithm: ReadableDigestAlgorithm): Promise<ReadonlyMap<number, Hash>> {
    const running = createDigest(algorithm);
    const states = new Map<number, Hash>();
    let position = 0;
    for (const hole of this.#holes) {
      await feed(this.#file, running, position, hole - position);
      states.set(hole, copyDigest(running, algorithm));
      position = hole;
    }
    return states;
  }
}
