import type { MaterialCollector } from '../../revocation/validation-material.ts';
import type { Timestamper } from '../../timestamps/timestamp-token.ts';
import type { PolicyArtifacts } from './add-validation-material.ts';

/**
 * The baseline levels above B-B (EN 319 142-1 §6): a trusted time; the material to validate with; a document time stamp
 * over all of it. ICP-Brasil's AD-RT is like B-T, its AD-RC and AD-RA like B-LTA.
 */
export type PdfLevel = 'B-T' | 'B-LT' | 'B-LTA';

/** What the levels are made with. */
export interface PdfLevelOptions {
  readonly level: PdfLevel;
  readonly timestamper: Timestamper;
  /** Used from B-LT on. */
  readonly collector: MaterialCollector;
  /** AD-RA: what the store keeps of the policy. */
  readonly policyArtifacts?: PolicyArtifacts;
  /** By default the clock of this computer. */
  readonly now?: () => Date;
}
