import { SigningError } from '../errors.ts';
import type { Signer } from '../keys/signer.ts';
import { CadesOid } from './cades-oids.ts';
import type { CmsSignerOptions } from './cms-signer.ts';
import { digestOctets } from '../algorithms/digest.ts';
import { attributeOf } from './levels/archive-time-stamp.ts';
import {
  unsignedOfType,
  withMaterial,
  withSigner,
  withUnsigned,
  type Envelope,
  type SignerParts,
} from './levels/envelope.ts';
import { openMessage, writeMessage } from './levels/open-message.ts';
import { prepareConstants } from './signer-constants.ts';

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
 * stamp of version 2, because nothing may be added behind such a stamp; and with the errors of `prepareCmsSigner` and
 * of the signer.
 */
export async function counterSign(cms: Uint8Array, request: CounterSignRequest): Promise<Buffer> {
  const { signer, signerIndex, signingTime, ...options } = request;
  const { envelope, encapsulated } = openMessage(cms);
  const indexes = signerIndex === 'all' ? [...envelope.signers.keys()] : [signerIndex];
  const targets = indexes.map((index) => [index, targetOf(envelope, index)] as const);
  const { scheme, digest, encodeAttributes, frame } = prepareConstants(signer, { ...options, omitContentType: true });
  let current = withMaterial(envelope, frame.certificates, []);
  for (const [index, target] of targets) {
    const attributes = encodeAttributes(digestOctets(digest, target.info.signature), signingTime);
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
