/** The operations of the webhooks of applications. */
export type WebhookOperation =
  | 'listWebhooks'
  | 'addWebhook'
  | 'readWebhook'
  | 'changeWebhook'
  | 'removeWebhook'
  | 'rotateWebhook'
  | 'testWebhook'
  | 'listDeliveries'
  | 'redeliverWebhook';

const all = '/applications/:clientId/webhooks';
const one = `${all}/:webhookId` as const;

interface WebhookRoute {
  readonly operation: WebhookOperation;
  readonly number: null;
  readonly method: 'get' | 'post' | 'put' | 'delete';
  readonly paths: readonly [string];
  readonly guard: 'api';
  readonly body: 'json' | 'none';
}

const route = (
  operation: WebhookOperation,
  method: WebhookRoute['method'],
  path: string,
  body: WebhookRoute['body'] = 'none',
): WebhookRoute => ({ operation, number: null, method, paths: [path], guard: 'api', body });

/** The routes of the webhooks of applications; no web site may call them. */
export const webhookRoutes: readonly WebhookRoute[] = [
  route('listWebhooks', 'get', all),
  route('addWebhook', 'post', all, 'json'),
  route('readWebhook', 'get', one),
  route('changeWebhook', 'put', one, 'json'),
  route('removeWebhook', 'delete', one),
  route('rotateWebhook', 'post', `${one}/rotate`, 'json'),
  route('testWebhook', 'post', `${one}/test`),
  route('listDeliveries', 'get', `${one}/deliveries`),
  route('redeliverWebhook', 'post', `${one}/deliveries/:deliveryId/redeliver`),
];
