import type { JobClaim, JobClaimStore } from './stores.ts';

/** A message from one node to the others. A lost message only delays an answer. */
export interface NodeMessage {
  /** Transactions that have changed. */
  readonly changed?: readonly string[];
  /** Transactions whose job should run on a node that can run it. */
  readonly jobs?: readonly string[];
  /** Decisions of owners about transactions; null: the transaction continues. */
  readonly holds?: readonly (readonly [tcn: string, hold: 'paused' | 'cancelled' | null])[];
  /** Names of settings and groups of rows that have changed, so that nodes read their copies in memory again. */
  readonly stale?: readonly string[];
  /** Requests that another node has counted against the budget of a client address. */
  readonly spent?: readonly (readonly [client: string, requests: number])[];
  /** True if messages may have been lost: waiting requests check again, and nodes read their copies in memory again. */
  readonly missed?: boolean;
}

/** Messages between the nodes on one database. */
export interface NodeSignals {
  /** Returns at once, and never fails. */
  tell(message: NodeMessage): void;
  /** Messages of the other nodes. */
  listen(listener: (message: NodeMessage) => void): void;
}

/** Runs actions of the same name in order, on all nodes. */
export interface Locks {
  run<Value>(name: string, action: () => Promise<Value>): Promise<Value>;
}

/** Locks that all nodes share. Rejects with `ServiceError` `STORAGE_UNAVAILABLE` without the database. */
export interface SharedLocks extends Locks {
  /** Runs the action unless one of this name runs already; answers whether it ran. */
  runAlone(name: string, action: () => Promise<void>): Promise<boolean>;
}

/** The other nodes on the database of this instance. */
export interface SharedNodes {
  readonly claims: JobClaimStore;
  readonly signals: NodeSignals;
  readonly locks: SharedLocks;
  /** The name of this computer's data folder, which stays the same after restarts. */
  readonly home: string;
  /** A key that all nodes share, so that the names of queues are the same on each node. */
  readonly key: Buffer;
}

/**
 * The outcome of a run over a transaction. `again` requests another run after a pause, because a store or the token
 * refused work; each further pause is twice as long. `again-soon`: after the first pause, because documents were finished.
 */
export type RunOutcome = 'done' | 'again' | 'again-soon';

/** The jobs of this instance, among all nodes that share its database. */
export interface TransactionJobs {
  /** Claims the job of a transaction until `end`; may be nested. False if another node has the job. */
  begin(tcn: string): Promise<boolean>;
  /** Unless `done`, the job continues here after a pause. */
  end(tcn: string, outcome: RunOutcome): Promise<void>;
  /** The claim on a begun job; undefined: a single instance, or a job that was not begun. */
  claimOf(tcn: string): JobClaim | undefined;
  /** Sends the owner's decision to every node. */
  hold(tcn: string, hold: 'paused' | 'cancelled' | null): Promise<void>;
}
