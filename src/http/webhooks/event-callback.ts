import { z } from 'zod';
import type { ZodOpenApiOperationObject } from 'zod-openapi';
import { WEBHOOK_EVENTS } from '../../service/notifications/index.ts';
import { json } from '../openapi/problems.ts';
import { transactionSummary } from '../signing-service/list-schemas.ts';

/** The event as it is sent. */
const eventBody = z
  .object({
    type: z.enum(WEBHOOK_EVENTS),
    timestamp: z.iso.datetime().meta({ description: 'When the event happened.' }),
    data: transactionSummary.meta({ description: 'The transaction as it is at the time of the attempt.' }),
  })
  .meta({ id: 'WebhookMessage' });

/** The message of `POST /applications/{client_id}/webhooks/{webhook_id}/test`. */
export const testMessage = z
  .object({
    type: z.literal('webhook.test'),
    timestamp: z.iso.datetime().meta({ description: 'When the test was asked for.' }),
    data: z
      .object({
        webhook_id: z.string().meta({ description: 'The endpoint.' }),
        client_id: z.string().meta({ description: 'The application of the endpoint.' }),
      })
      .meta({ description: 'The endpoint, and no transaction.' }),
  })
  .meta({ id: 'WebhookTestMessage' });

const deliveryHeaders = z.object({
  'webhook-id': z.string().meta({ description: 'The same in every attempt.' }),
  'webhook-timestamp': z.string().meta({ description: 'Seconds since 1970, of this attempt.' }),
  'webhook-signature': z.string().meta({
    description:
      'v1, and the base64 of HMAC-SHA-256 over id, timestamp and body joined by dots. Two of them, separated ' +
      'by a space, while a secret is being replaced.',
  }),
});

/** The calls that an endpoint gets, for each event and for each test (OpenAPI 3.1 §4.8.18). */
export const eventCallback: ZodOpenApiOperationObject['callbacks'] = {
  event: {
    '{$request.body#/url}': {
      post: {
        operationId: 'receiveWebhook',
        security: [],
        summary: 'An event of a transaction',
        description:
          'Standard Webhooks. Delivered at least once, with the same webhook-id; without a 2xx it is tried again after ' +
          'about 5 s, 30 s, 2 min, 10 min, 1 h and 6 h. Redirects are not followed.',
        requestParams: { header: deliveryHeaders },
        requestBody: { required: true, content: json(eventBody) },
        responses: {
          '2XX': { description: 'Delivered; the body is not read.' },
          '4XX': { description: 'Not delivered: the event is tried again.' },
        },
      },
    },
  },
  test: {
    '{$request.body#/url}': {
      post: {
        operationId: 'receiveWebhookTest',
        security: [],
        summary: 'A test of the endpoint',
        description: 'Sent once, for each call of testWebhook. Answer with a 2xx, and do nothing else.',
        requestParams: { header: deliveryHeaders },
        requestBody: { required: true, content: json(testMessage) },
        responses: {
          '2XX': { description: 'Delivered; the body is not read.' },
          '4XX': { description: 'Not delivered: the answer of testWebhook says so.' },
        },
      },
    },
  },
};
