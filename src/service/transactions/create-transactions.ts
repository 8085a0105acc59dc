import { noQuotas } from '../applications/index.ts';
import { ServiceError } from '../errors/index.ts';
import { Correlation, noTracing, shortTcn } from '../monitoring/index.ts';
import { FairScheduler, TurnPacer } from '../scheduling/index.ts';
import { boundlessRoom } from '../space/index.ts';
import { noObjectStores } from '../stores/index.ts';
import { ChangeHub, JobRunner, NamedLocks } from './schedule/job-runner.ts';
import { Contents } from './content/contents.ts';
import { createTransaction } from './intake/create.ts';
import { inspectOriginal, readOriginalPart } from './answers/inspect-original.ts';
import { approveByToken, decideTransaction } from './answers/decide.ts';
import type {
  TransactionContext,
  TransactionDependencies,
  TransactionMemory,
  TransactionQueues,
  TransactionStores,
} from './dependencies.ts';
import type { WorkObserver } from './stores.ts';
import { documentSigners } from './signing/document-signer.ts';
import { documentExtender } from './signing/extend-document.ts';
import { KeptPasswords } from './signing/kept-passwords.ts';
import { PendingEvidenceJob } from './signing/pending-evidence.ts';
import { examinePdf, raiseCmsFile, raisePdf, repairPdf, signPdf, signPdfAtLevel } from '../../signing/index.ts';
import {
  continueForgotten,
  expireTransactions,
  cancelTransaction,
  pauseTransaction,
  resumeTransactions,
} from './schedule/hold.ts';
import { expectCanceller } from './schedule/expect-canceller.ts';
import { GroupCommit } from './schedule/group-commit.ts';
import { defaultLimits, type TransactionLimits } from './limits.ts';
import { listTransactions, readOverview } from './answers/lists.ts';
import { queryTransaction } from './answers/query.ts';
import { ResultChecks } from './content/result-checks.ts';
import { findResult } from './answers/result.ts';
import { Scrub } from './schedule/scrub.ts';
import { signDocuments } from './signing/sign-documents.ts';
import { noEvidence } from './choices/choose-policy.ts';
import type { Transactions } from './transaction.ts';
import type { RunOutcome, TransactionJobs } from './nodes.ts';
import { SharedJobs, soleJobs } from './schedule/transaction-jobs.ts';
import { TurnNames } from './schedule/turns.ts';
import { takeUpload } from './intake/upload.ts';
import { readStored, viewAllByTurn } from './answers/views.ts';
import type { StoredTransaction } from './records.ts';
import { dropUndefined } from '../../values/drop-undefined.ts';

/** Builds the transactions of this instance. Nothing is continued and nothing expires before `resume` is called. */
export function createTransactions(dependencies: TransactionDependencies): Transactions {
  const context = createContext(dependencies);
  const { transactions, changes, limits, now } = context;

  const changing = async <Result>(change: () => Promise<Result>): Promise<Result> => {
    if (context.readOnly) throw readOnlyNow();
    return change();
  };

  return {
    resultLifetime: limits.resultLifetime / 1000,
    create: (request, requester, signal, authority) =>
      changing(() => createTransaction(context, request, { requester, authority }, signal)),
    upload: (tcn, request, documents, signal) =>
      changing(() => takeUpload(context, tcn, { request, documents, signal })),
    query: (tcn, options) => queryTransaction(context, tcn, options),
    result: (tcn, documentId) => findResult(context, tcn, documentId),
    inspectOriginal: (tcn, documentId) => inspectOriginal(context, tcn, documentId),
    readOriginalPart: (tcn, documentId, part) => readOriginalPart(context, tcn, documentId, part),
    authorize: (tcn, authority) => changing(() => approveByToken(context, tcn, authority)),
    decide: (tcn, decision) => changing(() => decideTransaction(context, tcn, decision)),
    pause: (tcn, paused) => changing(() => pauseTransaction(context, tcn, paused)),
    cancel: (tcn, canceller) =>
      changing(async () => {
        if (canceller !== undefined) await expectCanceller(context, tcn, canceller);
        await cancelTransaction(context, tcn);
      }),

    async waiting() {
      const records = await transactions.list({ kind: 'waiting-for-user' });
      const stored: StoredTransaction[] = [];
      for (const { tcn } of records) stored.push(await readStored(context, tcn));
      return viewAllByTurn(stored, now());
    },
    async recent(limit) {
      return viewAllByTurn(await transactions.recent(limit), now());
    },
    list: (caller, filter) => listTransactions(context, caller, filter),
    overview: (tcns, caller) => readOverview(context, tcns, caller),
    damagedResults: () => context.results.damaged(),
    countByStatus: () => transactions.countByStatus(),
    newestCreation: () => transactions.newestCreation(),
    onChange: (listener) => changes.listen(listener),
    onMissed: (listener) => changes.onMissed(listener),

    keysChanged: () => startWaitingForPin(context),
    ...prepareBackgroundWork(context),
  };
}

