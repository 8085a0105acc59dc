import { Oid } from '../der/oids.ts';
import { SigningError } from '../errors.ts';
import type { CmsSigner, CmsSignerOptions } from './cms-signer.ts';
import {
  expectNoRecord,
  withMaterial,
  type Envelope,
  unsignedOfType,
  withSigner,
  withUnsigned,
  type SignerParts,
} from './levels/envelope.ts';
import { openMessage, withMessageContent, writeMessage } from './levels/level-content.ts';
import { Tag } from '../der/reader.ts';
import type { DigestOf } from '../signed-data/content.ts';
import { digestOfIdentifier } from '../algorithms/signature-algorithm.ts';
import type { DetachedContent } from '../signed-data/verify-cms.ts';
import type { Signer } from '../keys/signer.ts';
import { CadesOid } from './cades-oids.ts';
import { digestBytes } from '../algorithms/algorithms.ts';
import { attributeOf } from './levels/archive-time-stamp.ts';
import { prepareConstants } from './signer-constants.ts';

/** The input of a further signature. */
export interface AddSignerRequest {
  readonly signingTime: Date;
  /** The document of a detached signature; a digest is enough. */
  readonly content?: DetachedContent;
  readonly signal?: AbortSignal;
  /** Called with the reason when the level's evidence is postponed (`OlderEvidence`). */
  readonly onPostponed?: (reason: string) => void;
}

function merge(existing: Envelope, added: Envelope): Envelope {
  const digests = [...existing.digestAlgorithms, ...added.digestAlgorithms];
  const distinct = new Map(digests.map((der) => [der.toString('hex'), der]));
  return {
    ...withMaterial(existing, added.certificates, added.revocations),
    digestAlgorithms: [...distinct.values()],
    signers: [...existing.signers, ...added.signers],
  };
}

/** All signers of a message sign the same document: the present document has to match the first signer's digest. */
async function expectSameContent({ signers }: Envelope, digestOf: DigestOf): Promise<void> {
  for (const { info } of signers) {
    const digest = digestOfIdentifier(info.digestAlgorithm);
    const signed = info.signedAttributes.find(({ oid }) => oid === Oid.messageDigest)?.values[0];
    if (digest === undefined || signed?.tag !== Tag.octetString || digest === 'sha1') continue;
    if (!signed.content.equals(await digestOf(digest))) {
      throw new SigningError('CONTENT_CHANGED', 'The document is not the one that the signature is about.');
    }
    return;
  }
}

/**
 * Adds a signature of the same content to an existing signature, attached or detached, DER, BER or PEM (RFC 5652 §5.1);
 * the result is DER. No signed part changes. Reaches the signer's level like `CmsSigner.signDigest`.
 *
 * Rejects with `CMS_MALFORMED`; `CMS_UNSUPPORTED` when a needed document is missing, when the content is not plain
 * data, when an archive time stamp of version 2 covers the certificates, or an evidence record the message; `CONTENT_CHANGED` when the given document
 * differs from the signed document; and with the signer's errors.
 */
export async function addSigner(cms: Uint8Array, signer: CmsSigner, request: AddSignerRequest): Promise<Buffer> {
  const message = openMessage(cms);
  const { envelope, encapsulated } = message;
  if (envelope.contentType !== Oid.data) {
    throw new SigningError('CMS_UNSUPPORTED', 'Only signatures of plain data take further signers here.');
  }
  expectNoRecord(envelope);
  return withMessageContent(message, request.content, async ({ digestOf }) => {
    await expectSameContent(envelope, digestOf);
    const contentDigest = await digestOf(signer.digest);
    const { signingTime, signal, onPostponed } = request;
    const own = openMessage(await signer.signDigest(contentDigest, signingTime, signal, onPostponed));
    return writeMessage(merge(envelope, own.envelope), encapsulated);
  });
}

/** The counter-signer and the options. */
export interface CounterSignRequest extends Pick<
  CmsSignerOptions,
  'digest' | 'profile' | 'scheme' | 'policy' | 'location' | 'commitment' | 'signerAttributes'
> {
  readonly signer: Signer;
  /** Index of the signature to confirm, from 0 in the file's order; `all`: a counter-signature on each signature. */
  readonly signerIndex: number | 'all';
  readonly signingTime: Date;
}

/**
 * Signs another signer's signature (RFC 5652 §11.4): an unsigned attribute that covers the signature value and thereby
 * the content. DER, BER or PEM in, DER out.
 *
 * Rejects with `CMS_MALFORMED`; `CMS_UNSUPPORTED` when there is no such signer, or when the signer has an archive time
 * stamp of version 2, or the message an evidence record, because both forbid later additions; and with the errors of
 * `prepareCmsSigner` and of the signer.
 */
export async function counterSign(cms: Uint8Array, request: CounterSignRequest): Promise<Buffer> {
  const { signer, signerIndex, signingTime, ...options } = request;
  const { envelope, encapsulated } = openMessage(cms);
  expectNoRecord(envelope);
  const indexes = signerIndex === 'all' ? [...envelope.signers.keys()] : [signerIndex];
  const targets = indexes.map((index) => [index, targetOf(envelope, index)] as const);
  const { scheme, digest, encodeAttributes, frame } = prepareConstants(signer, { ...options, omitContentType: true });
  let current = withMaterial(envelope, frame.certificates, []);
  for (const [index, target] of targets) {
    const attributes = encodeAttributes(digestBytes(digest, target.info.signature), signingTime);
    const signerInfo = frame.signerInfo(attributes, await signer.sign(attributes, { scheme, digest }));
    const attribute = attributeOf(CadesOid.counterSignature, signerInfo);
    current = withSigner(current, index, withUnsigned(target, attribute));
  }
  return writeMessage(current, encapsulated);
}

function targetOf({ signers }: Envelope, index: number): SignerParts {
  const target = signers[index];
  if (target === undefined) throw new SigningError('CMS_UNSUPPORTED', 'The signature has no such signer.');
  if (unsignedOfType(target, CadesOid.archiveTimeStampV2).length === 0) return target;
  const message = 'An archive time stamp covers this signature, so none can be added to it.';
  throw new SigningError('CMS_UNSUPPORTED', message);
}
