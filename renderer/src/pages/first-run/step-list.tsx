import { Check } from '../../components/icons/index.ts';
import { useTranslation } from 'react-i18next';
import classes from './first-run.module.css';

const steps = ['key', 'try', 'done'] as const;

/** The steps by name, in their order. */
export type StepName = (typeof steps)[number];

/** The present step among all steps. */
export function StepList({ step }: { readonly step: StepName }) {
  const { t } = useTranslation();
  const position = steps.indexOf(step);
  return (
    <ol className={classes.steps} aria-label={t('firstRun.steps')}>
      {steps.map((name, index) => (
        <li
          key={name}
          data-state={index < position ? 'past' : index === position ? 'now' : 'ahead'}
          aria-current={index === position ? 'step' : undefined}
        >
          <span className={classes.stepMark} aria-hidden>
            {index < position || step === 'done' ? <Check size={16} /> : index + 1}
          </span>
          <span>
            {t(`firstRun.names.${name}`)}
            {index < position ? <span className="visually-hidden"> ({t('firstRun.past')})</span> : null}
          </span>
        </li>
      ))}
    </ol>
  );
}
