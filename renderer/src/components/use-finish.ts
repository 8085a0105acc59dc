import type { CallResult } from '../../../src/ui-contract/ui-contract.ts';
import { useToasts } from './toasts.tsx';
import { useCore } from '../data/core-context.ts';
import type { ReadingCall } from '../data/query-cache.ts';

/**
 * Handles the end of a call that changes something: repeats the queries that may have changed, and shows a notice of
 * success or failure.
 */
export function useFinish(...changed: readonly ReadingCall[]): (result: CallResult<unknown>, text: string) => void {
  const { queries } = useCore();
  const toasts = useToasts();
  return (result, text) => {
    queries.refresh(...changed);
    if (result.ok) toasts.done(text);
    else toasts.failed(result.error);
  };
}
