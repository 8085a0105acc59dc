/**
 * The dates until which algorithms and keys are reliable (EN 319 102-1 §5.2.5.4), in tables such as ETSI TS 119 312.
 */

import { DIGEST_LENGTH, TIMESTAMP_DIGESTS } from '../../algorithms/algorithms.ts';
import type { TimestampDigest } from '../../keys/signer.ts';

/** The use of an algorithm or of a key, relevant for a verdict. */
export type AlgorithmUse =
  | { readonly kind: 'hash'; /** Node's name, `md5`, or the OID of an unknown algorithm. */ readonly name: string }
  | {
      readonly kind: 'key';
      readonly type: 'rsa' | 'ec' | 'other';
      readonly bits: number;
    }
  /** An unsupported signature algorithm. */
  | { readonly kind: 'unknown'; readonly name: string };

/** For each algorithm, the end of its reliability. */
export interface AlgorithmPolicy {
  /** By lower-case name; a hash function outside of the table is not reliable. `null`: no end is known. */
  readonly hashes: Readonly<Record<string, string | null>>;
  /** RSA moduli from `bits` on, the longest first; shorter moduli are not reliable. */
  readonly rsa: readonly { readonly bits: number; readonly until: string | null }[];
  /** Like `rsa`, for curves by the bits of their order. */
  readonly curves: readonly { readonly bits: number; readonly until: string | null }[];
}

/** SHA-1 and RSA below 2048 bits ended with 2013 (NIST SP 800-131A), MD5 when collisions were made at will. */
export const DEFAULT_ALGORITHM_POLICY: AlgorithmPolicy = {
  hashes: {
    md5: '2005-01-01',
    sha1: '2014-01-01',
    // 112 bits of security: legacy until the end of 2025 (SOG-IS Agreed Cryptographic Mechanisms 1.3, §2.1).
    sha224: '2026-01-01',
    'sha512-224': '2026-01-01',
    'sha3-224': '2026-01-01',
    sha256: null,
    sha384: null,
    sha512: null,
    'sha512-256': null,
    'sha3-256': null,
    'sha3-384': null,
    'sha3-512': null,
    shake256: null,
  },
  rsa: [
    { bits: 2048, until: null },
    { bits: 1024, until: '2014-01-01' },
  ],
  curves: [
    { bits: 224, until: null },
    { bits: 160, until: '2014-01-01' },
  ],
};

/**
 * The dates of ETSI TS 119 312 V1.5.1, as its machine-readable form (TS 119 322) has them. RSA from 3000 bits on has no
 * end with PSS padding; PKCS #1 v1.5, which ends on 2029-01-01, is not told apart here. Hash functions that the document
 * does not list are not reliable.
 */
export const ETSI_ALGORITHM_POLICY: AlgorithmPolicy = {
  hashes: {
    md5: '2004-08-01',
    sha1: '2012-08-01',
    sha224: '2029-01-01',
    sha256: null,
    sha384: null,
    sha512: null,
    'sha512-256': null,
    'sha3-256': null,
    'sha3-384': null,
    'sha3-512': null,
  },
  rsa: [
    { bits: 3000, until: null },
    { bits: 1900, until: '2029-01-01' },
    { bits: 1024, until: '2019-10-01' },
    { bits: 786, until: '2010-08-01' },
  ],
  curves: [
    { bits: 256, until: null },
    { bits: 224, until: '2021-10-01' },
    { bits: 160, until: '2012-08-01' },
  ],
};

/** The end of an algorithm in an organisation's own words: a day (YYYY-MM-DD), no end, or no use at all. */
export type OwnEnd = string;

/** An organisation's own rows: hash functions by name, least bits of keys with their end. */
export interface OwnAlgorithms {
  readonly hashes: Readonly<Record<string, OwnEnd>>;
  readonly rsa: Readonly<Record<string, OwnEnd>>;
  readonly curves: Readonly<Record<string, OwnEnd>>;
}

const ALWAYS = 'always';
const NEVER = 'never';

/**
 * A table extended by an organisation's rows. A hash function replaces the table's row. Rows of a kind of key replace
 * all rows of this kind, so that keys shorter than the organisation's rows are not accepted.
 */
