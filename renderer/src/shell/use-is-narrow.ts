import { useSyncExternalStore } from 'react';

/** As in `shell.module.css`. */
const narrow = window.matchMedia('(max-width: 48rem)');

function onChange(listener: () => void): () => void {
  narrow.addEventListener('change', listener);
  return () => narrow.removeEventListener('change', listener);
}

/** Whether the window has no room for the navigation at its side. */
export function useIsNarrow(): boolean {
  return useSyncExternalStore(onChange, () => narrow.matches);
}
