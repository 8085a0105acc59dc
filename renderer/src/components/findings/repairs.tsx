import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CheckView, RepairView } from '../../../../src/ui-contract/doctor-calls.ts';
import type { CallResult } from '../../../../src/ui-contract/ui-contract.ts';
import type { Bridge } from '../../bridge/bridge.ts';
import { useCore } from '../../data/core-context.ts';
import { hrefOf, hrefOfPart } from '../../route.ts';
import { useFinish } from '../use-finish.ts';

interface RepairsProps {
  readonly check: CheckView;
  /** The title of the finding, for the names of its buttons. */
  readonly title: string;
  /** Repeats all checks. */
  readonly again: () => void;
}

/** A button for each repair of a finding: a link to a page, or a call. The first one is the usual choice, and stands out for a problem. */
export function Repairs({ check, title, again }: RepairsProps) {
  const textOf = useRepairText();
  const { bridge } = useCore();
  const { busy, carryOut } = useCarryOut(again);
  if (check.repairs.length === 0) return null;
  return (
    <Group gap="xs" mt="sm">
      {check.repairs.map((repair, index) => {
        const text = textOf(repair);
        const shared = {
          size: 'xs',
          variant: index === 0 && check.outcome === 'problem' ? 'filled' : 'default',
          'aria-label': `${text}: ${title}`,
        } as const;
        return repair.kind !== 'open' ? (
          <Button
            key={text}
            loading={busy && index === 0}
            disabled={busy && index > 0}
            onClick={() => void carryOut(callFor(bridge, repair))}
            {...shared}
          >
            {text}
          </Button>
        ) : (
          <Button key={text} component="a" href={addresses[repair.page]} {...shared}>
            {text}
          </Button>
        );
      })}
    </Group>
  );
}

function useRepairText(): (repair: RepairView) => string {
  const { t } = useTranslation();
  return (repair) => t(`doctor.repairs.${repair.kind === 'open' ? repair.page : repair.kind}`);
}

/** The places that repairs open. */
const addresses: Readonly<Record<Extract<RepairView, { kind: 'open' }>['page'], string>> = {
  settings: hrefOfPart('keys'),
  network: hrefOfPart('network'),
  backups: hrefOfPart('data'),
  history: hrefOf('history'),
  certificates: hrefOf('certificates'),
  sites: hrefOf('sites'),
  renewals: hrefOf('renewals'),
};

async function callFor(bridge: Bridge, repair: Exclude<RepairView, { kind: 'open' }>): Promise<CallResult<unknown>> {
  switch (repair.kind) {
    case 'retry-driver':
      return bridge.call('modules.retry', { id: repair.id });
    case 'accept-clock':
      return bridge.call('clock.accept', {});
    case 'test-server':
      return bridge.call('tsa.test', { id: repair.id });
    case 'add-driver':
      return bridge.call('modules.add', { path: repair.path });
    case 'remove-driver':
      return bridge.call('modules.remove', { id: repair.id });
    case 'update-trust':
      return bridge.call('trust.update', {});
    case 'keep-keys':
      return bridge.call('secrets.keep', {});
    case 'keep-port':
      return bridge.call('doctor.keepPort', {});
    case 'test-store':
      return bridge.call('stores.test', { id: repair.id });
  }
}

/** Runs the call of a repair, reports the outcome, and repeats all checks. */
function useCarryOut(again: () => void) {
  const { t } = useTranslation();
  const finish = useFinish('home.read', 'tokens.list');
  const [busy, setBusy] = useState(false);
  const carryOut = async (call: Promise<CallResult<unknown>>): Promise<void> => {
    setBusy(true);
    const result = await call;
    setBusy(false);
    again();
    finish(result, t('doctor.repaired'));
  };
  return { busy, carryOut };
}
