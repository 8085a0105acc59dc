import { randomBytes } from 'node:crypto';
import type { AliasedKey } from '../../../signing/index.ts';
import type { Authority } from '../../authorization/index.ts';
import { signerOf } from '../../certificates/index.ts';
import { isApprovedCaller } from '../../consent/index.ts';
import { isOutcomeUnknown, ServiceError } from '../../errors/index.ts';
import { shortTcn } from '../../monitoring/index.ts';
import { refuseCallback } from '../../notifications/index.ts';
import { expectStores, storeKinds } from '../documents/object-documents.ts';
import { type CheckedRequest, checkRequest } from './check-request.ts';
import { chooseCertificate, keysOfPerson } from '../choices/choose-certificate.ts';
import { countingDocuments, quotaAfter, withinLimits } from './application-intake.ts';
import { checkSigner } from './check-signer.ts';
import { placeDocuments } from './document-places.ts';
import type {
  SigningServices,
  TransactionContext,
  TransactionMemory,
  TransactionQueues,
  TransactionStores,
} from '../dependencies.ts';
import { awaitFinal, DOCUMENTS_A_PAGE, queryTransaction } from '../answers/query.ts';
import type { DocumentRecord, StoredTransaction, TransactionRecord, TurnOwner } from '../records.ts';
import type { IdempotencyOwner } from '../stores.ts';
import { takeDocuments } from './take-documents.ts';
import {
  sightOf,
  type CreateTransaction,
  type IntakeQuota,
  type CallingRequester,
  type TransactionView,
} from '../transaction.ts';
import { refuseCrowd, turnOwnerOf } from '../schedule/turns.ts';
import { countDocuments, readStored, viewByTurn } from '../answers/views.ts';
import { withdrawOnHangUp } from '../answers/decide.ts';

/** The requester and the authority of a transaction. */
interface TransactionCaller {
  readonly requester: CallingRequester;
  readonly authority: Authority | undefined;
}

/** A stored transaction, or the owner of an idempotency key that was used already. */
type Begun =
  | { readonly kind: 'created'; readonly stored: StoredTransaction }
  | { readonly kind: 'repeated'; readonly owner: IdempotencyOwner };

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
  const { idempotency, onKept } = request;
  // The caller of a repeatable request may hang up and come back.
  const hangUp = idempotency === undefined ? signal : undefined;
  const begun = await begin(context, request, caller, hangUp);
  onKept?.();
  switch (begun.kind) {
    case 'repeated':
      return viewEarlier(context, idempotency, begun.owner);
    case 'created': {
      const { tcn } = begun.stored.transaction;
      const clientId = caller.authority?.clientId;
      const view = await withdrawOnHangUp(context, tcn, hangUp, () => answer(context, begun.stored, clientId));
      return clientId === undefined ? view : { ...view, ...(await quotaAfter(context, clientId, tcn)) };
    }
  }
}

async function begin(
  context: TransactionContext,
  request: CreateTransaction,
  caller: TransactionCaller,
  hangUp: AbortSignal | undefined,
): Promise<Begun> {
  const { requester, authority } = caller;
  const { idempotency } = request;
  refuseHashes(context, request, requester);
  // Must run before anything about a path or a store is looked up or revealed.
  const placed = await placeDocuments(request, { roots: context.fileRoots });
  const claim = idempotency && { claim: idempotency, keysSince: idempotencyHorizon(context) };
  const earlier = claim && (await context.transactions.findIdempotent(claim.claim.key, claim.keysSince));
  if (earlier !== undefined) return { kind: 'repeated', owner: earlier };

  const turn = context.turnNames.of(authority);
  const queues = turnOwnerOf({ requester, turn });
  refuseCrowd(context, queues);
  context.queues.memory.expect(queues[0]);
  if ((storeKinds[placed.documentsSource] ?? storeKinds[placed.destination]) !== undefined) {
    await expectStores(context.objects, placed);
  }
  const within = authority?.clientId === undefined ? context : await withinLimits(context, authority.clientId);
  const checked = await checkRequest(placed, within.limits);
  if (checked.callback !== undefined) refuseCallback(context.callbackRefusal, checked.callback);
  const choice = await keysOfPerson(context, authority?.username);
  const key = await chooseCertificate(choice, checked.certificateAlias, sightOf(request.reach));
  await checkSigner(context, checked, key);
  const tcn = newTcn();
  const approvedBy = requester.isAskedAlways === true ? undefined : groundOf(context, caller);
  const approval = approvedBy === undefined ? 'required' : 'given';
  const documents = await takeDocuments(within, { tcn, approval, certificate: key.certificate }, checked, hangUp);
  if (context.nodes !== undefined && checked.password !== undefined) {
    // Stored, because another node may have to sign.
    await context.passwords.keep(tcn, checked.password);
  }
  const stored = {
    transaction: newRecord(context, { tcn, approval, approvedBy, request: checked, caller, turn, key, documents }),
    documents,
    signer: signerOf(key.certificate),
  };
  const kept = await keep(context, stored, claim, authority).catch((error: unknown) => {
    // The job will find out whether the transaction exists, once the database answers.
    if (isOutcomeUnknown(error)) beginSigning(context, stored, checked);
    throw error;
  });
  if (typeof kept === 'object') return { kind: 'repeated', owner: kept };
  await noteUses(context, checked);
  context.log.info({ transaction: shortTcn(tcn), documents: documents.length, type: checked.type }, 'created');
  // Nobody can read a transaction that is in memory only: its first commit announces it.
  if (kept === 'stored') context.changes.announce(tcn);
  beginSigning(context, stored, checked);
  return { kind: 'created', stored };
}

