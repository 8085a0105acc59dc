import { useTranslation } from 'react-i18next';
import { Mark } from '../components/status.tsx';
import type { Check } from './checks.ts';

/** Whether a check is well, as a mark. */
export function Outcome({ outcome }: Pick<Check, 'outcome'>) {
  const { t } = useTranslation();
  switch (outcome) {
    case 'ok':
      return (
        <Mark tone="good" icon="good">
          {t('doctor.ok')}
        </Mark>
      );
    case 'advice':
      return (
        <Mark tone="accent" icon="idle">
          {t('doctor.advice')}
        </Mark>
      );
    case 'problem':
      return (
        <Mark tone="bad" icon="bad">
          {t('doctor.problem')}
        </Mark>
      );
  }
}
