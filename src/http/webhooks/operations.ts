import type { Request, RequestHandler, Response } from 'express';
import { z } from 'zod';
import {
  WEBHOOK_EVENTS,
  type Notification,
  type WebhookEndpoint,
  type Webhooks,
} from '../../service/notifications/index.ts';
import { callerName } from '../../service/transactions/index.ts';
import { dropUndefined } from '../../values/drop-undefined.ts';
import { identifyCaller, type CredentialServices } from '../authorization/credentials.ts';
import { baseUrlOf, isOnThisComputer, isOwner } from '../guard-request.ts';
import { HttpError } from '../http-error.ts';
import { json, type ProblemCode } from '../openapi/problems.ts';
import { oneExample, withCredentials, type Description, type Operation } from '../operation.ts';
import { isObject, parseFields } from '../read-body.ts';
import { eventCallback } from './event-callback.ts';
import {
  deliveryBody,
  deliveryList,
  deliveryQuery,
  newWebhook,
  webhookBody,
  webhookChange,
  webhookList,
  webhookRotation,
  webhookTest,
  webhookWithSecret,
} from './webhook-schemas.ts';

/** Services of the webhooks of applications. */
export interface WebhookParts {
  readonly webhooks: Webhooks;
  readonly identity: CredentialServices;
}

const all = '/applications/:clientId/webhooks';
const one = `${all}/:webhookId` as const;
/** No web site may call these operations. */
const ofApplication = { guard: 'api', access: withCredentials('registry') } as const;

const client = z.object({ client_id: z.string().meta({ examples: ['portal'] }) });
const endpoint = client.extend({ webhook_id: z.string().meta({ examples: ['wh_9hRf1WgZs8d5'] }) });
const delivery = endpoint.extend({ delivery_id: z.string().meta({ examples: ['msg_2mVt9Yd5Zs8h'] }) });

const webhookExample = {
  id: 'wh_7',
  client_id: 'portal',
  url: 'https://shop.example/hook',
  events: ['transaction.signed', 'transaction.failed'],
  enabled: true,
  earlier_secret_until: null,
  created_at: '2026-01-02T03:04:05.000Z',
};
const deliveryExample = {
  id: 'msg_12',
  event: 'transaction.signed',
  tcn: 'b3Q7c0pXk2mVt9Yd5Zs8hRf1Wg',
  status: 'DELIVERED',
  attempts: 1,
  last_error: null,
  created_at: '2026-01-02T03:04:07.000Z',
  next_attempt_at: null,
  finished_at: '2026-01-02T03:04:07.000Z',
};

/** Links from the registered endpoint to all its operations. */
const endpointLinks = Object.fromEntries(
  ['readWebhook', 'changeWebhook', 'rotateWebhook', 'testWebhook', 'listDeliveries', 'removeWebhook'].map(
    (operationId) => [
      operationId,
      { operationId, parameters: { client_id: '$request.path.client_id', webhook_id: '$response.body#/id' } },
    ],
  ),
);

const ok = (description: string, schema: z.ZodType) => ({ 200: { description, content: json(schema) } });

