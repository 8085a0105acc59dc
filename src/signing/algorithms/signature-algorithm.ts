/** Checks a signature value by its AlgorithmIdentifier (RFC 3370, RFC 4055, RFC 5754, RFC 8419). */
import {
  constants,
  createPublicKey,
  publicDecrypt,
  verify,
  type KeyObject,
  type VerifyKeyObjectInput,
} from 'node:crypto';
import { Oid } from '../der/oids.ts';
import { contextTag, readDer, readOid, readSmallInteger, type DerElement } from '../der/reader.ts';
import { derContext, derInteger, derNull, derOctetString, derOid, derSequence } from '../der/writer.ts';
import { spend } from '../budget/budget.ts';
import { SigningError } from '../errors.ts';
import { signsWholeMessage, type SignatureScheme } from './schemes.ts';
import { DIGEST_LENGTH, DIGEST_OIDS, ML_DSA_OIDS, type ReadableDigestAlgorithm } from './algorithms.ts';

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
  /** PSS only: the hash function of MGF1, when different from `digest`. */
  readonly maskDigest?: ReadableDigestAlgorithm;
}

const DIGESTS: ReadonlyMap<string, ReadableDigestAlgorithm> = new Map(
  (Object.keys(DIGEST_OIDS) as ReadableDigestAlgorithm[]).map((name) => [DIGEST_OIDS[name], name]),
);

/** An algorithm whose identifier names its hash function. */
interface NamedCheck {
  readonly scheme: 'rsassa-pkcs1-v1_5' | 'ecdsa';
  readonly digest: ReadableDigestAlgorithm;
}

/**
 * RSASSA-PKCS1-v1_5 and ECDSA by their OIDs (RFC 3279 §2.2, RFC 4055 §5, RFC 5758 §3, RFC 8017 appendix C, RFC 9688 §3):
 * the same in signatures, certificates, lists and responses.
 */
export const NAMED_CHECKS: ReadonlyMap<string, NamedCheck> = new Map(
  (
    [
      [Oid.sha1WithRsa, 'rsassa-pkcs1-v1_5', 'sha1'],
      ['1.2.840.113549.1.1.14', 'rsassa-pkcs1-v1_5', 'sha224'],
      [Oid.sha256WithRsa, 'rsassa-pkcs1-v1_5', 'sha256'],
      [Oid.sha384WithRsa, 'rsassa-pkcs1-v1_5', 'sha384'],
      [Oid.sha512WithRsa, 'rsassa-pkcs1-v1_5', 'sha512'],
      ['1.2.840.113549.1.1.15', 'rsassa-pkcs1-v1_5', 'sha512-224'],
      ['1.2.840.113549.1.1.16', 'rsassa-pkcs1-v1_5', 'sha512-256'],
      ['2.16.840.1.101.3.4.3.13', 'rsassa-pkcs1-v1_5', 'sha3-224'],
      ['2.16.840.1.101.3.4.3.14', 'rsassa-pkcs1-v1_5', 'sha3-256'],
      ['2.16.840.1.101.3.4.3.15', 'rsassa-pkcs1-v1_5', 'sha3-384'],
      ['2.16.840.1.101.3.4.3.16', 'rsassa-pkcs1-v1_5', 'sha3-512'],
      [Oid.ecdsaWithSha1, 'ecdsa', 'sha1'],
      ['1.2.840.10045.4.3.1', 'ecdsa', 'sha224'],
      [Oid.ecdsaWithSha256, 'ecdsa', 'sha256'],
      [Oid.ecdsaWithSha384, 'ecdsa', 'sha384'],
      [Oid.ecdsaWithSha512, 'ecdsa', 'sha512'],
      ['2.16.840.1.101.3.4.3.9', 'ecdsa', 'sha3-224'],
      ['2.16.840.1.101.3.4.3.10', 'ecdsa', 'sha3-256'],
      ['2.16.840.1.101.3.4.3.11', 'ecdsa', 'sha3-384'],
      ['2.16.840.1.101.3.4.3.12', 'ecdsa', 'sha3-512'],
    ] as const
  ).map(([oid, scheme, digest]) => [oid, { scheme, digest }]),
);

/**
 * Algorithm identifiers and their hash function. Without `digest`, the SignerInfo's digestAlgorithm names the hash
 * function.
 */
