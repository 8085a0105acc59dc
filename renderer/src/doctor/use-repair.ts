import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallResult } from '../../../src/ui-contract/ui-contract.ts';
import type { Bridge } from '../bridge.ts';
import { useToasts } from '../components/toasts.tsx';
import { useCore } from '../data/core-context.ts';
import { goTo } from '../shell/route.ts';
import type { Repair } from './checks.ts';

/** Repairs, then has everything looked at again. */
export function useRepair(again: () => void) {
  const { t } = useTranslation();
  const { bridge, queries } = useCore();
  const toasts = useToasts();
  const [busy, setBusy] = useState(false);
  const repair = async (wanted: Repair): Promise<void> => {
    if (wanted.kind === 'go-to') {
      goTo(wanted.route);
      return;
    }
    setBusy(true);
    const result = await carryOut(bridge, wanted);
    setBusy(false);
    queries.refresh('home.read', 'tokens.list');
    again();
    if (result.ok) toasts.done(t('doctor.repaired'));
    else toasts.failed(result.error);
  };
  return { busy, repair };
}

async function carryOut(bridge: Bridge, repair: Exclude<Repair, { kind: 'go-to' }>): Promise<CallResult<unknown>> {
  switch (repair.kind) {
    case 'retry-driver':
      return bridge.call('modules.retry', { id: repair.id });
    case 'test-server':
      return bridge.call('tsa.test', { id: repair.id });
    case 'update-trust':
      return bridge.call('trust.update', {});
    case 'add-driver':
      return bridge.call('modules.add', { path: repair.path });
  }
}
