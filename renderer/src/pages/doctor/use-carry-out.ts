import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallResult } from '../../../../src/ui-contract/ui-contract.ts';
import { useFinish } from '../../components/use-finish.ts';

/** Makes the call of a repair, reports the outcome, and repeats all checks. */
export function useCarryOut(again: () => void) {
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
