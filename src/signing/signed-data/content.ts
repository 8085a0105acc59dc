/** The content of a signature at any place; read as digests, and streamed only where necessary. */
import { open, rm, type FileHandle } from 'node:fs/promises';
import { createVerify, type KeyObject, type VerifyKeyObjectInput } from 'node:crypto';
import { SigningError } from '../errors.ts';
import { type ReadableDigestAlgorithm, createDigest, digestBytes } from '../algorithms/algorithms.ts';

const CHUNK = 2 ** 20;

/** Part of an open file. */
export interface FileSlice {
  readonly file: FileHandle;
  readonly start: number;
  readonly length: number;
}

/** A file with its present length. Pipes and devices have no length: `CMS_UNSUPPORTED`. */
export async function wholeFile(file: FileHandle): Promise<FileSlice> {
  const status = await file.stat();
  if (!status.isFile()) throw new SigningError('CMS_UNSUPPORTED', 'This is not a regular file.');
  return { file, start: 0, length: status.size };
}

/** Throws `CANCELLED` when the caller has given up. */
export function throwIfCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new SigningError('CANCELLED', 'The signature was cancelled.', { cause: signal.reason });
}

function changed(): never {
  throw new SigningError('CONTENT_CHANGED', 'The file changed while it was read; try again when it is complete.');
}

/** Slices of at most this many bytes are read at once, into a buffer that the next such slice uses again. */
const SMALL = 2 ** 18;
/** Buffers of small slices that are kept, 2 MiB in all: memory outside of the heap makes full collections frequent. */
const MOST_SPARES = 8;
const spares: Buffer[] = [];

async function useAtOnce(
  { file, start, length }: FileSlice,
  use: (chunk: Buffer, position: number) => Promise<unknown> | undefined,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (length === 0) return;
  const buffer = spares.pop() ?? Buffer.allocUnsafeSlow(SMALL);
  for (let filled = 0; filled < length;) {
    throwIfCancelled(signal);
    const { bytesRead } = await file.read(buffer, filled, length - filled, start + filled);
    if (bytesRead === 0) changed();
    filled += bytesRead;
  }
  throwIfCancelled(signal);
  await use(buffer.subarray(0, length), 0);
  if (spares.length < MOST_SPARES) spares.push(buffer);
}

/**
 * Hands the slice to `use` in chunks, in order. While a chunk is in use the next chunk is read into a second buffer, so
 * memory stays at two chunks; `use` must be done with a chunk when its promise settles. Rejects with `CONTENT_CHANGED`
 * when the file ends early, `CANCELLED`, or the errors of `use`.
 */
export async function forEachChunk(
  { file, start, length }: FileSlice,
  use: (chunk: Buffer, position: number) => Promise<unknown> | undefined,
  signal?: AbortSignal,
): Promise<void> {
  if (length <= SMALL) return useAtOnce({ file, start, length }, use, signal);
  const size = Math.min(CHUNK, length);
  let [current, spare] = [Buffer.allocUnsafeSlow(size), Buffer.allocUnsafeSlow(size)];
  const fill = async (buffer: Buffer, position: number): Promise<number> =>
    (await file.read(buffer, 0, Math.min(size, length - position), start + position)).bytesRead;
  let filled = await fill(current, 0);
  for (let position = 0; position < length;) {
    throwIfCancelled(signal);
    if (filled === 0) changed();
    const next = position + filled;
    const reading = fill(spare, next);
    const using = use(current.subarray(0, filled), position);
    [filled] = await Promise.all([reading, using]);
    position = next;
    [current, spare] = [spare, current];
  }
}

/** Rejects with `CONTENT_CHANGED` unless the file still has the length of the slice. */
export async function expectUnchangedSize({ file, start, length }: FileSlice): Promise<void> {
  const { size } = await file.stat();
  if (size !== start + length) changed();
}

/** Digest of a slice in constant memory. */
export async function digestSlice(
  slice: FileSlice,
  algorithm: ReadableDigestAlgorithm,
  signal?: AbortSignal,
): Promise<Buffer> {
  const digest = createDigest(algorithm);
  await forEachChunk(
    slice,
    (chunk) => {
      digest.update(chunk);
      return undefined;
    },
    signal,
  );
  return digest.digest();
}

/** Writes all bytes at `position`; a short write is continued. */
export async function writeAt(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    done += (await file.write(bytes, done, bytes.length - done, position + done)).bytesWritten;
  }
}

/** Opens `path` for reading, runs `action`, and always closes the file. */
export async function withInput<Result>(path: string, action: (file: FileHandle) => Promise<Result>): Promise<Result> {
  const file = await open(path, 'r');
  try {
    return await action(file);
  } finally {
    await file.close();
  }
}

/**
 * Creates `path`, which must not exist, runs `action` with the file, flushes and closes the file. On failure the file
 * is removed again. Only its owner may use the file: the caller gives it further rights, if any.
 */
export async function withNewFile<Result>(
  path: string,
  action: (file: FileHandle) => Promise<Result>,
): Promise<Result> {
  const file = await open(path, 'wx', 0o600);
  try {
    const result = await action(file);
    await file.sync();
    await file.close();
    return result;
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(path, { force: true });
    throw error;
  }
}

/** Digest of the content by this hash function. May be called only once per function. */
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
  readonly bytes?: Uint8Array;
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
export function contentOfBytes(bytes: Uint8Array): SignedContent {
  return {
    bytes,
    digestOf: remember((algorithm) => Promise.resolve(digestBytes(algorithm, bytes))),
    verify: (algorithm, key, signature) =>
      Promise.resolve(createVerify(algorithm).update(bytes).verify(key, signature)),
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
