/** Common terms of ICP-Brasil's policies: trust anchors and algorithms changed together, once. */
import { hash } from 'node:crypto';
import type { SignatureScheme } from '../keys/signer.ts';
import type { ReadableDigestAlgorithm } from '../algorithms/algorithms.ts';
import { digestOfOid } from '../algorithms/signature-algorithm.ts';
import { Tag, readDer, readOid, readTime, type DerElement } from '../der/reader.ts';
import { SigningError } from '../errors.ts';

/**
 * The profiles in the order of their numbers in OIDs: 1 to 5 in CAdES, 11 to 15 in PAdES (DOC-ICP-15.03). Requests have a
 * list of their own, `icpBrasilProfiles` of `request/signature-policies.ts`.
 */
export const ICP_BRASIL_PROFILES = ['AD-RB', 'AD-RT', 'AD-RV', 'AD-RC', 'AD-RA'] as const;

/**
 * The purpose of a policy, by the evidence in the signature (DOC-ICP-15.03): basic, time, references, complete,
 * archive.
 */
export type IcpBrasilProfile = (typeof ICP_BRASIL_PROFILES)[number];

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
  /** Lower-case hex SHA-256: the policy's inner hash, used in signatures. */
  readonly hash: string;
  /** Days in UTC; `from` is the first, and signing ends when `to` begins. */
  readonly signingPeriod: { readonly from: string; readonly to: string };
  readonly terms: PolicyTerms;
  /** The reason for a withdrawal before the end of the signing period. */
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

// Reads ICP-Brasil's published policy files: the policies themselves and the list of approved policies (LPA).

/** A signature policy in ASN.1 (RFC 3125 §3.2), as far as needed for signing. */
export interface PolicyFile {
  readonly oid: string;
  /** Lower-case hex of the policy's own hash, which signatures name; compared with the file. */
  readonly hash: string;
}

/** An approved policy of the list. */
export interface ListedPolicy {
  readonly oid: string;
  readonly revoked: Date | undefined;
  /** True when the digest of the bytes is the list's digest of the policy's file. */
  readonly isFile: (file: Uint8Array) => boolean;
}

/** The list of approved policies (LPA, version 2). */
export interface PolicyList {
  readonly policies: readonly ListedPolicy[];
  /** A newer list is published by this date. */
  readonly nextUpdate: Date;
}

function malformed(what: string): never {
  throw new SigningError('DER_MALFORMED', `The file is damaged: ${what}.`);
}

/** The function's name, for the functions of published files only. */
function hashOf(identifier: DerElement): ReadableDigestAlgorithm {
  const name = digestOfOid(readOid(identifier.child(0, 'a hash function'), 'a hash function'));
  return name === undefined || name === 'shake256' ? malformed('its hash function is not known') : name;
}

/**
 * Reads a policy and checks the hash inside: over signPolicyHashAlg and signPolicyInfo unchanged, different from the
 * digest of the file (DOC-ICP-15.03, annex 1, note 2). Throws `DER_MALFORMED`, also for a wrong hash.
 */
export function readPolicyFile(file: Uint8Array): PolicyFile {
  const policy = readDer(file).expect(Tag.sequence, 'the policy');
  const algorithm = policy.child(0, 'the hash function').expect(Tag.sequence, 'the hash function');
  const information = policy.child(1, 'the policy').expect(Tag.sequence, 'the policy');
  const stated = policy.child(2, 'the hash of the policy').expect(Tag.octetString, 'the hash of the policy').content;
  const actual = hash(hashOf(algorithm), Buffer.concat([algorithm.bytes, information.bytes]), 'buffer');
  if (!actual.equals(stated)) malformed('the policy does not have the hash that it gives of itself');
  return { oid: readOid(information.child(0, 'the identifier of the policy')), hash: stated.toString('hex') };
}

/** PolicyInfo: period, revocationDate OPTIONAL, identifier, address, digest of the file. */
function readListed(element: DerElement): ListedPolicy {
  const [, ...fields] = element.expect(Tag.sequence, 'a policy in the list').children;
  const revoked = fields[0]?.tag === Tag.generalizedTime ? fields.shift() : undefined;
  const [identifier, , digest] = fields;
  if (identifier === undefined || digest === undefined) return malformed('a policy in the list is not complete');
  const algorithm = hashOf(digest.child(0, 'the hash function'));
  const value = digest.child(1, 'the digest').expect(Tag.octetString, 'the digest').content;
  return {
    oid: readOid(identifier, 'the identifier of a policy'),
    revoked: revoked && readTime(revoked, 'the time of the revocation'),
    isFile: (file) => value.equals(hash(algorithm, file, 'buffer')),
  };
}

/** Reads the list. Throws `DER_MALFORMED`. */
export function readPolicyList(file: Uint8Array): PolicyList {
  const [...fields] = readDer(file).expect(Tag.sequence, 'the list of policies').children;
  if (fields[0]?.tag === Tag.integer) fields.shift();
  const [policies, nextUpdate, more] = fields;
  if (policies === undefined || nextUpdate === undefined || more !== undefined) malformed('it is no list of policies');
  return {
    policies: policies.expect(Tag.sequence, 'the policies').children.map(readListed),
    nextUpdate: readTime(nextUpdate.expect(Tag.generalizedTime, 'the next update'), 'the next update'),
  };
}
