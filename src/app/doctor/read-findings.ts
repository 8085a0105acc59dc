import { checkComputer, type Check } from '../../service/checks/index.ts';
import type { Core } from '../compose/open-core.ts';
import { usualPorts } from '../config/usual-ports.ts';
import { gatherFacts } from './gather-facts.ts';
import { readHealth } from './health.ts';

/** Everything known about the state of this instance and its surroundings. */
export interface Findings {
  /** `problem` when a check failed, `advice` when something could be better. */
  readonly status: 'good' | 'advice' | 'problem';
  /** The checks of the core, then those of this computer. */
  readonly checks: readonly Check[];
}

/**
 * The findings that Home, the tray, the page Doctor and `sinete doctor` show. `baseUrl` is the address of the interface,
 * or an empty text. Never rejects for a failed check.
 */
export async function readFindings(core: Core, baseUrl: string): Promise<Findings> {
  const [health, computer] = await Promise.all([
    readHealth(core),
    checkComputer(gatherFacts(core, baseUrl, usualPorts)),
  ]);
  // The checks of the computer report trust data and a working secret store in more detail than those of the core do.
  const ofCore = health.filter(
    ({ id, outcome }) => id !== 'trust-data' && !(outcome === 'ok' && id === 'secret-store'),
  );
  const checks = [...ofCore, ...computer];
  const has = (wanted: Check['outcome']): boolean => checks.some(({ outcome }) => outcome === wanted);
  return { status: has('problem') ? 'problem' : has('advice') ? 'advice' : 'good', checks };
}
