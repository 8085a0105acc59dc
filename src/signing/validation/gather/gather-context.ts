import type { ChainFacts } from '../facts.ts';
import type { ValidationServices } from '../validation-request.ts';
import type { EvidencePool } from './evidence-pool.ts';

/** What all gathering of one validation shares. */
export interface GatherContext {
  readonly services: ValidationServices;
  /** The time of validation. */
  readonly at: Date;
  readonly pool: EvidencePool;
  /** Paths that were gathered already, by purpose and fingerprint. */
  readonly chains: Map<string, Promise<ChainFacts>>;
  readonly signal: AbortSignal | undefined;
}
