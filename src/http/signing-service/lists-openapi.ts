import { z } from 'zod';
import type { ZodOpenApiOperationObject } from 'zod-openapi';
import { json, problems } from '../openapi-problems.ts';
import { statusList, statusRequest, transactionList } from './list-schemas.ts';

const tags = ['Signing service'];
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

/** `GET /signature-service`. */
export const listOperation: ZodOpenApiOperationObject = {
  operationId: 'listTransactions',
  tags,
  summary: "List the caller's own transactions",
  description:
    'Newest first, without documents. An application lists its transactions; the token of a person lists those of this ' +
    'person with the same application; a web site and programs without credentials list their own.',
  requestParams: {
    query: z.object({
      status: z.enum(['WAITING', 'SIGNED', 'ERROR']).optional(),
      after: z.string().optional().meta({ description: 'TCN of the last transaction of the page before: `next`.' }),
      limit: z.number().int().min(1).max(1000).optional().meta({ description: '100 by default.' }),
    }),
  },
  responses: {
    200: { description: 'A page of the list.', content: json(transactionList) },
    ...problems(
      'REQUEST_MALFORMED',
      'CREDENTIALS_INVALID',
      'SCOPE_NOT_ALLOWED',
      'TOO_MANY_ATTEMPTS',
      'REQUEST_INVALID',
    ),
  },
};

/** `POST /signature-service/status`. */
export const statusOperation: ZodOpenApiOperationObject = {
  operationId: 'readStatuses',
  tags,
  summary: 'Query the states of many transactions',
  description: 'At most 1,000 TCNs. A TCN is enough, as for the query of one transaction.',
  requestBody: { required: true, content: json(statusRequest) },
  responses: {
    200: { description: 'The states, and the TCNs that are unknown.', content: json(statusList) },
    ...problems(
      'REQUEST_MALFORMED',
      'BODY_NOT_UTF8',
      'REQUEST_TOO_LARGE',
      'MEDIA_TYPE_NOT_SUPPORTED',
      'REQUEST_INVALID',
      'BUSY',
    ),
  },
};

const lastEvent = (description: string) => z.object({ 'Last-Event-ID': z.string().optional().meta({ description }) });

/** `GET /signature-service/events`. */
export const ownEventsOperation: ZodOpenApiOperationObject = {
  operationId: 'streamOwnTransactions',
  tags,
  summary: "Follow the caller's own transactions",
  description:
    'Server-sent events. The stream begins with the transactions that wait and, with Last-Event-ID, those that were ' +
    'finished since. It ends when the token is revoked or over.',
  requestParams: { header: lastEvent('The id of the last event that arrived; EventSource sends it by itself.') },
  responses: {
    200: { description: 'The stream.', content: eventStream },
    ...problems('REQUEST_MALFORMED', 'CREDENTIALS_INVALID', 'SCOPE_NOT_ALLOWED', 'TOO_MANY_ATTEMPTS', 'BUSY'),
  },
};

/** `GET /signature-service/<tcn>/events`. */
export const eventsOperation = (tcn: z.ZodType): ZodOpenApiOperationObject => ({
  operationId: 'streamTransaction',
  tags,
  summary: 'Follow one transaction',
  description: 'Server-sent events: the present state, then each change. The stream ends with the transaction.',
  requestParams: {
    path: z.object({ tcn }),
    header: lastEvent('"final" after the end: the answer is 204, and EventSource stops.'),
  },
  responses: {
    200: { description: 'The stream.', content: eventStream },
    204: { description: 'The transaction is finished, and its end was told before.' },
    ...problems('REQUEST_MALFORMED', 'TRANSACTION_NOT_FOUND', 'BUSY'),
  },
});
