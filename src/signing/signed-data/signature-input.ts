/** A signature in its input form: DER, BER or PEM; in memory, or in a file too large for the memory. */
import type { FileHandle } from 'node:fs/promises';
import { normalizeBerPrefix } from '../der/normalize-ber.ts';
import { Oid } from '../der/oids.ts';
import { Tag, contextTag, readDerHeader, readDerPrefix, readOid, type DerElement } from '../der/reader.ts';
import { unwrapText } from '../der/unwrap-text.ts';
import { derContext, derOid, derSequence } from '../der/writer.ts';
import { SigningError } from '../errors.ts';
import { asCmsError, readSignedData, type SignedData } from './signed-data.ts';
import type { FileSlice } from './content.ts';

/** Bytes after a signature: none, zeros and white space (fixed buffers, text editors), or anything else. */
export type BytesBehind = 'none' | 'padding' | 'other';

const PADDING: ReadonlySet<number> = new Set([0x00, 0x09, 0x0a, 0x0d, 0x20]);

/** Classifies the bytes after a signature. */
export function bytesBehind(rest: Uint8Array): BytesBehind {
  if (rest.length === 0) return 'none';
  // Padding may be long: a plain loop that passes zeros takes a sixth of the time of `every`.
  for (let at = 0; at < rest.length; at++) {
    const byte = rest[at] ?? 0;
    if (byte !== 0 && !PADDING.has(byte)) return 'other';
  }
  return 'padding';
}

/** Refuses bytes other than zeros and white space after a signature. Throws `CMS_MALFORMED`. */
export function refuseBytesBehind(behind: BytesBehind): void {
  if (behind === 'other') throw new SigningError('CMS_MALFORMED', 'Other data follows the signature.');
}

/** Bytes of a file read at a time. */
const CHUNK = 2 ** 20;

/**
 * Classifies the bytes after a signature that ends at `start`, in constant memory; stops at the first byte other than
 * padding.
 */
async function bytesBehindInFile(file: FileHandle, start: number, fileSize: number): Promise<BytesBehind> {
  for (let at = start; at < fileSize; at += CHUNK) {
    const chunk = await readBytes(file, at, Math.min(CHUNK, fileSize - at));
    if (bytesBehind(chunk) === 'other') return 'other';
  }
  return start < fileSize ? 'padding' : 'none';
}

/** The first element of a file in DER: its length in bytes, and the kind of bytes after the element. */
export interface MessageLength {
  readonly length: number;
  readonly behind: BytesBehind;
}

/** Measures a message that begins with the file. Undefined: the file is no DER of a definite length. */
export async function measureMessage(file: FileHandle, fileSize: number): Promise<MessageLength | undefined> {
  const length = endOfMessage(await readBytes(file, 0, Math.min(LONGEST_HEADER, fileSize)));
  if (length === undefined || length > fileSize) return undefined;
  return { length, behind: await bytesBehindInFile(file, length, fileSize) };
}

/** Bytes of a tag and of a length of up to eight bytes, with a reserve. */
const LONGEST_HEADER = 16;

function endOfMessage(head: Buffer): number | undefined {
  try {
    const { tag, contentStart, length } = readDerHeader(head, 0);
    return tag === Tag.sequence ? contentStart + length : undefined;
  } catch (error) {
    if (error instanceof SigningError && error.code === 'DER_MALFORMED') return undefined;
    throw error;
  }
}

/**
 * Reads a signature in DER, BER or PEM; zeros and white space may follow. `padded` allows any bytes after the
 * signature, as in a PDF's `Contents`: they should be zeros, and programs that encrypt the reserved space leave random
 * bytes there (ISO 32000-2 §7.6.2). Throws `CMS_MALFORMED`; `CMS_UNSUPPORTED` for CMS messages other than signatures.
 */
export function readSignature(input: Uint8Array, padded = false): SignedData {
  try {
    const bytes = unwrapText(Buffer.from(input.buffer, input.byteOffset, input.byteLength));
    const { der, consumed } = normalizeBerPrefix(bytes);
    if (!padded) refuseBytesBehind(bytesBehind(bytes.subarray(consumed)));
    return readSignedData(der);
  } catch (error) {
    throw asCmsError(error);
  }
}

