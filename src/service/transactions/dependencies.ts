import type { AliasedKey, Signer } from '../../signing/index.ts';
import type { Correlation, ServiceLog } from '../monitoring/index.ts';
import type { CallbackRefusal } from '../notifications/index.ts';
import type { FairAdmission } from '../scheduling/index.ts';
import type { SettingsStore } from '../settings/index.ts';
import type { Room } from '../space/index.ts';
import type { ObjectStores } from '../stores/index.ts';
import type { ChangeHub } from './schedule/change-hub.ts';
import type { PrepareDocumentSigner } from './signing/document-signer.ts';
import type { FairQueue } from './schedule/fair-queue.ts';
import type { GroupCommit } from './schedule/group-commit.ts';
import type { JobRunner } from './schedule/job-runner.ts';
import type { TransactionLimits } from './limits.ts';
import type { NamedLocks } from './schedule/named-locks.ts';
import type { SignatureEvidence } from './signing/signature-evidence.ts';
import type { CreateTransaction } from './transaction.ts';
import type { TurnNames } from './schedule/turn-names.ts';
import type { DocumentStore, SmallDocumentStore, TransactionStore, UserFiles } from './stores.ts';

/** Why documents of a transaction that could be signed are not: their owner pauses the batch, or gave the rest up. */
export type Hold = 'paused' | 'cancelled';

/** The keys that may sign; a `KeyRing` is one. */
export interface TransactionKeys {
  list(): Promise<readonly AliasedKey[]>;
  /** By alias or fingerprint; rejects with `KEY_NOT_FOUND` or `KEY_AMBIGUOUS`. */
  find(alias: string): Promise<AliasedKey>;
  open(key: AliasedKey): Promise<Signer>;
}

export interface TransactionDependencies {
  readonly transactions: TransactionStore;
  readonly documents: DocumentStore;
  readonly smallDocuments: SmallDocumentStore;
  readonly files: UserFiles;
  /** Default: none. */
  readonly objects?: ObjectStores;
  /** Default: boundless. */
  readonly room?: Room;
  readonly settings: SettingsStore;
  readonly keys: TransactionKeys;
  /** `ask`: each transaction waits for the user's decision. `listed`: but those of `approved`. `all`: none does. */
  readonly approve: 'ask' | 'listed' | 'all';
  /** Client ids and origins (`isApprovedCaller`). Default: none. */
  readonly approved?: readonly string[];
  /** Fingerprints of the certificates that were linked to a person by hand. Default: none. */
  readonly linkedCertificates?: (username: string) => Promise<readonly string[]>;
  readonly now: () => Date;
  readonly log: ServiceLog;
  /** Overrides of `defaultLimits`. */
  readonly limits?: Partial<TransactionLimits>;
  /** Default: none; policies that need any are refused. */
  readonly evidence?: SignatureEvidence;
  /** Default: every callback may be tried. */
  readonly callbackRefusal?: CallbackRefusal;
  /** Default: the signing core's, in this thread. */
  readonly prepareDocumentSigner?: PrepareDocumentSigner;
}

/** What the actions on transactions share. */
export interface TransactionContext extends Required<TransactionDependencies> {
  readonly limits: TransactionLimits;
  readonly changes: ChangeHub;
  readonly commits: GroupCommit;
  readonly queue: FairQueue;
  /** For small documents and keys in memory. */
  readonly smallQueue: FairQueue;
  readonly uploads: FairAdmission;
  readonly turnNames: TurnNames;
  readonly locks: NamedLocks;
  readonly runner: JobRunner;
  /** What opens encrypted PDFs, by TCN; it never rests anywhere else. */
  readonly openings: Map<string, Pick<CreateTransaction, 'password' | 'recipient'>>;
  /** Transactions that their owner holds back or gave up, until they end. */
  readonly holds: Map<string, Hold>;
  /** Which request each transaction came with. */
  readonly correlation: Correlation;
}
