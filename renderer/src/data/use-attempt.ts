import { useState } from 'react';
import type { CallResult } from '../../../src/ui-contract/ui-contract.ts';

/** A call on demand: whether the call is running, and the last outcome. */
export interface Attempt<Value> {
  readonly busy: boolean;
  /** Null before the first call, and after forgetting the outcome. */
  readonly outcome: CallResult<Value> | null;
  readonly attempt: () => Promise<void>;
  readonly forget: () => void;
}

/** Follows the attempts at a call. */
export function useAttempt<Value>(call: () => Promise<CallResult<Value>>): Attempt<Value> {
  const [busy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<CallResult<Value> | null>(null);
  return {
    busy,
    outcome,
    attempt: async () => {
      setBusy(true);
      setOutcome(await call());
      setBusy(false);
    },
    forget: () => setOutcome(null),
  };
}
