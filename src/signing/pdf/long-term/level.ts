import type { OlderEvidence } from '../../cms/levels/cms-level.ts';
import type { MaterialCollector } from '../../revocation/revocation-result.ts';
import type { Timestamper } from '../../timestamps/timestamp-token.ts';
import type { PolicyArtifacts } from './add-validation-material.ts';

/**
 * The baseline levels above B-B (EN 319 142-1 §6): a trusted time; the material for validation; a document time stamp
 * over everything. ICP-Brasil's AD-RT is like B-T, its AD-RC and AD-RA like B-LTA.
 */
export type PdfLevel = 'B-T' | 'B-LT' | 'B-LTA';

/** Services and options for levels. */
export interface PdfLevelOptions {
  readonly level: PdfLevel;
  readonly timestamper: Timestamper;
  /** Used from B-LT on. */
  readonly collector: MaterialCollector;
  /** AD-RA: the policy's files for the store. */
  readonly policyArtifacts?: PolicyArtifacts;
  /** See `LevelServices`. */
  readonly olderEvidence?: OlderEvidence;
  /** By default the clock of this computer. */
  readonly now?: () => Date;
}
