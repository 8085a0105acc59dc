import { Button, Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Check, Repair } from '../../data/checks.ts';
import { Outcome } from './outcome.tsx';
import { useRepair } from './use-repair.ts';
import classes from './doctor.module.css';

interface CheckRowProps {
  readonly check: Check;
  readonly again: () => void;
}

/** A check: its purpose, its finding, the remedy, and a repair button if there is a repair. */
export function CheckRow({ check, again }: CheckRowProps) {
  const { t } = useTranslation();
  const { busy, repair } = useRepair(again);
  const title = t(`doctor.checks.${check.kind}.title`, { name: check.name });
  return (
    <li className={classes.row} data-outcome={check.outcome}>
      <div className={classes.rowText}>
        <Text fw={600}>{title}</Text>
        <Text size="sm" c="dimmed">
          {t(`doctor.checks.${check.kind}.text`)}
        </Text>
        {check.outcome === 'ok' ? null : (
          <>
            <Told check={check} />
            <Text size="sm" mt={6}>
              {t(`doctor.checks.${check.kind}.remedy`)}
            </Text>
          </>
        )}
        {check.repairs.length === 0 ? null : (
          <Group gap="xs" mt="sm">
            {check.repairs.map((one, index) => (
              <RepairButton
                key={one.kind}
                repair={one}
                title={title}
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

/** The sentence of the core is English: it helps only with looking into a fault. */
function Told({ check }: Pick<CheckRowProps, 'check'>) {
  const { t } = useTranslation();
  return (
    <Text size="sm" mt={6} className={classes.told}>
      {t('doctor.detail')}: <span lang="en">{check.message}</span>
    </Text>
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
    case 'go-to':
      return repair.route;
  }
}
