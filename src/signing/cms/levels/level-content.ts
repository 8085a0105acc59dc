/** Splits a whole CMS signature into parts, and joins the parts again. */
import { normalizeBer } from '../../der/normalize-ber.ts';
import { Oid } from '../../der/oids.ts';
import { Tag, contextTag, readDer, readOid } from '../../der/reader.ts';
import { derContext, derInteger, derOid, derSequence, derSetOf } from '../../der/writer.ts';
import { SigningError } from '../../errors.ts';
import { unwrapText } from '../../der/unwrap-text.ts';
import { asCmsError } from '../../signed-data/signed-data.ts';
import { isFrozen, openEnvelope, versionOf, writeTail, type Envelope } from './envelope.ts';
import type { DetachedContent } from '../../signed-data/verify-cms.ts';
import type { SigningDigest } from '../../keys/signer.ts';
import {
  contentOfDigests,
  contentOfBytes,
  contentOfSlice,
  type DigestOf,
  expectUnchangedSize,
  forEachChunk,
  wholeFile,
  withInput,
  type FileSlice,
} from '../../signed-data/content.ts';
import { createDigest, digestBytes, type ReadableDigestAlgorithm } from '../../algorithms/algorithms.ts';

export interface OpenMessage {
  readonly envelope: Envelope;
  /** DER of encapContentInfo. */
  readonly encapsulated: Buffer;
  /** Bytes of enclosed content, without tag and length. */
  readonly content: Buffer | undefined;
}

function open(input: Uint8Array): OpenMessage {
  const bytes = unwrapText(Buffer.from(input.buffer, input.byteOffset, input.byteLength));
  const der = normalizeBer(bytes);
  const message = readDer(der).expect(Tag.sequence, 'the message');
  if (readOid(message.child(0, 'the message type'), 'the message type') !== Oid.signedData) {
    throw new SigningError('CMS_UNSUPPORTED', 'This is a CMS message, but not a signature.');
  }
  const body = message.child(1, 'the signature').expect(contextTag(0), 'the signature');
  const signedData = body.child(0, 'SignedData').expect(Tag.sequence, 'SignedData');
  const envelope = openEnvelope(signedData.children);
  const holder = signedData.child(2, 'the content information').expect(Tag.sequence, 'the content information');
  if (der !== bytes && isFrozen(envelope) && !der.equals(bytes)) {
    const message = 'An archive time stamp covers this signature in BER, which cannot be kept. Nothing was changed.';
    throw new SigningError('CMS_UNSUPPORTED', message);
  }
  const content = holder.children[1]?.expect(contextTag(0), 'the content').child(0, 'the content').content;
  return { envelope, encapsulated: holder.bytes, content };
}

/**
 * Reads a signature in DER, BER or PEM. BER becomes DER, without effect on any signature (RFC 5652 §5.4). Throws
 * `CMS_MALFORMED`; `CMS_UNSUPPORTED` for other messages, and for BER under an archive time stamp.
 */
export function openMessage(input: Uint8Array): OpenMessage {
  try {
    return open(input);
  } catch (error) {
    throw asCmsError(error);
  }
}

/** DER of ContentInfo with SignedData. */
export function writeMessage(envelope: Envelope, encapsulated: Buffer): Buffer {
  const body = derSequence(
    derInteger(versionOf(envelope)),
    derSetOf(...envelope.digestAlgorithms),
    encapsulated,
    writeTail(envelope),
  );
  return derSequence(derOid(Oid.signedData), derContext(0, body));
}

/** Opens the enclosed or the given content of the message for the duration of `action`. */
export function withMessageContent<Result>(
  { encapsulated, content }: OpenMessage,
  given: DetachedContent | undefined,
  action: (content: LevelContent) => Promise<Result>,
): Promise<Result> {
  if (content === undefined) return withDetachedContent(encapsulated, given, action);
  const before = encapsulated.subarray(0, encapsulated.length - content.length);
  return action(levelContentOfBytes(before, content));
}

// The signed content in the forms needed by archive time stamps.

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
export function levelContentOfBytes(encapsulated: Buffer, bytes: Uint8Array): LevelContent {
  return {
    digestOf: contentOfBytes(bytes).digestOf,
    forEachPiece(use) {
      use(encapsulated);
      use(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
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

/**
 * Content of a file during signing. Every read must give the signed digest; otherwise the error is `CONTENT_CHANGED`.
 */
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

/** No content. Levels without archive time stamps do not need the content. */
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
  if (content instanceof Uint8Array) return action(levelContentOfBytes(encapsulated, content));
  if ('digestOf' in content) return action(levelContentOfDigests(content.digestOf));
  return withInput(content.path, async (file) => action(levelContentOfSlice(encapsulated, await wholeFile(file))));
}

/** Digest of pieces, without joining the pieces in memory. */
export const digestOfBytes = (algorithm: ReadableDigestAlgorithm, ...pieces: readonly Uint8Array[]): Buffer =>
  digestBytes(algorithm, Buffer.concat(pieces));
