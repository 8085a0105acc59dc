import { useState } from 'react';
import type { CallError, CallResult } from '../../../src/ui-contract/ui-contract.ts';
import { useErrorText } from '../i18n/error-text.ts';

/** A form's call: whether the call is running, and the last error in words. */
export interface Submit {
  readonly busy: boolean;
  readonly error: string | null;
  /** Runs the call; null after a failure. `wordsFor` may answer the form's own texts for errors. */
  readonly submit: <Value>(
    call: Promise<CallResult<Value>>,
    wordsFor?: (error: CallError) => string | null,
  ) => Promise<Value | null>;
}

/** Follows the calls of a form. */
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
