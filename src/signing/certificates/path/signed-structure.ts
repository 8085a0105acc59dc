/**
 * The common structure of certificates, CRLs and OCSP responses: a body, an AlgorithmIdentifier, and a signature over
 * the unchanged bytes of the body (RFC 5280 §4.1.1, §5.1.1; RFC 6960 §4.2.1).
 */
import { constants, createVerify, verify, type KeyObject, type Verify, type VerifyKeyObjectInput } from 'node:crypto';
import type { ReadableDigestAlgorithm } from '../../algorithms/algorithms.ts';
import { NAMED_CHECKS, readSignatureAlgorithm, withPssParameters } from '../../algorithms/signature-algorithm.ts';
import { Oid } from '../../der/oids.ts';
import { Tag, readBitStringBytes, readDer, readOid, type DerElement } from '../../der/reader.ts';
import { spend } from '../../budget/budget.ts';
import { SigningError } from '../../errors.ts';
import type { Certificate } from '../certificate.ts';

/** A signed structure, taken apart into slices. */
export interface SignedStructure {
  /** DER of the signed part. */
  readonly body: Buffer;
  readonly algorithm: DerElement;
  readonly signature: Buffer;
  /** Elements after the signature: the certificates of an OCSP response. */
  readonly rest: readonly DerElement[];
}

/** Takes the elements of a signed structure apart. Throws `DER_MALFORMED`. */
export function readSignedStructure(structure: DerElement): SignedStructure {
  structure.expect(Tag.sequence, 'a signed structure');
  return {
    body: structure.child(0, 'the signed part').bytes,
    algorithm: structure.child(1, 'the signature algorithm'),
    signature: readBitStringBytes(structure.child(2, 'the signature'), 'the signature'),
    rest: structure.children.slice(3),
  };
}

/** How a signature over a structure is checked. */
export interface StructureAlgorithm {
  readonly family: 'rsa' | 'rsa-pss' | 'ecdsa' | 'ed25519' | 'ed448';
  /** The hash function; undefined for EdDSA with its built-in function. */
  readonly digest: ReadableDigestAlgorithm | undefined;
  /** PSS only. */
  readonly saltLength?: number;
  /** PSS only: the hash function of MGF1, when different from `digest`. */
  readonly maskDigest?: ReadableDigestAlgorithm;
}

const FAMILIES = { 'rsassa-pkcs1-v1_5': 'rsa', ecdsa: 'ecdsa' } as const;

const ALGORITHMS: ReadonlyMap<string, StructureAlgorithm> = new Map<string, StructureAlgorithm>([
  ...[...NAMED_CHECKS].map(([oid, { scheme, digest }]) => [oid, { family: FAMILIES[scheme], digest }] as const),
  [Oid.ed25519, { family: 'ed25519', digest: undefined }],
  [Oid.ed448, { family: 'ed448', digest: undefined }],
]);

/**
 * Reads the AlgorithmIdentifier. Throws `ALGORITHM_UNSUPPORTED` for an unknown algorithm, `DER_MALFORMED` for a damaged
 * identifier.
 */
export function readStructureAlgorithm(identifier: DerElement): StructureAlgorithm {
  const oid = readOid(identifier.child(0, 'the signature algorithm'), 'the signature algorithm');
  if (oid === Oid.rsassaPss) {
    const parameters = identifier.children[1];
    const { digest, saltLength = 20, maskDigest } = readSignatureAlgorithm({ oid, parameters }, 'sha256');
    return { family: 'rsa-pss', digest, saltLength, maskDigest };
  }
  const algorithm = ALGORITHMS.get(oid);
  if (algorithm === undefined) {
    throw new SigningError('ALGORITHM_UNSUPPORTED', `The signature algorithm ${oid} is not known here.`);
  }
  return algorithm;
}

const KEY_TYPES = {
  rsa: ['rsa'],
  'rsa-pss': ['rsa', 'rsa-pss'],
  ecdsa: ['ec'],
  ed25519: ['ed25519'],
  ed448: ['ed448'],
} as const satisfies Record<StructureAlgorithm['family'], readonly string[]>;

/**
 * The key, with Node's options where Node's defaults are wrong; undefined when the kinds of key and algorithm differ.
 * Verifying with a bare key is much faster than with options.
 */
function verificationInput(
  key: KeyObject,
  algorithm: StructureAlgorithm,
): KeyObject | VerifyKeyObjectInput | undefined {
  const types: readonly (string | undefined)[] = KEY_TYPES[algorithm.family];
  if (!types.includes(key.asymmetricKeyType)) return undefined;
  switch (algorithm.family) {
    case 'rsa-pss': {
      const { digest, maskDigest, saltLength = 20 } = algorithm;
      const hasTwo = digest !== undefined && maskDigest !== undefined;
      const own = hasTwo ? withPssParameters(key, digest, maskDigest, saltLength) : key;
      return { key: own, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength };
    }
    case 'rsa':
    case 'ecdsa':
    case 'ed25519':
    case 'ed448':
      return key;
  }
}

/** True when `signature` over `body` was made with the key's private half. A key of another kind gives false. */
export function isSignedBy(key: KeyObject, algorithm: StructureAlgorithm, body: Buffer, signature: Buffer): boolean {
  const input = verificationInput(key, algorithm);
  if (input === undefined) return false;
  spend('candidates');
  try {
    return verify(algorithm.digest ?? null, body, input, signature);
  } catch {
    // OpenSSL refuses parameters unfit for the key (a salt longer than the modulus): such a signature cannot exist.
    return false;
  }
}

/** Checks a signature over a body in chunks. */
export interface BodyVerifier {
  update(piece: Buffer): void;
  isSignature(signature: Buffer): boolean;
}

/** EdDSA reads its message twice (RFC 8032 §5.1.7), so the body is kept. */
function keepingVerifier(key: KeyObject, algorithm: StructureAlgorithm): BodyVerifier {
  const pieces: Buffer[] = [];
  return {
    update: (piece) => void pieces.push(Buffer.from(piece)),
    isSignature: (signature) => isSignedBy(key, algorithm, Buffer.concat(pieces), signature),
  };
}

/** Creates a verifier for a body in chunks; only EdDSA keeps all chunks in memory. */
export function createBodyVerifier(key: KeyObject, algorithm: StructureAlgorithm): BodyVerifier {
  const input = verificationInput(key, algorithm);
  if (input === undefined) return { update: () => undefined, isSignature: () => false };
  if (algorithm.digest === undefined) return keepingVerifier(key, algorithm);
  const verifier: Verify = createVerify(algorithm.digest);
  return {
    update: (piece) => void verifier.update(piece),
    isSignature(signature) {
      spend('candidates');
      try {
        return verifier.verify(input, signature);
      } catch {
        return false;
      }
    },
  };
}

/**
 * True when the certificate's signature is the issuer's. Throws `ALGORITHM_UNSUPPORTED`, `CERTIFICATE_MALFORMED` (also
 * when this run time cannot read the issuer's key), `DER_MALFORMED`.
 */
export function isIssuedBy(certificate: Certificate, issuer: Certificate): boolean {
  const { body, algorithm, signature } = readSignedStructure(readDer(certificate.der));
  return isSignedBy(issuer.publicKey(), readStructureAlgorithm(algorithm), body, signature);
}
