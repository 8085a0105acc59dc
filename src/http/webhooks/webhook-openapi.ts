import { z } from 'zod';
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi';
import { json, problems, type ProblemCode } from '../openapi-problems.ts';
import { transactionSummary } from '../signing-service/list-schemas.ts';
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
import { WEBHOOK_EVENTS } from '../../service/notifications/index.ts';

const client = z.object({ client_id: z.string() });
const endpoint = client.extend({ webhook_id: z.string() });
const delivery = endpoint.extend({ delivery_id: z.string() });

type Problems = readonly ProblemCode[];

function operation(
  operationId: string,
  summary: string,
  parts: {
    readonly path: z.ZodObject;
    readonly query?: z.ZodObject;
    readonly body?: z.ZodType;
    readonly bodyIsOptional?: boolean;
    readonly answers: ZodOpenApiOperationObject['responses'];
    readonly problems?: Problems;
    readonly callbacks?: ZodOpenApiOperationObject['callbacks'];
  },
): ZodOpenApiOperationObject {
  const { path, query, body, callbacks } = parts;
  const ofBody: Problems = body === undefined ? [] : ['BODY_NOT_UTF8', 'MEDIA_TYPE_NOT_SUPPORTED', 'REQUEST_TOO_LARGE'];
  return {
    operationId,
    tags: ['Registry'],
    summary,
    requestParams: { path, ...(query === undefined ? {} : { query }) },
    ...(body === undefined ? {} : { requestBody: { required: parts.bodyIsOptional !== true, content: json(body) } }),
    ...(callbacks === undefined ? {} : { callbacks }),
    responses: {
      ...problems(
        'REQUEST_MALFORMED',
        'CREDENTIALS_INVALID',
        'TOO_MANY_ATTEMPTS',
        'NOT_FOUND',
        ...ofBody,
        ...(parts.problems ?? []),
      ),
      ...parts.answers,
    },
  };
}

/** The event as it is sent. */
const eventBody = z
  .object({
    type: z.enum([...WEBHOOK_EVENTS, 'webhook.test']),
    timestamp: z.iso.datetime().meta({ description: 'When the event happened.' }),
    data: transactionSummary.meta({ description: 'The transaction as it is at the time of the attempt.' }),
  })
  .meta({ id: 'WebhookMessage' });

const eventCallback: ZodOpenApiOperationObject['callbacks'] = {
  event: {
    '{$request.body#/url}': {
      post: {
        operationId: 'receiveWebhook',
        security: [],
        summary: 'An event of a transaction',
        description:
          'Standard Webhooks. Delivered at least once, with the same webhook-id; without a 2xx it is tried again after ' +
          'about 5 s, 30 s, 2 min, 10 min, 1 h and 6 h. Redirects are not followed.',
        requestParams: {
          header: z.object({
            'webhook-id': z.string().meta({ description: 'The same in every attempt.' }),
            'webhook-timestamp': z.string().meta({ description: 'Seconds since 1970, of this attempt.' }),
            'webhook-signature': z.string().meta({
              description:
                'v1, and the base64 of HMAC-SHA-256 over id, timestamp and body joined by dots. Two of them, separated ' +
                'by a space, while a secret is being replaced.',
            }),
          }),
        },
        requestBody: { required: true, content: json(eventBody) },
        responses: {
          '2XX': { description: 'Delivered; the body is not read.' },
          '4XX': { description: 'Not delivered: the event is tried again.' },
        },
      },
    },
  },
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

/** The paths of the webhooks of applications. */
export function webhookPaths(): ZodOpenApiPathsObject {
  const all = '/applications/{client_id}/webhooks';
  const one = `${all}/{webhook_id}`;
  return {
    [all]: {
      get: operation('listWebhooks', 'List the webhook endpoints of an application', {
        path: client,
        answers: ok('The endpoints, oldest first.', webhookList),
      }),
      post: operation('addWebhook', 'Register a webhook endpoint', {
        path: client,
        body: newWebhook,
        callbacks: eventCallback,
        problems: ['REQUEST_INVALID', 'APPLICATION_NOT_FOUND'],
        answers: {
          201: {
            description: 'The endpoint with its secret, which is told this once.',
            headers: z.object({ Location: z.string() }),
            links: endpointLinks,
            content: json(webhookWithSecret),
          },
        },
      }),
    },
    [one]: {
      get: operation('readWebhook', 'Read a webhook endpoint', {
        path: endpoint,
        answers: ok('The endpoint.', webhookBody),
      }),
      put: operation('changeWebhook', 'Change a webhook endpoint', {
        path: endpoint,
        body: webhookChange,
        problems: ['REQUEST_INVALID'],
        answers: ok('The endpoint.', webhookBody),
      }),
      delete: operation('removeWebhook', 'Remove a webhook endpoint with its deliveries', {
        path: endpoint,
        answers: { 204: { description: 'It is removed.' } },
      }),
    },
    ...actionPaths(one),
  };
}

/** Rotation, test call and delivery log of an endpoint. */
function actionPaths(one: string): ZodOpenApiPathsObject {
  return {
    [`${one}/rotate`]: {
      post: operation('rotateWebhook', 'Replace the secret of a webhook endpoint', {
        path: endpoint,
        body: webhookRotation,
        problems: ['REQUEST_INVALID'],
        answers: ok('The endpoint with its new secret, which is told this once.', webhookWithSecret),
      }),
    },
    [`${one}/test`]: {
      post: operation('testWebhook', 'Send a test event now', {
        path: endpoint,
        answers: ok('Whether the endpoint answered with a 2xx.', webhookTest),
      }),
    },
    [`${one}/deliveries`]: {
      get: operation('listDeliveries', 'Read the delivery log of a webhook endpoint', {
        path: endpoint,
        query: deliveryQuery,
        problems: ['REQUEST_INVALID'],
        answers: ok('A page of the log.', deliveryList),
      }),
    },
    [`${one}/deliveries/{delivery_id}/redeliver`]: {
      post: operation('redeliverWebhook', 'Start a delivery again', {
        path: delivery,
        answers: ok('The delivery.', deliveryBody),
      }),
    },
  };
}
