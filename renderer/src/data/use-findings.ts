import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { CheckView } from '../../../src/ui-contract/doctor-calls.ts';
import type { CallError } from '../../../src/ui-contract/ui-contract.ts';
import { useCore, useQuery } from './core-context.ts';

/** All findings. */
export interface Findings {
  /** Null before the checks are complete. */
  readonly checks: readonly CheckView[] | null;
  /** Problems and advice, problems first. */
  readonly wrong: readonly CheckView[];
  readonly error: CallError | null;
  /** Repeats all checks. */
  readonly again: () => void;
}

const problemsFirst = (one: CheckView, other: CheckView): number =>
  Number(one.outcome !== 'problem') - Number(other.outcome !== 'problem');

/** The findings that Home and the page Doctor show: those of the tray and of `sinete doctor`. */
export function useFindings(): Findings {
  const { queries } = useCore();
  const { value, error } = useQuery('doctor.read', {});
  const again = useCallback(() => {
    queries.refresh('doctor.read', 'modules.list', 'modules.suggest', 'trust.list', 'tsa.list');
  }, [queries]);
  const checks = value?.checks ?? null;
  const wrong = (checks ?? []).filter(({ outcome }) => outcome !== 'ok').toSorted(problemsFirst);
  return { checks, wrong, error, again };
}

/** The words of a check in the language of the window. */
export function useCheckWords(): (check: CheckView) => CheckView['words']['en'] {
  const { i18n } = useTranslation();
  return ({ words }) => (i18n.language === 'pt-BR' ? words['pt-BR'] : words.en);
}
