import { Button, Group } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Check, Repair } from '../../data/checks.ts';
import { useCheckWords } from '../../data/use-check-words.ts';
import { FindingWords } from './finding-words.tsx';
import { Outcome } from './outcome.tsx';
import { useRepair } from './use-repair.ts';
import classes from './doctor.module.css';

interface CheckRowProps {
  readonly check: Check;
  readonly again: () => void;
}

/** A check of the core. */
export function CheckRow({ check, again }: CheckRowProps) {
  const { busy, repair } = useRepair(again);
  const words = useCheckWords()(check);
  return (
    <li className={classes.row} data-outcome={check.outcome}>
      <div className={classes.rowText}>
        <FindingWords words={words} />
        {check.repairs.length === 0 ? null : (
          <Group gap="xs" mt="sm">
            {check.repairs.map((one, index) => (
              <RepairButton
                key={index}
                repair={one}
                title={words.title}
                isFirst={index === 0}
                busy={busy}
                onRepair={() => void repair(one)}
              />
            ))}
          </Group>
        )}
      </div>
      <Outcome outcome={check.outcome} />
    </li>
  );
}

interface RepairButtonProps {
  readonly repair: Repair;
  readonly title: string;
  readonly isFirst: boolean;
  readonly busy: boolean;
  readonly onRepair: () => void;
}

function RepairButton({ repair, title, isFirst, busy, onRepair }: RepairButtonProps) {
  const { t } = useTranslation();
  const text = t(`doctor.repairs.${repairText(repair)}`);
  return (
    <Button
      size="xs"
      variant={isFirst ? 'filled' : 'default'}
      loading={busy && isFirst}
      disabled={busy && !isFirst}
      aria-label={`${text}: ${title}`}
      onClick={onRepair}
    >
      {text}
    </Button>
  );
}

function repairText(repair: Repair) {
  switch (repair.kind) {
    case 'retry-driver':
      return 'retryDriver';
    case 'test-server':
      return 'testServer';
    case 'accept-clock':
      return 'acceptClock';
    case 'go-to':
      return repair.to;
  }
}