export function extendAlgorithmPolicy(base: AlgorithmPolicy, own: OwnAlgorithms): AlgorithmPolicy {
  const isUsed = (end: OwnEnd): boolean => end !== NEVER;
  const until = (end: OwnEnd): string | null => (end === ALWAYS ? null : end);
  const keys = (rows: OwnAlgorithms['rsa'], inTable: AlgorithmPolicy['rsa']): AlgorithmPolicy['rsa'] => {
    if (Object.keys(rows).length === 0) return inTable;
    const used = Object.entries(rows).filter(([, end]) => isUsed(end));
    const all = used.map(([bits, end]) => ({ bits: Number(bits), until: until(end) }));
    return all.toSorted((one, other) => other.bits - one.bits);
  };
  const kept = Object.entries(base.hashes).filter(([name]) => !Object.hasOwn(own.hashes, name));
  const added = Object.entries(own.hashes).flatMap(([name, end]) => (isUsed(end) ? [[name, until(end)] as const] : []));
  return {
    hashes: Object.fromEntries([...kept, ...added]),
    rsa: keys(own.rsa, base.rsa),
    curves: keys(own.curves, base.curves),
  };
}

/** How long a use is reliable: `always`, `never`, or until a time. */
export type Reliability = 'always' | 'never' | Date;

/** Days of the tables as times: each validation asks for several, and parsing a date costs more than the comparison. */
const times = new Map<string, Date>();

function timeOf(day: string): Date {
  const time = times.get(day) ?? new Date(day);
  times.set(day, time);
  return time;
}

const asReliability = (until: string | null | undefined): Reliability =>
  until === undefined ? 'never' : until === null ? 'always' : timeOf(until);

/** The reliability of one use under the policy. */
export function reliabilityOf(use: AlgorithmUse, policy: AlgorithmPolicy): Reliability {
  switch (use.kind) {
    case 'hash':
      return asReliability(Object.hasOwn(policy.hashes, use.name) ? policy.hashes[use.name] : undefined);
    case 'key': {
      if (use.type === 'other') return 'always';
      const rows = use.type === 'rsa' ? policy.rsa : policy.curves;
      return asReliability(rows.find(({ bits }) => use.bits >= bits)?.until);
    }
    case 'unknown':
      return 'never';
  }
}

/** True when all uses are reliable at this time. */
export const areReliableAt = (uses: readonly AlgorithmUse[], policy: AlgorithmPolicy, at: Date): boolean =>
  uses.every((use) => {
    const reliability = reliabilityOf(use, policy);
    return reliability === 'always' || (reliability !== 'never' && at < reliability);
  });

/** The first end of reliability among the uses; undefined when there is none. `never` counts as the beginning of time. */
export function reliableUntil(uses: readonly AlgorithmUse[], policy: AlgorithmPolicy): Date | undefined {
  const ends = uses.flatMap((use) => {
    const reliability = reliabilityOf(use, policy);
    if (reliability === 'always') return [];
    return [reliability === 'never' ? 0 : reliability.getTime()];
  });
  return ends.length === 0 ? undefined : new Date(Math.min(...ends));
}

/**
 * The hash functions for a new time stamp, in the order to try. When the table gives the server's own function an end,
 * the longest-lasting function comes first, if possible of the same length or longer. The server's own function
 * follows, because an authority may support no other.
 */
export function timestampDigestsOf(own: TimestampDigest, policy: AlgorithmPolicy): readonly TimestampDigest[] {
  const endOf = (name: string): number => {
    const reliability = reliabilityOf({ kind: 'hash', name }, policy);
    if (reliability === 'always') return Infinity;
    return reliability === 'never' ? 0 : reliability.getTime();
  };
  const isShorter = (name: TimestampDigest): boolean => DIGEST_LENGTH[name] < DIGEST_LENGTH[own];
  const others = TIMESTAMP_DIGESTS.toSorted((one, other) => Number(isShorter(one)) - Number(isShorter(other)));
  const best = others.reduce((found, one) => (endOf(one) > endOf(found) ? one : found), own);
  return best === own ? [own] : [best, own];
}
