import { useCallback, useMemo } from 'react';
import type { CallError } from '../../../src/ui-contract/ui-contract.ts';
import { useCore, useQuery } from '../data/core-context.ts';
import { checkCertificates, checkDrivers, checksOfCore, checkTrust, type Check } from './checks.ts';

/** Everything that was looked at; null until all of it was. */
export interface Checks {
  readonly checks: readonly Check[] | null;
  readonly error: CallError | null;
  /** Looks again. */
  readonly again: () => void;
}

/** The checks of the core, and those that the window makes of what it can see. */
export function useChecks(): Checks {
  const { queries } = useCore();
  const health = useQuery('health.read', {});
  const modules = useQuery('modules.list', {});
  const suggestions = useQuery('modules.suggest', {});
  const trust = useQuery('trust.list', {});
  const certificates = useQuery('certificates.list', {});
  const checks = useMemo(() => {
    if (health.value === null || modules.value === null || trust.value === null) return null;
    if (suggestions.value === null || certificates.value === null) return null;
    return [
      checkCertificates(certificates.value),
      checkTrust(trust.value),
      checkDrivers(suggestions.value),
      ...checksOfCore(health.value, modules.value),
    ];
  }, [health.value, modules.value, suggestions.value, trust.value, certificates.value]);
  const again = useCallback(() => {
    queries.refresh('health.read', 'modules.list', 'modules.suggest', 'trust.list', 'certificates.list', 'tsa.list');
  }, [queries]);
  const error = health.error ?? modules.error ?? suggestions.error ?? trust.error ?? certificates.error;
  return { checks, error, again };
}
