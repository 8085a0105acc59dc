import { Button, Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { DoctorCheckView, DoctorRepairView } from '../../../../src/ui-contract/doctor-calls.ts';
import type { CallResult } from '../../../../src/ui-contract/ui-contract.ts';
import type { Bridge } from '../../bridge/bridge.ts';
import { useCore } from '../../data/core-context.ts';
import { formatDay } from '../../format/format.ts';
import { useErrorText } from '../../i18n/error-text.ts';
import { FindingWords } from './finding-words.tsx';
import { Outcome } from './outcome.tsx';
import { addressOf, areaOf, remedyOf } from '../../data/found-checks.ts';
import classes from './doctor.module.css';
import { useCarryOut } from './use-carry-out.ts';

interface FoundRowProps {
  readonly check: DoctorCheckView;
  readonly again: () => void;
}

/** A check of the surroundings. */
export function FoundRow({ check, again }: FoundRowProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const values = useValues(check);
  const area = areaOf(check);
  const remedy = remedyOf(check);
  const title = t(`findings.areas.${area}.title`, values);
  const { code } = check.values;
  const because = check.finding === 'store-silent' && typeof code === 'string' ? [errorText({ code })] : [];
  return (
    <li className={classes.row} data-outcome={check.outcome}>
      <div className={classes.rowText}>
        <Text fw={600}>{title}</Text>
        <FindingWords
          found={[t(`findings.found.${check.finding}`, values), ...because].join(' ')}
          purpose={t(`findings.areas.${area}.text`)}
          remedy={remedy === null ? null : t(`findings.remedies.${remedy}`)}
        />
        {check.repairs.length === 0 ? null : <Repairs check={check} title={title} again={again} />}
      </div>
      <Outcome outcome={check.outcome} />
    </li>
  );
}

function Repairs({ check, title, again }: FoundRowProps & { readonly title: string }) {
  const { t } = useTranslation();
  const { bridge } = useCore();
  const { busy, carryOut } = useCarryOut(again);
  return (
    <Group gap="xs" mt="sm">
      {check.repairs.map((one, index) => {
        const text = t(`findings.repairs.${one.kind === 'open' ? one.page : one.kind}`);
        const shared = {
          size: 'xs',
          variant: index === 0 ? 'filled' : 'default',
          'aria-label': `${text}: ${title}`,
        } as const;
        return one.kind === 'open' ? (
          <Button key={text} component="a" href={addressOf(check, one.page)} {...shared}>
            {text}
          </Button>
        ) : (
          <Button key={text} loading={busy} onClick={() => void carryOut(callFor(bridge, one))} {...shared}>
            {text}
          </Button>
        );
      })}
    </Group>
  );
}

/** Days in the language's notation; numbers and names unchanged. */
function useValues({ values }: DoctorCheckView): DoctorCheckView['values'] & { readonly count: number } {
  const { i18n } = useTranslation();
  const { day, count } = values;
  return {
    ...values,
    count: typeof count === 'number' ? count : 0,
    ...(typeof day === 'string' ? { day: formatDay(`${day}T12:00:00`, i18n.language) } : {}),
  };
}

type CalledRepair = Exclude<DoctorRepairView, { readonly kind: 'open' }>;

async function callFor(bridge: Bridge, repair: CalledRepair): Promise<CallResult<unknown>> {
  switch (repair.kind) {
    case 'add-driver':
      return bridge.call('modules.add', { path: repair.path });
    case 'remove-driver':
      return bridge.call('modules.remove', { id: repair.id });
    case 'update-trust':
      return bridge.call('trust.update', {});
    case 'test-store':
      return bridge.call('stores.test', { id: repair.id });
  }
}
