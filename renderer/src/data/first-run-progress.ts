import { useSyncExternalStore } from 'react';

/** The stored progress of the first steps, so that the user can leave and resume them. */
export interface FirstRunProgress {
  /** True if the user has left or finished the first steps: Home does not open them by itself any more. */
  readonly left: boolean;
  /** The transaction of the sample that was signed last. */
  readonly tcn: string | null;
}

const storageKey = 'sinete.first-run';
const nothingDone: FirstRunProgress = { left: false, tcn: null };
const listeners = new Set<() => void>();
let known: FirstRunProgress | undefined;

/** The progress now; the same object until it changes. */
export function firstRunProgress(): FirstRunProgress {
  known ??= readProgress();
  return known;
}

/** Stores a change, and informs all listeners. */
export function noteFirstRun(change: Partial<FirstRunProgress>): void {
  known = { ...firstRunProgress(), ...change };
  window.localStorage.setItem(storageKey, JSON.stringify(known));
  for (const listener of [...listeners]) listener();
}

/** The progress, updated after each change. */
export function useFirstRunProgress(): FirstRunProgress {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, firstRunProgress);
}

/** An unreadable value counts as no progress. */
function readProgress(): FirstRunProgress {
  try {
    const read = JSON.parse(window.localStorage.getItem(storageKey) ?? '{}') as Partial<FirstRunProgress>;
    return { left: read.left === true, tcn: typeof read.tcn === 'string' ? read.tcn : null };
  } catch {
    return nothingDone;
  }
}
