/** Opens a signature in any form and names its parts, so that facts can be gathered. */
import type { FileHandle } from 'node:fs/promises';
import { normalizeBerPrefix, rawChildren } from '../../der/normalize-ber.ts';
import { Oid } from '../../der/oids.ts';
import { Tag, contextTag, readDer, readDerHeader, readOid } from '../../der/reader.ts';
import { unwrapText } from '../../der/unwrap-text.ts';
import { SigningError } from '../../errors.ts';
import { isEvidenceRecord } from '../../evidence-records/index.ts';
import {
  contentOfDigests,
  contentOfBytes,
  contentOfSlice,
  type SignedContent,
  wholeFile,
  withInput,
  type FileSlice,
} from '../../signed-data/content.ts';
import { openEnvelope, type Envelope } from '../../cms/levels/envelope.ts';
import {
  levelContentOfDigests,
  levelContentOfBytes,
  levelContentOfSlice,
  type LevelContent,
} from '../../cms/levels/level-content.ts';
import { digestOfOid } from '../../algorithms/signature-algorithm.ts';
import {
  bytesBehind,
  measureMessage,
  readBytes,
  refuseBytesBehind,
  splitSignature,
  type BytesBehind,
} from '../../signed-data/signature-input.ts';
import { asCmsError, readMessage, type SignedData } from '../../signed-data/signed-data.ts';
import { parseCertificate } from '../../certificates/parse-certificate.ts';
import { readTimestampResponse } from '../../timestamps/timestamp-response.ts';
import type { DetachedContent } from '../../signed-data/verify-cms.ts';
import type { SignatureInput } from '../validation-request.ts';
import { readMimeSignature } from './read-mime.ts';

/** Content of a signature, in the forms needed by its checks. */
export interface OpenContent {
  readonly signed: SignedContent;
  /** For archive time stamps of version 2, with `encapsulated` in front of the content. */
  readonly forArchive: (encapsulated: Buffer) => LevelContent;
  /** Bytes of the content from its start; fewer when the content is shorter, none when only digests are known. */
  readonly head: (length: number) => Promise<Buffer>;
  readonly length: number | undefined;
}

/** A signature taken apart. */
export interface OpenSignature {
  readonly signedData: SignedData;
  /** The message in DER, without its content where the content stays in a file. */
  readonly message: Buffer;
  /** True when SignedData has a field of revocation data. */
  readonly hasRevocations: boolean;
  /** The raw parts. Throws `CMS_MALFORMED`. */
  readonly envelope: () => Envelope;
  /** encapContentInfo up to the content, or all of encapContentInfo when the signature is detached. */
  readonly encapsulated: Buffer;
  readonly enclosed: OpenContent | undefined;
  readonly given: OpenContent | undefined;
  /** The unchanged parts of a message in BER; absent for DER. Throws `CMS_MALFORMED`. */
  readonly raw?: () => RawParts;
  readonly wrapping: {
    readonly pem: boolean;
    readonly mime: boolean;
    readonly ber: boolean;
    readonly behind: BytesBehind;
  };
}

/** An evidence record (RFC 4998) in a file of its own. */
export interface OpenRecord {
  /** DER. */
  readonly record: Buffer;
  readonly given: OpenContent | undefined;
}

/** Files up to this size are read whole; larger files are parsed on the disk. */
const SMALL_FILE = 16 * 2 ** 20;
/** BER, PEM and S/MIME cannot be taken apart in the file. */
const LARGEST_WHOLE_FILE = 128 * 2 ** 20;

export function openBytes(bytes: Uint8Array): OpenContent {
  return {
    signed: contentOfBytes(bytes),
    forArchive: (encapsulated) => levelContentOfBytes(encapsulated, bytes),
    head: (length) => Promise.resolve(Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(length, bytes.length))),
    length: bytes.length,
  };
}

function openSlice(slice: FileSlice): OpenContent {
  return {
    signed: contentOfSlice(slice),
    forArchive: (encapsulated) => levelContentOfSlice(encapsulated, slice),
    head: (length) => readBytes(slice.file, slice.start, Math.min(length, slice.length)),
    length: slice.length,
  };
}

export function openDigests(digestOf: SignedContent['digestOf']): OpenContent {
  const signed = contentOfDigests(digestOf);
  return {
    signed,
    forArchive: () => levelContentOfDigests(signed.digestOf),
    head: () => Promise.resolve(Buffer.alloc(0)),
    length: undefined,
  };
}

function asCms<Result>(action: () => Result): Result {
  try {
    return action();
  } catch (error) {
    throw asCmsError(error);
  }
}

