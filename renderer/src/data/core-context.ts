import { createContext, useCallback, useContext, useSyncExternalStore } from 'react';
import type { CallInput, CallOutput } from '../../../src/ui-contract/ui-contract.ts';
import type { Bridge, BridgeState, Connection } from '../bridge/bridge.ts';
import type { QueryCache, QueryState, ReadingCall } from './query-cache.ts';

/** The objects that every page needs from the core. */
export interface Core {
  readonly bridge: Bridge;
  readonly queries: QueryCache;
}

/** Set once, in `main.tsx`. */
export const CoreContext = createContext<Core | null>(null);

/** The core of this page. */
export function useCore(): Core {
  const core = useContext(CoreContext);
  if (core === null) throw new Error('CoreContext is not filled.');
  return core;
}

/** The answer to a query, which is repeated whenever the core reports a change. */
export function useQuery<Name extends ReadingCall>(name: Name, input: CallInput<Name>): QueryState<CallOutput<Name>> {
  const { queries } = useCore();
  const inputKey = JSON.stringify(input);
  const subscribe = useCallback(
    (listener: () => void) => queries.subscribe(name, JSON.parse(inputKey) as CallInput<Name>, listener),
    [queries, name, inputKey],
  );
  return useSyncExternalStore(subscribe, () => queries.state(name, input));
}

/** The state of the bridge between the page and the core. */
export function useBridgeState(): BridgeState {
  const { bridge } = useCore();
  return useSyncExternalStore(
    (listener) => bridge.onState(listener),
    () => bridge.state(),
  );
}

/** The state of the event stream between the core and the window. */
export function useConnection(): Connection {
  const { bridge } = useCore();
  return useSyncExternalStore(
    (listener) => bridge.onState(listener),
    () => bridge.connection(),
  );
}
