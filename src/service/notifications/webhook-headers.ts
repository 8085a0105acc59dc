import { createHmac } from 'node:crypto';

/** Message and secret of a signature. */
export interface WebhookMessage {
  /** The same in every attempt. */
  readonly id: string;
  readonly sentAt: Date;
  readonly body: string;
  /** `whsec_` and base64; undefined: the message is not signed. */
  readonly secret: string | undefined;
}

/**
 * The headers of Standard Webhooks: id, timestamp in seconds since 1970, and the signature `v1`, HMAC-SHA-256 over id,
 * timestamp and body joined by dots.
 */
export function webhookHeaders({ id, sentAt, body, secret }: WebhookMessage): Record<string, string> {
  const timestamp = String(Math.floor(sentAt.getTime() / 1000));
  const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp };
  if (secret === undefined) return headers;
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { ...headers, 'webhook-signature': `v1,${signature}` };
}