function startWaitingForPin({
  readOnly,
  transactions,
  runner,
  log,
}: TransactionStores & TransactionQueues & TransactionMemory): void {
  const startAll = async (): Promise<void> => {
    if (readOnly) return;
    for (const { tcn } of await transactions.list({ kind: 'waiting-for-pin' })) runner.start(tcn);
  };
  startAll().catch((error: unknown) => log.error({ error }, 'waiting transactions could not be read'));
}

/** Expiry, the check of stored results and pending evidence, which begin with `resume`. */
function prepareBackgroundWork(context: TransactionContext): Pick<Transactions, 'checkResults' | 'resume' | 'close'> {
  const { limits, log, runner } = context;
  const scrub = new Scrub(context);
  const pendingEvidence = openPendingEvidence(context);
  let sweeper: NodeJS.Timeout | undefined;
  const sweep = async (): Promise<void> => {
    await expireTransactions(context).catch((error: unknown) =>
      log.error({ error }, 'expired results could not be erased'),
    );
    await continueForgotten(context).catch((error: unknown) =>
      log.error({ error }, 'waiting transactions could not be read'),
    );
  };
  return {
    checkResults: () => scrub.round(),
    async resume() {
      await resumeTransactions(context);
      if (context.jobs instanceof SharedJobs) context.jobs.start();
      sweeper = setInterval(() => void sweep(), limits.sweepInterval).unref();
      scrub.start();
      pendingEvidence.start();
    },
    async close(patience) {
      clearInterval(sweeper);
      scrub.close();
      if (context.jobs instanceof SharedJobs) await context.jobs.close();
      const finished = Promise.all([pendingEvidence.close(), runner.close()]).then(() => true);
      const isFinished = await (patience === undefined ? finished : within(patience, finished));
      context.changes.end();
      return isFinished;
    },
  };
}

/** The answer of the work, or false when it takes longer than these milliseconds. */
async function within(patience: number, work: Promise<boolean>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const impatient = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), patience);
  });
  try {
    return await Promise.race([work, impatient]);
  } finally {
    clearTimeout(timer);
  }
}

function openPendingEvidence(context: TransactionContext): PendingEvidenceJob {
  const job = new PendingEvidenceJob(context);
  context.pendingEvidence.wake = () => job.wake();
  return job;
}

function readOnlyNow(): ServiceError {
  const detail = 'The database has lost rows: documents are only given out until "sinete recover" has decided.';
  return new ServiceError('STORAGE_UNAVAILABLE', detail, { retryAfter: 60 });
}

/** Signs the waiting documents of a transaction, unless another node has the job. */
async function runJob(context: TransactionContext, tcn: string): Promise<RunOutcome> {
  const { jobs, log } = context;
  try {
    if (!(await jobs.begin(tcn))) return 'done';
  } catch (error) {
    log.error({ transaction: shortTcn(tcn), error }, 'the job could not be claimed; it is tried again');
    return 'again';
  }
  const outcome = await runBegun(context, tcn);
  await jobs.end(tcn, outcome);
  return outcome;
}

async function runBegun(context: TransactionContext, tcn: string): Promise<RunOutcome> {
  const { correlation, log } = context;
  try {
    return await correlation.run(tcn, () => signDocuments(context, tcn));
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'TRANSACTION_NOT_FOUND') {
      // The commit that would have created the transaction, and whose outcome was unknown, has failed.
      context.openings.delete(tcn);
      correlation.forget(tcn);
      return 'done';
    }
    log.error({ transaction: shortTcn(tcn), error }, 'signing was interrupted; it is tried again');
    return 'again';
  }
}