/** The webhooks of applications. */
export const webhookOperations: readonly Operation<WebhookParts>[] = [
  {
    id: 'listWebhooks',
    method: 'get',
    paths: [all],
    ...ofApplication,
    body: 'none',
    handle: own(async (webhooks, { params }, response) => {
      response.json({ webhooks: (await webhooks.list(params.clientId)).map(bodyOf) });
    }),
    describe: () =>
      describe({
        summary: 'List the webhook endpoints of an application',
        description: 'Without secrets.',
        path: client,
        answers: ok('The endpoints, oldest first.', webhookList),
        example: { webhooks: [webhookExample] },
      }),
  },
  {
    id: 'addWebhook',
    method: 'post',
    paths: [all],
    ...ofApplication,
    body: 'json',
    handle: own(async (webhooks, request, response) => {
      const { url, events = [...WEBHOOK_EVENTS], enabled = true } = parseFields(newWebhook, objectOf(request.body));
      const { endpoint, secret } = await webhooks.add({
        clientId: request.params.clientId,
        url,
        events,
        enabled,
        baseUrl: baseUrlOf(request),
        fromLoopback: isOnThisComputer(request, response),
      });
      response
        .status(201)
        .location(`/applications/${encodeURIComponent(endpoint.clientId)}/webhooks/${endpoint.id}`)
        .json({ ...bodyOf(endpoint), secret });
    }),
    describe: () =>
      describe({
        summary: 'Register a webhook endpoint',
        description: 'At most 20 endpoints an application. Keep the secret: it is not told again.',
        path: client,
        sent: newWebhook,
        examples: oneExample('Two kinds of event', {
          url: 'https://shop.example/hook',
          events: ['transaction.signed', 'transaction.failed'],
        }),
        callbacks: eventCallback,
        answers: {
          201: {
            description: 'The endpoint with its secret, which is told this once.',
            headers: z.object({ Location: z.string() }),
            links: endpointLinks,
            content: json(webhookWithSecret),
          },
        },
        example: { ...webhookExample, secret: 'whsec_c2hvd24tb25jZQ==' },
        problems: ['REQUEST_INVALID', 'APPLICATION_NOT_FOUND'],
      }),
  },
  {
    id: 'readWebhook',
    method: 'get',
    paths: [one],
    ...ofApplication,
    body: 'none',
    handle: own(async (webhooks, { params }, response) => {
      response.json(bodyOf(await webhooks.find(params.clientId, params.webhookId)));
    }),
    describe: () =>
      describe({
        summary: 'Read a webhook endpoint',
        description: 'Without its secret.',
        path: endpoint,
        answers: ok('The endpoint.', webhookBody),
        example: webhookExample,
      }),
  },
  {
    id: 'changeWebhook',
    method: 'put',
    paths: [one],
    ...ofApplication,
    body: 'json',
    handle: own(async (webhooks, request, response) => {
      const { clientId, webhookId } = request.params;
      const change = dropUndefined(parseFields(webhookChange, objectOf(request.body)));
      const caller = { fromLoopback: isOnThisComputer(request, response) };
      response.json(bodyOf(await webhooks.change(clientId, webhookId, change, caller)));
    }),
    describe: () =>
      describe({
        summary: 'Change a webhook endpoint',
        description: 'Members that are left out stay as they are.',
        path: endpoint,
        sent: webhookChange,
        examples: oneExample('Switch it off', { enabled: false }),
        answers: ok('The endpoint.', webhookBody),
        example: { ...webhookExample, enabled: false },
        problems: ['REQUEST_INVALID'],
      }),
  },
  {
    id: 'removeWebhook',
    method: 'delete',
    paths: [one],
    ...ofApplication,
    body: 'none',
    handle: own(async (webhooks, { params }, response) => {
      await webhooks.remove(params.clientId, params.webhookId);
      response.status(204).end();
    }),
    describe: () =>
      describe({
        summary: 'Remove a webhook endpoint with its deliveries',
        description: 'Deliveries that wait are dropped.',
        path: endpoint,
        answers: { 204: { description: 'It is removed.' } },
      }),
  },
  {
    id: 'rotateWebhook',
    method: 'post',
    paths: [`${one}/rotate`],
    ...ofApplication,
    body: 'json',
    handle: own(async (webhooks, { params, body }, response) => {
      const { overlap } = parseFields(webhookRotation, body === undefined ? {} : objectOf(body));
      const { endpoint, secret } = await webhooks.rotate(params.clientId, params.webhookId, overlap);
      response.json({ ...bodyOf(endpoint), secret });
    }),
    describe: () =>
      describe({
        summary: 'Replace the secret of a webhook endpoint',
        description: 'Both secrets sign during the overlap, so that no delivery is refused.',
        path: endpoint,
        sent: webhookRotation,
        examples: oneExample('An hour of overlap', { overlap: 3600 }),
        answers: ok('The endpoint with its new secret, which is told this once.', webhookWithSecret),
        example: {
          ...webhookExample,
          earlier_secret_until: '2026-01-03T03:04:05.000Z',
          secret: 'whsec_YW5vdGhlci1zZWNyZXQ=',
        },
        problems: ['REQUEST_INVALID'],
      }),
  },
  {
    id: 'testWebhook',
    method: 'post',
    paths: [`${one}/test`],
    ...ofApplication,
    body: 'none',
    handle: own(async (webhooks, { params }, response) => {
      response.json(await webhooks.test(params.clientId, params.webhookId));
    }),
    describe: () =>
      describe({
        summary: 'Send a test event now',
        description: 'The call is made once and is not in the delivery log.',
        path: endpoint,
        answers: ok('The outcome of the test call; an answer with 2xx is a success.', webhookTest),
        example: { delivered: true, error: null },
      }),
  },
  {
    id: 'listDeliveries',
    method: 'get',
    paths: [`${one}/deliveries`],
    ...ofApplication,
    body: 'none',
    handle: own(async (webhooks, { params, query }, response) => {
      response.json(await deliveriesPage(webhooks, params, query));
    }),
    describe: () =>
      describe({
        summary: 'Read the delivery log of a webhook endpoint',
        description: 'Newest first, in pages.',
        path: endpoint,
        query: deliveryQuery,
        answers: ok('A page of the log.', deliveryList),
        example: { deliveries: [deliveryExample], next: null },
        problems: ['REQUEST_INVALID'],
      }),
  },
  {
    id: 'redeliverWebhook',
    method: 'post',
    paths: [`${one}/deliveries/:deliveryId/redeliver`],
    ...ofApplication,
    body: 'none',
    handle: own(async (webhooks, { params }, response) => {
      const { clientId, webhookId, deliveryId } = params;
      response.json(deliveryOf(await webhooks.redeliver(clientId, webhookId, deliveryId)));
    }),
    describe: () =>
      describe({
        summary: 'Start a delivery again',
        description: 'For a delivery that was given up; attempts count anew.',
        path: delivery,
        answers: ok('The delivery.', deliveryBody),
        example: {
          ...deliveryExample,
          status: 'WAITING',
          attempts: 0,
          next_attempt_at: '2026-01-02T03:04:07.000Z',
          finished_at: null,
        },
      }),
  },
];

