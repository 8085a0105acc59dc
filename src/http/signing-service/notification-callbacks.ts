import type { ZodOpenApiCallbacksObject } from 'zod-openapi';
import { z } from 'zod';
import { transactionBody } from './schemas.ts';

/** The notification to a client that sent `notification_callback` (OpenAPI 3.1 §4.8.18). */
export const notificationCallbacks: ZodOpenApiCallbacksObject = {
  notification: {
    '{$request.body#/notification_callback}/{$response.body#/tcn}': {
      post: {
        operationId: 'receiveNotification',
        security: [],
        summary: 'The transaction is finished',
        description:
          'The TCN is appended to the end of the given URL: after a query (https://x/?tcn=) as it stands, after a ' +
          'path with a slash between, as a parameter tcn after a query with a value. Standard Webhooks: the signature is made with the webhook secret of the application ' +
          'that created the transaction, and absent where none did. Delivered at least once, with the same webhook-id; ' +
          'without a 2xx it is tried again after about 5 s, 30 s, 2 min, 10 min, 1 h and 6 h. Redirects are not followed.',
        requestParams: {
          header: z.object({
            'webhook-id': z.string().meta({ description: 'The same in every attempt.' }),
            'webhook-timestamp': z.string().meta({ description: 'Seconds since 1970, of this attempt.' }),
            'webhook-signature': z.string().optional().meta({
              description: 'v1, and the base64 of HMAC-SHA-256 over id, timestamp and body joined by dots.',
            }),
          }),
        },
        requestBody: { required: true, content: { 'application/json': { schema: transactionBody } } },
        responses: {
          '2XX': { description: 'Delivered; the body is not read.' },
          '4XX': { description: 'Not delivered: the notification is tried again.' },
        },
      },
    },
  },
};