const CHECKS = new Map<string, { readonly scheme: SignatureScheme; readonly digest?: ReadableDigestAlgorithm }>([
  [Oid.rsaEncryption, { scheme: 'rsassa-pkcs1-v1_5' }],
  ...NAMED_CHECKS,
  [Oid.ecPublicKey, { scheme: 'ecdsa' }],
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

/** RSASSA-PSS-params with its defaults: SHA-1, MGF1 with SHA-1, a salt of 20 bytes, trailer field 1 (RFC 4055 §3.1). */
function readPssParameters(parameters: DerElement | undefined): SignatureCheck {
  const field = (number: number): DerElement | undefined => parameters?.find(contextTag(number))?.child(0, 'a value');
  const digest = readHash(field(0));
  const mask = field(1);
  const maskOid = mask && readOid(mask.child(0, 'the mask function'));
  if (maskOid !== undefined && maskOid !== Oid.mgf1) {
    unsupported(`The mask generation function ${maskOid} of RSA-PSS is not known here.`);
  }
  const maskDigest = readHash(mask?.child(1, 'the hash function of MGF1'));
  // OpenSSL reads the PSS parameters of a key only with SHA-1 and SHA-2.
  if (maskDigest !== digest && [digest, maskDigest].some((name) => name.startsWith('sha3-'))) {
    unsupported(`RSA-PSS with ${digest}, and ${maskDigest} in its mask, is not checked here.`);
  }
  const salt = field(2);
  const trailer = field(3);
  const trailerField = trailer === undefined ? 1 : readSmallInteger(trailer, 'the trailer field');
  if (trailerField !== 1) unsupported(`The trailer field ${trailerField} of RSA-PSS is not known here.`);
  return {
    scheme: 'rsassa-pss',
    digest,
    saltLength: salt === undefined ? 20 : readSmallInteger(salt, 'the salt length'),
    ...(maskDigest === digest ? {} : { maskDigest }),
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

const pssKeys = new WeakMap<KeyObject, Map<string, KeyObject>>();

/**
 * The RSA key with the parameters of this PSS signature in its own identifier (RFC 4055 §3.1). Node has no option for
 * the hash function of MGF1, and takes this function from the key.
 */
export function withPssParameters(
  key: KeyObject,
  digest: ReadableDigestAlgorithm,
  maskDigest: ReadableDigestAlgorithm,
  saltLength: number,
): KeyObject {
  const known = pssKeys.get(key) ?? new Map<string, KeyObject>();
  pssKeys.set(key, known);
  const name = `${digest} ${maskDigest} ${saltLength}`;
  const made = known.get(name) ?? makePssKey(key, digest, maskDigest, saltLength);
  known.set(name, made);
  return made;
}

function makePssKey(
  key: KeyObject,
  digest: ReadableDigestAlgorithm,
  maskDigest: ReadableDigestAlgorithm,
  saltLength: number,
): KeyObject {
  const identifier = (name: ReadableDigestAlgorithm): Buffer => derSequence(derOid(DIGEST_OIDS[name]), derNull());
  const parameters = derSequence(
    derContext(0, identifier(digest)),
    derContext(1, derSequence(derOid(Oid.mgf1), identifier(maskDigest))),
    derContext(2, derInteger(saltLength)),
  );
  const bits = readDer(key.export({ format: 'der', type: 'spki' })).child(1, 'the key').bytes;
  const info = derSequence(derSequence(derOid(Oid.rsassaPss), parameters), bits);
  return createPublicKey({ key: info, format: 'der', type: 'spki' });
}

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
        key:
          check.maskDigest === undefined
            ? key
            : withPssParameters(key, check.digest, check.maskDigest, check.saltLength ?? 20),
        padding: constants.RSA_PKCS1_PSS_PADDING,
        saltLength: check.saltLength,
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
  spend('candidates');
  try {
    return verify(signsWholeMessage(check.scheme) ? null : check.digest, message, input, signature);
  } catch {
    // OpenSSL refuses parameters unfit for the key (a salt longer than the modulus): such a signature cannot exist.
    return false;
  }
}

/**
 * The form of the DigestInfo in an RSASSA-PKCS1-v1_5 signature over a message with the given digest (RFC 8017 §8.2.2):
 * `usual`, or `without-null` where the parameters of the hash function are left out, which verifiers may accept (RFC
 * 8017 §9.2, note 2). Undefined for any other signature: the whole DigestInfo is compared, so no forged bytes can
 * follow the digest.
 */
export function digestInfoForm(
  key: KeyObject,
  digest: ReadableDigestAlgorithm,
  messageDigest: Uint8Array,
  signature: Uint8Array,
): 'usual' | 'without-null' | undefined {
  if (key.asymmetricKeyType !== 'rsa') return undefined;
  const digestInfo = (...parameters: readonly Buffer[]): Buffer =>
    derSequence(derSequence(derOid(DIGEST_OIDS[digest]), ...parameters), derOctetString(messageDigest));
  try {
    const found = publicDecrypt({ key, padding: constants.RSA_PKCS1_PADDING }, signature);
    if (found.equals(digestInfo(derNull()))) return 'usual';
    return found.equals(digestInfo()) ? 'without-null' : undefined;
  } catch {
    return undefined;
  }
}
