import { useCallback, useMemo } from 'react';
import type { DoctorCheckView } from '../../../src/ui-contract/doctor-calls.ts';
import type { CallError } from '../../../src/ui-contract/ui-contract.ts';
import { checksOfCore, type Check } from './checks.ts';
import { useCore, useQuery } from './core-context.ts';

/** A check of the core, or of its surroundings. */
export type AnyCheck = Check | DoctorCheckView;

/** All findings; null before they are complete. */
export interface Findings {
  readonly checks: readonly Check[] | null;
  /** The findings about the surroundings. */
  readonly found: readonly DoctorCheckView[] | null;
  /** Problems and advice, problems first. */
  readonly wrong: readonly AnyCheck[];
  readonly error: CallError | null;
  /** Repeats all checks. */
  readonly again: () => void;
}

/** A unique key of a check in a list: checks of the core and of its surroundings may have the same id. */
export function keyOf(check: AnyCheck): string {
  return 'kind' in check ? `core ${check.id}` : check.id;
}

const problemsFirst = (one: AnyCheck, other: AnyCheck): number =>
  Number(one.outcome !== 'problem') - Number(other.outcome !== 'problem');

/** The findings that Home and the page Doctor show: those of the tray and of `sinete doctor`. */
export function useFindings(): Findings {
  const { queries } = useCore();
  const doctor = useQuery('doctor.read', {});
  const modules = useQuery('modules.list', {});
  const checks = useMemo(
    () => (doctor.value === null || modules.value === null ? null : checksOfCore(doctor.value.health, modules.value)),
    [doctor.value, modules.value],
  );
  const again = useCallback(() => {
    queries.refresh('doctor.read', 'modules.list', 'modules.suggest', 'trust.list', 'tsa.list');
  }, [queries]);
  const found = checks === null ? null : (doctor.value?.checks ?? null);
  const wrong = [...(checks ?? []), ...(found ?? [])].filter(({ outcome }) => outcome !== 'ok').toSorted(problemsFirst);
  return { checks, found, wrong, error: doctor.error ?? modules.error, again };
}
