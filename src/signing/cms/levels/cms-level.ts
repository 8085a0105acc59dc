import type { MaterialCollector } from '../../revocation/validation-material.ts';
import type { Timestamper } from '../../timestamps/timestamp-token.ts';

/**
 * What a signature carries besides itself.
 *
 * - `B-T`, `B-LT`, `B-LTA`: EN 319 122-1 §6.3. Material goes into SignedData, archive time stamps are of version 3.
 * - `AD-RT`, `AD-RV`, `AD-RC`, `AD-RA`: DOC-ICP-15.03. References and values are attributes (RFC 5126 §6), archive time
 *   stamps are of version 2. They are for signatures that name the policy (`SignaturePolicy`).
 */
export type CmsLevel = 'B-T' | 'B-LT' | 'B-LTA' | 'AD-RT' | 'AD-RV' | 'AD-RC' | 'AD-RA';

/** Where the evidence comes from that a level needs. */
export interface LevelServices {
  readonly timestamper?: Timestamper;
  /** Needed for every level but `B-T` and `AD-RT`. */
  readonly collector?: MaterialCollector;
  /** The time as of which material is collected; by default the clock of this computer. */
  readonly now?: () => Date;
  readonly signal?: AbortSignal;
}

/** One step towards a level; the steps are done in this order. */
export type LevelStep =
  'signature-time-stamp' | 'material' | 'references' | 'references-time-stamp' | 'values' | 'archive-v3' | 'archive-v2';

/** The steps of each level. AD-RA has no time stamp of its own on the signature: the archive time stamp covers it. */
export const STEPS = {
  'B-T': ['signature-time-stamp'],
  'B-LT': ['signature-time-stamp', 'material'],
  'B-LTA': ['signature-time-stamp', 'material', 'archive-v3'],
  'AD-RT': ['signature-time-stamp'],
  'AD-RV': ['signature-time-stamp', 'references', 'references-time-stamp'],
  'AD-RC': ['signature-time-stamp', 'references', 'references-time-stamp', 'values'],
  'AD-RA': ['references', 'values', 'archive-v2'],
} as const satisfies Record<CmsLevel, readonly LevelStep[]>;
