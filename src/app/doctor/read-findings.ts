import { examineComputer, type DoctorCheck } from '../../service/doctor/index.ts';
import type { HealthReport } from '../../service/monitoring/index.ts';
import type { Core } from '../compose/open-core.ts';
import { usualPorts } from '../config/usual-ports.ts';
import { gatherFacts } from './gather-facts.ts';
import { readHealth } from './health.ts';

/** Everything known about the state of this instance and its surroundings. */
export interface Findings {
  /** `problem` when a check failed, `advice` when something could be better. */
  readonly status: 'good' | 'advice' | 'problem';
  /** Checks of the core. */
  readonly health: HealthReport['checks'];
  /** Checks of the surroundings. */
  readonly checks: readonly DoctorCheck[];
}

/**
 * The findings that Home, the tray, the page Doctor and `sinete doctor` show. `baseUrl` is the address of the interface,
 * or an empty text. Never rejects for a failed check.
 */
export async function readFindings(core: Core, baseUrl: string): Promise<Findings> {
  const [{ checks: all }, checks] = await Promise.all([
    readHealth(core),
    examineComputer(gatherFacts(core, baseUrl, usualPorts)),
  ]);
  // The checks of the computer report trust data and a working secret store in more detail than the health check does.
  const health = all.filter(({ id, ok }) => id !== 'trust-data' && !(ok && id === 'secret-store'));
  const isWrong = health.some(({ ok }) => !ok) || checks.some(({ outcome }) => outcome === 'problem');
  const hasAdvice = checks.some(({ outcome }) => outcome === 'advice');
  return { status: isWrong ? 'problem' : hasAdvice ? 'advice' : 'good', health, checks };
}
