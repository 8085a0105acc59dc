/** The content of a signature at any place; read as digests, and streamed only where necessary. */
import { createVerify, type KeyObject, type VerifyKeyObjectInput } from 'node:crypto';
import { digestSlice, forEachChunk, type FileSlice } from './stream-file.ts';
import { digestOctets } from '../algorithms/digest.ts';
import type { ReadableDigestAlgorithm } from '../algorithms/algorithms.ts';

/** Digest of the content by this hash function. May be asked once per function. */
export type DigestOf = (algorithm: ReadableDigestAlgorithm) => Promise<Buffer>;

export interface SignedContent {
  readonly digestOf: DigestOf;
  /** Checks a signature over the content itself, not over attributes; absent where only digests are known. */
  readonly verify?: (
    algorithm: ReadableDigestAlgorithm,
    key: KeyObject | VerifyKeyObjectInput,
    signature: Buffer,
  ) => Promise<boolean>;
  /** The content itself, if it is in memory. */
  readonly octets?: Uint8Array;
}

/** Computes each digest once for any number of signers. */
function remember(digestOf: DigestOf): DigestOf {
  const digests = new Map<ReadableDigestAlgorithm, Promise<Buffer>>();
  return (algorithm) => {
    const known = digests.get(algorithm) ?? digestOf(algorithm);
    digests.set(algorithm, known);
    return known;
  };
}

/** Content in memory. */
export function contentOfOctets(octets: Uint8Array): SignedContent {
  return {
    octets,
    digestOf: remember((algorithm) => Promise.resolve(digestOctets(algorithm, octets))),
    verify: (algorithm, key, signature) =>
      Promise.resolve(createVerify(algorithm).update(octets).verify(key, signature)),
  };
}

/** Content in a file, read in constant memory; the file has to stay open for the duration. */
export function contentOfSlice(slice: FileSlice): SignedContent {
  return {
    digestOf: remember((algorithm) => digestSlice(slice, algorithm)),
    async verify(algorithm, key, signature) {
      const verifier = createVerify(algorithm);
      await forEachChunk(slice, (chunk) => {
        verifier.update(chunk);
        return undefined;
      });
      return verifier.verify(key, signature);
    },
  };
}

/** Content known by its digests only: the byte range of a PDF. */
export const contentOfDigests = (digestOf: DigestOf): SignedContent => ({ digestOf: remember(digestOf) });
