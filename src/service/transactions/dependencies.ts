import type { AliasedKey, PdfExamination, PdfKeys, Signer } from '../../signing/index.ts';
import type { ApplicationQuotas } from '../applications/index.ts';
import type { Correlation, ServiceLog, Tracer } from '../monitoring/index.ts';
import type { CallbackRefusal } from '../notifications/index.ts';
import type { FairScheduler, TurnPacer } from '../scheduling/index.ts';
import type { Sealer } from '../secrets/index.ts';
import type { SettingsStore } from '../settings/index.ts';
import type { Room } from '../space/index.ts';
import type { ObjectStores } from '../stores/index.ts';
import type { SigningQueues } from './content/content.ts';
import type { Contents } from './content/contents.ts';
import type { Inspections } from './content/original-parts.ts';
import type { ResultChecks } from './content/result-checks.ts';
import type { ChangeHub, JobRunner } from './schedule/job-runner.ts';
import type { Locks, SharedNodes, TransactionJobs } from './nodes.ts';

import type { KeptPasswords } from './signing/kept-passwords.ts';
import type { ExtendDocument } from './signing/extend-document.ts';
import type { GroupCommit } from './schedule/group-commit.ts';
import type { HashRules, TransactionLimits } from './limits.ts';
import type { SignatureEvidence } from './choices/choose-policy.ts';
import type { CreateTransaction } from './transaction.ts';
import type { TurnNames } from './schedule/turns.ts';
import type { PrepareDocumentSigner } from './signers.ts';
import type { DocumentStore, SmallDocumentStore, TransactionStore, UserFiles, WorkObserver } from './stores.ts';

/**
 * The reason for not signing further documents of an approved transaction: its owner has paused the batch, or cancelled
 * the rest.
 */
export type Hold = 'paused' | 'cancelled';

/** The signing keys, for example a `KeyRing`. */
export interface TransactionKeys {
  list(): Promise<readonly AliasedKey[]>;
  /**
   * Finds a key by alias or fingerprint; rejects with `KEY_NOT_FOUND` or `KEY_AMBIGUOUS`. A certificate that has expired
   * at `at` makes no name ambiguous.
   */
  find(alias: string, at?: Date): Promise<AliasedKey>;
  open(key: AliasedKey): Promise<Signer>;
}

export interface TransactionDependencies {
  readonly transactions: TransactionStore;
  readonly documents: DocumentStore;
  readonly smallDocuments: SmallDocumentStore;
  readonly files: UserFiles;
  /** Folders of the configuration for documents by path (`files.roots`). Default: none. */
  readonly fileRoots?: readonly string[];
  /** Default: none. */
  readonly objects?: ObjectStores;
  /** Default: disk space is not checked. */
  readonly room?: Room;
  /** Limits of applications. Default: none. */
  readonly quotas?: ApplicationQuotas;
  readonly settings: SettingsStore;
  /** Seals the passwords of PDFs with pending evidence. Default: none, so a restart forgets the passwords. */
  readonly sealer?: Sealer;
  readonly keys: TransactionKeys;
  /**
   * `ask`: each transaction waits for the user's decision. `listed`: except for callers in `approved`. `all`: none
   * waits.
   */
  readonly approve: 'ask' | 'listed' | 'all';
  /** Client ids and origins (`isApprovedCaller`). Default: none. */
  readonly approved?: readonly string[];
  /** Fingerprints of the certificates linked to a person by hand. Default: none. */
  readonly linkedCertificates?: (username: string) => Promise<readonly string[]>;
  /**
   * True while lost rows wait for a person's decision: every change is refused with `STORAGE_UNAVAILABLE`. Default:
   * false.
   */
  readonly readOnly?: boolean;
  /** False while the clock is in doubt: then nothing is erased and no upload is ended because of its age. */
  readonly mayErase?: () => boolean;
  /** Told of the work of this node. Default: nothing is told. */
  readonly work?: WorkObserver;
  /** The other nodes on the same database. Default: a single instance. */
  readonly nodes?: SharedNodes;
  readonly now: () => Date;
  readonly log: ServiceLog;
  /** Default: no traces. */
  readonly tracer?: Tracer;
  /** Overrides of `defaultLimits`. */
  readonly limits?: Partial<TransactionLimits>;
  /** Default: none; policies with evidence are refused. */
  readonly evidence?: SignatureEvidence;
  /** Default: every callback may be tried. */
  readonly callbackRefusal?: CallbackRefusal;
  /** Rules of the configuration for hashes and for bare signatures. Default: both are allowed, with an approval. */
  readonly hashes?: HashRules;
  /** Finds content of a PDF that a signer should know about. Default: the signing core's function, in this thread. */
  readonly examinePdf?: (path: string, keys: PdfKeys) => Promise<PdfExamination>;
  /** Default: the signing core's function, in this thread. */
  readonly prepareDocumentSigner?: PrepareDocumentSigner;
  /** Default: the signing core's function, in this thread. */
  readonly extendDocument?: ExtendDocument;
}

type Given = Required<Omit<TransactionDependencies, 'sealer' | 'nodes' | 'limits'>>;

/** Where the rows and bytes of transactions are. */
export interface TransactionStores extends Pick<
  Given,
  'transactions' | 'documents' | 'smallDocuments' | 'files' | 'fileRoots' | 'objects' | 'room' | 'quotas' | 'settings'
> {
  readonly contents: Contents;
  /** The passwords of PDFs with a pending level, sealed in the database. */
  readonly passwords: KeptPasswords;
}

/** Services for signing: keys, evidence, the functions of the signing core, and approval. */
export type SigningServices = Pick<
  Given,
  | 'keys'
  | 'linkedCertificates'
  | 'evidence'
  | 'examinePdf'
  | 'prepareDocumentSigner'
  | 'extendDocument'
  | 'approve'
  | 'approved'
  | 'callbackRefusal'
  | 'hashes'
>;

/** Who is served when: queues, locks, jobs and commits, also those that nodes share. */
export interface TransactionQueues {
  readonly queues: SigningQueues;
  readonly uploads: FairScheduler;
  readonly turnNames: TurnNames;
  readonly locks: Locks;
  readonly jobs: TransactionJobs;
  /** The other nodes; undefined: a single instance. */
  readonly nodes: SharedNodes | undefined;
  readonly runner: JobRunner;
  /** Reads of callers that wait for changes. */
  readonly polls: TurnPacer;
  readonly commits: GroupCommit;
  readonly changes: ChangeHub;
}

/** Memory of this process: limits, clock, log, and states without a row. */
export interface TransactionMemory extends Pick<Given, 'now' | 'log' | 'tracer' | 'work' | 'readOnly' | 'mayErase'> {
  readonly limits: TransactionLimits;
  readonly results: ResultChecks;
  /** `wake` is called when a level is pending. */
  readonly pendingEvidence: { wake: () => void };
  /** Passwords and keys of encrypted PDFs by TCN, in memory only. */
  readonly openings: Map<string, Pick<CreateTransaction, 'password' | 'recipient'>>;
  readonly inspections: Inspections;
  /** Transactions paused or cancelled by their owner, until their end. */
  readonly holds: Map<string, Hold>;
  /** The request of each transaction. */
  readonly correlation: Correlation;
}

/** All four parts, as `createTransactions` builds them. An action takes the parts that it uses. */
export type TransactionContext = TransactionStores & SigningServices & TransactionQueues & TransactionMemory;
