// Verifies a webhook of Sinete (Standard Webhooks) with nothing but Node.js.
import { createHmac, timingSafeEqual } from 'node:crypto';

/** Seconds by which the clock of the sender may differ. */
const tolerance = 300;

/**
 * Answers the event of a request, or throws. `headers` are the headers of the request, with names in lower case;
 * `rawBody` is the body as it came, before any JSON is read; `secret` is the endpoint's `whsec_…`.
 */
export function verifyWebhook(headers, rawBody, secret, now = Date.now() / 1000) {
  const id = headers['webhook-id'];
  const timestamp = headers['webhook-timestamp'];
  if (!id || !/^\d+$/.test(timestamp ?? '')) throw new Error('The headers of a webhook are missing.');
  if (Math.abs(now - Number(timestamp)) > tolerance) throw new Error('The webhook is too old or too new.');
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${rawBody}`).digest();
  // While a secret is being replaced there are two signatures; one of them has to fit.
  const isGenuine = (headers['webhook-signature'] ?? '').split(' ').some((entry) => {
    const [version, signature = ''] = entry.split(',');
    const given = Buffer.from(signature, 'base64');
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
  });
  if (!isGenuine) throw new Error('The signature of the webhook is wrong.');
  return JSON.parse(rawBody);
}
