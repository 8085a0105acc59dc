import { useSyncExternalStore } from 'react';

/** What is remembered of the first steps, so that they can be left and taken up again. */
export interface FirstRunProgress {
  /** They were left or finished: Home does not lead there by itself any more. */
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

/** Remembers a change, and tells everybody who looks. */
export function noteFirstRun(change: Partial<FirstRunProgress>): void {
  known = { ...firstRunProgress(), ...change };
  window.localStorage.setItem(storageKey, JSON.stringify(known));
  for (const listener of [...listeners]) listener();
}

/** The progress, followed. */
export function useFirstRunProgress(): FirstRunProgress {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, firstRunProgress);
}

/** Whatever else stands in its place counts as nothing. */
function readProgress(): FirstRunProgress {
  try {
    const read = JSON.parse(window.localStorage.getItem(storageKey) ?? '{}') as Partial<FirstRunProgress>;
    return { left: read.left === true, tcn: typeof read.tcn === 'string' ? read.tcn : null };
  } catch {
    return nothingDone;
  }
}
