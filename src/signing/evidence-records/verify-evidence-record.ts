/**
 * Verifies the hashes of an evidence record (RFC 4998 §4.3, §5.3): from the data to the first time stamp, and from each
 * time stamp to its renewal. The time stamps themselves are judged elsewhere, like other archive time stamps.
 */
import { createDigest, digestBytes, type ReadableDigestAlgorithm } from '../algorithms/algorithms.ts';
import { derSequence } from '../der/writer.ts';
import type { ArchiveChain, ArchiveTimestamp, EvidenceRecord } from './read-evidence-record.ts';

/**
 * The data under a record: digests of one data object, or of a group with all digests in one list. The data may have
 * several forms, and one form has to match. Undefined when the data is not available.
 */
export type DataDigests = (algorithm: ReadableDigestAlgorithm) => Promise<readonly (readonly Buffer[])[] | undefined>;

/**
 * The reason why a record proves nothing. `damaged`: unreadable. `data`: the record covers other data. `chain`: a
 * renewal breaks a rule. `unknown`: the data is not available.
 */
export interface RecordProblem {
  readonly kind: 'damaged' | 'data' | 'chain' | 'unknown';
  readonly sentence: string;
}

export const sorted = (hashes: readonly Buffer[]): readonly Buffer[] =>
  [...hashes].sort((a, b) => Buffer.compare(a, b));

/** The hash of a node: over the hashes below, in binary ascending order. */
export function nodeOf(hashes: readonly Buffer[], algorithm: ReadableDigestAlgorithm): Buffer {
  const digest = createDigest(algorithm);
  for (const hash of sorted(hashes)) digest.update(hash);
  return digest.digest();
}

/**
 * The roots of a reduced hash tree (RFC 4998 §4.3, step 3). RFC 4998 hashes a first list with one value, while RFC 6283
 * §3.1.1 and common programs use the value unchanged. Both bind the value, so both roots are accepted.
 */
function rootsOf(tree: readonly (readonly Buffer[])[], algorithm: ReadableDigestAlgorithm): readonly Buffer[] {
  const [first = [], ...rest] = tree;
  const hashed = nodeOf(first, algorithm);
  const [single, second] = first;
  const starts = single !== undefined && second === undefined ? [single, hashed] : [hashed];
  return starts.map((start) => rest.reduce((node, list) => nodeOf([...list, node], algorithm), start));
}

/** True when all these hashes are in the first list, and the time stamp covers the root. */
function isOver({ algorithm, tree, token }: ArchiveTimestamp, hashes: readonly Buffer[]): boolean {
  const { value } = token.imprint;
  if (tree === undefined) return hashes.length === 1 && hashes[0]?.equals(value) === true;
  const first = new Set((tree[0] ?? []).map((hash) => hash.toString('hex')));
  if (hashes.length === 0 || !hashes.every((hash) => first.has(hash.toString('hex')))) return false;
  return rootsOf(tree, algorithm).some((root) => root.equals(value));
}

/** True when the time stamp covers the root of its own tree, regardless of the data. */
const holdsItself = ({ algorithm, tree, token }: ArchiveTimestamp): boolean =>
  tree === undefined || rootsOf(tree, algorithm).some((root) => root.equals(token.imprint.value));

const chainProblem = (sentence: string): RecordProblem => ({ kind: 'chain', sentence });

const day = ({ token }: ArchiveTimestamp): string => token.time.toISOString().slice(0, 10);

/** The rules inside of one chain (RFC 4998 §5.3, step 2). */
function findChainProblem({ stamps }: ArchiveChain): RecordProblem | undefined {
  const [{ algorithm }] = stamps;
  for (const [index, stamp] of stamps.entries()) {
    if (stamp.algorithm !== algorithm) {
      return chainProblem(`The time stamp of ${day(stamp)} renews with another hash function, without a new chain.`);
    }
    if (!holdsItself(stamp)) {
      return chainProblem(`The time stamp of ${day(stamp)} is not over the root of its hash tree.`);
    }
    const before = stamps[index - 1];
    if (before !== undefined && !isOver(stamp, [digestBytes(algorithm, before.tokenBytes)])) {
      return chainProblem(`The time stamp of ${day(stamp)} does not cover the one before it.`);
    }
  }
  return undefined;
}

