import type { RequestHandler } from 'express';
import type { CreateTransaction, Transactions } from '../../service/transactions/index.ts';
import { identifyCaller, type CredentialServices } from '../authorization/credentials.ts';
import { baseUrlOf, hangUpOf, isOnThisComputer } from '../guard-request.ts';
import { bodyDigestOf, letBodyGo } from '../read-body.ts';
import { invalidFields } from '../read-json.ts';
import { readCreateRequest } from './read-create-request.ts';
import { transactionBody } from './transaction-body.ts';

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
