import { useState } from 'react';
import type { CallError, CallResult } from '../../../src/ui-contract/ui-contract.ts';
import { useErrorText } from '../i18n/error-text.ts';

/** One call of a form: whether it is under way, and in words what went wrong with the last one. */
export interface Submit {
  readonly busy: boolean;
  readonly error: string | null;
  /** Makes the call; null when it failed. `wordsFor` gives its own words for errors that the form knows better. */
  readonly submit: <Value>(
    call: Promise<CallResult<Value>>,
    wordsFor?: (error: CallError) => string | null,
  ) => Promise<Value | null>;
}

/** Follows the calls of one form. */
export function useSubmit(): Submit {
  const errorText = useErrorText();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  return {
    busy,
    error,
    submit: async (call, wordsFor) => {
      setBusy(true);
      setError(null);
      const result = await call;
      setBusy(false);
      if (result.ok) return result.value;
      setError(wordsFor?.(result.error) ?? errorText(result.error));
      return null;
    },
  };
}
