import type { CallResult } from '../../../src/ui-contract/ui-contract.ts';
import { useToasts } from './toasts.tsx';
import { useCore } from '../data/core-context.ts';
import type { ReadingCall } from '../data/query-cache.ts';

/**
 * The end of a call that changes something: what it may have changed is asked again, and the text tells that it was
 * done, or else why it was not.
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
