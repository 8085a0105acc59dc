import { useTranslation } from 'react-i18next';
import type { en } from '../i18n/en/index.ts';

type Outcomes = (typeof en)['findings']['watch']['outcomes'];

/** Answers the function that tells the outcome of a site's request in words. */
export function useVisitOutcome(): (outcome: string) => string {
  const { t } = useTranslation();
  const outcomes = t('findings.watch.outcomes', { returnObjects: true });
  const isKnown = (outcome: string): outcome is keyof Outcomes => Object.hasOwn(outcomes, outcome);
  return (outcome) => t(`findings.watch.outcomes.${isKnown(outcome) ? outcome : 'other'}`);
}
