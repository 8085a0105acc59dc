/**
 * The dates until which algorithms and keys are reliable (EN 319 102-1 §5.2.5.4), in tables such as ETSI TS 119 312.
 */

import { DIGEST_LENGTH, TIMESTAMP_DIGESTS } from '../../algorithms/algorithms.ts';
import type { TimestampDigest } from '../../keys/signer.ts';

/** The use of an algorithm or of a key, relevant for a verdict. */
export type AlgorithmUse =
  | { readonly kind: 'hash'; /** Node's name, `md5`, or the OID of an unknown algorithm. */ readonly name: string }
  /** The padding of an RSA signature: PKCS #1 v1.5, or PSS. */
  | { readonly kind: 'padding'; readonly name: RsaPadding }
  | {
      readonly kind: 'key';
      readonly type: 'rsa' | 'ec' | 'other';
      readonly bits: number;
      /** Node's name of the curve, or of a kind of key that is neither RSA nor on a curve by choice: `ed448`. */
      readonly name?: string;
      /** The beginning of the validity of the key's certificate. */
      readonly issued?: Date;
    }
  /** An unsupported signature algorithm. */
  | { readonly kind: 'unknown'; readonly name: string };

export type RsaPadding = 'pkcs1' | 'pss';

/** Keys from `bits` on. */
interface KeyRow {
  readonly bits: number;
  /** `null`: no end is known. */
  readonly until: string | null;
  /** Keys whose certificate was issued on this day or later are not reliable. */
  readonly issuedUntil?: string;
  /** Node's names of the only curves of this length that are reliable. */
  readonly only?: readonly string[];
}

/** For each algorithm, the end of its reliability, as a day (YYYY-MM-DD) or `null`: no end is known. */
export interface AlgorithmPolicy {
  /** The document with its version, for people; absent for a table of our own, and for one with an organisation's rows. */
  readonly name?: string;
  /** By lower-case name; a hash function outside of the table is not reliable. */
  readonly hashes: Readonly<Record<string, string | null>>;
  /** RSA moduli from `bits` on, the longest first; shorter moduli are not reliable. */
  readonly rsa: readonly KeyRow[];
  /** Like `rsa`, for curves by the bits of their order. */
  readonly curves: readonly KeyRow[];
  /** Absent: no end of either is known. */
  readonly paddings?: Readonly<Record<RsaPadding, string | null>>;
  /** Other kinds of keys by Node's name; absent: all of them, without an end. */
  readonly otherKeys?: Readonly<Record<string, string | null>>;
}

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
  const hasOwn = [own.hashes, own.rsa, own.curves].some((rows) => Object.keys(rows).length > 0);
  return {
    ...base,
    ...(hasOwn ? { name: undefined } : {}),
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

type KeyUse = Extract<AlgorithmUse, { kind: 'key' }>;

const rowOf = ({ type, bits }: KeyUse, { rsa, curves }: AlgorithmPolicy): KeyRow | undefined =>
  (type === 'rsa' ? rsa : curves).find((row) => bits >= row.bits);

/** Why the table refuses a key that is long enough: its kind or its curve, or the day of its certificate. */
export type KeyRefusal = 'not-listed' | 'issued-too-late';

/** Undefined for a key that the table lists, or that is too short. */
export function refusalOfKey(use: KeyUse, policy: AlgorithmPolicy): KeyRefusal | undefined {
  const { type, name = '', issued } = use;
  if (type === 'other') {
    return policy.otherKeys === undefined || Object.hasOwn(policy.otherKeys, name) ? undefined : 'not-listed';
  }
  const { only, issuedUntil } = rowOf(use, policy) ?? {};
  if (only?.includes(name) === false) return 'not-listed';
  return issuedUntil !== undefined && issued !== undefined && issued >= timeOf(issuedUntil)
    ? 'issued-too-late'
    : undefined;
}

function reliabilityOfKey(use: KeyUse, policy: AlgorithmPolicy): Reliability {
  if (refusalOfKey(use, policy) !== undefined) return 'never';
  if (use.type === 'other') return asReliability(policy.otherKeys?.[use.name ?? ''] ?? null);
  return asReliability(rowOf(use, policy)?.until);
}

/** The reliability of one use under the policy. */
export function reliabilityOf(use: AlgorithmUse, policy: AlgorithmPolicy): Reliability {
  switch (use.kind) {
    case 'hash':
      return asReliability(Object.hasOwn(policy.hashes, use.name) ? policy.hashes[use.name] : undefined);
    case 'padding':
      return asReliability(policy.paddings === undefined ? null : policy.paddings[use.name]);
    case 'key':
      return reliabilityOfKey(use, policy);
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
