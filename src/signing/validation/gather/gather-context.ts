import type { ChainFacts } from '../facts.ts';
import type { ValidationServices } from '../validation-request.ts';
import type { EvidencePool } from './evidence-pool.ts';

/** Shared state of one validation's gathering. */
export interface GatherContext {
  readonly services: ValidationServices;
  /** The time of validation. */
  readonly at: Date;
  readonly pool: EvidencePool;
  /** Paths already gathered, by purpose and fingerprint. */
  readonly chains: Map<string, Promise<ChainFacts>>;
  readonly signal: AbortSignal | undefined;
}
