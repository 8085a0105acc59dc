import { useCallback, useMemo, useState, useSyncExternalStore } from 'react';
import type { WaitingAuthorizationView } from '../../../src/ui-contract/identity-calls.ts';
import type { ConsentQuestionView } from '../../../src/ui-contract/site-calls.ts';
import type { UiTransaction } from '../../../src/ui-contract/ui-contract.ts';
import { useQuery } from '../data/core-context.ts';

/** A question waiting for the user. `key` stays the same for the same question. */
export type WaitingItem = { readonly key: string; readonly at: string } & (
  | {
      readonly kind: 'transaction';
      readonly transaction: UiTransaction;
      /** The other transactions of this window's batch, decided together. */
      readonly also: readonly UiTransaction[];
    }
  | {
      /** The PIN of this window's batch, asked for before its files have all arrived. */
      readonly kind: 'pin';
      readonly alias: string;
      readonly documents: number;
      readonly tcns: ReadonlySet<string>;
    }
  | { readonly kind: 'consent'; readonly question: ConsentQuestionView }
  | { readonly kind: 'authorization'; readonly request: WaitingAuthorizationView }
);

/** The waiting questions, and the question on top. */
export interface Approvals {
  /** All questions about approval, PIN, consent or authorization, oldest first. */
  readonly waiting: readonly WaitingItem[];
  /** The question on top; null without questions, or after postponing all. */
  readonly current: WaitingItem | null;
  /** Number of questions, including the current question. */
  readonly count: number;
  /** How many were put off. */
  readonly postponed: number;
  /** Postpones the current question. */
  readonly postpone: () => void;
  /** Brings a postponed transaction back on top. */
  readonly review: (tcn: string) => void;
  /** Brings back all postponed questions. */
  readonly reviewAll: () => void;
}

/** The batch of this window: its transactions are approved together, for example the signing desk's. */
export interface OwnBatch {
  /** Calls the listener after each change; answers the way to stop. */
  onChange(listener: () => void): () => void;
  /** The TCNs, with spaces between. */
  batch(): string;
  /** True if the press that started the batch approved this transaction already. */
  isApproved(tcn: string): boolean;
  state(): { readonly sending: boolean };
  /** The PIN that the batch will need; null for none. */
  wantedPin(): { readonly alias: string; readonly documents: number } | null;
  /** The number of the batch: it asks for a PIN once. */
  run(): number;
}

/** All waiting questions, oldest first. */
function useWaiting(desk: OwnBatch): readonly WaitingItem[] {
  const home = useQuery('home.read', {}).value;
  const questions = useQuery('consent.questions', {}).value;
  const requests = useQuery('authorizations.waiting', {}).value;
  const onDesk = useCallback((listener: () => void) => desk.onChange(listener), [desk]);
  const batch = useSyncExternalStore(onDesk, () => desk.batch());
  const sending = useSyncExternalStore(onDesk, () => desk.state().sending);
  const pin = useSyncExternalStore(onDesk, () => desk.wantedPin());
  const run = useSyncExternalStore(onDesk, () => desk.run());
  return useMemo(() => {
    // The core's list may be older than the approval.
    const open = (home?.waiting ?? []).filter(
      ({ tcn, waitingFor }) => waitingFor !== 'approval' || !desk.isApproved(tcn),
    );
    const transactions = asQuestions(open, { tcns: new Set(batch.split(' ')), sending, pin, run });
    const consents = (questions ?? []).map((question): WaitingItem => ({
      kind: 'consent',
      key: `consent ${question.id}`,
      at: question.askedAt,
      question,
    }));
    const authorizations = (requests ?? []).map((request): WaitingItem => ({
      kind: 'authorization',
      key: `authorization ${request.id}`,
      at: request.askedAt,
      request,
    }));
    return [...transactions, ...consents, ...authorizations].sort(
      (one, other) => Date.parse(one.at) - Date.parse(other.at),
    );
  }, [desk, home, questions, requests, batch, sending, pin, run]);
}

/** The state of this window's batch, as far as its questions depend on it. */
interface BatchState {
  readonly tcns: ReadonlySet<string>;
  readonly sending: boolean;
  readonly pin: ReturnType<OwnBatch['wantedPin']>;
  readonly run: number;
}

/**
 * A question for each transaction. The transactions of this window's batch are a single question about approval, once
 * all are there and the press that started the batch could not approve them, and a single question about a PIN.
 */
function asQuestions(waiting: readonly UiTransaction[], batch: BatchState): readonly WaitingItem[] {
  const { tcns, sending, pin, run } = batch;
  const asked = waiting.filter(({ waitingFor }) => waitingFor === 'approval' || waitingFor === 'pin');
  const own = (reason: UiTransaction['waitingFor']): readonly UiTransaction[] =>
    asked.filter(({ tcn, waitingFor }) => waitingFor === reason && tcns.has(tcn));
  const [together, locked] = [own('approval'), own('pin')];
  const pinKey = `pin ${run}`;
  // The oldest question: the person has just started the batch.
  const first: readonly WaitingItem[] =
    pin === null ? [] : [{ key: pinKey, at: new Date(0).toISOString(), kind: 'pin', ...pin, tcns }];
  const questions = asked.flatMap((transaction): WaitingItem[] => {
    const common = { kind: 'transaction', at: transaction.createdAt, transaction } as const;
    if (locked.includes(transaction)) {
      return pin !== null || locked[0] !== transaction ? [] : [{ ...common, key: pinKey, also: [] }];
    }
    // After its approval a transaction waiting for a PIN asks again, even after a postponed approval.
    const key = `${transaction.tcn} ${transaction.waitingFor ?? ''}`;
    if (!together.includes(transaction)) return [{ ...common, key, also: [] }];
    if (sending || together[0] !== transaction) return [];
    return [{ ...common, key, also: together.filter((other) => other !== transaction) }];
  });
  return [...first, ...questions];
}

/** True if an item is, or is decided together with, a transaction. */
function isAbout(item: WaitingItem, tcn: string): boolean {
  if (item.kind === 'pin') return item.tcns.has(tcn);
  return item.kind === 'transaction' && [item.transaction, ...item.also].some((one) => one.tcn === tcn);
}

/** Follows the questions for the user. */
export function useApprovals(desk: OwnBatch): Approvals {
  const waiting = useWaiting(desk);
  const [putOff, setPutOff] = useState<ReadonlySet<string>>(new Set());
  const [first, setFirst] = useState<string | null>(null);
  return useMemo(() => {
    const open = waiting.filter(({ key }) => !putOff.has(key));
    const current = open.find((item) => first !== null && isAbout(item, first)) ?? open[0] ?? null;
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
        const keys = new Set(waiting.filter((item) => isAbout(item, tcn)).map(({ key }) => key));
        setPutOff(new Set([...putOff].filter((key) => !keys.has(key))));
      },
      reviewAll: () => setPutOff(new Set()),
    };
  }, [waiting, putOff, first]);
}
