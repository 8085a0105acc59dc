import type { Transaction } from 'kysely';
import type { AuditMark } from '../../../service/audit/index.ts';
import type {
  DocumentRecord,
  StoredTransaction,
  TransactionChange,
  TransactionState,
} from '../../../service/transactions/index.ts';
import { toTransactionRow } from '../columns/transactions.ts';
import type { CommittedNumbers } from '../commits.ts';
import type { Tables } from '../database-schema.ts';
import { insertDocumentRows, removeSmallOriginals } from '../rows/document-rows.ts';
import { insertResultParts } from '../rows/result-rows.ts';
import { noteSigner } from '../signers/signer-rows.ts';
import { auditAtOnce } from './audit-log.ts';
import { queueWebhookEvents } from './webhook-events.ts';

type Outcome = TransactionChange & { readonly kind: 'document-signed' | 'document-failed' };

/** A transaction that is in memory only, until its first change is committed. */
interface Begun {
  stored: StoredTransaction;
  /** True once the database has the transaction as `stored`. */
  isStored: boolean;
  /** The last commit, which has failed; rejects with its reason. */
  failed?: Promise<void>;
  /** Resolves when the commit in work has ended. */
  commit?: Promise<void>;
}

/** A begun transaction with the outcomes that are committed together with it. */
export interface BegunWithOutcomes {
  readonly stored: StoredTransaction;
  readonly outcomes: readonly Outcome[];
}

/**
 * Transactions whose first outcome is expected at once: each is stored in the commit of this outcome, so that a document
 * costs a single commit. Nobody but the creator knows such a transaction.
 */
export class BegunTransactions {
  readonly #begun = new Map<string, Begun>();
  readonly #tcnOfKey = new Map<string, string>();
  /** Fingerprints of certificates whose signers the database has. */
  readonly #signers = new Set<string>();

  begin(stored: StoredTransaction): void {
    this.#begun.set(stored.transaction.tcn, { stored, isStored: false });
    for (const { key, tcn } of stored.documents) this.#tcnOfKey.set(key, tcn);
  }

  /** The transaction in its present state; undefined for one that is in the database only. */
  read(tcn: string): StoredTransaction | undefined {
    return this.#begun.get(tcn)?.stored;
  }

  /** Rejects with the failure of the last commit. */
  async readState(tcn: string): Promise<TransactionState | undefined> {
    await this.#begun.get(tcn)?.failed;
    return this.read(tcn)?.transaction;
  }