/** The parts of a message that a signature needs, DER. */
function openMessage(
  der: Buffer,
): Pick<OpenSignature, 'signedData' | 'envelope' | 'hasRevocations'> & { readonly holder: Buffer } {
  try {
    const { signedData, body } = readMessage(der);
    let envelope: Envelope | undefined;
    return {
      signedData,
      hasRevocations: body.find(contextTag(1)) !== undefined,
      // Parsed on demand: most envelopes hold nothing beyond the parts read already.
      envelope: () => (envelope ??= asCms(() => openEnvelope(body.children))),
      holder: body.child(2, 'the content information').bytes,
    };
  } catch (error) {
    throw asCmsError(error);
  }
}

/** Parts of a message in BER, unchanged for imprints over the original bytes (RFC 5126 §6.4.1). */
export interface RawParts {
  /** encapContentInfo with enclosed content. */
  readonly encapsulated: Buffer;
  /** certificates and crls. */
  readonly material: Buffer;
}

function rawPartsOf(message: Buffer): RawParts {
  const [, body = Buffer.alloc(0)] = rawChildren(message);
  const [signedData = Buffer.alloc(0)] = rawChildren(body);
  const [, , encapsulated = Buffer.alloc(0), ...rest] = rawChildren(signedData);
  const isMaterial = (part: Buffer): boolean => part[0] === contextTag(0) || part[0] === contextTag(1);
  return { encapsulated, material: Buffer.concat(rest.filter(isMaterial)) };
}

/** A message opened from bytes. */
export interface OpenedBytes extends Pick<
  OpenSignature,
  'signedData' | 'message' | 'envelope' | 'hasRevocations' | 'encapsulated' | 'enclosed' | 'raw'
> {
  readonly ber: boolean;
  readonly behind: BytesBehind;
}

/**
 * Opens DER or BER bytes. Zeros and white space may follow. `padded` allows other bytes as well, and `behind` reports
 * the kind. Throws `CMS_MALFORMED`, `CMS_UNSUPPORTED`.
 */
export function openDer(bytes: Buffer, padded = false): OpenedBytes {
  try {
    const { der, consumed } = normalizeBerPrefix(bytes);
    const behind = bytesBehind(bytes.subarray(consumed));
    if (!padded) refuseBytesBehind(behind);
    const { holder, ...message } = openMessage(der);
    const { content } = message.signedData;
    const input = bytes.subarray(0, consumed);
    const ber = !der.equals(input);
    return {
      ...message,
      message: der,
      encapsulated: content === undefined ? holder : holder.subarray(0, holder.length - content.length),
      enclosed: content && openBytes(content),
      ber,
      behind,
      ...(ber ? { raw: () => asCms(() => rawPartsOf(input)) } : {}),
    };
  } catch (error) {
    throw asCmsError(error);
  }
}

/** Chooses the content that matches the first signer's digest, else the first content of the clear-signed message. */
async function chooseContent({ signers }: SignedData, contents: readonly Buffer[]): Promise<Buffer | undefined> {
  const [signer] = signers;
  const value = signer?.signedAttributes.find(({ oid }) => oid === Oid.messageDigest)?.values[0];
  const digest = signer && digestOfOid(signer.digestAlgorithm.oid);
  if (value === undefined || digest === undefined) return contents[0];
  for (const content of contents) {
    if ((await contentOfBytes(content).digestOf(digest)).equals(value.content)) return content;
  }
  return contents[0];
}

/**
 * True when the first element is a SEQUENCE (`30 …, 30`), as the status in a TimeStampResp. A ContentInfo begins with
 * an OID.
 */
function mayBeResponse(bytes: Buffer): boolean {
  if (bytes[0] !== Tag.sequence) return false;
  const first = bytes[1] ?? 0;
  return bytes[first < 0x81 ? 2 : 2 + (first & 0x7f)] === Tag.sequence;
}

/** The token in a time-stamp response (RFC 3161 §2.4.2); other input is unchanged. Throws `TIMESTAMP_REFUSED`. */
function unwrapResponse(bytes: Buffer): Buffer {
  if (!mayBeResponse(bytes)) return bytes;
  try {
    return readTimestampResponse(normalizeBerPrefix(bytes).der);
  } catch (error) {
    if (error instanceof SigningError && error.code !== 'TIMESTAMP_REFUSED') return bytes;
    throw error;
  }
}

/** A certificate by itself is a frequent mistake. */
function checkNoCertificate(bytes: Buffer): void {
  try {
    parseCertificate(bytes);
  } catch (error) {
    if (error instanceof SigningError) return;
    throw error;
  }
  throw new SigningError('CMS_UNSUPPORTED', 'This file is a certificate, and not a signature.');
}

