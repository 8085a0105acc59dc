/** Finds documents with pending evidence, and has them extended when they are due. */
import { ServiceError } from '../../errors/index.ts';
import { readStored } from '../answers/views.ts';
import type { TransactionContext } from '../dependencies.ts';
import type { DocumentRecord, StoredTransaction } from '../records.ts';
import { EvidenceExtension, pendingOf } from './extend-pending.ts';
import { forgetFinished } from './sign-documents.ts';

/** Documents in one round. */
const A_ROUND = 100;
/** Milliseconds for which a replaced result is kept for downloads that have begun. */
const REPLACED_STAYS = 60_000;

/**
 * Finds due documents and extends one after the other. All state is in the database, so the next process can continue
 * after an end at any point: a file is only replaced by a complete one, and the row decides which one is valid.
 */
export class PendingEvidenceJob {
  readonly #context: TransactionContext;
  readonly #extension: EvidenceExtension;
  #state: 'new' | 'idle' | 'looking' | 'closed' = 'new';
  #lookAgain = false;
  #isTidy = false;
  #look = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  readonly #replaced = new Set<NodeJS.Timeout>();

  constructor(context: TransactionContext) {
    this.#context = context;
    this.#extension = new EvidenceExtension(context, (name) => this.#removeLater(name));
  }

  /** Continues the work of an earlier process; called once, when files without a row have been removed. */
  start(): void {
    if (this.#state !== 'new') return;
    this.#state = 'idle';
    this.wake();
  }

  /** Looks for due documents soon, because a level is pending. */
  wake(): void {
    if (this.#state === 'looking') this.#lookAgain = true;
    if (this.#state !== 'idle') return;
    clearTimeout(this.#timer);
    this.#state = 'looking';
    this.#look = this.#lookAlone();
  }

  /** Waits for a running extension. */
  async close(): Promise<void> {
    this.#state = 'closed';
    clearTimeout(this.#timer);
    for (const timer of this.#replaced) clearTimeout(timer);
    await this.#look;
  }

  /** Of several nodes one looks at a time; the others look again later, because that node may end. */
  async #lookAlone(): Promise<void> {
    const { nodes, limits, log } = this.#context;
    if (nodes === undefined) return this.#round();
    try {
      if (await nodes.locks.runAlone('pending-evidence', () => this.#round())) return;
    } catch (error) {
      log.error({ error }, 'pending evidence could not be checked; the check is repeated');
    }
    this.#sleep(limits.evidenceSleep);
  }

  async #round(): Promise<void> {
    const { transactions, log, now, limits } = this.#context;
    let sleep = limits.evidenceSleep;
    try {
      await this.#tidy();
      const pending = await transactions.pendingEvidence(A_ROUND);
      for (const document of pending) {
        if (this.#isClosed()) return;
        const due = nextOf(document).getTime() - now().getTime();
        if (due > 0) {
          sleep = Math.min(sleep, due);
          break;
        }
        await this.#attempt(document);
        sleep = 0;
      }
    } catch (error) {
      log.error({ error }, 'pending evidence could not be checked; the check is repeated');
    }
    this.#sleep(sleep);
  }

  /** Removes passwords that a killed process, or an erased transaction, has left. */
  async #tidy(): Promise<void> {
    if (this.#isTidy) return;
    await this.#context.passwords.retain(async (tcn) =>
      readStored(this.#context, tcn).then(needsPassword, (error: unknown) => {
        if (error instanceof ServiceError && error.code === 'TRANSACTION_NOT_FOUND') return false;
        throw error;
      }),
    );
    this.#isTidy = true;
  }

  #sleep(milliseconds: number): void {
    if (this.#isClosed()) return;
    this.#state = 'idle';
    const pause = this.#lookAgain ? 0 : milliseconds;
    this.#lookAgain = false;
    this.#timer = setTimeout(() => this.wake(), pause);
    this.#timer.unref();
  }

  #isClosed(): boolean {
    return this.#state === 'closed';
  }

  async #attempt(document: DocumentRecord): Promise<void> {
    const { jobs } = this.#context;
    if (!(await jobs.begin(document.tcn))) return;
    try {
      await this.#attemptBegun(document);
    } finally {
      await jobs.end(document.tcn, 'done');
    }
  }

  /** One attempt under the lock of the transaction, with its present state: it may have been cancelled. */
  async #attemptBegun({ tcn, id, key }: DocumentRecord): Promise<void> {
    const context = this.#context;
    await context.locks.run(tcn, async () => {
      const { transaction, documents } = await readStored(context, tcn, id);
      const [document] = documents;
      if (document?.key !== key || document.evidence?.pending === undefined) return;
      // A delivery that was interrupted is continued by the signing job.
      if (document.status === 'WAITING' && document.delivery !== null) await this.#extension.postpone(document);
      else await this.#extension.attempt(transaction, document);
    });
    const stored = await readStored(context, tcn);
    await context.contents.releaseOriginals(stored.documents);
    forgetFinished(context, stored);
    if (!hasPending(stored)) await context.passwords.forget(tcn);
    context.changes.announce(tcn);
  }

  /**
   * Removes the replaced result later, because a download may be running; if the process ends before, the next start
   * removes the file.
   */
  #removeLater(name: string): void {
    const { documents, log } = this.#context;
    const timer = setTimeout(() => {
      this.#replaced.delete(timer);
      documents.removeResult(name).catch((error: unknown) => log.warn({ error }, 'a replaced result was not removed'));
    }, REPLACED_STAYS);
    timer.unref();
    this.#replaced.add(timer);
  }
}

/**
 * With several nodes the passwords of unfinished transactions are needed too, because another node may have to sign.
 */
const needsPassword = (stored: StoredTransaction): boolean =>
  hasPending(stored) || stored.transaction.finishedAt === null;

const hasPending = ({ documents }: StoredTransaction): boolean =>
  documents.some(({ evidence }) => evidence?.pending !== undefined);

const nextOf = (document: DocumentRecord): Date => pendingOf(document).next;
