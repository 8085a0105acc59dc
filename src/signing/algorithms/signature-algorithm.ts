/** Checks a signature value by its AlgorithmIdentifier (RFC 3370, RFC 4055, RFC 5754, RFC 8419). */
import { constants, publicDecrypt, verify, type KeyObject, type VerifyKeyObjectInput } from 'node:crypto';
import { Oid } from '../der/oids.ts';
import { contextTag, readOid, readSmallInteger, type DerElement } from '../der/reader.ts';
import { derNull, derOctetString, derOid, derSequence } from '../der/writer.ts';
import { SigningError } from '../errors.ts';
import { signsWholeMessage, type SignatureScheme } from './schemes.ts';
import { DIGEST_LENGTH, ML_DSA_OIDS, type ReadableDigestAlgorithm } from './algorithms.ts';

/** An AlgorithmIdentifier (RFC 5280 §4.1.1.2). */
export interface AlgorithmIdentifier {
  readonly oid: string;
  readonly parameters: DerElement | undefined;
}

/**
 * The parameters for checking a signature. `digest` is the signature's own hash function; EdDSA has a built-in
 * function.
 */
export interface SignatureCheck {
  readonly scheme: SignatureScheme;
  readonly digest: ReadableDigestAlgorithm;
  /** PSS only. */
  readonly saltLength?: number;
}

const DIGESTS: ReadonlyMap<string, ReadableDigestAlgorithm> = new Map([
  [Oid.sha1, 'sha1'],
  [Oid.sha256, 'sha256'],
  [Oid.sha384, 'sha384'],
  [Oid.sha512, 'sha512'],
  [Oid.shake256, 'shake256'],
]);

/**
 * Algorithms whose identifier names the hash function; `undefined` leaves the choice to the SignerInfo's
 * digestAlgorithm.
 */
const CHECKS: ReadonlyMap<string, { readonly scheme: SignatureScheme; readonly digest?: ReadableDigestAlgorithm }> =
  new Map([
    [Oid.rsaEncryption, { scheme: 'rsassa-pkcs1-v1_5' }],
    [Oid.sha1WithRsa, { scheme: 'rsassa-pkcs1-v1_5', digest: 'sha1' }],
    [Oid.sha256WithRsa, { scheme: 'rsassa-pkcs1-v1_5', digest: 'sha256' }],
    [Oid.sha384WithRsa, { scheme: 'rsassa-pkcs1-v1_5', digest: 'sha384' }],
    [Oid.sha512WithRsa, { scheme: 'rsassa-pkcs1-v1_5', digest: 'sha512' }],
    [Oid.ecPublicKey, { scheme: 'ecdsa' }],
    [Oid.ecdsaWithSha1, { scheme: 'ecdsa', digest: 'sha1' }],
    [Oid.ecdsaWithSha256, { scheme: 'ecdsa', digest: 'sha256' }],
    [Oid.ecdsaWithSha384, { scheme: 'ecdsa', digest: 'sha384' }],
    [Oid.ecdsaWithSha512, { scheme: 'ecdsa', digest: 'sha512' }],
    [Oid.ed25519, { scheme: 'ed25519', digest: 'sha512' }],
    [Oid.ed448, { scheme: 'ed448', digest: 'shake256' }],
    [ML_DSA_OIDS['ml-dsa-44'], { scheme: 'ml-dsa-44' }],
    [ML_DSA_OIDS['ml-dsa-65'], { scheme: 'ml-dsa-65' }],
    [ML_DSA_OIDS['ml-dsa-87'], { scheme: 'ml-dsa-87' }],
  ]);

function unsupported(detail: string): never {
  throw new SigningError('ALGORITHM_UNSUPPORTED', detail);
}

/** The hash function's name, or undefined for an unsupported function. */
export const digestOfOid = (oid: string): ReadableDigestAlgorithm | undefined => DIGESTS.get(oid);

/**
 * The hash function of an identifier: SHAKE256 may name its length, which must be 512 bits (RFC 8419 §2.3). Throws
 * `DER_MALFORMED`.
 */
export function digestOfIdentifier({ oid, parameters }: AlgorithmIdentifier): ReadableDigestAlgorithm | undefined {
  if (oid !== Oid.shake256WithLength) return digestOfOid(oid);
  const bits = parameters && readSmallInteger(parameters, 'the length of the digest');
  return bits === DIGEST_LENGTH.shake256 * 8 ? 'shake256' : undefined;
}

function readHash(identifier: DerElement | undefined): ReadableDigestAlgorithm {
  if (identifier === undefined) return 'sha1';
  const oid = readOid(identifier.child(0, 'a hash function'), 'a hash function');
  const digest = digestOfOid(oid);
  return digest === undefined || digest === 'shake256'
    ? unsupported(`The hash function ${oid} is not known here for RSA-PSS.`)
    : digest;
}

