import { createContext, useContext } from 'react';

/** Hands files to another page. */
export interface HandOver {
  readonly sign: (files: readonly File[]) => Promise<unknown>;
  readonly validate: (files: readonly File[]) => Promise<unknown>;
}

/** Set once, by the shell, which knows the pages. */
export const HandOverContext = createContext<HandOver | null>(null);

/** The functions that hand files to another page. */
export function useHandOver(): HandOver {
  const handOver = useContext(HandOverContext);
  if (handOver === null) throw new Error('HandOverContext is not filled.');
  return handOver;
}