/**
 * Refuses a caller that may not ask for signatures of hashes, or for bare signatures, before anything else is looked at:
 * `HASHES_NOT_ALLOWED`, `RAW_NOT_ALLOWED`. Programs of the owner, and people by their own credentials, need no
 * permission, because their approval is asked in any case.
 */
function refuseHashes(
  { hashes: rules }: Pick<SigningServices, 'hashes'>,
  { documentsSource, type }: Pick<CreateTransaction, 'documentsSource' | 'type'>,
  { kind, signsRaw }: CallingRequester,
): void {
  if (documentsSource !== 'HASHES') return;
  if (rules.allowed === 'never') {
    throw new ServiceError('HASHES_NOT_ALLOWED', 'This instance signs no hashes: send the documents themselves.');
  }
  if (type !== 'RAW') return;
  if (rules.raw === 'never') {
    const detail = 'This instance makes no raw signatures: use CMS-detached or CAdES-detached.';
    throw new ServiceError('RAW_NOT_ALLOWED', detail);
  }
  if ((kind !== 'site' && kind !== 'application') || signsRaw === true) return;
  const way =
    kind === 'site'
      ? 'on the page Sites, or with "sinete sites allow ORIGIN --scope sign --scope sign_raw"'
      : 'on the page Sites, or with "sinete applications raw CLIENT_ID allow"';
  const detail = `A raw signature can be anything: the owner of this instance gives the permission for it ${way}.`;
  throw new ServiceError('RAW_NOT_ALLOWED', detail);
}

