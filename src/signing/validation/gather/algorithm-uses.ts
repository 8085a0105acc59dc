/** Algorithms and keys that a signature or a certificate depends on. */
import { curveBits } from '../../certificates/path/check-certificate.ts';
import {
  readSignedStructure,
  readStructureAlgorithm,
  type StructureAlgorithm,
} from '../../certificates/path/signed-structure.ts';
import type { Certificate } from '../../certificates/certificate.ts';
import {
  digestOfIdentifier,
  readSignatureAlgorithm,
  type AlgorithmIdentifier,
} from '../../algorithms/signature-algorithm.ts';
import type { SignerInfo } from '../../signed-data/signed-data.ts';
import { readDer } from '../../der/reader.ts';
import { isDataError, SigningError } from '../../errors.ts';
import type { SignatureScheme } from '../../algorithms/schemes.ts';
import type { AlgorithmUse, RsaPadding } from '../judge/algorithm-policy.ts';

/** Hash functions with known weaknesses that Node cannot check, and signature algorithms with these hash functions. */
const MD5_OIDS: ReadonlySet<string> = new Set([
  '1.2.840.113549.2.5',
  '1.2.840.113549.1.1.4',
  '1.2.840.113549.2.2',
  '1.2.840.113549.1.1.2',
]);

function readKeyUse(certificate: Certificate): readonly AlgorithmUse[] {
  try {
    const { asymmetricKeyType: type, asymmetricKeyDetails: details } = certificate.publicKey();
    const issued = certificate.notBefore;
    if (type === 'rsa' || type === 'rsa-pss') {
      return [{ kind: 'key', type: 'rsa', bits: details?.modulusLength ?? 0, issued }];
    }
    if (type === 'ec') {
      const { namedCurve: name } = details ?? {};
      return [{ kind: 'key', type: 'ec', bits: curveBits(name), name, issued }];
    }
    if (type === 'dsa') return [{ kind: 'unknown', name: 'dsa' }];
    return [{ kind: 'key', type: 'other', bits: 0, name: type, issued }];
  } catch (error) {
    // The path reports an unreadable key.
    if (isDataError(error)) return [];
    throw error;
  }
}

const keyUses = new WeakMap<Certificate, readonly AlgorithmUse[]>();

/** The certificate's own key. */
export function keyUse(certificate: Certificate): readonly AlgorithmUse[] {
  const uses = keyUses.get(certificate) ?? readKeyUse(certificate);
  keyUses.set(certificate, uses);
  return uses;
}

const issuerUses = new WeakMap<Certificate, readonly AlgorithmUse[]>();

function readIssuerUse({ der, signatureAlgorithm }: Certificate): readonly AlgorithmUse[] {
  if (MD5_OIDS.has(signatureAlgorithm)) return [{ kind: 'hash', name: 'md5' }];
  try {
    return structureUses(readStructureAlgorithm(readSignedStructure(readDer(der)).algorithm));
  } catch (error) {
    if (isDataError(error)) return [{ kind: 'unknown', name: signatureAlgorithm }];
    throw error;
  }
}

/** The hash function and the padding of the signature of a certificate, a revocation list or an OCSP answer. */
export function structureUses({ family, digest }: StructureAlgorithm): readonly AlgorithmUse[] {
  const hash = digest === undefined ? [] : [{ kind: 'hash', name: digest } as const];
  if (family === 'rsa') return [...hash, { kind: 'padding', name: 'pkcs1' }];
  return family === 'rsa-pss' ? [...hash, { kind: 'padding', name: 'pss' }] : hash;
}

/** The hash function and the padding of the signature on the certificate. */
export function issuerUse(certificate: Certificate): readonly AlgorithmUse[] {
  const uses = issuerUses.get(certificate) ?? readIssuerUse(certificate);
  issuerUses.set(certificate, uses);
  return uses;
}

function hashUse(identifier: AlgorithmIdentifier): AlgorithmUse {
  if (MD5_OIDS.has(identifier.oid)) return { kind: 'hash', name: 'md5' };
  return { kind: 'hash', name: digestOfIdentifier(identifier) ?? identifier.oid };
}

const PADDINGS: Readonly<Partial<Record<SignatureScheme, RsaPadding>>> = {
  'rsassa-pkcs1-v1_5': 'pkcs1',
  'rsassa-pss': 'pss',
};

/** The algorithms of a SignerInfo: its hash function, its signature's hash function if different, and the padding. */
export function signerUses({ digestAlgorithm, signatureAlgorithm }: SignerInfo): readonly AlgorithmUse[] {
  try {
    const own = hashUse(digestAlgorithm);
    if (MD5_OIDS.has(signatureAlgorithm.oid)) return [own, { kind: 'hash', name: 'md5' }];
    const digest = digestOfIdentifier(digestAlgorithm);
    const check = readSignatureAlgorithm(signatureAlgorithm, digest ?? 'sha256');
    const other =
      digest === undefined || check.digest === digest ? [] : [{ kind: 'hash', name: check.digest } as const];
    const padding = PADDINGS[check.scheme];
    return [own, ...other, ...(padding === undefined ? [] : [{ kind: 'padding', name: padding } as const])];
  } catch (error) {
    if (error instanceof SigningError) return [{ kind: 'unknown', name: signatureAlgorithm.oid }];
    throw error;
  }
}

/** The signature algorithm's name for people: `RSASSA-PSS`, `ECDSA`, …; the OID of an unknown algorithm. */
export function signatureAlgorithmName({ digestAlgorithm, signatureAlgorithm }: SignerInfo): string {
  try {
    return readSignatureAlgorithm(signatureAlgorithm, digestOfIdentifier(digestAlgorithm) ?? 'sha256').scheme;
  } catch (error) {
    if (error instanceof SigningError) return signatureAlgorithm.oid;
    throw error;
  }
}