/** The hashes of the data in a later chain, over the hash of the data and of all earlier chains (RFC 4998 §5.2). */
export function renewedDigests(
  digests: readonly Buffer[],
  older: readonly ArchiveChain[],
  algorithm: ReadableDigestAlgorithm,
): readonly Buffer[] {
  const chains = digestBytes(algorithm, derSequence(...older.map(({ der }) => der)));
  return digests.map((digest) => digestBytes(algorithm, Buffer.concat([digest, chains])));
}

/** All time stamps of a record in their order. */
export const stampsOf = ({ chains }: EvidenceRecord): readonly ArchiveTimestamp[] =>
  chains.flatMap(({ stamps }) => stamps);

function findOrderProblem(record: EvidenceRecord): RecordProblem | undefined {
  const stamps = stampsOf(record);
  const late = stamps.find((stamp, index) => {
    const before = stamps[index - 1];
    return before !== undefined && stamp.token.time < before.token.time;
  });
  return late && chainProblem(`The time stamp of ${day(late)} is older than the one that it renews.`);
}

const DATA_WRONG: RecordProblem = { kind: 'data', sentence: 'The evidence record is over other data.' };

const DATA_UNKNOWN: RecordProblem = {
  kind: 'unknown',
  sentence: 'The data under the evidence record is not at hand; perhaps the content was not given.',
};

/** The encrypted form of the data is needed, but not available (RFC 4998 §6.2). */
const DATA_ENCRYPTED: RecordProblem = {
  kind: 'unknown',
  sentence: 'The evidence record is over the data in an encrypted form, which is not at hand.',
};

/** Checks the rules that need no data. */
const findInnerProblem = (record: EvidenceRecord): RecordProblem | undefined =>
  findOrderProblem(record) ?? record.chains.map(findChainProblem).find((problem) => problem !== undefined);

/** The place of the largest group of data under the last chain, among the groups of `digestsOf`. */
export async function groupOf({ chains }: EvidenceRecord, digestsOf: DataDigests): Promise<number> {
  const older = chains.slice(0, -1);
  const [stamp] = (chains.at(-1) ?? chains[0]).stamps;
  const groups = (await digestsOf(stamp.algorithm)) ?? [];
  const sizes = groups.map((one) => {
    const hashes = older.length === 0 ? one : renewedDigests(one, older, stamp.algorithm);
    return isOver(stamp, hashes) ? hashes.length : 0;
  });
  return sizes.indexOf(Math.max(...sizes));
}

/** The first broken rule of a record; undefined when every time stamp covers the data, directly or through others. */
export async function findRecordProblem(
  record: EvidenceRecord,
  digestsOf: DataDigests,
): Promise<RecordProblem | undefined> {
  const inner = findInnerProblem(record);
  if (inner !== undefined) return inner;
  for (const [index, { stamps }] of record.chains.entries()) {
    const [stamp] = stamps;
    const older = record.chains.slice(0, index);
    const groups = await digestsOf(stamp.algorithm);
    if (groups === undefined) return DATA_UNKNOWN;
    const wanted = older.length === 0 ? groups : groups.map((one) => renewedDigests(one, older, stamp.algorithm));
    if (wanted.some((hashes) => isOver(stamp, hashes))) continue;
    if (index === 0) return record.isOverEncrypted ? DATA_ENCRYPTED : DATA_WRONG;
    return chainProblem(`The time stamp of ${day(stamp)} does not cover the data and the chains before it.`);
  }
  return undefined;
}