/** RSASSA-PSS-params with its defaults: SHA-1, MGF1 with SHA-1, a salt of 20 octets, trailer field 1 (RFC 4055 §3.1). */
function readPssParameters(parameters: DerElement | undefined): SignatureCheck {
  const field = (number: number): DerElement | undefined => parameters?.find(contextTag(number))?.child(0, 'a value');
  const digest = readHash(field(0));
  const mask = field(1);
  if (mask !== undefined && readOid(mask.child(0, 'the mask function')) !== Oid.mgf1) {
    unsupported('The mask generation function is not MGF1.');
  }
  if (readHash(mask?.child(1, 'the hash function of MGF1')) !== digest) {
    unsupported('RSA-PSS with two different hash functions is not checked here.');
  }
  const salt = field(2);
  const trailer = field(3);
  if (trailer !== undefined && readSmallInteger(trailer, 'the trailer field') !== 1) {
    unsupported('The trailer field of RSA-PSS is not 1.');
  }
  return {
    scheme: 'rsassa-pss',
    digest,
    saltLength: salt === undefined ? 20 : readSmallInteger(salt, 'the salt length'),
  };
}

/**
 * Reads the identifier; `digest` is the SignerInfo's own. Throws `ALGORITHM_UNSUPPORTED` with a sentence that names the
 * unknown part; `DER_MALFORMED` for damaged parameters.
 */
export function readSignatureAlgorithm(
  { oid, parameters }: AlgorithmIdentifier,
  digest: ReadableDigestAlgorithm,
): SignatureCheck {
  if (oid === Oid.rsassaPss) return readPssParameters(parameters);
  const check = CHECKS.get(oid) ?? unsupported(`The signature algorithm ${oid} is not known here.`);
  return { scheme: check.scheme, digest: check.digest ?? digest };
}

const KEY_TYPES = {
  'rsassa-pkcs1-v1_5': ['rsa'],
  'rsassa-pss': ['rsa', 'rsa-pss'],
  ecdsa: ['ec'],
  ed25519: ['ed25519'],
  ed448: ['ed448'],
  'ml-dsa-44': ['ml-dsa-44'],
  'ml-dsa-65': ['ml-dsa-65'],
  'ml-dsa-87': ['ml-dsa-87'],
} as const satisfies Record<SignatureScheme, readonly string[]>;

/**
 * The key with Node's options for the check; undefined when the kinds of key and algorithm differ. Where Node's
 * defaults are right (RSASSA-PKCS1-v1_5 for keys of type `rsa`, DER for ECDSA) the key is passed alone: with options,
 * Node takes twice as long.
 */
export function verificationInput(key: KeyObject, check: SignatureCheck): KeyObject | VerifyKeyObjectInput | undefined {
  const types: readonly (string | undefined)[] = KEY_TYPES[check.scheme];
  if (!types.includes(key.asymmetricKeyType)) return undefined;
  switch (check.scheme) {
    case 'rsassa-pss':
      return {
        key,
        padding: constants.RSA_PKCS1_PSS_PADDING,
        ...(check.saltLength === undefined ? {} : { saltLength: check.saltLength }),
      };
    case 'rsassa-pkcs1-v1_5':
    case 'ecdsa':
    case 'ed25519':
    case 'ed448':
    case 'ml-dsa-44':
    case 'ml-dsa-65':
    case 'ml-dsa-87':
      return key;
  }
}

/** True when `signature` over `message` was made with the key. False for an unusable key. */
export function verifySignature(
  key: KeyObject,
  check: SignatureCheck,
  message: Uint8Array,
  signature: Uint8Array,
): boolean {
  const input = verificationInput(key, check);
  if (input === undefined) return false;
  try {
    return verify(signsWholeMessage(check.scheme) ? null : check.digest, message, input, signature);
  } catch {
    // OpenSSL refuses parameters unfit for the key (a salt longer than the modulus): no such signature exists.
    return false;
  }
}

/**
 * True when `signature` is RSASSA-PKCS1-v1_5 over a message with the given digest (RFC 8017 §8.2.2). The whole
 * DigestInfo is compared, so nothing can hide behind the digest.
 */
export function verifyDigestSignature(
  key: KeyObject,
  digest: ReadableDigestAlgorithm,
  messageDigest: Uint8Array,
  signature: Uint8Array,
): boolean {
  if (key.asymmetricKeyType !== 'rsa') return false;
  const digestInfo = derSequence(derSequence(derOid(Oid[digest]), derNull()), derOctetString(messageDigest));
  try {
    return publicDecrypt({ key, padding: constants.RSA_PKCS1_PADDING }, signature).equals(digestInfo);
  } catch {
    return false;
  }
}
