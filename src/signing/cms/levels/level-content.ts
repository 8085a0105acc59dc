/** The signed content in the forms needed by archive time stamps. */
import { SigningError } from '../../errors.ts';
import type { SigningDigest } from '../../keys/signer.ts';
import { contentOfDigests, contentOfOctets, contentOfSlice, type DigestOf } from '../../signed-data/content.ts';
import { createDigest, digestOctets } from '../../algorithms/digest.ts';
import {
  expectUnchangedSize,
  forEachChunk,
  wholeFile,
  withInput,
  type FileSlice,
} from '../../signed-data/stream-file.ts';
import type { DetachedContent } from '../../signed-data/verify-cms.ts';

export interface LevelContent {
  /**
   * Digest of the content's bytes, without tag and length. Rejects with `CMS_UNSUPPORTED` when the digest is not
   * available.
   */
  readonly digestOf: DigestOf;
  /**
   * Hands over encapContentInfo as in SignedData and then, for detached content, the content (RFC 5126 §6.4.1). Rejects
   * with `CMS_UNSUPPORTED` for content known by its digests only.
   */
  readonly forEachPiece: (use: (piece: Buffer) => void, signal?: AbortSignal) => Promise<void>;
}

/**
 * Content in memory; `encapsulated` is encapContentInfo up to the content, or all of encapContentInfo for detached
 * content.
 */
export function levelContentOfOctets(encapsulated: Buffer, octets: Uint8Array): LevelContent {
  return {
    digestOf: contentOfOctets(octets).digestOf,
    forEachPiece(use) {
      use(encapsulated);
      use(Buffer.from(octets.buffer, octets.byteOffset, octets.byteLength));
      return Promise.resolve();
    },
  };
}

/** Content in a file; the file has to stay open. */
export function levelContentOfSlice(encapsulated: Buffer, slice: FileSlice): LevelContent {
  return {
    digestOf: contentOfSlice(slice).digestOf,
    async forEachPiece(use, signal) {
      use(encapsulated);
      await forEachChunk(
        slice,
        (chunk) => {
          use(chunk);
          return undefined;
        },
        signal,
      );
    },
  };
}

/** Content of a file during signing. Every reading has to give the signed digest, else `CONTENT_CHANGED`. */
export function levelContentOfFile(
  encapsulated: Buffer,
  slice: FileSlice,
  algorithm: SigningDigest,
  digest: Buffer,
): LevelContent {
  const read = async (use: (chunk: Buffer) => void, signal?: AbortSignal): Promise<void> => {
    const check = createDigest(algorithm);
    const useBoth = (chunk: Buffer): undefined => {
      check.update(chunk);
      use(chunk);
    };
    await forEachChunk(slice, useBoth, signal);
    await expectUnchangedSize(slice);
    if (!check.digest().equals(digest)) {
      throw new SigningError('CONTENT_CHANGED', 'The file changed while it was signed; try again when it is complete.');
    }
  };
  return {
    async digestOf(wanted) {
      if (wanted === algorithm) return digest;
      const other = createDigest(wanted);
      await read((chunk) => other.update(chunk));
      return other.digest();
    },
    async forEachPiece(use, signal) {
      use(encapsulated);
      await read(use, signal);
    },
  };
}

const onlyDigests = (): Promise<never> =>
  Promise.reject(
    new SigningError('CMS_UNSUPPORTED', 'This level needs the content itself, not its digest. Give the document.'),
  );

/** Content known by its digests only. */
export const levelContentOfDigests = (digestOf: DigestOf): LevelContent => ({
  digestOf: contentOfDigests(digestOf).digestOf,
  forEachPiece: onlyDigests,
});

/** Content known by one digest. */
export const levelContentOfDigest = (known: SigningDigest, digest: Uint8Array): LevelContent =>
  levelContentOfDigests((algorithm) => (algorithm === known ? Promise.resolve(Buffer.from(digest)) : onlyDigests()));

/** No content at all: levels without archive time stamps do not ask. */
export const NO_CONTENT: LevelContent = {
  digestOf: () =>
    Promise.reject(
      new SigningError('CMS_UNSUPPORTED', 'This level needs the document, because the signature is detached from it.'),
    ),
  forEachPiece: () => NO_CONTENT.digestOf('sha256').then(() => undefined),
};

/** Opens detached content for the duration of `action`. */
export function withDetachedContent<Result>(
  encapsulated: Buffer,
  content: DetachedContent | undefined,
  action: (content: LevelContent) => Promise<Result>,
): Promise<Result> {
  if (content === undefined) return action(NO_CONTENT);
  if (content instanceof Uint8Array) return action(levelContentOfOctets(encapsulated, content));
  if ('digestOf' in content) return action(levelContentOfDigests(content.digestOf));
  return withInput(content.path, async (file) => action(levelContentOfSlice(encapsulated, await wholeFile(file))));
}

/** Digest of pieces, without joining the pieces in memory. */
export const digestOfOctets = (algorithm: SigningDigest, ...pieces: readonly Uint8Array[]): Buffer =>
  digestOctets(algorithm, Buffer.concat(pieces));
