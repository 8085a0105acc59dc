import { useCallback, useMemo } from 'react';
import type { DoctorCheckView } from '../../../../src/ui-contract/doctor-calls.ts';
import type { CallError } from '../../../../src/ui-contract/ui-contract.ts';
import { useCore, useQuery } from '../../data/core-context.ts';
import { checkDrivers, checksOfCore, checkTrust, type Check } from '../../data/checks.ts';

/** All checks; null before all are complete. */
export interface Checks {
  readonly checks: readonly Check[] | null;
  /** The core's findings about its surroundings; null before the first. */
  readonly found: readonly DoctorCheckView[] | null;
  readonly error: CallError | null;
  /** Looks again. */
  readonly again: () => void;
}

/** The checks of the core, and the window's own checks. */
export function useChecks(): Checks {
  const { queries } = useCore();
  const health = useQuery('health.read', {});
  const modules = useQuery('modules.list', {});
  const suggestions = useQuery('modules.suggest', {});
  const trust = useQuery('trust.list', {});
  const around = useQuery('doctor.read', {});
  const checks = useMemo(() => {
    if (health.value === null || modules.value === null || trust.value === null) return null;
    if (suggestions.value === null) return null;
    return [checkTrust(trust.value), checkDrivers(suggestions.value), ...checksOfCore(health.value, modules.value)];
  }, [health.value, modules.value, suggestions.value, trust.value]);
  const again = useCallback(() => {
    queries.refresh('health.read', 'modules.list', 'modules.suggest', 'trust.list', 'doctor.read', 'tsa.list');
  }, [queries]);
  const error = health.error ?? modules.error ?? suggestions.error ?? trust.error ?? around.error;
  return { checks, found: around.value?.checks ?? null, error, again };
}
