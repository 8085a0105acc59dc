import type { Request, RequestHandler, Response } from 'express';
import { ServiceError } from '../../service/errors/index.ts';
import {
  callerName,
  TRANSACTIONS_A_PAGE,
  type DocumentStatus,
  type ListFilter,
  type Transactions,
} from '../../service/transactions/index.ts';
import { identifyCaller, type CredentialServices } from '../authorization/credentials.ts';
import { aliasSightOf } from '../guard-request.ts';
import { invalidFields, isObject, parseFields } from '../read-body.ts';
import { statusRequest } from './list-schemas.ts';
import { transactionHead } from './signature-service.ts';
import { HttpError } from '../http-error.ts';

/** Scopes whose tokens may list the transactions of their person. */
const listingScopes = ['signature_session', 'multi_signature', 'single_signature'] as const;

/**
 * The name of the caller whose transactions are listed (`callerName`). A list contains TCNs, so a token needs a scope
 * for signing. Rejects with `CREDENTIALS_INVALID` and `SCOPE_NOT_ALLOWED`.
 */
export async function identifyListOwner(
  services: CredentialServices,
  request: Request,
  response: Response,
): Promise<string> {
  const { requester, authority, scopes } = await identifyCaller(services, request, response);
  if (scopes !== undefined && !listingScopes.some((scope) => scopes.includes(scope))) {
    const detail = `This token may not read transactions: ask for one of the scopes ${listingScopes.join(', ')}.`;
    throw new ServiceError('SCOPE_NOT_ALLOWED', detail);
  }
  return callerName({ requester, authority }) ?? 'programs';
}

/** `GET /signature-service`: a page of the caller's own transactions, newest first, without their documents. */
export function listTransactions(transactions: Transactions, services: CredentialServices): RequestHandler {
  return async (request, response) => {
    const filter = readFilter(request.query);
    const caller = await identifyListOwner(services, request, response);
    const page = await transactions.list(caller, filter);
    const aliases = aliasSightOf(response);
    response.json({ transactions: page.transactions.map((view) => transactionHead(view, aliases)), next: page.next });
  };
}

const statuses: readonly DocumentStatus[] = ['WAITING', 'SIGNED', 'ERROR'];
const usualPage = 100;

function readFilter({ status, after, limit }: Request['query']): ListFilter {
  return {
    limit: readLimit(limit),
    ...(status === undefined || status === '' ? {} : { status: readStatus(status) }),
    after: readAfter(after),
  };
}

function readAfter(given: unknown): string | undefined {
  if (given === undefined || given === '') return undefined;
  if (typeof given === 'string') return given;
  const detail = 'Send this field once: the TCN of the last transaction of the page before.';
  throw invalidFields([{ field: 'after', code: 'INVALID_VALUE', detail }]);
}

function readStatus(given: unknown): DocumentStatus {
  const text = typeof given === 'string' ? given.toUpperCase() : undefined;
  const found = statuses.find((one) => one === text);
  if (found !== undefined) return found;
  const detail = `Give one of ${statuses.join(', ')}.`;
  throw invalidFields([{ field: 'status', code: 'INVALID_VALUE', detail }]);
}

function readLimit(given: unknown): number {
  if (given === undefined || given === '') return usualPage;
  const limit = typeof given === 'string' && /^\d{1,4}$/.test(given) ? Number(given) : 0;
  if (limit >= 1 && limit <= TRANSACTIONS_A_PAGE) return limit;
  const detail = `Give a number of transactions from 1 to ${TRANSACTIONS_A_PAGE}.`;
  throw invalidFields([{ field: 'limit', code: 'OUT_OF_RANGE', detail }]);
}

/**
 * `POST /signature-service/status`: the states of many transactions at once. As in the query, the TCN itself is the
 * permission.
 */
export function readStatuses(transactions: Transactions): RequestHandler {
  return async (request, response) => {
    const body: unknown = request.body;
    if (!isObject(body)) throw new HttpError('REQUEST_MALFORMED', 'The body must be a JSON object.');
    const { tcns } = parseFields(statusRequest, body);
    const found = await transactions.overview(tcns);
    const known = new Set(found.map(({ tcn }) => tcn));
    const aliases = aliasSightOf(response);
    response.json({
      transactions: found.map((view) => transactionHead(view, aliases)),
      unknown: [...new Set(tcns)].filter((tcn) => !known.has(tcn)),
    });
  };
}
