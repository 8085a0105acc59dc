/**
 * Signs files of any size in constant memory. Attached signatures are DER with definite lengths. The lengths come
 * before the content, so the lengths, or at least their sizes, have to be known before the signature is made.
 */
import type { FileHandle } from 'node:fs/promises';
import { SigningError } from '../errors.ts';
import type { SigningDigest } from '../keys/signer.ts';
import type { SignFileRequest, SignFileResult } from './cms-signer.ts';
import { createDigest } from '../algorithms/digest.ts';
import type { SignedTail } from './levels/sign-with-level.ts';
import {
  digestSlice,
  expectUnchangedSize,
  forEachChunk,
  throwIfCancelled,
  wholeFile,
  withInput,
  withNewFile,
  writeAt,
  type FileSlice,
} from '../signed-data/stream-file.ts';

/** The framing and signing functions of a signer; see `SignedDataFrame`. */
export interface FileSigning {
  readonly digest: SigningDigest;
  readonly head: (tailLength: number, contentLength?: number, version?: number) => Buffer;
  readonly signTail: (contentDigest: Buffer, content: FileSlice) => Promise<SignedTail>;
  /** Bounds of the length of `signTail`'s result; with a level, the upper bound is an estimate. */
  readonly leastTail: number;
  readonly mostTail: number;
}

/** Copies the slice to `output` at `position` and answers its digest. */
async function copyWithDigest(
  slice: FileSlice,
  output: FileHandle,
  position: number,
  algorithm: SigningDigest,
  signal: AbortSignal | undefined,
): Promise<Buffer> {
  const digest = createDigest(algorithm);
  const copy = (chunk: Buffer, offset: number): Promise<void> => {
    const writing = writeAt(output, chunk, position + offset);
    digest.update(chunk);
    return writing;
  };
  await forEachChunk(slice, copy, signal);
  return digest.digest();
}

interface Signed {
  readonly contentDigest: Buffer;
  readonly size: number;
}

async function signDetached(
  content: FileSlice,
  output: FileHandle,
  signing: FileSigning,
  signal: AbortSignal | undefined,
): Promise<Signed> {
  const contentDigest = await digestSlice(content, signing.digest, signal);
  await expectUnchangedSize(content);
  const { octets, version } = await signing.signTail(contentDigest, content);
  const signature = Buffer.concat([signing.head(octets.length, undefined, version), octets]);
  await writeAt(output, signature, 0);
  return { contentDigest, size: signature.length };
}

/** One pass: every signature gives a head of the same length, so the content is written first and the head last. */
async function signAttachedInOnePass(
  content: FileSlice,
  output: FileHandle,
  signing: FileSigning,
  signal: AbortSignal | undefined,
): Promise<Signed> {
  const headLength = signing.head(signing.mostTail, content.length).length;
  const contentDigest = await copyWithDigest(content, output, headLength, signing.digest, signal);
  await expectUnchangedSize(content);
  const { octets, version } = await signing.signTail(contentDigest, content);
  const head = signing.head(octets.length, content.length, version);
  if (head.length !== headLength) await copyAgain(content, output, head.length, contentDigest, signing, signal);
  await writeAt(output, octets, head.length + content.length);
  await writeAt(output, head, 0);
  return { contentDigest, size: head.length + content.length + octets.length };
}

/** Copies the signed content to its place, and verifies that the content is unchanged since the signature. */
async function copyAgain(
  content: FileSlice,
  output: FileHandle,
  position: number,
  contentDigest: Buffer,
  signing: FileSigning,
  signal: AbortSignal | undefined,
): Promise<void> {
  const copied = await copyWithDigest(content, output, position, signing.digest, signal);
  await expectUnchangedSize(content);
  if (!copied.equals(contentDigest)) {
    throw new SigningError('CONTENT_CHANGED', 'The file changed while it was signed; try again when it is complete.');
  }
}

/**
 * Two passes, digest and sign, then copy: the length of the head depends on the length of an ECDSA signature or of the
 * level's evidence.
 */
async function signAttachedInTwoPasses(
  content: FileSlice,
  output: FileHandle,
  signing: FileSigning,
  signal: AbortSignal | undefined,
): Promise<Signed> {
  const contentDigest = await digestSlice(content, signing.digest, signal);
  const { octets, version } = await signing.signTail(contentDigest, content);
  const head = signing.head(octets.length, content.length, version);
  await copyAgain(content, output, head.length, contentDigest, signing, signal);
  await writeAt(output, head, 0);
  await writeAt(output, octets, head.length + content.length);
  return { contentDigest, size: head.length + content.length + octets.length };
}

function chooseMethod(attached: boolean, content: FileSlice, signing: FileSigning): typeof signDetached {
  if (!attached) return signDetached;
  const [least, most] = [signing.leastTail, signing.mostTail].map((tail) => signing.head(tail, content.length).length);
  return least === most ? signAttachedInOnePass : signAttachedInTwoPasses;
}

/** See `CmsSigner.signFile`. */
export function signFile(request: SignFileRequest, signing: FileSigning): Promise<SignFileResult> {
  const { inputPath, outputPath, attached, signal } = request;
  return withInput(inputPath, async (input) => {
    throwIfCancelled(signal);
    const content = await wholeFile(input);
    const sign = chooseMethod(attached, content, signing);
    const { contentDigest, size } = await withNewFile(outputPath, async (output) => {
      const signed = await sign(content, output, signing, signal);
      throwIfCancelled(signal);
      return signed;
    });
    return { size, contentDigest: contentDigest.toString('hex') };
  });
}
