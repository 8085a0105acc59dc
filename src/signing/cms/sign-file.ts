/**
 * Signs files of any size in constant memory. Attached signatures are DER with definite lengths: the lengths stand in
 * front of the content, so they must be known, or at least their size, before the signature that they count is made.
 */
import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { SigningError } from '../errors.ts';
import type { DigestAlgorithm } from '../keys/signer.ts';
import type { SignFileRequest, SignFileResult } from './cms-signer.ts';
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
} from './stream-file.ts';

/** How one signer frames and signs; see `SignedDataFrame`. */
export interface FileSigning {
  readonly digest: DigestAlgorithm;
  readonly head: (tailLength: number, contentLength?: number) => Buffer;
  readonly signTail: (contentDigest: Buffer) => Promise<Buffer>;
  /** Bounds of the length of what `signTail` will give. */
  readonly leastTail: number;
  readonly mostTail: number;
}

/** Copies the slice to `output` at `position` and answers its digest. */
async function copyWithDigest(
  slice: FileSlice,
  output: FileHandle,
  position: number,
  algorithm: string,
  signal: AbortSignal | undefined,
): Promise<Buffer> {
  const digest = createHash(algorithm);
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
  const tail = await signing.signTail(contentDigest);
  const signature = Buffer.concat([signing.head(tail.length), tail]);
  await writeAt(output, signature, 0);
  return { contentDigest, size: signature.length };
}

/** One pass: the head is as long with any signature, so the content goes to its place first and the head last. */
async function signAttachedInOnePass(
  content: FileSlice,
  output: FileHandle,
  signing: FileSigning,
  signal: AbortSignal | undefined,
): Promise<Signed> {
  const headLength = signing.head(signing.mostTail, content.length).length;
  const contentDigest = await copyWithDigest(content, output, headLength, signing.digest, signal);
  await expectUnchangedSize(content);
  const tail = await signing.signTail(contentDigest);
  await writeAt(output, tail, headLength + content.length);
  await writeAt(output, signing.head(tail.length, content.length), 0);
  return { contentDigest, size: headLength + content.length + tail.length };
}

/** Two passes, where the length of an ECDSA signature decides how long the head is: digest and sign, then copy. */
async function signAttachedInTwoPasses(
  content: FileSlice,
  output: FileHandle,
  signing: FileSigning,
  signal: AbortSignal | undefined,
): Promise<Signed> {
  const contentDigest = await digestSlice(content, signing.digest, signal);
  const tail = await signing.signTail(contentDigest);
  const head = signing.head(tail.length, content.length);
  const copied = await copyWithDigest(content, output, head.length, signing.digest, signal);
  await expectUnchangedSize(content);
  if (!copied.equals(contentDigest)) {
    throw new SigningError('CONTENT_CHANGED', 'The file changed while it was signed; try again when it is complete.');
  }
  await writeAt(output, head, 0);
  await writeAt(output, tail, head.length + content.length);
  return { contentDigest, size: head.length + content.length + tail.length };
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
