import { useCallback } from 'react';
import { useCore } from '../../data/core-context.ts';
import type { Outcome } from './desk-state.ts';

type Signed = Extract<Outcome, { readonly kind: 'signed' }>;

/** Milliseconds between downloads: browsers ignore downloads that start at the same moment. */
const pause = 250;

/** Downloads every result, in order. */
export function useDownloadAll(): (results: readonly Signed[]) => Promise<void> {
  const { bridge } = useCore();
  return useCallback(
    async (results: readonly Signed[]) => {
      for (const { tcn, document: result } of results) {
        const link = document.createElement('a');
        link.href = bridge.resultUrl(tcn, result.id);
        link.download = result.resultName ?? result.name;
        link.click();
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
    },
    [bridge],
  );
}
