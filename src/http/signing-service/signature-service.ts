import type { Request, RequestHandler, Response } from 'express';
import { isPlainHttpOrigin, type Consent } from '../../service/consent/index.ts';
import type { NotificationState } from '../../service/notifications/index.ts';
import { mapInParts } from '../../service/scheduling/index.ts';
import {
  callerName,
  type CallingRequester,
  type Canceller,
  type DigestAlgorithm,
  type DocumentsPage,
  type DocumentView,
  type Reach,
  type Requester,
  type SignatureSetting,
  type TransactionView,
  type UploadOutcome,
  type CreateTransaction,
  type Transactions,
} from '../../service/transactions/index.ts';
import { aliasFor, staleTrustSentence, type AliasSight, type StaleTrust } from '../../service/certificates/index.ts';
import { maskEveryNumber } from '../../text/taxpayer-number.ts';
import { isArchivalPolicy } from '../../request/signature-policies.ts';
import type { hashAlgorithms } from '../../request/signature-request.ts';
import type { DocumentEntry, TransactionBody, UploadBody } from './schemas.ts';
import {
  identifyBearer,
  identifyCaller,
  type CredentialServices,
  type IdentifiedCaller,
} from '../authorization/credentials.ts';
import {
  aliasSightOf,
  baseUrlOf,
  hangUpOf,
  isByBridge,
  isOnThisComputer,
  isOwner,
  siteOf,
  siteSignsRaw,
} from '../guard-request.ts';
import { bodyDigestOf, letBodyGo, invalidFields } from '../read-body.ts';
import { refuseIgnored, wantsStrictHandling } from './request-fields.ts';
import { documentError } from '../problems/document-error.ts';
import { problemLanguage, type ProblemLanguage } from '../problems/problem-language.ts';
import { pollQueues } from '../peer/poll-queues.ts';
import { quotaHeaders } from '../problems/send-error.ts';
import { readCreateBody, readCreateRequest } from './read-create-request.ts';

/** Facts about this instance that answers about transactions contain. */
export interface AnswerContext {
  /** The address that the client uses for this server, without a trailing slash. */
  readonly baseUrl: string;
  /** Seconds from the signature until a result is erased. */
  readonly resultLifetime: number;
  /** Language of the sentences about failed documents. */
  readonly language: ProblemLanguage;
  /** The client's view of certificate names: whole or masked. */
  readonly aliases: AliasSight;
}

/** Collects the facts for the answer to a request, with its language from `Accept-Language`. */
export function answerContext(
  request: Request,
  { resultLifetime }: Pick<Transactions, 'resultLifetime'>,
): AnswerContext {
  request.res?.vary('Accept-Language');
  const aliases = request.res === undefined ? 'masked' : aliasSightOf(request.res);
  return {
    baseUrl: baseUrlOf(request),
    resultLifetime,
    // Most answers have no sentence.
    get language() {
      return problemLanguage(request.get('Accept-Language'));
    },
    aliases,
  };
}

/** A transaction in wire names. */
export function transactionBody(view: TransactionView, context: AnswerContext): TransactionBody {
  const documents = view.documents.map((document) => documentEntry(document, view.tcn, context));
  return { ...transactionHead(view, context.aliases), documents };
}

/** A transaction in wire names, without its documents. */
export function transactionHead(view: TransactionView, aliases: AliasSight): Omit<TransactionBody, 'documents'> {
  return {
    tcn: view.tcn,
    status: view.status,
    waiting_for: view.waitingFor,
    certificate_alias: aliasFor(aliases, view.certificateAlias),
    type: view.type,
    hash_algorithm: hashNames[view.digest],
    checksum_algorithm: 'SHA256',
    policy: view.policy,
    tsa: view.timestamped,
    visible_signature: view.settings.some(({ visible }) => visible !== undefined),
    eot: !view.uploadOpen,
    documents_source: view.documentsSource === 'HASHES' ? null : view.documentsSource,
    counts: view.counts,
    created_at: view.createdAt.toISOString(),
    finished_at: view.finishedAt?.toISOString() ?? null,
    notification: view.notification === undefined ? undefined : notificationEntry(view.notification),
  };
}

/** Documents written in one turn of the event loop. */
const documentsATurn = 500;

