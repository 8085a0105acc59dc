/** Signs a pipe of unknown length: attached content in BER with indefinite lengths. */
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FileHandle } from 'node:fs/promises';
import { Oid } from '../der/oids.ts';
import { Tag, contextTag, readDer } from '../der/reader.ts';
import { derHeader, derInteger, derOid, derSetOf } from '../der/writer.ts';
import { SigningError } from '../errors.ts';
import { digestIdentifier, createDigest } from '../algorithms/algorithms.ts';
import type { CmsSigner, SignFileRequest, SignFileResult } from './cms-signer.ts';
import {
  throwIfCancelled,
  digestSlice,
  expectUnchangedSize,
  forEachChunk,
  wholeFile,
  withInput,
  withNewFile,
  writeAt,
  type FileSlice,
} from '../signed-data/content.ts';
import type { SigningDigest } from '../keys/signer.ts';
import type { SignedTail } from './levels/sign-with-level.ts';

/** Input and output of a signed pipe. */
export interface SignStreamRequest {
  readonly input: Readable;
  /** Ended after the last byte, destroyed on failure. */
  readonly output: Writable;
  readonly signingTime: Date;
  readonly signal?: AbortSignal;
}

/** A constructed element of indefinite length begins; its end is `END` (X.690 §8.1.3.6). */
const begin = (tag: number): Buffer => Buffer.of(tag, 0x80);
const END = Buffer.of(0, 0);
const CONSTRUCTED = 0x20;

/** Everything before the content (RFC 5652 §3, §5.1, §5.2). */
const head = (digest: CmsSigner['digest']): Buffer =>
  Buffer.concat([
    begin(Tag.sequence),
    derOid(Oid.signedData),
    begin(contextTag(0)),
    begin(Tag.sequence),
    derInteger(1),
    derSetOf(digestIdentifier(digest)),
    begin(Tag.sequence),
    derOid(Oid.data),
    begin(contextTag(0)),
    begin(Tag.octetString | CONSTRUCTED),
  ]);

/** Certificates, revocation data and signers of a detached signature: everything after encapContentInfo. */
function tailOf(cms: Buffer): Buffer {
  const signedData = readDer(cms).child(1, 'the signature').child(0, 'SignedData');
  return Buffer.concat(signedData.children.slice(3).map(({ bytes }) => bytes));
}

/**
 * Signs the content of a pipe in constant memory. The digest covers the chunks' bytes without their headers. Signed
 * attributes and certificates are DER.
 *
 * Rejects with `CMS_UNSUPPORTED` for the levels `B-LT` and `B-LTA`, because their revocation data decides the version,
 * which is written first, and for `AD-RA`, because its stamp covers the stored content: sign to a file and extend the
 * file instead. Rejects with `CANCELLED`, with the signer's errors, and with the streams' own errors.
 */
export async function signStream(signer: CmsSigner, request: SignStreamRequest): Promise<void> {
  const { input, output, signingTime, signal } = request;
  if (signer.level === 'B-LT' || signer.level === 'B-LTA' || signer.level === 'AD-RA') {
    const message = `The level ${signer.level} cannot be reached in a pipe. Sign without it, then raise the signature.`;
    throw new SigningError('CMS_UNSUPPORTED', message);
  }
  throwIfCancelled(signal);
  const digest = createDigest(signer.digest);
  async function* sign(source: AsyncIterable<Uint8Array | string>): AsyncGenerator<Buffer> {
    yield head(signer.digest);
    for await (const chunk of source) {
      throwIfCancelled(signal);
      const bytes = Buffer.from(chunk);
      digest.update(bytes);
      if (bytes.length > 0) yield Buffer.concat([derHeader(Tag.octetString, bytes.length), bytes]);
    }
    const signature = await signer.signDigest(digest.digest(), signingTime, signal);
    yield Buffer.concat([END, END, END, tailOf(signature), END, END, END]);
  }
  await pipeline(input, sign, output);
}

// Signs files of any size in constant memory. Attached signatures are DER with definite lengths. The lengths come
// before the content, so the lengths, or at least their sizes, have to be known before the signature is made.

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
  readonly postponed: string | undefined;
}

async function signDetached(
  content: FileSlice,
  output: FileHandle,
  signing: FileSigning,
  signal: AbortSignal | undefined,
): Promise<Signed> {
  const contentDigest = await digestSlice(content, signing.digest, signal);
  await expectUnchangedSize(content);
  const { bytes, version, postponed } = await signing.signTail(contentDigest, content);
  const signature = Buffer.concat([signing.head(bytes.length, undefined, version), bytes]);
  await writeAt(output, signature, 0);
  return { contentDigest, size: signature.length, postponed };
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
  const { bytes, version, postponed } = await signing.signTail(contentDigest, content);
  const head = signing.head(bytes.length, content.length, version);
  if (head.length !== headLength) await copyAgain(content, output, head.length, contentDigest, signing, signal);
  await writeAt(output, bytes, head.length + content.length);
  await writeAt(output, head, 0);
  return { contentDigest, size: head.length + content.length + bytes.length, postponed };
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
  const { bytes, version, postponed } = await signing.signTail(contentDigest, content);
  const head = signing.head(bytes.length, content.length, version);
  await copyAgain(content, output, head.length, contentDigest, signing, signal);
  await writeAt(output, head, 0);
  await writeAt(output, bytes, head.length + content.length);
  return { contentDigest, size: head.length + content.length + bytes.length, postponed };
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
    const { contentDigest, size, postponed } = await withNewFile(outputPath, async (output) => {
      const signed = await sign(content, output, signing, signal);
      throwIfCancelled(signal);
      return signed;
    });
    const more = postponed === undefined ? {} : { postponed };
    return { size, contentDigest: contentDigest.toString('hex'), ...more };
  });
}
