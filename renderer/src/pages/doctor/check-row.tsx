import { Button, Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Check, Repair } from '../../data/checks.ts';
import { formatSize } from '../../format/format.ts';
import { useErrorText } from '../../i18n/error-text.ts';
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
  const { t } = useTranslation();
  const { busy, repair } = useRepair(again);
  const title = t(`doctor.checks.${check.kind}.title`, { name: check.name });
  return (
    <li className={classes.row} data-outcome={check.outcome}>
      <div className={classes.rowText}>
        <Text fw={600}>{title}</Text>
        <FindingWords
          found={useFound(check)}
          purpose={t(`doctor.checks.${check.kind}.text`)}
          remedy={check.outcome === 'ok' ? null : t(`doctor.checks.${check.kind}.remedy`)}
        />
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

/** What was found, with sizes in the language's notation, and the failure of a driver. */
function useFound({ finding, values }: Check): string {
  const { t, i18n } = useTranslation();
  const errorText = useErrorText();
  const size = (name: string): string => {
    const value = values[name];
    return typeof value === 'number' ? formatSize(value, i18n.language) : '?';
  };
  const count = typeof values['count'] === 'number' ? values['count'] : 0;
  const sizes = { free: size('free'), kept: size('kept'), quota: size('quota') };
  const found = t(`doctor.found.${finding}`, { ...values, ...sizes, count });
  const { problem } = values;
  return typeof problem === 'string' ? `${found} ${errorText({ code: problem })}` : found;
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