/** Sends a transaction. A long list of documents is written in parts, so that other requests are served in between. */
async function sendTransaction(
  response: Response,
  view: TransactionView,
  context: AnswerContext,
  more: object = {},
): Promise<void> {
  if (view.documents.length <= documentsATurn) {
    response.json({ ...transactionBody(view, context), ...more });
    return;
  }
  const parts: string[] = [];
  for (let at = 0; at < view.documents.length; at += documentsATurn) {
    for (const document of view.documents.slice(at, at + documentsATurn)) {
      parts.push(JSON.stringify(documentEntry(document, view.tcn, context)));
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
  response
    .type('json')
    .send(
      `${JSON.stringify({ ...transactionHead(view, context.aliases), ...more }).slice(0, -1)},"documents":[${parts.join(',')}]}`,
    );
}

function notificationEntry({ status, attempts, lastError }: NotificationState): TransactionBody['notification'] {
  return { status, attempts, last_error: lastError };
}

/** The answer to an upload; the documents of a long form are described in several turns of the event loop. */
export async function uploadBody(outcome: UploadOutcome, context: AnswerContext): Promise<UploadBody> {
  return {
    tcn: outcome.tcn,
    documents: await mapInParts(outcome.documents, (document) => documentEntry(document, outcome.tcn, context)),
    end_of_transaction: outcome.endOfTransaction,
  };
}

const hashNames: Record<DigestAlgorithm, (typeof hashAlgorithms)[number]> = {
  sha256: 'SHA256',
  sha384: 'SHA384',
  sha512: 'SHA512',
};

function documentEntry(document: DocumentView, tcn: string, context: AnswerContext): DocumentEntry {
  const { error, signature } = document;
  return {
    id: document.id,
    status: document.status,
    original_file_name: document.originalFileName,
    media_type: document.mediaType,
    mediatype: document.mediaType,
    size: document.size,
    checksum: document.checksum,
    signature_setting: document.signatureSetting,
    result: resultOf(document, tcn, context),
    ...(document.inObjectStore ? { destination_file_name: document.destinationFileName } : {}),
    lifetime: lifetimeOf(document, context),
    error: error === null ? undefined : errorFor(error, context),
    signature: signature ?? undefined,
    ...(document.hash === null ? {} : { hash: document.hash.value, hash_algorithm: hashNames[document.hash.digest] }),
    ...(document.repairs.length === 0 ? {} : { repaired: true, repairs: [...document.repairs] }),
    ...(document.adjustments.length === 0 ? {} : { adjustments: [...document.adjustments] }),
    ...(document.warnings.length === 0 ? {} : { warnings: [...document.warnings] }),
    ...evidenceEntry(document, context),
  };
}

function evidenceEntry(
  { level, pendingLevel, pendingError, revision }: DocumentView,
  context: AnswerContext,
): Pick<DocumentEntry, 'level' | 'pending_level' | 'pending_error' | 'revision'> {
  return {
    ...(level === null ? {} : { level }),
    ...(pendingLevel === null ? {} : { pending_level: pendingLevel }),
    ...(pendingError === null ? {} : { pending_error: errorFor(pendingError, context) }),
    ...(revision === 0 ? {} : { revision }),
  };
}

/** The error of a document. A sentence about a certificate may name its alias. */
function errorFor(
  error: NonNullable<DocumentView['error']>,
  { language, aliases }: AnswerContext,
): NonNullable<DocumentEntry['error']> {
  const { code, detail } = documentError(error, language);
  return { code, detail: aliases === 'whole' ? detail : maskEveryNumber(detail) };
}

/** Existing clients declare this field as a number: null would break their reading of the whole answer. */
function lifetimeOf({ status, lifetime }: DocumentView, { resultLifetime }: AnswerContext): number {
  return lifetime ?? (status === 'ERROR' ? 0 : Math.floor(resultLifetime));
}

function resultOf({ status, resultPath, id }: DocumentView, tcn: string, { baseUrl }: AnswerContext): string | null {
  if (status !== 'SIGNED') return null;
  return resultPath ?? `${baseUrl}/file-transfer/${encodeURIComponent(tcn)}/${encodeURIComponent(id)}`;
}

/** Maximum wait of a query, in seconds. */
const longestWait = 60;

/** Strict handling guesses no field: where a PDF has several empty ones, the request has to name one. */
const withChosenField = (setting: SignatureSetting): SignatureSetting =>
  setting.fieldName === undefined && setting.visible === undefined ? { ...setting, fieldName: '?' } : setting;

/** Endpoint 1: `POST /signature-service` starts a transaction. 201 with the transaction and its `Location`. */
export function createTransaction(
  transactions: Transactions,
  services: CredentialServices,
  { files, mostDocuments, staleTrust }: CreateParts,
): RequestHandler {
  return async (request, response) => {
    const body = await readCreateBody(request.body, mostDocuments);
    const isStrict = wantsStrictHandling(request.get('Prefer'));
    if (isStrict) {
      response.set('Preference-Applied', 'handling=strict');
      refuseIgnored(body.ignored);
    }
    const caller = await identifyCaller(services, request, response);
    const { requester, authority, principal } = caller;
    const headers = {
      idempotencyKey: request.get('Idempotency-Key'),
      principal,
      bodyDigest: bodyDigestOf(request),
      reach: reachOf(files, response, caller),
      notify: {
        baseUrl: baseUrlOf(request),
        clientId: caller.clientId ?? null,
        fromLoopback: isOnThisComputer(request, response),
      },
    };
    const forget = (): void => {
      letBodyGo(request, response);
    };
    const read = await readCreateRequest(body, headers);
    const asked = forgettable(isStrict ? { ...read, settings: read.settings.map(withChosenField) } : read, forget);
    const transaction = await transactions.create(
      asked,
      { ...withWay(requester, response), signsRaw: await signsRaw(services, caller, response) },
      hangUpOf(response),
      authority,
    );
    if (transaction.quota !== undefined) response.set(quotaHeaders(transaction.quota));
    if (transaction.isRepeated === true) response.set('Idempotent-Replayed', 'true');
    response.status(201).location(`/signature-service/${encodeURIComponent(transaction.tcn)}`);
    const context = answerContext(request, transactions);
    const stale = isArchivalPolicy(transaction.policy) ? await staleTrust() : [];
    const ignored = [...body.ignored.unknown, ...body.ignored.misplaced];
    const aliases = caller.isPerson === true ? 'whole' : context.aliases;
    const more = {
      certificate_alias: aliasFor(aliases, transaction.certificateAlias, asked.certificateAlias),
      ...(ignored.length === 0 ? {} : { ignored_fields: ignored }),
      ...(stale.length === 0 ? {} : { stale_trust: trustSentences(stale, context.language) }),
    };
    await sendTransaction(response, transaction, context, more);
  };
}

function trustSentences(stale: readonly StaleTrust[], language: ProblemLanguage): readonly string[] {
  return stale.map((one) => staleTrustSentence(one, language === 'pt' ? 'pt-BR' : 'en'));
}

/** Services and limits for creating a transaction, besides the answer's context. */
export interface CreateParts {
  readonly files: Files;
  readonly mostDocuments: number;
  /** Trust data that has ended, or ends soon. */
  readonly staleTrust: () => Promise<readonly StaleTrust[]>;
}

/** The owner's grants of folders and stores. */
type Files = Pick<Consent, 'fileGrants' | 'countFileUse'>;

/**
 * The files that a caller may name. The owner's programs may name any path and store, whatever their credentials. Other
 * callers send bytes, except for the folders and stores granted to their origin or, from another computer, to their
 * application.
 */
function reachOf(files: Files, response: Response, { clientId, isPerson }: IdentifiedCaller): Reach {
  if (isOwner(response)) return { kind: 'owner', overNetwork: false };
  const caller = siteOf(response) ?? clientId;
  const grants = files.fileGrants().filter((grant) => grant.caller === caller);
  return {
    kind: 'guest',
    grants,
    noteUse: async ({ root }) => files.countFileUse({ caller: caller ?? '', root }),
    readsCertificates: isPerson === true || aliasSightOf(response) === 'whole',
  };
}

/** The requester with its way: a plain http site comes by the bridge alone, and the user is always asked. */
function withWay(requester: Requester, response: Response): CallingRequester {
  if (!isByBridge(response)) return requester;
  const isPlain = isPlainHttpOrigin(siteOf(response) ?? '');
  return { ...requester, byBridge: true, ...(isPlain ? { isAskedAlways: true } : {}) };
}

/**
 * True for a caller with the permission to ask for bare signatures: a site by its grant, an application by its entry in
 * the registry. A site with the token of an application needs the site's own.
 */
async function signsRaw(
  { applications }: CredentialServices,
  { clientId }: IdentifiedCaller,
  response: Response,
): Promise<boolean> {
  if (siteOf(response) !== undefined) return siteSignsRaw(response);
  return clientId !== undefined && (await applications.find(clientId))?.signsRaw === true;
}

/** `POST /signature-service/<tcn>/authorize`: a person's token approves the transaction, as far as its scope allows. */
export function authorizeTransaction(
  transactions: Transactions,
  services: CredentialServices,
): RequestHandler<{ tcn: string }> {
  return async (request, response) => {
    const { authority } = await identifyBearer(services, request, response);
    const transaction = await transactions.authorize(request.params.tcn, authority);
    await sendTransaction(response, transaction, answerContext(request, transactions));
  };
}

/** `DELETE /signature-service/<tcn>` cancels the documents that are not signed yet; 200 with the transaction. */
export function cancelTransaction(
  transactions: Transactions,
  services: CredentialServices,
): RequestHandler<{ tcn: string }> {
  return async (request, response) => {
    // Receivers of notifications know the TCN too, so knowing it is no permission to cancel.
    const canceller = isOwner(response) ? undefined : cancellerOf(await identifyCaller(services, request, response));
    await transactions.cancel(request.params.tcn, canceller);
    const transaction = await transactions.query(request.params.tcn);
    await sendTransaction(response, transaction, answerContext(request, transactions));
  };
}

function cancellerOf({ requester, authority, clientId, isPerson }: IdentifiedCaller): Canceller {
  const person = isPerson === true ? authority?.username : undefined;
  return { name: callerName({ requester, authority }), clientId, person };
}

/** The same request, whose documents are freed from memory once stored: the caller may wait long for a decision. */
function forgettable(create: CreateTransaction, forget: () => void): CreateTransaction {
  const documents = [...create.documents];
  const onKept = (): void => {
    documents.length = 0;
    forget();
  };
  return { ...create, documents, onKept };
}

/** Endpoint 3: `GET /signature-service/<tcn>?wait=<seconds>` answers the state, now or at the next change. */
export function queryTransaction(transactions: Transactions): RequestHandler<{ tcn: string }> {
  return async (request, response) => {
    const { tcn } = request.params;
    const signal = hangUpOf(response);
    const waitSeconds = readWait(request.query.wait);
    const options = { waitSeconds, documents: readPage(request.query), queues: pollQueues(request), signal };
    const transaction = await transactions.query(tcn, options).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
    // The caller has hung up, so there is nobody to answer.
    if (transaction === undefined) return;
    if (transaction.status === 'WAITING') response.set('Retry-After', '1');
    await sendTransaction(response, transaction, answerContext(request, transactions));
  };
}

function readWait(wait: unknown): number {
  if (wait === undefined || wait === '') return 0;
  const seconds = typeof wait === 'string' && /^\d{1,4}(\.\d+)?(e-\d{1,3})?$/i.test(wait) ? Number(wait) : Number.NaN;
  if (seconds <= longestWait) return seconds;
  const detail = `Give a number of seconds from 0 to ${longestWait}.`;
  throw invalidFields([{ field: 'wait', code: 'OUT_OF_RANGE', detail }]);
}

/** Maximum number of documents of an answer. */
const longestPage = 1000;

/** Reads `documents_after` (an id) and `documents_limit`. */
function readPage({ documents_after: after, documents_limit: limit }: Request['query']): DocumentsPage {
  const size =
    limit === undefined ? longestPage : typeof limit === 'string' && /^\d{1,4}$/.test(limit) ? Number(limit) : -1;
  if (size < 0 || size > longestPage) {
    const detail = `Give a number of documents from 0 to ${longestPage}.`;
    throw invalidFields([{ field: 'documents_limit', code: 'OUT_OF_RANGE', detail }]);
  }
  if (after !== undefined && typeof after !== 'string') {
    throw invalidFields([{ field: 'documents_after', code: 'INVALID_TYPE', detail: 'Give one id of a document.' }]);
  }
  // An empty value is the beginning, as in a form that was not filled.
  return { limit: size, ...(after === undefined || after === '' ? {} : { after }) };
}
