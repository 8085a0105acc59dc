import type { Request, RequestHandler, Response } from 'express';
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
import { isObject, parseFields } from '../read-body.ts';
import type { WebhookOperation } from './webhook-routes.ts';
import { deliveryQuery, newWebhook, webhookChange, webhookRotation } from './webhook-schemas.ts';
import type { z } from 'zod';
import type { deliveryBody, webhookBody } from './webhook-schemas.ts';

type Endpoint = { readonly clientId: string; readonly webhookId: string };
type Handler<Parameters> = (request: Request<Parameters>, response: Response) => Promise<void>;

/** The handlers of the webhooks of applications. */
export function webhookHandlers(
  webhooks: Webhooks,
  services: CredentialServices,
): Record<WebhookOperation, RequestHandler> {
  const own = <Parameters extends Pick<Endpoint, 'clientId'>>(handler: Handler<Parameters>): RequestHandler =>
    (async (request: Request<Parameters>, response: Response) => {
      await expectApplication(services, request.params.clientId, request, response);
      await handler(request, response);
    }) as unknown as RequestHandler;
  return {
    listWebhooks: own<Pick<Endpoint, 'clientId'>>(async ({ params }, response) => {
      response.json({ webhooks: (await webhooks.list(params.clientId)).map(bodyOf) });
    }),
    addWebhook: own<Pick<Endpoint, 'clientId'>>(async (request, response) => {
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
    readWebhook: own<Endpoint>(async ({ params }, response) => {
      response.json(bodyOf(await webhooks.find(params.clientId, params.webhookId)));
    }),
    changeWebhook: own<Endpoint>(async (request, response) => {
      const { clientId, webhookId } = request.params;
      const change = dropUndefined(parseFields(webhookChange, objectOf(request.body)));
      const caller = { fromLoopback: isOnThisComputer(request, response) };
      response.json(bodyOf(await webhooks.change(clientId, webhookId, change, caller)));
    }),
    removeWebhook: own<Endpoint>(async ({ params }, response) => {
      await webhooks.remove(params.clientId, params.webhookId);
      response.status(204).end();
    }),
    rotateWebhook: own<Endpoint>(async ({ params, body }, response) => {
      const { overlap } = parseFields(webhookRotation, body === undefined ? {} : objectOf(body));
      const { endpoint, secret } = await webhooks.rotate(params.clientId, params.webhookId, overlap);
      response.json({ ...bodyOf(endpoint), secret });
    }),
    testWebhook: own<Endpoint>(async ({ params }, response) => {
      response.json(await webhooks.test(params.clientId, params.webhookId));
    }),
    listDeliveries: own<Endpoint>(async ({ params, query }, response) => {
      response.json(await deliveriesPage(webhooks, params, query));
    }),
    redeliverWebhook: own<Endpoint & { readonly deliveryId: string }>(async ({ params }, response) => {
      const { clientId, webhookId, deliveryId } = params;
      response.json(deliveryOf(await webhooks.redeliver(clientId, webhookId, deliveryId)));
    }),
  };
}

const usualPage = 100;

/** A page of the deliveries to an endpoint, and the start of the next page. */
async function deliveriesPage(
  webhooks: Webhooks,
  { clientId, webhookId }: Endpoint,
  query: unknown,
): Promise<{ readonly deliveries: readonly object[]; readonly next: string | null }> {
  const { limit = usualPage, status, after } = parseFields(deliveryQuery, query);
  const found = await webhooks.deliveries(clientId, webhookId, {
    ...dropUndefined({ status, after }),
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