/** A signature file with enclosed content, split into the message and the position of the content. */
export interface SplitSignature {
  readonly signedData: SignedData;
  readonly content: FileSlice;
  /** DER of the message as if its content were detached. */
  readonly message: Buffer;
  /** encapContentInfo unchanged, up to the content's first byte. */
  readonly encapsulatedHead: Buffer;
  readonly behind: BytesBehind;
}

/** Bytes at the start of the file; the content has to begin inside. */
const PREFIX = 64 * 2 ** 10;
/** Bytes of certificates, revocation lists and signers after the content. */
const MAX_TAIL = 64 * 2 ** 20;

/** Reads `length` bytes at `position`; fewer are `CMS_MALFORMED`. */
export async function readBytes(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  for (let done = 0; done < length;) {
    const { bytesRead } = await file.read(bytes, done, length - done, position + done);
    if (bytesRead === 0) throw new SigningError('CMS_MALFORMED', 'The signature ends too early.');
    done += bytesRead;
  }
  return bytes;
}

/** The headers in front of enclosed content; offsets count from the start of the file. */
interface ContentHeaders {
  readonly version: DerElement;
  readonly digestAlgorithms: DerElement;
  readonly contentType: DerElement;
  readonly encapsulatedHead: Buffer;
  readonly contentStart: number;
  readonly contentEnd: number;
  readonly signedDataEnd: number;
}

/**
 * Reads the headers around the content (RFC 5652 §3, §5.1, §5.2). Other bytes may follow the message. Undefined: the
 * headers are not plain DER.
 */
function readContentHeaders(prefix: Buffer, fileSize: number): ContentHeaders | undefined {
  let offset = 0;
  const enter = (tag: number): number => {
    const header = readDerHeader(prefix, offset);
    if (header.tag !== tag) throw new SigningError('DER_MALFORMED', 'An element of another type was expected.');
    offset = header.contentStart;
    return header.contentStart + header.length;
  };
  const pass = (): DerElement => {
    const element = readDerPrefix(prefix.subarray(offset));
    offset += element.bytes.length;
    return element;
  };
  const messageEnd = enter(Tag.sequence);
  const messageType = readOid(pass());
  const ends = [messageEnd, enter(contextTag(0)), enter(Tag.sequence)];
  const version = pass();
  const digestAlgorithms = pass();
  const holderStart = offset;
  const holderEnd = enter(Tag.sequence);
  const contentType = pass();
  const contentEnds = [holderEnd, enter(contextTag(0)), enter(Tag.octetString)];
  if (messageType !== Oid.signedData || ends.some((end) => end !== messageEnd) || messageEnd > fileSize)
    return undefined;
  if (contentEnds.some((end) => end !== holderEnd) || holderEnd > messageEnd) return undefined;
  return {
    version,
    digestAlgorithms,
    contentType,
    encapsulatedHead: Buffer.from(prefix.subarray(holderStart, offset)),
    contentStart: offset,
    contentEnd: holderEnd,
    signedDataEnd: messageEnd,
  };
}

/**
 * Reads the signature around enclosed content without the content. Undefined for any other file: BER, PEM, a detached
 * signature, or no signature at all.
 */
export async function splitSignature(file: FileHandle, fileSize: number): Promise<SplitSignature | undefined> {
  let opening: ContentHeaders | undefined;
  try {
    opening = readContentHeaders(await readBytes(file, 0, Math.min(PREFIX, fileSize)), fileSize);
  } catch (error) {
    if (error instanceof SigningError && error.code === 'DER_MALFORMED') return undefined;
    throw error;
  }
  if (opening === undefined) return undefined;
  const { version, digestAlgorithms, contentType, encapsulatedHead, contentStart, contentEnd, signedDataEnd } = opening;
  if (signedDataEnd - contentEnd > MAX_TAIL) {
    throw new SigningError('CMS_UNSUPPORTED', 'The certificates and revocation lists in the signature are too large.');
  }
  const tail = await readBytes(file, contentEnd, signedDataEnd - contentEnd);
  const body = derSequence(version.bytes, digestAlgorithms.bytes, derSequence(contentType.bytes), tail);
  const message = derSequence(derOid(Oid.signedData), derContext(0, body));
  return {
    signedData: readSignature(message),
    content: { file, start: contentStart, length: contentEnd - contentStart },
    message,
    encapsulatedHead,
    behind: await bytesBehindInFile(file, signedDataEnd, fileSize),
  };
}
