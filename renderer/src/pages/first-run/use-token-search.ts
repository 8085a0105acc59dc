import { useState } from 'react';
import { useCore } from '../../data/core-context.ts';

/** How far the search has come. */
type SearchState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'searching'; readonly product: string }
  | { readonly kind: 'found' }
  /** No driver on this computer finds a token; `tried` is the number of drivers. */
  | { readonly kind: 'none'; readonly tried: number };

export interface TokenSearch {
  readonly state: SearchState;
  readonly search: () => Promise<void>;
}

/** Tries the drivers of this computer in order, and adds the first driver with a token. */
export function useTokenSearch(): TokenSearch {
  const { bridge, queries } = useCore();
  const [state, setState] = useState<SearchState>({ kind: 'idle' });
  const search = async (): Promise<void> => {
    const added = await bridge.call('modules.list', {});
    const suggested = await bridge.call('modules.suggest', {});
    const candidates = suggested.ok ? suggested.value : [];
    for (const { path, product } of candidates) {
      setState({ kind: 'searching', product });
      const trial = await bridge.call('modules.test', { path });
      if (!trial.ok || !trial.value.works || trial.value.tokens.length === 0) continue;
      if (!(await bridge.call('modules.add', { path })).ok) continue;
      refresh();
      setState({ kind: 'found' });
      return;
    }
    refresh();
    setState({ kind: 'none', tried: candidates.length + (added.ok ? added.value.length : 0) });
  };
  const refresh = (): void => {
    queries.refresh('modules.list', 'modules.suggest', 'certificates.list', 'tokens.list', 'home.read', 'doctor.read');
  };
  return { state, search };
}
