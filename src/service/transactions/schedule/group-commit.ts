import type { DocumentStore, TransactionStore, WorkObserver } from '../stores.ts';
import type { TransactionChange } from '../records.ts';
import type { TransactionJobs } from '../nodes.ts';

/** Changes to commit together. */
export interface CommitEntry {
  readonly tcn: string;
  readonly changes: readonly TransactionChange[];
  /** Key of a finished result to move into place before the commit. */
  readonly publish?: string;
}

interface Pending {
  readonly entry: CommitEntry;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

const MOST_ENTRIES_TOGETHER = 128;

/**
 * Groups results finished at about the same time into a single flush of the results folder and a single commit. An
 * entry resolves only after its own changes are stored, and only then is its transaction announced.
 */
export class GroupCommit {
  readonly #transactions: Pick<TransactionStore, 'apply'>;
  readonly #documents: Pick<DocumentStore, 'publishResults'>;
  readonly #now: () => Date;
  readonly #announce: (tcn: string) => void;
  readonly #jobs: Pick<TransactionJobs, 'claimOf'>;
  readonly #work: WorkObserver;
  readonly #pending: Pending[] = [];
  #flushing = false;

  constructor(parts: {
    readonly transactions: Pick<TransactionStore, 'apply'>;
    readonly documents: Pick<DocumentStore, 'publishResults'>;
    readonly now: () => Date;
    readonly announce: (tcn: string) => void;
    readonly jobs: Pick<TransactionJobs, 'claimOf'>;
    readonly work: WorkObserver;
  }) {
    this.#transactions = parts.transactions;
    this.#documents = parts.documents;
    this.#now = parts.now;
    this.#announce = parts.announce;
    this.#jobs = parts.jobs;
    this.#work = parts.work;
  }

  /** Rejects with the store's error; nothing of the entry is committed then. */
  add(entry: CommitEntry): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#pending.push({ entry, resolve, reject });
      if (!this.#flushing) void this.#flush();
    });
  }

  async #flush(): Promise<void> {
    this.#flushing = true;
    // Waits so that further entries of this turn of the event loop join the group.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#pending.length > 0) {
      const group = this.#pending.splice(0, MOST_ENTRIES_TOGETHER);
      const failure = await this.#commit(group);
      if (failure === undefined) continue;
      // An entry that cannot be committed must not fail the others.
      for (const pending of group.length > 1 ? group : []) {
        const alone = await this.#commit([pending]);
        if (alone !== undefined) this.#fail(pending, alone.error);
      }
      const [only] = group;
      if (only !== undefined && group.length === 1) this.#fail(only, failure.error);
    }
    this.#flushing = false;
  }

  /** Announces the failure too: a request may wait for a transaction that this commit was to store. */
  #fail({ entry, reject }: Pending, error: unknown): void {
    reject(error);
    this.#announce(entry.tcn);
  }

  async #commit(group: readonly Pending[]): Promise<{ readonly error: unknown } | undefined> {
    const tcns = new Set(group.map(({ entry }) => entry.tcn));
    try {
      const published = group.flatMap(({ entry }) => (entry.publish === undefined ? [] : [entry.publish]));
      if (published.length > 0) await this.#documents.publishResults(published);
      await this.#transactions.apply(
        group.flatMap(({ entry }) => entry.changes),
        this.#now(),
        [...tcns].flatMap((tcn) => this.#jobs.claimOf(tcn) ?? []),
      );
    } catch (error) {
      return { error };
    }
    for (const { entry, resolve } of group) {
      for (const change of entry.changes) this.#count(change);
      resolve();
    }
    for (const tcn of tcns) this.#announce(tcn);
    return undefined;
  }

  #count(change: TransactionChange): void {
    if (change.kind === 'document-signed') this.#work.signed(change.result.size);
    else if (change.kind === 'document-failed') this.#work.failed();
  }
}
