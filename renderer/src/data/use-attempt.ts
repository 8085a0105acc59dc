import { useState } from 'react';
import type { CallResult } from '../../../src/ui-contract/ui-contract.ts';

/** One call that is made on demand: whether it is under way, and what came of the last one. */
export interface Attempt<Value> {
  readonly busy: boolean;
  /** Null before the first one, and when it was forgotten. */
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
