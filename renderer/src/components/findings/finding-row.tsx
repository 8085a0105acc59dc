import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Mark } from '../status.tsx';
import type { CheckView } from '../../../../src/ui-contract/doctor-calls.ts';
import { useCheckWords } from '../../data/use-findings.ts';
import classes from './findings.module.css';
import { Repairs } from './repairs.tsx';
import { Unfold } from '../unfold.tsx';

const marks = {
  ok: { tone: 'good', icon: 'good' },
  advice: { tone: 'accent', icon: 'idle' },
  problem: { tone: 'bad', icon: 'bad' },
} as const satisfies Record<CheckView['outcome'], object>;

interface FindingRowProps {
  readonly check: CheckView;
  /** Repeats all checks. */
  readonly again: () => void;
  /** True for a narrow card: the purpose of the check is left out. */
  readonly brief?: boolean;
}

/** A finding in a list: its texts, its outcome, and a button for each repair. */
export function FindingRow({ check, again, brief = false }: FindingRowProps) {
  const { t } = useTranslation();
  const { title, message, purpose, remedy } = useCheckWords()(check);
  return (
    <li className={classes.row} data-outcome={check.outcome}>
      <div className={classes.head}>
        <Text fw={600}>{title}</Text>
        <Mark {...marks[check.outcome]}>{t(`doctor.${check.outcome}`)}</Mark>
      </div>
      <Text size="sm">{message}</Text>
      {remedy === null ? null : (
        <Text size="sm" mt={6}>
          {remedy}
        </Text>
      )}
      <Repairs check={check} title={title} again={again} />
      {brief ? null : (
        <Unfold text={t('doctor.why')} textOpen={t('doctor.why')} name={t('doctor.whyNamed', { title })} aligned>
          <Text size="sm" c="dimmed">
            {purpose}
          </Text>
        </Unfold>
      )}
    </li>
  );
}
