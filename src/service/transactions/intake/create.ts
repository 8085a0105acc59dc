import { optionsForType } from '../../../request/derive.ts';
import { requestOptions } from '../../../request/signature-request.ts';
import type { AliasedKey } from '../../../signing/index.ts';
import type { Authority } from '../../authorization/index.ts';
import { signerOf } from '../../certificates/index.ts';
import { isApprovedCaller } from '../../consent/index.ts';
import { isOutcomeUnknown, ServiceError } from '../../errors/index.ts';
import { shortTcn } from '../../monitoring/index.ts';
import { refuseCallback } from '../../notifications/index.ts';
import { expectStores } from '../documents/object-documents.ts';
import { checkReach, reachableDestination, usedGrants } from './check-reach.ts';
import { type CheckedRequest, checkRequest } from './check-request.ts';
import { chooseCertificate, keysOfPerson } from '../choices/choose-certificate.ts';
import { countingDocuments, quotaAfter, withinLimits } from './application-intake.ts';
import { checkSigner } from './check-signer.ts';
import type { TransactionContext } from '../dependencies.ts';
import { awaitFinal, DOCUMENTS_A_PAGE, queryTransaction } from '../answers/query.ts';
import type { DocumentRecord, StoredTransaction, TransactionRecord } from '../records.ts';
import type { IdempotencyOwner } from '../stores.ts';
import { takeDocuments } from './take-documents.ts';
import {
  newTcn,
  sightOf,
  type CreateTransaction,
  type IntakeQuota,
  type Requester,
  type TransactionView,
} from '../transaction.ts';
import type { TurnOwner } from '../schedule/turn-names.ts';
import { refuseCrowd, turnOwnerOf } from '../schedule/turns.ts';
import { countDocuments, readStored, viewByTurn } from '../answers/views.ts';
import { withdrawOnHangUp } from '../answers/decide.ts';

/** The requester and the authority of a transaction. */
interface TransactionCaller {
  readonly requester: Requester;
  readonly authority: Authority | undefined;
}

/**
 * Starts a transaction: checks the request, chooses the certificate, receives the documents, stores everything in a
 * single commit. Rejects with `ServiceError` without storing anything.
 */
export async function createTransaction(
  context: TransactionContext,
  request: CreateTransaction,
  caller: TransactionCaller,
  signal?: AbortSignal,
): Promise<TransactionView & IntakeQuota & { readonly isRepeated?: true }> {
  const begun = await begin(context, request, caller, signal);
  request.onKept?.();
  if ('bodyDigest' in begun) return viewEarlier(context, request, begun);
  const hangUp = request.idempotency === undefined ? signal : undefined;
  const { tcn } = begun.transaction;
  const view = await withdrawOnHangUp(context, tcn, hangUp, () => answer(context, begun));
  return { ...view, ...(await quotaAfter(context, caller.authority?.clientId, tcn)) };
}

/** Answers the owner of an idempotency key that was used already; the received documents are dropped then. */
async function begin(
  context: TransactionContext,
  given: CreateTransaction,
  caller: TransactionCaller,
  signal: AbortSignal | undefined,
): Promise<StoredTransaction | IdempotencyOwner> {
  // Must run before anything about a path or a store is looked up or revealed.
  const request = reachableDestination(given);
  checkReach(request, { roots: context.fileRoots });
  const earlier = await findEarlier(context, request);
  if (earlier !== undefined) return earlier;

  const turn = context.turnNames.of(caller.authority);
  const queues = turnOwnerOf({ requester: caller.requester, turn });
  refuseCrowd(context, queues);
  context.queues.memory.expect(queues[0]);
  await expectStores(context.objects, request);
  const within = await withinLimits(context, caller.authority?.clientId);
  const checked = await checkRequest(request, within.limits);
  refuseCallback(context.callbackRefusal, checked.callback);
  const choice = await keysOfPerson(context, caller.authority?.username);
  const key = await chooseCertificate(choice, checked.certificateAlias, sightOf(request.reach));
  await checkSigner(context, checked, key);
  const tcn = newTcn();
  const approvedBy = caller.authority?.approvedBy ?? (isApprovedHere(context, caller) ? 'configuration' : undefined);
  const approval = approvedBy === undefined ? 'required' : 'given';
  // A repeated request only needs the answer, and stores no documents.
  const documents = await takeDocuments(
    within,
    { tcn, approval, certificate: key.certificate },
    checked,
    request.idempotency === undefined ? signal : undefined,
  );
  const stored = {
    transaction: newRecord(context, { tcn, approval, approvedBy, request: checked, caller, turn, key, documents }),
    documents,
    signer: signerOf(key.certificate),
  };

  if (context.nodes !== undefined && checked.password !== undefined) {
    // Stored, because another node may have to sign.
    await context.passwords.keep(tcn, checked.password);
  }
  const owner = await keep(context, stored, request, caller.authority).catch((error: unknown) => {
    // The job will find out whether the transaction exists, once the database answers.
    if (isOutcomeUnknown(error)) beginSigning(context, stored, checked);
    throw error;
  });
  if (owner !== undefined) return owner;
  await noteUses(context, request);
  context.log.info({ transaction: shortTcn(tcn), documents: documents.length, type: checked.type }, 'created');
  context.changes.announce(tcn);
  beginSigning(context, stored, checked);
  return stored;
}

