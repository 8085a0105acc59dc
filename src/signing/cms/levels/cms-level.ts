import type { MaterialCollector } from '../../revocation/revocation-result.ts';
import type { Timestamper } from '../../timestamps/timestamp-token.ts';

/**
 * The evidence inside a signature.
 *
 * - `B-T`, `B-LT`, `B-LTA`: EN 319 122-1 §6.3. Material goes into SignedData, archive time stamps are of version 3.
 * - `AD-RT`, `AD-RV`, `AD-RC`, `AD-RA`: DOC-ICP-15.03, for signatures with a named policy (`SignaturePolicy`).
 *   References and values are attributes (RFC 5126 §6), archive time stamps are of version 2.
 */
export type CmsLevel = 'B-T' | 'B-LT' | 'B-LTA' | 'AD-RT' | 'AD-RV' | 'AD-RC' | 'AD-RA';

/** What to do when the only revocation data about a signer is older than the signature; see `LevelServices`. */
export type OlderEvidence = 'refuse' | 'accept' | 'postpone';

/** Sources of the evidence for a level. */
export interface LevelServices {
  readonly timestamper?: Timestamper;
  /** Needed for every level but `B-T` and `AD-RT`. */
  readonly collector?: MaterialCollector;
  /**
   * `refuse` (default): revocation data about the signer that is older than the signature is an error,
   * `REVOCATION_TOO_OLD`. `accept`: the newest available data is used, and validators report its age. `postpone`: a new
   * signature gets the steps before the missing data, at least its time stamp, and the result reports the reason;
   * extending an existing signature fails.
   */
  readonly olderEvidence?: OlderEvidence;
  /** The time for collecting material; by default the clock of this computer. */
  readonly now?: () => Date;
  readonly signal?: AbortSignal;
}

/** A step towards a level; steps are taken in this order. */
export type LevelStep =
  'signature-time-stamp' | 'material' | 'references' | 'references-time-stamp' | 'values' | 'archive-v3' | 'archive-v2';

/**
 * The steps of each level. AD-RA does not demand a signature time stamp (DOC-ICP-15.03); with one, validators of EN 319
 * 122-1 find the time of the signature too, and the material of the time-stamp authority is among the values.
 */
export const STEPS = {
  'B-T': ['signature-time-stamp'],
  'B-LT': ['signature-time-stamp', 'material'],
  'B-LTA': ['signature-time-stamp', 'material', 'archive-v3'],
  'AD-RT': ['signature-time-stamp'],
  'AD-RV': ['signature-time-stamp', 'references', 'references-time-stamp'],
  'AD-RC': ['signature-time-stamp', 'references', 'references-time-stamp', 'values'],
  'AD-RA': ['signature-time-stamp', 'references', 'values', 'archive-v2'],
} as const satisfies Record<CmsLevel, readonly LevelStep[]>;
