/** Translates signature schemes to a token's mechanisms: digests in, bare signatures out. */
import { createHash, type KeyObject } from 'node:crypto';
import { derInteger, derSequence } from '../../der/index.ts';
import { SigningError } from '../../errors.ts';
import { digestInfo, expectHash } from '../hashes/index.ts';
import { signsWholeMessage, type DigestAlgorithm, type SignatureParameters, type SignatureScheme } from '../signer.ts';
import type { TokenInformation, TokenMechanism } from './protocol.ts';

/** Bytes of the order of each curve that ICP-Brasil and common cards use. */
const ORDER_BYTES: Readonly<Record<string, number>> = { prime256v1: 32, secp384r1: 48, secp521r1: 66 };

/** The input of the token's signature. */
export interface PreparedSignature {
  readonly mechanism: TokenMechanism;
  readonly input: Buffer;
}

/** The schemes supported by the key and its token, the usual scheme first. Empty for an unknown kind of key. */
export function schemesOf(key: KeyObject, mechanisms: TokenInformation['mechanisms']): readonly SignatureScheme[] {
  const type = key.asymmetricKeyType;
  if (type === 'ec') return mechanisms.includes('ecdsa') && orderBytes(key) !== undefined ? ['ecdsa'] : [];
  if (type === 'ed25519') return mechanisms.includes('eddsa') ? ['ed25519'] : [];
  if (type !== 'rsa') return [];
  const schemes: SignatureScheme[] = [];
  if (mechanisms.includes('rsa-pkcs1')) schemes.push('rsassa-pkcs1-v1_5');
  if (mechanisms.includes('rsa-pss')) schemes.push('rsassa-pss');
  return schemes;
}

function orderBytes(key: KeyObject): number | undefined {
  return ORDER_BYTES[key.asymmetricKeyDetails?.namedCurve ?? ''];
}

/** Hashes here, so that the token process sees digests only; only Ed25519 needs the message (RFC 8032 §5.1.6). */
export function prepareSignature(
  message: Uint8Array,
  parameters: SignatureParameters,
  key: KeyObject,
): PreparedSignature {
  const { scheme, digest } = parameters;
  if (parameters.isHashed === true) return prepareHash(message, expectHash(message, parameters), scheme, key);
  if (scheme === 'ed25519') return { mechanism: { name: 'eddsa' }, input: Buffer.from(message) };
  if (signsWholeMessage(scheme) || digest === 'shake256') {
    throw new SigningError('ALGORITHM_UNSUPPORTED', `Keys on tokens do not sign with ${scheme} here.`);
  }
  return prepareHash(createHash(digest).update(message).digest(), digest, scheme, key);
}

function prepareHash(
  hashed: Uint8Array,
  digest: DigestAlgorithm,
  scheme: SignatureScheme,
  key: KeyObject,
): PreparedSignature {
  const hash = Buffer.from(hashed);
  if (scheme === 'rsassa-pkcs1-v1_5') return { mechanism: { name: 'rsa-pkcs1' }, input: digestInfo(digest, hash) };
  if (scheme === 'rsassa-pss') return { mechanism: { name: 'rsa-pss', digest }, input: hash };
  // ECDSA uses only the leftmost bits of a digest longer than the order (FIPS 186-5 §6.4.1), and some tokens refuse
  // more.
  return { mechanism: { name: 'ecdsa' }, input: hash.subarray(0, orderBytes(key)) };
}

/** Converts the token's r‖s to an ECDSA-Sig-Value (RFC 3279 §2.2.3); other signatures stay unchanged. */
export function encodeSignature(raw: Buffer, scheme: SignatureScheme, key: KeyObject): Buffer {
  if (scheme !== 'ecdsa') return raw;
  const bytes = orderBytes(key);
  if (bytes === undefined || raw.length !== 2 * bytes) {
    throw new SigningError('SIGNATURE_INVALID', 'The token returned an ECDSA signature of a wrong length.');
  }
  return derSequence(derInteger(raw.subarray(0, bytes)), derInteger(raw.subarray(bytes)));
}
