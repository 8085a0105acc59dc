import type { RequestHandler } from 'express';
import type { NotificationState } from '../../service/notifications/index.ts';
import type {
  DigestAlgorithm,
  DocumentView,
  TransactionView,
  UploadOutcome,
  CreateTransaction,
  Transactions,
} from '../../service/transactions/index.ts';
import type { DocumentEntry, hashAlgorithms, TransactionBody, UploadBody } from './schemas.ts';
import { identifyCaller, type CredentialServices } from '../authorization/credentials.ts';
import { baseUrlOf, hangUpOf, isOnThisComputer } from '../guard-request.ts';
import { bodyDigestOf, letBodyGo, invalidFields } from '../read-body.ts';
import { readCreateRequest } from './read-create-request.ts';

/** A transaction in wire names. `baseUrl` is the client's address of us, without a slash at its end. */
export function transactionBody(view: TransactionView, baseUrl: string): TransactionBody {
  return {
    tcn: view.tcn,
    status: view.status,
    waiting_for: view.waitingFor,
    certificate_alias: view.certificateAlias,
    type: view.type,
    hash_algorithm: hashNames[view.digest],
    policy: view.policy,
    tsa: view.timestamped,
    documents_source: view.documentsSource,
    documents: view.documents.map((document) => documentEntry(document, view.tcn, baseUrl)),
    created_at: view.createdAt.toISOString(),
    finished_at: view.finishedAt?.toISOString() ?? null,
    ...(view.notification === undefined ? {} : { notification: notificationEntry(view.notification) }),
  };
}

function notificationEntry({ status, attempts, lastError }: NotificationState): TransactionBody['notification'] {
  return { status, attempts, last_error: lastError };
}

/** The answer to an upload. */
export function uploadBody(outcome: UploadOutcome, baseUrl: string): UploadBody {
  return {
    tcn: outcome.tcn,
    documents: outcome.documents.map((document) => documentEntry(document, outcome.tcn, baseUrl)),
    end_of_transaction: outcome.endOfTransaction,
  };
}

const hashNames: Record<DigestAlgorithm, (typeof hashAlgorithms)[number]> = {
  sha256: 'SHA256',
  sha384: 'SHA384',
  sha512: 'SHA512',
};

function documentEntry(document: DocumentView, tcn: string, baseUrl: string): DocumentEntry {
  const { error, signature } = document;
  return {
    id: document.id,
    status: document.status,
    original_file_name: document.originalFileName,
    media_type: document.mediaType,
    size: document.size,
    checksum: document.checksum,
    signature_setting: document.signatureSetting,
    result: resultOf(document, tcn, baseUrl),
    ...(document.inObjectStore ? { destination_file_name: document.destinationFileName } : {}),
    lifetime: document.lifetime,
    ...(error === null ? {} : { error: { code: error.code, detail: error.detail } }),
    ...(signature === null ? {} : { signature }),
    ...(document.repairs.length === 0 ? {} : { repaired: true, repairs: [...document.repairs] }),
  };
}

function resultOf({ status, resultPath, id }: DocumentView, tcn: string, baseUrl: string): string | null {
  if (status !== 'SIGNED') return null;
  return resultPath ?? `${baseUrl}/file-transfer/${encodeURIComponent(tcn)}/${encodeURIComponent(id)}`;
}

/** Longest wait of a query, in seconds. */
const longestWait = 60;

/** Endpoint 1: `POST /signature-service` starts a transaction. 201 with the transaction and its `Location`. */
export function createTransaction(transactions: Transactions, services: CredentialServices): RequestHandler {
  return async (request, response) => {
    const caller = await identifyCaller(services, request, response);
    const { requester, authority, principal } = caller;
    const headers = {
      idempotencyKey: request.get('Idempotency-Key'),
      principal,
      bodyDigest: bodyDigestOf(request),
      notify: {
        baseUrl: baseUrlOf(request),
        clientId: caller.clientId ?? null,
        fromLoopback: isOnThisComputer(request, response),
      },
    };
    const forget = (): void => {
      letBodyGo(request, response);
    };
    const asked = forgettable(readCreateRequest(request.body, headers), forget);
    const transaction = await transactions.create(asked, requester, hangUpOf(response), authority);
    response.status(201).location(`/signature-service/${encodeURIComponent(transaction.tcn)}`);
    response.json(transactionBody(transaction, baseUrlOf(request)));
  };
}

/** The same request, whose documents are dropped from memory once stored: its caller may wait long for a decision. */
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
    const left = new AbortController();
    response.once('close', () => {
      left.abort();
    });
    const waitSeconds = readWait(request.query.wait);
    const transaction = await transactions.query(request.params.tcn, { waitSeconds, signal: left.signal });
    if (transaction.status === 'WAITING') response.set('Retry-After', '1');
    response.json(transactionBody(transaction, baseUrlOf(request)));
  };
}

function readWait(wait: unknown): number {
  if (wait === undefined || wait === '') return 0;
  const seconds = typeof wait === 'string' && /^\d{1,4}(\.\d+)?$/.test(wait) ? Number(wait) : Number.NaN;
  if (seconds <= longestWait) return seconds;
  const detail = `Give a number of seconds from 0 to ${longestWait}.`;
  throw invalidFields([{ field: 'wait', code: 'OUT_OF_RANGE', detail }]);
}