/** The parts in which the descriptions of webhooks differ. */
interface Told extends Pick<
  Description,
  'summary' | 'description' | 'examples' | 'callbacks' | 'answers' | 'example' | 'problems'
> {
  readonly path: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly sent?: z.ZodType;
}

function describe({ path, query, sent, problems = [], ...told }: Told): Description {
  const ofBody: readonly ProblemCode[] =
    sent === undefined ? [] : ['BODY_NOT_UTF8', 'MEDIA_TYPE_NOT_SUPPORTED', 'REQUEST_TOO_LARGE'];
  return {
    ...told,
    tag: 'Registry',
    credentials: [{}, { applicationSecret: [] }, { clientSecret: [] }, { accessToken: [] }],
    parameters: { path, ...(query === undefined ? {} : { query }) },
    body: sent === undefined ? undefined : { required: true, content: json(sent) },
    problems: ['REQUEST_MALFORMED', 'CREDENTIALS_INVALID', 'TOO_MANY_ATTEMPTS', 'NOT_FOUND', ...ofBody, ...problems],
  };
}

/** The parameters of the paths; a handler reads those of its own path. */
type Place = { readonly clientId: string; readonly webhookId: string; readonly deliveryId: string };

/** A handler for the application itself, and for the owner of the data folder. */
function own(
  handle: (webhooks: Webhooks, request: Request<Place>, response: Response) => Promise<void>,
): Operation<WebhookParts>['handle'] {
  return ({ webhooks, identity }): RequestHandler<Place> =>
    async (request, response) => {
      await expectApplication(identity, request.params.clientId, request, response);
      await handle(webhooks, request, response);
    };
}

const usualPage = 100;

/** A page of the deliveries to an endpoint, and the start of the next page. */
async function deliveriesPage(
  webhooks: Webhooks,
  { clientId, webhookId }: Place,
  query: unknown,
): Promise<{ readonly deliveries: readonly object[]; readonly next: string | null }> {
  const { limit = usualPage, status, after } = parseFields(deliveryQuery, query);
  const found = await webhooks.deliveries(clientId, webhookId, {
    status,
    after,
    limit: limit + 1,
  });
  const page = found.slice(0, limit);
  return { deliveries: page.map(deliveryOf), next: found.length > limit ? (page.at(-1)?.id ?? null) : null };
}

/**
 * Lets through the application itself, by its secret or a token of its own, and the owner of the data folder. The token
 * of a person is not enough. Rejects with `CREDENTIALS_INVALID`.
 */
async function expectApplication(
  services: CredentialServices,
  clientId: string,
  request: Request,
  response: Response,
): Promise<void> {
  if (request.get('Authorization') === undefined && isOwner(response)) return;
  const { requester, authority } = await identifyCaller(services, request, response);
  if (callerName({ requester, authority }) === `application ${clientId}`) return;
  const detail =
    'Only the application itself manages its webhooks: send its client id and secret, or a token of its own.';
  throw new HttpError('CREDENTIALS_INVALID', detail, { headers: { 'WWW-Authenticate': 'Sinete realm="Sinete"' } });
}

function objectOf(body: unknown): Record<string, unknown> {
  if (isObject(body)) return body;
  throw new HttpError('REQUEST_MALFORMED', 'The body must be a JSON object.');
}

function bodyOf(endpoint: WebhookEndpoint): z.input<typeof webhookBody> {
  return {
    id: endpoint.id,
    client_id: endpoint.clientId,
    url: endpoint.url,
    events: [...endpoint.events],
    enabled: endpoint.enabled,
    earlier_secret_until: endpoint.earlierSecretUntil?.toISOString() ?? null,
    created_at: endpoint.createdAt.toISOString(),
  };
}

function deliveryOf(notification: Notification): z.input<typeof deliveryBody> {
  const { id, tcn, webhook, status, attempts, lastError, createdAt, nextAttemptAt, finishedAt } = notification;
  return {
    id,
    event: webhook?.event ?? 'transaction.signed',
    tcn,
    status,
    attempts,
    last_error: lastError,
    created_at: createdAt.toISOString(),
    next_attempt_at: nextAttemptAt?.toISOString() ?? null,
    finished_at: finishedAt?.toISOString() ?? null,
  };
}
