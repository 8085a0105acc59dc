import { useMemo, useState } from 'react';
import type { UiTransaction } from '../../../src/ui-contract/ui-contract.ts';
import { useQuery } from '../data/core-context.ts';

/** The line of what waits for the user, and which of it is on top. */
export interface Approvals {
  /** Everything that waits for approval or PIN, oldest first. */
  readonly waiting: readonly UiTransaction[];
  /** The one on top; null when nothing waits, or everything was put off. */
  readonly current: UiTransaction | null;
  /** How many are in line, the current one included. */
  readonly count: number;
  /** How many were put off. */
  readonly postponed: number;
  /** Puts the current one off. */
  readonly postpone: () => void;
  /** Brings one that was put off back on top. */
  readonly review: (tcn: string) => void;
  /** Brings back all that were put off. */
  readonly reviewAll: () => void;
}

const none: readonly UiTransaction[] = [];

/** A transaction that was approved and now waits for a PIN asks anew, even if its approval had been put off. */
function keyOf(transaction: UiTransaction): string {
  return `${transaction.tcn} ${transaction.waitingFor ?? ''}`;
}

/** Follows what waits for the user. */
export function useApprovals(): Approvals {
  const home = useQuery('home.read', {});
  const [putOff, setPutOff] = useState<ReadonlySet<string>>(new Set());
  const [first, setFirst] = useState<string | null>(null);
  const all = home.value?.waiting ?? none;
  return useMemo(() => {
    const waiting = all.filter((entry) => entry.waitingFor === 'approval' || entry.waitingFor === 'pin');
    const open = waiting.filter((entry) => !putOff.has(keyOf(entry)));
    const current = open.find((entry) => entry.tcn === first) ?? open[0] ?? null;
    return {
      waiting,
      current,
      count: open.length,
      postponed: waiting.length - open.length,
      postpone: () => {
        if (current !== null) setPutOff(new Set([...putOff, keyOf(current)]));
      },
      review: (tcn) => {
        setFirst(tcn);
        setPutOff(new Set([...putOff].filter((key) => !key.startsWith(`${tcn} `))));
      },
      reviewAll: () => setPutOff(new Set()),
    };
  }, [all, putOff, first]);
}
