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

/** The first line about all findings, which Home and Doctor share, and a second line; null before the checks are complete. */
export interface Headline {
  readonly first: string;
  readonly second: string | null;
  /** The worst outcome. */
  readonly worst: CheckView['outcome'];
}

/** Nothing is called in order while a problem or advice is open: the worst open finding has the first word. */
export function useHeadline({ checks, wrong }: Pick<Findings, 'checks' | 'wrong'>): Headline | null {
  const { t } = useTranslation();
  const wordsOf = useCheckWords();
  const [worst] = wrong;
  if (checks === null) return null;
  if (worst === undefined) return { first: t('doctor.good'), second: t('doctor.goodText'), worst: 'ok' };
  const { message } = wordsOf(worst);
  const problems = wrong.filter(({ outcome }) => outcome === 'problem').length;
  if (problems === 0) return { first: message, second: t('doctor.canSign'), worst: 'advice' };
  return { first: t('doctor.bad', { count: problems }), second: null, worst: 'problem' };
}
