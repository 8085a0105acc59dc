/** Algorithms and keys that a signature or a certificate depends on. */
import { curveBits } from '../../certificates/path/check-certificate.ts';
import { readSignedStructure, readStructureAlgorithm } from '../../certificates/path/signed-structure.ts';
import type { Certificate } from '../../certificates/certificate.ts';
import {
  digestOfIdentifier,
  readSignatureAlgorithm,
  type AlgorithmIdentifier,
} from '../../algorithms/signature-algorithm.ts';
import type { SignerInfo } from '../../signed-data/signed-data.ts';
import { readDer } from '../../der/reader.ts';
import { isDataError, SigningError } from '../../errors.ts';
import type { AlgorithmUse } from '../judge/algorithm-policy.ts';

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
    if (type === 'rsa' || type === 'rsa-pss') return [{ kind: 'key', type: 'rsa', bits: details?.modulusLength ?? 0 }];
    if (type === 'ec') return [{ kind: 'key', type: 'ec', bits: curveBits(details?.namedCurve) }];
    if (type === 'dsa') return [{ kind: 'unknown', name: 'dsa' }];
    return [{ kind: 'key', type: 'other', bits: 0 }];
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
    const { digest } = readStructureAlgorithm(readSignedStructure(readDer(der)).algorithm);
    return digest === undefined ? [] : [{ kind: 'hash', name: digest }];
  } catch (error) {
    if (isDataError(error)) return [{ kind: 'unknown', name: signatureAlgorithm }];
    throw error;
  }
}

/** The hash function of the signature on the certificate. */
export function issuerUse(certificate: Certificate): readonly AlgorithmUse[] {
  const uses = issuerUses.get(certificate) ?? readIssuerUse(certificate);
  issuerUses.set(certificate, uses);
  return uses;
}

function hashUse(identifier: AlgorithmIdentifier): AlgorithmUse {
  if (MD5_OIDS.has(identifier.oid)) return { kind: 'hash', name: 'md5' };
  return { kind: 'hash', name: digestOfIdentifier(identifier) ?? identifier.oid };
}

/** The algorithms of a SignerInfo: its hash function, and its signature's hash function if different. */
export function signerUses({ digestAlgorithm, signatureAlgorithm }: SignerInfo): readonly AlgorithmUse[] {
  try {
    const own = hashUse(digestAlgorithm);
    if (MD5_OIDS.has(signatureAlgorithm.oid)) return [own, { kind: 'hash', name: 'md5' }];
    const digest = digestOfIdentifier(digestAlgorithm);
    const check = readSignatureAlgorithm(signatureAlgorithm, digest ?? 'sha256');
    return digest === undefined || check.digest === digest ? [own] : [own, { kind: 'hash', name: check.digest }];
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