const noObserver: WorkObserver = { signed: () => undefined, failed: () => undefined, tookOver: () => undefined };

function createContext(dependencies: TransactionDependencies): TransactionContext {
  const limits = { ...defaultLimits, ...dropUndefined(dependencies.limits ?? {}) };
  const { transactions, documents, nodes, now, evidence = noEvidence, work = noObserver } = dependencies;
  const changes = new ChangeHub();
  if (nodes !== undefined) changes.join(nodes.signals);
  const run = async (tcn: string): Promise<RunOutcome> => runJob(context, tcn);
  const holds: TransactionContext['holds'] = new Map();
  const runner = new JobRunner(run, limits.retryDelay);
  const jobs = jobsOf(dependencies, { holds, runner, work });
  const locks = nodes?.locks ?? new NamedLocks();
  const parts: Omit<TransactionContext, 'contents'> = {
    linkedCertificates: async () => Promise.resolve([]),
    fileRoots: [],
    objects: noObjectStores,
    room: boundlessRoom,
    quotas: noQuotas,
    approved: [],
    readOnly: false,
    mayErase: () => true,
    callbackRefusal: () => undefined,
    hashes: { allowed: 'ask', raw: 'ask' },
    tracer: noTracing,
    evidence,
    examinePdf,
    prepareDocumentSigner: documentSigners({
      signPdf: (request, level) => (level === undefined ? signPdf(request) : signPdfAtLevel(request, level)),
      repairPdf,
      evidence,
    }),
    extendDocument: documentExtender({ raisePdf, raiseCms: raiseCmsFile, evidence }),
    ...dropUndefined(dependencies),
    limits,
    changes,
    polls: new TurnPacer(),
    work,
    commits: new GroupCommit({ transactions, documents, now, jobs, work, announce: (tcn) => changes.announce(tcn) }),
    ...queuesFor(limits),
    turnNames: new TurnNames(nodes?.key),
    locks,
    jobs,
    nodes,
    results: new ResultChecks(),
    pendingEvidence: { wake: () => undefined },
    runner,
    passwords: new KeptPasswords(dependencies.settings, dependencies.sealer, locks),
    openings: new Map(),
    inspections: new Map(),
    holds,
    correlation: new Correlation(),
  };
  const context: TransactionContext = { ...parts, contents: new Contents(parts) };
  return context;
}

/** The jobs of a single instance, or of one node among others. */
function jobsOf(
  { nodes, keys, log }: TransactionDependencies,
  { holds, runner, work }: Pick<TransactionContext, 'holds' | 'runner' | 'work'>,
): TransactionJobs {
  if (nodes === undefined) return soleJobs;
  const hasKey = async (fingerprint: string): Promise<boolean> =>
    keys.find(fingerprint).then(
      () => true,
      () => false,
    );
  return new SharedJobs({ nodes, holds, runner: () => runner, hasKey, work, log });
}

/** Queues at each level: the application, site or person; the token; the transaction. */
function queuesFor(limits: TransactionLimits): Pick<TransactionContext, 'queues' | 'uploads'> {
  const { documentsAtOncePerOwner: owner, smallDocumentsAtOncePerOwner: smallOwner } = limits;
  return {
    queues: {
      files: new FairScheduler({
        overall: limits.documentsAtOnceOverall,
        perQueue: [owner, owner, limits.documentsAtOnce],
      }),
      memory: new FairScheduler({
        overall: limits.smallDocumentsAtOnceOverall,
        perQueue: [smallOwner, smallOwner, limits.smallDocumentsAtOnce],
        perQueueBesideOthers: limits.smallDocumentsAtOnceBesideOthers,
      }),
    },
    uploads: new FairScheduler({
      overall: limits.uploadsAtOnce,
      perQueue: [limits.uploadsAtOncePerOwner],
      waiting: limits.uploadsWaiting,
      waitingPerQueue: limits.uploadsWaitingPerOwner,
    }),
  };
}
