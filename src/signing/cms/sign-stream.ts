/** Signs a pipe of unknown length: attached content in BER with indefinite lengths. */
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Oid } from '../der/oids.ts';
import { Tag, contextTag, readDer } from '../der/reader.ts';
import { derHeader, derInteger, derOid, derSetOf } from '../der/writer.ts';
import { SigningError } from '../errors.ts';
import { digestIdentifier } from '../algorithms/algorithms.ts';
import type { CmsSigner } from './cms-signer.ts';
import { createDigest } from '../algorithms/digest.ts';
import { throwIfCancelled } from '../signed-data/stream-file.ts';

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

/** Certificates, revocation data and signers of a detached signature: everything behind encapContentInfo. */
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
      const octets = Buffer.from(chunk);
      digest.update(octets);
      if (octets.length > 0) yield Buffer.concat([derHeader(Tag.octetString, octets.length), octets]);
    }
    const signature = await signer.signDigest(digest.digest(), signingTime, signal);
    yield Buffer.concat([END, END, END, tailOf(signature), END, END, END]);
  }
  await pipeline(input, sign, output);
}
