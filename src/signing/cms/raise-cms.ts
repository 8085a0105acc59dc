import type { CmsLevel, LevelServices } from './levels/cms-level.ts';
import { expectNoRecord } from './levels/envelope.ts';
import { levelContentOfDigest, openMessage, withMessageContent, writeMessage } from './levels/level-content.ts';
import { raiseSigners } from './levels/raise-signers.ts';
import { type DetachedContent, verifyCms } from '../signed-data/verify-cms.ts';
import { SigningError } from '../errors.ts';
import type { DigestAlgorithm } from '../keys/signer.ts';
import { readBytes } from '../signed-data/signature-input.ts';
import { throwIfCancelled, wholeFile, withInput, withNewFile, writeAt } from '../signed-data/content.ts';

/** The level of the extended signature, and the content. */
export interface RaiseCmsRequest extends LevelServices {
  readonly level: CmsLevel;
  /** Detached content; needed for `B-LTA` (a digest is enough) and `AD-RA`. */
  readonly content?: DetachedContent;
  /** Index of the signer to extend, from 0 in the file's order; by default all signers. */
  readonly signerIndex?: number;
}

/**
 * Extends an existing signature, DER, BER or PEM, without changing any signed part; the result is DER. Existing
 * evidence is kept and not made again, except for archive time stamps: each new stamp covers the earlier stamps.
 *
 * Rejects with `CMS_MALFORMED`, `CMS_UNSUPPORTED` (needed content is missing, an archive time stamp covers a part
 * that would change, or an evidence record covers the message), `TIMESTAMP_…`, `NETWORK_…`, `REVOCATION_UNKNOWN`, `CERTIFICATE_REVOKED`, `CHAIN_INCOMPLETE`,
 * `CANCELLED`, and the system's own errors.
 */
export async function raiseCms(cms: Uint8Array, request: RaiseCmsRequest): Promise<Buffer> {
  const { level, content: given, signerIndex, ...services } = request;
  const message = openMessage(cms);
  expectNoRecord(message.envelope);
  const indexes = signerIndex === undefined ? message.envelope.signers.map((_, index) => index) : [signerIndex];
  const raised = await withMessageContent(message, given, (content) =>
    raiseSigners(message.envelope, indexes, { level, services, content }),
  );
  return writeMessage(raised, message.encapsulated);
}

/** A request to extend a signature in a file. */
export interface RaiseCmsFileRequest extends Omit<RaiseCmsRequest, 'content' | 'signerIndex'> {
  /** SHA-256 of a certificate, lower-case hex: only its last signer is extended. Absent: all signers. */
  readonly ofCertificate?: string;
  readonly inputPath: string;
  /** Created exclusively, flushed and closed; removed on failure. */
  readonly outputPath: string;
  /** The document of a detached signature; read in constant memory. */
  readonly contentPath?: string;
  /** The hash of the document of a detached signature, where the document itself is not here. */
  readonly contentHash?: ContentHash;
}

/** A hash that stands for a document; plain data, so that it passes between threads. */
export interface ContentHash {
  readonly digest: DigestAlgorithm;
  /** Lower-case hex. */
  readonly value: string;
}

/** Content in a file, or known by its hash only; undefined for neither. */
function detachedContent({
  contentPath,
  contentHash,
}: Pick<RaiseCmsFileRequest, 'contentPath' | 'contentHash'>): DetachedContent | undefined {
  if (contentPath !== undefined) return { path: contentPath };
  return contentHash === undefined ? undefined : contentOfHash(contentHash);
}

/** Content that is known by its hash only. */
export function contentOfHash({ digest, value }: ContentHash): DetachedContent {
  return { digestOf: levelContentOfDigest(digest, Buffer.from(value, 'hex')).digestOf };
}

/** The result of extending the signatures of a CMS file. */
export interface RaiseCmsFileResult {
  /** Bytes of the output. */
  readonly size: number;
}

/** Maximum number of bytes of a signature with its content, because both are held in memory. */
const LARGEST = 128 * 2 ** 20;

/** The bytes of a signature in a file. Rejects with `CMS_UNSUPPORTED` for a huge one, and with the system's errors. */
export function readWhole(path: string): Promise<Buffer> {
  return withInput(path, async (file) => {
    const { length } = await wholeFile(file);
    if (length <= LARGEST) return readBytes(file, 0, length);
    const message = `Signatures of more than ${LARGEST / 2 ** 20} MiB cannot be raised: sign with the level instead.`;
    throw new SigningError('CMS_UNSUPPORTED', message);
  });
}

/**
 * Extends all signers of a signature in a file, DER, BER or PEM, into a new file in DER. Each signature is verified
 * first, because an extension would make a broken signature look better: `SIGNATURE_INVALID`, also for a detached
 * signature without its document. Rejects also like `raiseCms`, and with the system's own errors.
 */
export async function raiseCmsFile(request: RaiseCmsFileRequest): Promise<RaiseCmsFileResult> {
  const { inputPath, ...raising } = request;
  return raiseReadCms(await readWhole(inputPath), raising);
}

/** Throws `SIGNATURE_INVALID` unless every signer is intact. */
export async function expectIntact(cms: Uint8Array, content: DetachedContent | undefined) {
  const { signers, intact } = await verifyCms(cms, content);
  if (intact) return signers;
  const reason = signers.find(({ outcome }) => outcome !== 'intact')?.reason ?? 'It has no signer.';
  throw new SigningError('SIGNATURE_INVALID', `The signature does not hold, so it cannot be extended. ${reason}`);
}

/** Like `raiseCmsFile`, for a signature in memory. */
export async function raiseReadCms(
  cms: Buffer,
  request: Omit<RaiseCmsFileRequest, 'inputPath'>,
): Promise<RaiseCmsFileResult> {
  const { outputPath, contentPath, contentHash, ofCertificate, ...raising } = request;
  const content = detachedContent({ contentPath, contentHash });
  const signers = await expectIntact(cms, content);
  const own = signers.findLastIndex(({ certificate }) => certificate?.fingerprint === ofCertificate);
  const signerIndex = ofCertificate === undefined ? undefined : own;
  const raised = await raiseCms(cms, { ...raising, content, signerIndex });
  throwIfCancelled(raising.signal);
  await withNewFile(outputPath, (output) => writeAt(output, raised, 0));
  return { size: raised.length };
}