/** Keeps the passwords of the documents in memory, and starts the job if the transaction waits for nobody. */
function beginSigning(
  context: TransactionContext,
  { transaction: { tcn, waitingFor } }: StoredTransaction,
  { password, recipient }: CheckedRequest,
): void {
  if (password !== undefined || recipient !== undefined) {
    context.openings.set(tcn, { password, recipient });
  }
  context.correlation.remember(tcn);
  if (waitingFor === null) context.runner.start(tcn);
}

/** Counts the uses of grants. A failure refuses nothing, because the transaction exists already. */
async function noteUses({ log }: TransactionContext, request: CreateTransaction): Promise<void> {
  const { reach } = request;
  if (reach.kind === 'owner') return;
  for (const grant of usedGrants(request)) {
    await reach.noteUse(grant).catch((error: unknown) => log.warn({ error }, 'the use of a grant was not counted'));
  }
}

/** The transaction exists now, so the caller must learn its TCN in any case. */
async function answer(context: TransactionContext, stored: StoredTransaction): Promise<TransactionView> {
  const { tcn, mode, uploadOpen } = stored.transaction;
  if (mode !== 'sync' || uploadOpen) return viewFirstPage(stored, context.now());
  try {
    await awaitFinal(context, tcn);
    return await queryTransaction(context, tcn);
  } catch (error) {
    context.log.warn({ transaction: shortTcn(tcn), error }, 'answered before the signatures were made');
    return viewFirstPage(stored, context.now());
  }
}

/** The same view as the answer of a query. */
async function viewFirstPage(stored: StoredTransaction, now: Date): Promise<TransactionView> {
  const documents = stored.documents.slice(0, DOCUMENTS_A_PAGE);
  return viewByTurn({ ...stored, documents, counts: countDocuments(stored) }, now);
}

/** Stores the transaction; answers the owner of the idempotency key if another request was faster. */
async function keep(
  context: TransactionContext,
  stored: StoredTransaction,
  { idempotency }: CreateTransaction,
  authority: Authority | undefined,
): Promise<IdempotencyOwner | undefined> {
  try {
    await authority?.claim(stored.documents.length);
    const claim = idempotency && { claim: idempotency, keysSince: idempotencyHorizon(context) };
    // Announced documents are counted when they arrive.
    const documents = stored.documents.filter(({ content }) => content !== null).length;
    const counted = { clientId: authority?.clientId, documents };
    const owner = await countingDocuments(context.quotas, counted, () => context.transactions.insert(stored, claim));
    if (owner === undefined) {
      await context.contents.confirmOriginals(stored.documents);
    } else {
      await context.contents.discardOriginals(stored.documents);
      if (counted.clientId !== undefined) await context.quotas.giveBack(counted.clientId, documents);
    }
    return owner;
  } catch (error) {
    if (!isOutcomeUnknown(error)) await context.contents.discardOriginals(stored.documents);
    throw error;
  }
}

