import { z } from 'zod';
import type { Transactions } from '../../service/transactions/index.ts';
import type { CredentialServices } from '../authorization/credentials.ts';
import type { GuardParts } from '../guard-request.ts';
import type { Life } from '../life.ts';
import { json } from '../openapi/problems.ts';
import { ofApplications, forEverybody, oneExample, withCredentials, type Operation } from '../operation.ts';
import { summary as example, tcn as tcnExample } from './examples.ts';
import { statusList, statusRequest, transactionList } from './list-schemas.ts';
import {
  streamOwnTransactions as streamOwn,
  streamTransaction as streamOne,
  type EventParts,
  type StreamCounter,
} from './transaction-events.ts';
import { listTransactions as list, readStatuses as readStates } from './transaction-lists.ts';
import { tcn } from './transaction-operations.ts';

/** Services of lists and event streams. */
export interface ListParts {
  readonly transactions: Transactions;
  readonly identity: CredentialServices;
  readonly consent: Pick<GuardParts['consent'], 'scopesOf'>;
  readonly now: () => Date;
  readonly life: Life;
  /** The open streams of this server, which both kinds of stream share. */
  readonly streams: StreamCounter;
}

const tag = 'Signing service';
const eventStream = {
  'text/event-stream': {
    schema: z.string().meta({
      description:
        'Events named "transaction", whose data is a TransactionSummary as JSON. A comment every 15 seconds is a sign of life.',
      examples: [
        'id: 1767323045000\nevent: transaction\ndata: {"tcn":"b3Q7c0pXk2mVt9Yd5Zs8hRf1Wg","status":"SIGNED"}\n',
      ],
    }),
  },
};

const streamed = `id: 1767323045000\nevent: transaction\ndata: {"tcn":"${tcnExample}","status":"SIGNED"}\n\n`;
const another = 'a2Q7c0pXk2mVt9Yd5Zs8hRf1Wg';

/** Lists the caller's own transactions. */
export const listTransactions: Operation<ListParts> = {
  id: 'listTransactions',
  method: 'get',
  paths: ['/signature-service'],
  guard: 'granted',
  access: withCredentials('signing'),
  body: 'none',
  handle: ({ transactions, identity }) => list(transactions, identity),
  describe: () => ({
    tag,
    summary: "List the caller's own transactions",
    description:
      'Newest first, without documents. An application lists its transactions; the token of a person lists those of this ' +
      'person with the same application; a web site and programs without credentials list their own.',
    credentials: ofApplications,
    parameters: {
      query: z.object({
        status: z.enum(['WAITING', 'SIGNED', 'ERROR']).optional(),
        after: z.string().optional().meta({ description: 'TCN of the last transaction of the page before: `next`.' }),
        limit: z.number().int().min(1).max(1000).optional().meta({ description: '100 by default.' }),
      }),
    },
    answers: { 200: { description: 'A page of the list.', content: json(transactionList) } },
    example: { transactions: [example], next: null },
    problems: ['REQUEST_MALFORMED', 'CREDENTIALS_INVALID', 'SCOPE_NOT_ALLOWED', 'TOO_MANY_ATTEMPTS', 'REQUEST_INVALID'],
  }),
};

/** Answers the states of many transactions. */
export const readStatuses: Operation<ListParts> = {
  id: 'readStatuses',
  method: 'post',
  paths: ['/signature-service/status'],
  guard: 'granted',
  access: forEverybody('signing'),
  body: 'json',
  handle: ({ transactions }) => readStates(transactions),
  describe: () => ({
    tag,
    summary: 'Query the states of many transactions',
    description: 'At most 1,000 TCNs. A TCN is enough, as for the query of one transaction.',
    body: { required: true, content: json(statusRequest) },
    examples: oneExample('Two transactions', { tcns: [tcnExample, another] }),
    answers: { 200: { description: 'The states, and the TCNs that are unknown.', content: json(statusList) } },
    example: { transactions: [example], unknown: [another] },
    problems: [
      'REQUEST_MALFORMED',
      'BODY_NOT_UTF8',
      'REQUEST_TOO_LARGE',
      'MEDIA_TYPE_NOT_SUPPORTED',
      'REQUEST_INVALID',
      'BUSY',
    ],
  }),
};

const lastEvent = (description: string) => z.object({ 'Last-Event-ID': z.string().optional().meta({ description }) });

const eventParts = (parts: ListParts): EventParts => ({ ...parts, services: parts.identity });

/** Streams the changes of the caller's own transactions. */
export const streamOwnTransactions: Operation<ListParts> = {
  id: 'streamOwnTransactions',
  method: 'get',
  paths: ['/signature-service/events'],
  guard: 'granted',
  access: withCredentials('signing'),
  body: 'none',
  handle: (parts) => streamOwn(eventParts(parts), parts.streams),
  describe: () => ({
    tag,
    summary: "Follow the caller's own transactions",
    description:
      'Server-sent events. The stream begins with the transactions that wait and, with Last-Event-ID, those that were ' +
      'finished since. It ends when the token is revoked or over.',
    credentials: ofApplications,
    parameters: { header: lastEvent('The id of the last event that arrived; EventSource sends it by itself.') },
    answers: { 200: { description: 'The stream.', content: eventStream } },
    example: streamed,
    problems: ['REQUEST_MALFORMED', 'CREDENTIALS_INVALID', 'SCOPE_NOT_ALLOWED', 'TOO_MANY_ATTEMPTS', 'BUSY'],
  }),
};

/** Streams the changes of one transaction. */
export const streamTransaction: Operation<ListParts> = {
  id: 'streamTransaction',
  method: 'get',
  paths: ['/signature-service/:tcn/events'],
  guard: 'granted',
  access: forEverybody('signing'),
  body: 'none',
  handle: (parts) => streamOne(eventParts(parts), parts.streams),
  describe: () => ({
    tag,
    summary: 'Follow one transaction',
    description: 'Server-sent events: the present state, then each change. The stream ends with the transaction.',
    parameters: {
      path: z.object({ tcn }),
      header: lastEvent('"final" after the end: the answer is 204, and EventSource stops.'),
    },
    answers: {
      200: { description: 'The stream.', content: eventStream },
      204: { description: 'The transaction is finished, and its end was told before.' },
    },
    example: streamed,
    problems: ['REQUEST_MALFORMED', 'TRANSACTION_NOT_FOUND', 'BUSY'],
  }),
};
