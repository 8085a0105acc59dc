/**
 * Pairs the certificates of a token with its private keys by the public key. CKA_ID alone decides only where the token
 * tells no public key: programs write equal identifiers for two keys, and different ones for a key and its certificate.
 */
import { createPublicKey, type KeyObject } from 'node:crypto';

/** A private key as the token describes it. */
export interface DescribedKey {
  /** CKA_ID in hex; may be empty. */
  readonly keyId: string;
  /** The public key in the form of `publicKeyText`; undefined where the token does not tell it. */
  readonly publicKey?: string;
}

/** The key that a certificate needs. */
export interface WantedKey {
  readonly keyId: string;
  readonly publicKey: string;
}

const hexOf = (base64url: string | undefined): string => Buffer.from(base64url ?? '', 'base64url').toString('hex');

/**
 * A public key as text that is equal for equal keys: the modulus of RSA, the uncompressed point of an elliptic curve,
 * the bytes of an Edwards key, and the whole SubjectPublicKeyInfo of any other kind.
 */
export function publicKeyText(key: KeyObject): string {
  switch (key.asymmetricKeyType) {
    case 'rsa':
    case 'rsa-pss':
      return modulusText(Buffer.from(rsaModulus(key), 'hex')) ?? '';
    case 'ec': {
      const { x, y } = key.export({ format: 'jwk' });
      return `04${hexOf(x)}${hexOf(y)}`;
    }
    case 'ed25519':
    case 'ed448':
      return hexOf(key.export({ format: 'jwk' }).x);
    default:
      return key.export({ format: 'der', type: 'spki' }).toString('hex');
  }
}

/** The form JWK exists for keys of the type `rsa` only; the key of a certificate may also be bound to PSS. */
function rsaModulus(key: KeyObject): string {
  if (key.asymmetricKeyType === 'rsa') return hexOf(key.export({ format: 'jwk' }).n);
  const pkcs1 = key.export({ format: 'der', type: 'pkcs1' });
  return hexOf(createPublicKey({ key: pkcs1, format: 'der', type: 'pkcs1' }).export({ format: 'jwk' }).n);
}

/** CKA_MODULUS: a big-endian integer, which some drivers pad with zeros. */
export function modulusText(value: Buffer): string | undefined {
  const start = value.findIndex((byte) => byte !== 0);
  return start === -1 ? undefined : value.toString('hex', start);
}

/** Bytes of the points of P-256, P-384, P-521 and the brainpool curves, uncompressed. */
const POINT_LENGTHS: readonly number[] = [65, 97, 129, 133];
const EDWARDS_LENGTHS: readonly number[] = [32, 57];

const isPoint = (value: Buffer): boolean =>
  (value[0] === 4 && POINT_LENGTHS.includes(value.length)) || EDWARDS_LENGTHS.includes(value.length);

/**
 * CKA_EC_POINT: the point in an OCTET STRING (PKCS#11 v2.40 §2.3.3), or bare as some drivers write it. Undefined for
 * other forms, such as a compressed point: then the key stays unknown.
 */
export function pointText(value: Buffer): string | undefined {
  if (isPoint(value)) return value.toString('hex');
  const start = value[1] === 0x81 ? 3 : 2;
  const inner = value.subarray(start);
  return value[0] === 4 && value[start - 1] === inner.length && isPoint(inner) ? inner.toString('hex') : undefined;
}

/** CKA_PUBLIC_KEY_INFO, a SubjectPublicKeyInfo. */
export function publicKeyInfoText(value: Buffer): string | undefined {
  try {
    return publicKeyText(createPublicKey({ key: value, format: 'der', type: 'spki' }));
  } catch {
    return undefined;
  }
}

/**
 * The private key of a certificate: the one with its public key, among several the one with its CKA_ID. Where the token
 * tells no public key, the only one with the CKA_ID. `several`: nothing tells which of them it is.
 */
export function matchKey<Key extends DescribedKey>(
  keys: readonly Key[],
  { keyId, publicKey }: WantedKey,
): Key | 'absent' | 'several' {
  const exact = keys.filter((key) => key.publicKey === publicKey);
  const [first] = exact;
  if (first !== undefined) return exact.find((key) => key.keyId === keyId) ?? first;
  const possible = keys.filter((key) => key.publicKey === undefined && key.keyId !== '' && key.keyId === keyId);
  const [only] = possible;
  if (only === undefined) return 'absent';
  return possible.length === 1 ? only : 'several';
}
