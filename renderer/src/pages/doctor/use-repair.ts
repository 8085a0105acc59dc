import type { CallResult } from '../../../../src/ui-contract/ui-contract.ts';
import type { Bridge } from '../../bridge/bridge.ts';
import { useCore } from '../../data/core-context.ts';
import { hrefOf, hrefOfPart } from '../../route.ts';
import type { Repair } from '../../data/checks.ts';
import { useCarryOut } from './use-carry-out.ts';

const addresses = { settings: hrefOfPart('keys'), backups: hrefOfPart('data'), history: hrefOf('history') } as const;

/** Repairs, then has everything looked at again. */
export function useRepair(again: () => void) {
  const { bridge } = useCore();
  const { busy, carryOut } = useCarryOut(again);
  const repair = async (wanted: Repair): Promise<void> => {
    if (wanted.kind === 'go-to') window.location.hash = addresses[wanted.to];
    else await carryOut(callFor(bridge, wanted));
  };
  return { busy, repair };
}

async function callFor(bridge: Bridge, repair: Exclude<Repair, { kind: 'go-to' }>): Promise<CallResult<unknown>> {
  switch (repair.kind) {
    case 'retry-driver':
      return bridge.call('modules.retry', { id: repair.id });
    case 'accept-clock':
      return bridge.call('clock.accept', {});
    case 'test-server':
      return bridge.call('tsa.test', { id: repair.id });
  }
}
