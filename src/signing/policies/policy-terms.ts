/** Common terms of ICP-Brasil's policies: trust anchors and algorithms changed together, once. */
import type { SignatureScheme } from '../keys/signer.ts';

/**
 * The purpose of a policy, by the evidence in the signature (DOC-ICP-15.03): basic, time, references, complete,
 * archive.
 */
export type IcpBrasilProfile = 'AD-RB' | 'AD-RT' | 'AD-RV' | 'AD-RC' | 'AD-RA';

/** An algorithm allowed by a policy. */
export interface AllowedAlgorithm {
  readonly scheme: SignatureScheme;
  /** Absent: the scheme fixes the hash function. */
  readonly digest?: 'sha256' | 'sha512';
  /** Bits of the key, at least: the modulus, or the order of the curve. */
  readonly minimumKeyBits: number;
}

/** A policy's demands on keys and roots. */
export interface PolicyTerms {
  /** Lower-case hex SHA-256 of the permitted roots. */
  readonly trustAnchors: readonly string[];
  readonly algorithms: readonly AllowedAlgorithm[];
}

/** A policy with the values of its file. */
export interface PolicyRow {
  readonly profile: IcpBrasilProfile;
  readonly version: string;
  readonly oid: string;
  readonly uri: string;
  /** Lower-case hex SHA-256: the policy's inner hash, used in signatures. */
  readonly hash: string;
  /** Days in UTC; `from` is the first, and signing ends when `to` begins. */
  readonly signingPeriod: { readonly from: string; readonly to: string };
  readonly terms: PolicyTerms;
  /** The reason for the end of use, although the signing period lasts. */
  readonly withdrawn?: string;
}

const ROOT_V2 = 'fb47d92a9909fd4fa9bec02737543e1f3514ced747407a8d9cfa397b0915067c';
const ROOT_V5 = 'caa53fc6091c6951887c976e378f6ef89aa6377c55d97b6475422b71ed7e9b17';
const ROOT_V12 = 'd8478e37ce19c690cf657381e68fe600e4e1a042536830f06847e03e554c4b01';

const RSA = [
  { scheme: 'rsassa-pkcs1-v1_5', digest: 'sha256', minimumKeyBits: 2048 },
  { scheme: 'rsassa-pkcs1-v1_5', digest: 'sha512', minimumKeyBits: 2048 },
] as const satisfies readonly AllowedAlgorithm[];

/** CAdES up to 2.3 (AD-RA 2.4), PAdES up to 1.1 (AD-RC and AD-RA 1.2). */
export const TERMS_OF_2015: PolicyTerms = { trustAnchors: [ROOT_V5, ROOT_V2], algorithms: RSA };

/**
 * CAdES from 2.4 (AD-RA 2.5), PAdES from 1.2 (AD-RC and AD-RA 1.3). The policies also name the pre-hashed forms
 * Ed25519ph and Ed448ph, which have no place in CMS (RFC 8419 §1). SHA-384 and RSASSA-PSS are in no policy.
 */
export const TERMS_OF_2025: PolicyTerms = {
  trustAnchors: [ROOT_V12, ROOT_V5],
  algorithms: [
    ...RSA,
    { scheme: 'ecdsa', digest: 'sha256', minimumKeyBits: 256 },
    { scheme: 'ecdsa', digest: 'sha512', minimumKeyBits: 256 },
    { scheme: 'ed25519', minimumKeyBits: 256 },
    { scheme: 'ed448', minimumKeyBits: 456 },
  ],
};
