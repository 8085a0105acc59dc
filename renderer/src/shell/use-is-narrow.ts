import { useSyncExternalStore } from 'react';

/** The same width as in `shell.module.css`. */
const narrow = window.matchMedia('(max-width: 48rem)');

function onChange(listener: () => void): () => void {
  narrow.addEventListener('change', listener);
  return () => narrow.removeEventListener('change', listener);
}

/** True if the window is too narrow for the navigation at its side. */
export function useIsNarrow(): boolean {
  return useSyncExternalStore(onChange, () => narrow.matches);
}
