import { Button, Group } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { DoctorCheckView, DoctorRepairView } from '../../../../src/ui-contract/doctor-calls.ts';
import type { CallResult } from '../../../../src/ui-contract/ui-contract.ts';
import type { Bridge } from '../../bridge/bridge.ts';
import { useCore } from '../../data/core-context.ts';
import { useCheckWords } from '../../data/use-check-words.ts';
import { FindingWords } from './finding-words.tsx';
import { Outcome } from './outcome.tsx';
import { addressOf } from '../../data/found-checks.ts';
import classes from './doctor.module.css';
import { useCarryOut } from './use-carry-out.ts';

interface FoundRowProps {
  readonly check: DoctorCheckView;
  readonly again: () => void;
}

/** A check of the surroundings. */
export function FoundRow({ check, again }: FoundRowProps) {
  const words = useCheckWords()(check);
  return (
    <li className={classes.row} data-outcome={check.outcome}>
      <div className={classes.rowText}>
        <FindingWords words={words} />
        {check.repairs.length === 0 ? null : <Repairs check={check} title={words.title} again={again} />}
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

type CalledRepair = Exclude<DoctorRepairView, { readonly kind: 'open' }>;

async function callFor(bridge: Bridge, repair: CalledRepair): Promise<CallResult<unknown>> {
  switch (repair.kind) {
    case 'add-driver':
      return bridge.call('modules.add', { path: repair.path });
    case 'remove-driver':
      return bridge.call('modules.remove', { id: repair.id });
    case 'update-trust':
      return bridge.call('trust.update', {});
    case 'keep-keys':
      return bridge.call('secrets.keep', {});
    case 'test-store':
      return bridge.call('stores.test', { id: repair.id });
  }
}
