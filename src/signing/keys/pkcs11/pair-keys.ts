/**
 * Pairs the certificates of a token with its private keys by the public key. CKA_ID decides
 * only where the token tells no public key: programs write equal identifiers for two keys, and different identifiers
 * for a key and its certificate.
 */
import { createPublicKey, type KeyObject } from 'node:crypto';
import { readBitStringBytes, readDer } from '../../der/index.ts';

/** A private key in the words of its token. */
export interface DescribedKey {
  /** CKA_ID in hex; may be empty. */
  readonly keyId: string;
  /** The public key in the form of `publicKeyText`; undefined where the token tells none. */
  readonly publicKey?: string;
}

/** The key of a certificate. */
export interface WantedKey {
  readonly keyId: string;
  readonly publicKey: string;
}

const hexOf = (base64url: string | undefined): string => Buffer.from(base64url ?? '', 'base64url').toString('hex');

/**
 * A public key as text, equal for equal keys: the modulus of RSA, the uncompressed point of an elliptic curve,
 * the bytes of an Edwards key, and the whole SubjectPublicKeyInfo of any other kind.
 */
export function publicKeyText(key: KeyObject): string {
  const type = key.asymmetricKeyType;
  if (type === 'rsa') return hexOf(key.export({ format: 'jwk' }).n);
  if (type === 'ec') {
    const { x, y } = key.export({ format: 'jwk' });
    return `04${hexOf(x)}${hexOf(y)}`;
  }
  if (type === 'ed25519' || type === 'ed448') return hexOf(key.export({ format: 'jwk' }).x);
  const info = key.export({ format: 'der', type: 'spki' });
  return type === 'rsa-pss' ? modulusOf(info) : info.toString('hex');
}

/** The modulus in a SubjectPublicKeyInfo (RFC 8017 §A.1.1). A key bound to PSS has no other form. */
function modulusOf(info: Buffer): string {
  const key = readDer(readBitStringBytes(readDer(info).child(1, 'the public key'), 'the public key'));
  return modulusText(key.child(0, 'the modulus').content) ?? '';
}

/** CKA_MODULUS: a big-endian integer; some drivers pad the value with zeros. */
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
 * CKA_EC_POINT: the point in an OCTET STRING (PKCS#11 v2.40 §2.3.3), or bare, by other drivers. Undefined for
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
 * The private key of a certificate: the key with the certificate's public key, among several the key with its CKA_ID.
 * Where the token tells no public key: the only key with the CKA_ID. `several`: nothing tells these keys apart.
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