/** Keeps the passwords of the documents in memory, and starts the job if the transaction waits for nobody. */
function beginSigning(
  context: TransactionQueues & TransactionMemory,
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
async function noteUses({ log }: TransactionMemory, { reach, grants }: CheckedRequest): Promise<void> {
  if (reach.kind === 'owner') return;
  for (const grant of grants) {
    await reach.noteUse(grant).catch((error: unknown) => log.warn({ error }, 'the use of a grant was not counted'));
  }
}

/** A stored transaction exists, so the caller must learn its TCN in any case. */
async function answer(
  context: TransactionStores & TransactionQueues & TransactionMemory,
  stored: StoredTransaction,
  clientId?: string,
): Promise<TransactionView> {
  const { tcn, mode, uploadOpen } = stored.transaction;
  if (mode !== 'sync' || uploadOpen) return viewFirstPage(stored, context.now());
  const tell = (error: unknown): void =>
    context.log.warn({ transaction: shortTcn(tcn), error }, 'answered before the signatures were made');
  await awaitFinal(context, tcn).catch(tell);
  const settled = await settle(context, stored, clientId);
  if (settled !== undefined) return viewFirstPage(settled, context.now());
  try {
    return await queryTransaction(context, tcn);
  } catch (error) {
    tell(error);
    return viewFirstPage(stored, context.now());
  }
}

/**
 * Makes sure that a transaction that was begun in memory is stored, and answers it; undefined for one that was stored at
 * once. Rejects if it cannot be stored: then nothing of it is left.
 */
async function settle(
  context: TransactionStores,
  { transaction: { tcn }, documents }: StoredTransaction,
  clientId: string | undefined,
): Promise<StoredTransaction | undefined> {
  try {
    return await context.transactions.settle(tcn);
  } catch (error) {
    await context.contents.discardOriginals(documents);
    if (clientId !== undefined) await context.quotas.giveBack(clientId, documents.length);
    throw error;
  }
}

/** The same view as the answer of a query. */
async function viewFirstPage(stored: StoredTransaction, now: Date): Promise<TransactionView> {
  const documents = stored.documents.slice(0, DOCUMENTS_A_PAGE);
  return viewByTurn({ ...stored, documents, counts: countDocuments(stored) }, now);
}

/** The idempotency key of a request, and the time after which earlier keys count. */
interface KeyClaim {
  readonly claim: NonNullable<CreateTransaction['idempotency']>;
  readonly keysSince: Date;
}

/** Most documents of a transaction that is stored together with its signatures. */
const MOST_AT_ONCE = 8;

/**
 * True if the signatures are expected within this turn of the queue: the key is in memory, nothing leaves this computer,
 * and the results are small. A request with an idempotency key is found by it, and therefore stored first.
 */
const isSignedAtOnce = ({ contents }: TransactionStores, { transaction, documents }: StoredTransaction): boolean =>
  transaction.mode === 'sync' &&
  transaction.waitingFor === null &&
  transaction.keySource === 'file' &&
  documents.length <= MOST_AT_ONCE &&
  contents.areInDatabase(documents);

/**
 * Stores the transaction, or begins it in memory to be stored with its signatures. Answers the owner of the idempotency
 * key if another request was faster.
 */
async function keep(
  context: TransactionStores,
  stored: StoredTransaction,
  claim: KeyClaim | undefined,
  authority: Authority | undefined,
): Promise<'stored' | 'begun' | IdempotencyOwner> {
  const { contents, quotas, transactions } = context;
  // Announced documents are counted when they arrive.
  const received = stored.documents.filter(({ content }) => content !== null);
  const clientId = authority?.clientId;
  const insert = async (): Promise<'stored' | 'begun' | IdempotencyOwner> => {
    if (claim === undefined && isSignedAtOnce(context, stored) && transactions.begin(stored)) return 'begun';
    return (await transactions.insert(stored, claim)) ?? 'stored';
  };
  try {
    await authority?.claim(stored.documents.length);
    const counted = { clientId, documents: received.length };
    const kept = clientId === undefined ? await insert() : await countingDocuments(quotas, counted, insert);
    if (typeof kept === 'object') {
      await contents.discardOriginals(received);
      if (clientId !== undefined) await quotas.giveBack(clientId, received.length);
    } else if (received.length > 0) {
      await contents.confirmOriginals(received);
    }
    return kept;
  } catch (error) {
    if (!isOutcomeUnknown(error)) await contents.discardOriginals(received);
    throw error;
  }
}

const idempotencyHorizon = ({ now, limits }: TransactionMemory): Date =>
  new Date(now().getTime() - limits.idempotencyLifetime);

async function viewEarlier(
  context: TransactionStores & TransactionQueues & TransactionMemory,
  idempotency: CreateTransaction['idempotency'],
  owner: IdempotencyOwner,
): Promise<TransactionView & { readonly isRepeated: true }> {
  if (owner.bodyDigest !== idempotency?.bodyDigest) {
    const detail = 'This Idempotency-Key came with another body before: use a fresh key for another request.';
    throw new ServiceError('IDEMPOTENCY_CONFLICT', detail);
  }
  return { ...(await answer(context, await readStored(context, owner.tcn))), isRepeated: true };
}

function newRecord(
  context: TransactionQueues & TransactionMemory,
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
    ...request.options,
    documentsSource: request.documentsSource,
    destination: request.destination,
    mode: request.mode,
    autoFixDocument: request.autoFixDocument,
    returnSignature: request.returnSignature,
    settings: request.settings,
    requester: { kind: requester.kind, name: requester.name },
    byBridge: requester.byBridge,
    door: requester.door,
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

/** The reason for an approval without a question; undefined if the user has to be asked. */
function groundOf(context: SigningServices, caller: TransactionCaller): TransactionRecord['approvedBy'] {
  return caller.authority?.approvedBy ?? (isApprovedHere(context, caller) ? 'configuration' : undefined);
}

/** True if the configuration approves this caller without asking. */
function isApprovedHere({ approve, approved }: SigningServices, caller: TransactionCaller): boolean {
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

/** Crockford's alphabet: no letter looks or sounds like a digit. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/**
 * A fresh transaction control token: 26 characters of five random bits each, 130 in all. A capability: its holder may
 * query and download.
 */
export function newTcn(): string {
  return Array.from(randomBytes(26), (byte) => ALPHABET.charAt(byte & 31)).join('');
}
