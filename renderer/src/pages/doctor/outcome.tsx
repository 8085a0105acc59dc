import { useTranslation } from 'react-i18next';
import { Mark } from '../../components/status.tsx';
import type { Check } from '../../data/checks.ts';

const marks = {
  ok: { tone: 'good', icon: 'good' },
  advice: { tone: 'accent', icon: 'idle' },
  problem: { tone: 'bad', icon: 'bad' },
} as const satisfies Record<Check['outcome'], object>;

/** Whether a check is well, as a mark. */
export function Outcome({ outcome }: Pick<Check, 'outcome'>) {
  const { t } = useTranslation();
  return <Mark {...marks[outcome]}>{t(`doctor.${outcome}`)}</Mark>;
}