const idempotencyHorizon = ({ now, limits }: TransactionContext): Date =>
  new Date(now().getTime() - limits.idempotencyLifetime);

async function findEarlier(
  context: TransactionContext,
  { idempotency }: CreateTransaction,
): Promise<IdempotencyOwner | undefined> {
  if (idempotency === undefined) return undefined;
  return context.transactions.findIdempotent(idempotency.key, idempotencyHorizon(context));
}

async function viewEarlier(
  context: TransactionContext,
  { idempotency }: CreateTransaction,
  owner: IdempotencyOwner,
): Promise<TransactionView & { readonly isRepeated: true }> {
  if (owner.bodyDigest !== idempotency?.bodyDigest) {
    const detail = 'This Idempotency-Key came with another body before: use a fresh key for another request.';
    throw new ServiceError('IDEMPOTENCY_CONFLICT', detail);
  }
  return { ...(await answer(context, await readStored(context, owner.tcn))), isRepeated: true };
}

function newRecord(
  context: TransactionContext,
  parts: {
    readonly tcn: string;
    readonly approval: TransactionRecord['approval'];
    readonly approvedBy: TransactionRecord['approvedBy'] | undefined;
    readonly request: CheckedRequest;
    readonly caller: TransactionCaller;
    readonly turn: TurnOwner | undefined;
    readonly key: AliasedKey;
    readonly documents: readonly DocumentRecord[];
  },
): TransactionRecord {
  const { tcn, approval, approvedBy, request, caller, turn, key, documents } = parts;
  const { requester, authority } = caller;
  const now = context.now();
  const uploadOpen = request.documentsSource === 'UPLOAD_REFERENCE';
  const listed = callerName(caller);
  const anyWaits = documents.some(({ status }) => status === 'WAITING');
  return {
    tcn,
    ...optionsForType(requestOptions, request, request.type),
    documentsSource: request.documentsSource,
    destination: request.destination,
    mode: request.mode,
    autoFixDocument: request.autoFixDocument,
    returnSignature: request.returnSignature,
    settings: request.settings,
    requester,
    certificateAlias: key.alias,
    certificateFingerprint: key.fingerprint,
    keySource: key.source,
    approval,
    uploadOpen,
    waitingFor: firstHoldUp(uploadOpen, anyWaits, approval),
    createdAt: now,
    finishedAt: uploadOpen || anyWaits ? null : now,
    existingSignature: request.existingSignature,
    callback: request.callback,
    approvedBy,
    turn,
    caller: listed,
    documentLimit: authority?.documentLimit,
    ...(context.nodes !== undefined && isBoundHere(request) ? { homeNode: context.nodes.home } : {}),
    traceParent: context.tracer.current(),
  };
}

const localDestinations: readonly string[] = ['FILE_PATH', 'BESIDE_SOURCE', 'FREE_PATH'];

/** Another node cannot use files of this computer or a key that is only in memory. */
const isBoundHere = ({ documentsSource, destination, recipient }: CheckedRequest): boolean =>
  documentsSource === 'FILE_PATH' || localDestinations.includes(destination) || recipient !== undefined;

/**
 * The name under which a caller finds its own transactions: an application or a person by its credentials, a site by
 * its origin, and all programs of the computer's user together. An application with tokens of two people has two names.
 * Undefined for the window and the command line.
 */
export function callerName({ requester, authority }: TransactionCaller): string | undefined {
  if (authority?.caller !== undefined) return authority.caller;
  if (requester.kind === 'site') return `site ${requester.name}`;
  return requester.kind === 'native-program' ? 'programs' : undefined;
}

/** True if the configuration approves this caller without asking. */
function isApprovedHere({ approve, approved }: TransactionContext, caller: TransactionCaller): boolean {
  switch (approve) {
    case 'ask':
      return false;
    case 'listed':
      return isApprovedCaller(approved, caller.requester, caller.authority);
    case 'all':
      return true;
  }
}

function firstHoldUp(
  uploadOpen: boolean,
  anyWaits: boolean,
  approval: TransactionRecord['approval'],
): TransactionRecord['waitingFor'] {
  if (uploadOpen) return 'upload';
  return anyWaits && approval === 'required' ? 'approval' : null;
}