async function openWhole(bytes: Buffer, given: OpenContent | undefined): Promise<OpenSignature | OpenRecord> {
  const pem = unwrapText(bytes);
  if (isEvidenceRecord(pem)) return { record: pem, given };
  const mime = pem === bytes && bytes[0] !== Tag.sequence ? readMimeSignature(bytes) : undefined;
  const input = mime === undefined ? pem : unwrapText(mime.signature);
  const message = unwrapResponse(input);
  if (message === input && mayBeResponse(input)) checkNoCertificate(input);
  const { ber, behind, ...opened } = openDer(message, true);
  const inMessage = mime && (await chooseContent(opened.signedData, mime.contents));
  return {
    ...opened,
    given: given ?? (inMessage && openBytes(inMessage)),
    wrapping: { pem: pem !== bytes, mime: mime !== undefined, ber, behind },
  };
}

function withContent<Result>(
  content: DetachedContent | undefined,
  action: (content: OpenContent | undefined) => Promise<Result>,
): Promise<Result> {
  if (content === undefined) return action(undefined);
  if (content instanceof Uint8Array) return action(openBytes(content));
  if ('digestOf' in content) return action(openDigests(content.digestOf));
  return withInput(content.path, async (file) => action(openSlice(await wholeFile(file))));
}

/** Opens a file that is read whole. Of a larger file with padding behind its message, the message alone is read. */
async function openPadded(
  file: FileHandle,
  length: number,
  given: OpenContent | undefined,
): Promise<OpenSignature | OpenRecord> {
  if (length <= LARGEST_WHOLE_FILE) return openWhole(await readBytes(file, 0, length), given);
  const message = await measureMessage(file, length);
  if (message === undefined || message.length > LARGEST_WHOLE_FILE) {
    const sentence = 'A signature of this size is read only in DER with definite lengths, not as BER, PEM or S/MIME.';
    throw new SigningError('CMS_UNSUPPORTED', sentence);
  }
  const opened = await openWhole(await readBytes(file, 0, message.length), given);
  return 'record' in opened ? opened : { ...opened, wrapping: { ...opened.wrapping, behind: message.behind } };
}

async function withFile<Result>(
  path: string,
  given: OpenContent | undefined,
  action: (signature: OpenSignature | OpenRecord) => Promise<Result>,
): Promise<Result> {
  return withInput(path, async (file) => {
    const { length } = await wholeFile(file);
    const split = length > SMALL_FILE ? await splitSignature(file, length) : undefined;
    if (split !== undefined) {
      const { signedData, envelope, hasRevocations } = openMessage(split.message);
      return action({
        signedData,
        message: split.message,
        envelope,
        hasRevocations,
        encapsulated: split.encapsulatedHead,
        enclosed: openSlice(split.content),
        given,
        wrapping: { pem: false, mime: false, ber: false, behind: split.behind },
      });
    }
    return action(await openPadded(file, length, given));
  });
}

/**
 * Opens a signature or an evidence record with its content for the duration of `action`. Rejects with `CMS_MALFORMED` for input other than a
 * signature, `CMS_UNSUPPORTED` (another CMS message, a large message in BER), the system's errors, and the errors of
 * `action`.
 */
export function withOpenSignature<Result>(
  { signature, content }: SignatureInput,
  action: (signature: OpenSignature | OpenRecord) => Promise<Result>,
): Promise<Result> {
  return withContent(content, async (given) =>
    signature instanceof Uint8Array
      ? action(await openWhole(Buffer.from(signature.buffer, signature.byteOffset, signature.byteLength), given))
      : withFile(signature.path, given, action),
  );
}

/** Content above this size is taken for signed attributes by its outermost header alone, without reading the rest. */
const MAX_ATTRIBUTES = 2 ** 20;

/**
 * True when the content is itself the DER of signed attributes: SET OF Attribute with the digest of a content. A
 * signature over another signature's attributes could be presented as a signature over such content (RFC 5652 §5.3 with
 * RFC 8933).
 */
export async function isSetOfAttributes({ head, length }: OpenContent): Promise<boolean> {
  if (length === undefined || length < 2) return false;
  try {
    const start = await head(16);
    if (start[0] !== Tag.set) return false;
    const header = readDerHeader(start, 0);
    if (header.contentStart + header.length !== length) return false;
    if (length > MAX_ATTRIBUTES) return true;
    return readDer(await head(length)).children.some(
      (attribute) =>
        attribute.tag === Tag.sequence &&
        readOid(attribute.child(0, 'an attribute type')) === Oid.messageDigest &&
        attribute.child(1, 'the values').tag === Tag.set,
    );
  } catch (error) {
    if (error instanceof SigningError && error.code === 'DER_MALFORMED') return false;
    throw error;
  }
}
