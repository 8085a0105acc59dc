import { useMemo, useState } from 'react';
import type { WaitingAuthorizationView } from '../../../src/ui-contract/identity-calls.ts';
import type { ConsentQuestionView } from '../../../src/ui-contract/site-calls.ts';
import type { UiTransaction } from '../../../src/ui-contract/ui-contract.ts';
import { useQuery } from '../data/core-context.ts';

/** Something that waits for the user. `key` names it as long as it asks the same. */
export type WaitingItem = { readonly key: string; readonly at: string } & (
  | { readonly kind: 'transaction'; readonly transaction: UiTransaction }
  | { readonly kind: 'consent'; readonly question: ConsentQuestionView }
  | { readonly kind: 'authorization'; readonly request: WaitingAuthorizationView }
);

/** The line of what waits for the user, and which of it is on top. */
export interface Approvals {
  /** Everything that waits for approval, PIN, consent or authorization, oldest first. */
  readonly waiting: readonly WaitingItem[];
  /** The one on top; null when nothing waits, or everything was put off. */
  readonly current: WaitingItem | null;
  /** How many are in line, the current one included. */
  readonly count: number;
  /** How many were put off. */
  readonly postponed: number;
  /** Puts the current one off. */
  readonly postpone: () => void;
  /** Brings a transaction that was put off back on top. */
  readonly review: (tcn: string) => void;
  /** Brings back all that were put off. */
  readonly reviewAll: () => void;
}

/** Everything that waits, oldest first. */
function useWaiting(): readonly WaitingItem[] {
  const home = useQuery('home.read', {}).value;
  const questions = useQuery('consent.questions', {}).value;
  const requests = useQuery('authorizations.waiting', {}).value;
  return useMemo(() => {
    const transactions = (home?.waiting ?? [])
      .filter(({ waitingFor }) => waitingFor === 'approval' || waitingFor === 'pin')
      .map((transaction): WaitingItem => {
        // Once approved and waiting for a PIN it asks anew, even if its approval had been put off.
        const key = `${transaction.tcn} ${transaction.waitingFor ?? ''}`;
        return { kind: 'transaction', key, at: transaction.createdAt, transaction };
      });
    const consents = (questions ?? []).map((question): WaitingItem => ({
      ...{ kind: 'consent', key: `consent ${question.id}`, at: question.askedAt, question },
    }));
    const authorizations = (requests ?? []).map((request): WaitingItem => ({
      ...{ kind: 'authorization', key: `authorization ${request.id}`, at: request.askedAt, request },
    }));
    return [...transactions, ...consents, ...authorizations].sort(
      (one, other) => Date.parse(one.at) - Date.parse(other.at),
    );
  }, [home, questions, requests]);
}

/** Follows what waits for the user. */
export function useApprovals(): Approvals {
  const waiting = useWaiting();
  const [putOff, setPutOff] = useState<ReadonlySet<string>>(new Set());
  const [first, setFirst] = useState<string | null>(null);
  return useMemo(() => {
    const open = waiting.filter(({ key }) => !putOff.has(key));
    const current = open.find(({ key }) => first !== null && key.startsWith(`${first} `)) ?? open[0] ?? null;
    return {
      waiting,
      current,
      count: open.length,
      postponed: waiting.length - open.length,
      postpone: () => {
        if (current !== null) setPutOff(new Set([...putOff, current.key]));
      },
      review: (tcn) => {
        setFirst(tcn);
        setPutOff(new Set([...putOff].filter((key) => !key.startsWith(`${tcn} `))));
      },
      reviewAll: () => setPutOff(new Set()),
    };
  }, [waiting, putOff, first]);
}
