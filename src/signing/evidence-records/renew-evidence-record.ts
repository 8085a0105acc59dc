/** Renews evidence records (RFC 4998 §5.2): by a time stamp in the last chain, or by a new chain over the data. */
import { TIMESTAMP_DIGESTS, digestBytes, type ReadableDigestAlgorithm } from '../algorithms/algorithms.ts';
import type { Certificate } from '../certificates/certificate.ts';
import { extendToken } from '../cms/levels/archive-time-stamp.ts';
import type { LevelServices } from '../cms/levels/cms-level.ts';
import { SigningError } from '../errors.ts';
import type { TimestampDigest } from '../keys/signer.ts';
import type { Timestamper, TimestampToken } from '../timestamps/timestamp-token.ts';
import { readEvidenceRecord } from './read-evidence-record.ts';
import {
  findRecordProblem,
  groupOf,
  nodeOf,
  renewedDigests,
  sorted,
  stampsOf,
  type DataDigests,
} from './verify-evidence-record.ts';
import { withChain, withLastToken, withStamp } from './write-evidence-record.ts';

/** Services and options of a renewal. */
export interface RecordRenewal extends Pick<LevelServices, 'collector' | 'now' | 'signal'> {
  readonly timestamper: Timestamper;
  /**
   * The hash function of the new time stamp. The function of the last chain adds the time stamp to this chain; another
   * function begins a new chain. By default the function of the last chain, or the timestamper's when no authority
   * supports the former.
   */
  readonly digest?: TimestampDigest;
}

const isForTimestamps = (algorithm: ReadableDigestAlgorithm): algorithm is TimestampDigest =>
  TIMESTAMP_DIGESTS.some((one) => one === algorithm);

/**
 * Errors that do not stop a renewal. The material is then missing, and validating the result shows whether the material
 * is needed.
 */
const WITHOUT_MATERIAL: ReadonlySet<string> = new Set([
  'REVOCATION_UNKNOWN',
  'CERTIFICATE_REVOKED',
  'CHAIN_INCOMPLETE',
]);

/** The token with the path and the revocation data of its authority, which the next time stamp covers. */
async function withMaterial(
  token: Pick<TimestampToken, 'der' | 'certificate' | 'certificates'>,
  known: readonly Certificate[],
  { collector, now, signal }: RecordRenewal,
): Promise<Buffer> {
  const { der, certificate, certificates } = token;
  if (certificate === undefined || collector === undefined) return der;
  try {
    const at = now?.() ?? new Date();
    return extendToken(der, await collector.collect(certificate, [...certificates, ...known], at, signal, {}));
  } catch (error) {
    if (!(error instanceof SigningError) || !WITHOUT_MATERIAL.has(error.code)) throw error;
    return der;
  }
}

/** Refuses a broken record, because a renewal would make the record look better. */
async function expectSound(record: ReturnType<typeof readEvidenceRecord>, digestsOf: DataDigests): Promise<void> {
  const problem = await findRecordProblem(record, digestsOf);
  if (problem === undefined) return;
  const code = problem.kind === 'unknown' ? 'CMS_UNSUPPORTED' : 'SIGNATURE_INVALID';
  throw new SigningError(code, `The evidence record is not renewed. ${problem.sentence}`);
}

/**
 * DER of the renewed record. First the authority's material is added to the last time stamp, so that the new time stamp
 * protects this material. `digestsOf` as for `findRecordProblem`. Rejects with `DER_MALFORMED`, `SIGNATURE_INVALID`
 * (the record is broken, or over other data), `CMS_UNSUPPORTED` (the data is missing), `TIMESTAMP_…`, `NETWORK_…`,
 * `CANCELLED`.
 */
export async function renewRecord(der: Buffer, digestsOf: DataDigests, services: RecordRenewal): Promise<Buffer> {
  const record = readEvidenceRecord(der);
  await expectSound(record, digestsOf);
  const { timestamper, signal } = services;
  const stamps = stampsOf(record);
  const last = stamps.at(-1) ?? record.chains[0].stamps[0];
  const known = stamps.flatMap(({ token }) => token.certificates);
  const own = isForTimestamps(last.algorithm) ? last.algorithm : timestamper.digest;
  const digest = services.digest ?? own;
  const token = await withMaterial({ ...last.token, der: last.tokenBytes }, known, services);
  const old = withLastToken(der, token);
  const stampOver = async (imprint: Buffer): Promise<Buffer> =>
    withMaterial(await timestamper.stamp(imprint, signal, digest), known, services);
  if (digest === last.algorithm) return withStamp(old, await stampOver(digestBytes(digest, token)));
  const groups = (await digestsOf(digest)) ?? [];
  const group = groups[await groupOf(record, digestsOf)] ?? [];
  const hashes = sorted(renewedDigests(group, readEvidenceRecord(old).chains, digest));
  const [single, second] = hashes;
  const root = single !== undefined && second === undefined ? single : nodeOf(hashes, digest);
  return withChain(old, { digest, hashes, token: await stampOver(root) });
}