  #tcnOf(change: TransactionChange): string | undefined {
    if ('key' in change) return this.#tcnOfKey.get(change.key);
    return 'tcn' in change ? change.tcn : change.document.tcn;
  }

  /**
   * Runs a commit of changes. `all` gets the begun transactions whose changes here are outcomes alone, to be stored with
   * them, and the changes of all others. A begun transaction with another change is stored by `one` before.
   */
  async commit(
    changes: readonly TransactionChange[],
    at: Date,
    store: {
      readonly one: (stored: StoredTransaction) => Promise<void>;
      readonly all: (together: readonly BegunWithOutcomes[], others: readonly TransactionChange[]) => Promise<void>;
    },
  ): Promise<void> {
    if (this.#begun.size === 0) return store.all([], changes);
    const byTcn = [...Map.groupBy(changes, (change) => this.#tcnOf(change) ?? '')];
    for (const [tcn, own] of byTcn) {
      const begun = this.#begun.get(tcn);
      if (begun !== undefined && (begun.isStored || !own.every(isOutcome))) await this.settle(tcn, store.one);
    }
    const tcns = byTcn.map(([tcn]) => tcn);
    // After the last look, nothing else runs before the commit has begun.
    for (let busy = this.#commitsOf(tcns); busy.length > 0; busy = this.#commitsOf(tcns)) await Promise.all(busy);
    const together: BegunWithOutcomes[] = [];
    const others: TransactionChange[] = [];
    for (const [tcn, own] of byTcn) {
      const begun = this.#begun.get(tcn);
      if (begun !== undefined && !begun.isStored && own.every(isOutcome)) {
        together.push({ stored: begun.stored, outcomes: own });
      } else {
        this.#end(tcn);
        others.push(...own);
      }
    }
    const afterwards = together.map((one) => withOutcomes(one, at));
    await this.#committing(afterwards, async () => store.all(together, others));
  }

  /** The commits in work of these transactions. */
  #commitsOf(tcns: readonly string[]): readonly Promise<void>[] {
    return tcns.flatMap((tcn) => this.#begun.get(tcn)?.commit ?? []);
  }

  /**
   * Stores transactions with the outcomes of their documents: the same rows as those of an insertion and the changes
   * afterwards. Answers the end of the audit log; undefined without transactions.
   */
  async insert(
    connection: Transaction<Tables>,
    begun: readonly BegunWithOutcomes[],
    at: Date,
  ): Promise<AuditMark | undefined> {
    if (begun.length === 0) return undefined;
    for (const one of begun) await insertOne(connection, one, at);
    const signers = new Map(
      begun.flatMap(({ stored: { transaction, signer } }) =>
        signer === undefined ? [] : [[transaction.certificateFingerprint, signer] as const],
      ),
    );
    for (const [fingerprint, signer] of signers) {
      if (!this.#signers.has(fingerprint)) await noteSigner(connection, fingerprint, signer);
    }
    const head = await auditAtOnce(connection, begun, at);
    const tcns = begun.map(({ stored }) => stored.transaction.tcn);
    await queueWebhookEvents(connection, tcns, at);
    return head;
  }

  /** Runs a commit that stores these transactions; each has its state afterwards. A failure passes, and is noted. */
  async #committing(afterwards: readonly StoredTransaction[], commit: () => Promise<void>): Promise<void> {
    const all = afterwards.flatMap((stored) => {
      const begun = this.#begun.get(stored.transaction.tcn);
      return begun === undefined ? [] : [{ stored, begun }];
    });
    const running = commit();
    const ended = running.catch(() => undefined);
    for (const { begun } of all) begun.commit = ended;
    try {
      await running;
      for (const { stored, begun } of all) {
        Object.assign(begun, { stored, isStored: true, failed: undefined });
        this.#signers.add(stored.transaction.certificateFingerprint);
      }
    } catch (error) {
      for (const { begun } of all) begun.failed = running;
      throw error;
    } finally {
      for (const { begun } of all) delete begun.commit;
    }
  }

  /**
   * Ends the life of a transaction in memory. Stores it by `store`, if no commit has. Answers the transaction as it is
   * stored; undefined for one that was not begun, or has ended. Rejects with the failure of the last commit: the
   * transaction was never stored then, and never will be.
   */
  async settle(
    tcn: string,
    store: (stored: StoredTransaction) => Promise<void>,
  ): Promise<StoredTransaction | undefined> {
    for (let busy = this.#commitsOf([tcn]); busy.length > 0; busy = this.#commitsOf([tcn])) await Promise.all(busy);
    const begun = this.#begun.get(tcn);
    if (begun === undefined) return undefined;
    try {
      if (begun.isStored) return begun.stored;
      if (begun.failed !== undefined) await begun.failed;
      await this.#committing([begun.stored], async () => store(begun.stored));
      return begun.stored;
    } finally {
      this.#end(tcn);
    }
  }

  /** Forgets a transaction, which is in the database or nowhere. */
  #end(tcn: string): void {
    for (const { key } of this.#begun.get(tcn)?.stored.documents ?? []) this.#tcnOfKey.delete(key);
    this.#begun.delete(tcn);
  }
}

/** An outcome that a document can have from its first row on. */
const isOutcome = (change: TransactionChange): change is Outcome =>
  change.kind === 'document-failed' || (change.kind === 'document-signed' && change.pending === undefined);

/** The transaction after these outcomes, at `at`. */
export function withOutcomes({ stored, outcomes }: BegunWithOutcomes, at: Date): StoredTransaction {
  const byKey = new Map(outcomes.map((outcome) => [outcome.key, outcome]));
  const documents = stored.documents.map((document) => withOutcome(document, byKey.get(document.key)));
  const isFinished = !stored.transaction.uploadOpen && documents.every(({ status }) => status !== 'WAITING');
  const transaction = isFinished ? { ...stored.transaction, finishedAt: at, waitingFor: null } : stored.transaction;
  return { ...stored, transaction, documents };
}

function withOutcome(document: DocumentRecord, outcome: Outcome | undefined): DocumentRecord {
  if (outcome === undefined) return document;
  if (outcome.kind === 'document-failed')
    return { ...document, status: 'ERROR', delivery: null, result: null, error: outcome.error };
  const { result, attempt } = outcome;
  return { ...document, status: 'SIGNED', delivery: null, result, ...(attempt === undefined ? {} : { attempt }) };
}

/** The numbers that these transactions add. */
export function countBegun(begun: readonly BegunWithOutcomes[]): CommittedNumbers {
  const outcomes = begun.flatMap((one) => one.outcomes);
  return {
    transactions: begun.length,
    documents: begun.reduce((sum, { stored }) => sum + stored.documents.length, 0),
    signed: outcomes.filter(({ kind }) => kind === 'document-signed').length,
  };
}

async function insertOne(connection: Transaction<Tables>, begun: BegunWithOutcomes, at: Date): Promise<void> {
  const { transaction, documents } = withOutcomes(begun, at);
  await connection.insertInto('transactions').values(toTransactionRow(transaction)).execute();
  await insertDocumentRows(connection, documents);
  await insertResultParts(
    connection,
    begun.outcomes.filter(({ kind }) => kind === 'document-signed'),
  );
  const hasOriginals = documents.some(({ content }) => content?.kind === 'small');
  if (hasOriginals && transaction.finishedAt !== null) await removeSmallOriginals(connection, transaction.tcn);
}
