import { createHmac } from 'node:crypto';
import { type CodedProblem, refuseProblems } from '../errors/index.ts';
import type { NotificationCallback, Notification, NotificationLimits } from './notification.ts';
import { SigningError, type HttpClient } from '../../signing/index.ts';
import type { ServiceLog } from '../monitoring/index.ts';

/** Message and secret of a signature. */
export interface WebhookMessage {
  /** The same in every attempt. */
  readonly id: string;
  readonly sentAt: Date;
  readonly body: string;
  /**
   * Secrets with the prefix `whsec_`, in base64. Without any, the message is not signed. There are two while a secret
   * is being replaced.
   */
  readonly secrets: readonly string[];
}

/**
 * The headers of Standard Webhooks: id, timestamp in seconds since 1970, and the signature `v1`, HMAC-SHA-256 over id,
 * timestamp and body joined by dots. Several signatures are separated by spaces.
 */
export function webhookHeaders({ id, sentAt, body, secrets }: WebhookMessage): Record<string, string> {
  const timestamp = String(Math.floor(sentAt.getTime() / 1000));
  const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp };
  if (secrets.length === 0) return headers;
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return { ...headers, 'webhook-signature': signatures.join(' ') };
}

const field = 'notification_callback';

/** The problems of an address for notifications, without any request to the network. */
export function checkCallbackUrl(text: string): CodedProblem[] {
  const problem = (detail: string): CodedProblem[] => [{ field, code: 'REQUEST_INVALID', detail }];
  const url = URL.parse(text);
  if (url === null || !/^https?:\/\//i.test(text)) return problem('Give an absolute http or https URL.');
  if (url.username !== '' || url.password !== '') {
    return problem('Leave user name and password out: notifications are signed instead.');
  }
  if (text.includes('#')) return problem('Leave the fragment (#…) out: it never reaches a server.');
  return [];
}

/** Why an address can never be contacted, as a sentence, as far as known now. Undefined: an attempt is possible. */
export type CallbackRefusal = (callback: NotificationCallback) => string | undefined;

/** Refuses a request with an unreachable callback, so that the client learns of the problem at once. */
export function refuseCallback(refusalOf: CallbackRefusal, callback: NotificationCallback | undefined): void {
  const detail = callback && refusalOf(callback);
  if (detail !== undefined) refuseProblems([{ field, code: 'REQUEST_INVALID', detail }]);
}

/**
 * The callback with the TCN at its end: `https://x/?tcn=` → `https://x/?tcn=<tcn>`, `https://x/?doc=7` →
 * `https://x/?doc=7&tcn=<tcn>`, `https://x/done` → `https://x/done/<tcn>`. A query whose last parameter has a value
 * keeps it; any other query is followed by the TCN directly. A path gets a slash in between, unless its last character
 * is a slash.
 */
export function callbackTarget(callback: string, tcn: string): string {
  const { href, search } = new URL(callback);
  const value = encodeURIComponent(tcn);
  const lastParameter = search.slice(1).split('&').at(-1) ?? '';
  if (/=./.test(lastParameter)) return `${href}&tcn=${value}`;
  const hasQuery = search !== '' || href.endsWith('?');
  return `${href}${hasQuery || href.endsWith('/') ? '' : '/'}${value}`;
}

/** The destination of a notification for display: without the query, which may be a secret, and without the TCN. */
export function shownCallback(callback: string): string {
  const { origin, pathname } = new URL(callback);
  return `${origin}${pathname}`;
}

/** Services for an attempt. */
export interface DeliveryParts {
  /** Makes the body: the answer of the transaction's query, as JSON. `baseUrl` as in `NotificationCallback`. */
  readonly renderTransaction: (tcn: string, baseUrl: string) => Promise<string>;
  /** The network client for a callback: only callbacks of callers on this computer may lead to this computer. */
  readonly clientFor: (callback: NotificationCallback) => HttpClient;
  /** `Applications.webhookSecret`. */
  readonly webhookSecret: (clientId: string) => Promise<string | undefined>;
  /** `Webhooks.secretsOf`. Default: there are no endpoints. */
  readonly endpointSecrets?: (endpointId: string) => Promise<readonly string[]>;
  /** Makes the data of an event: the transaction without its documents. `baseUrl` as in `NotificationCallback`. */
  readonly renderSummary?: (tcn: string, baseUrl: string) => Promise<unknown>;
  readonly now: () => Date;
  readonly log: ServiceLog;
}

const NOT_REGISTERED = 'The application that asked for it is not registered here any more.';
const NOT_MADE = 'The notification could not be made here; the log of this instance tells why.';

/** Undefined if delivered; else the reason, as a sentence without secret, path or query. */
export type DeliveryFailure = string | undefined;

/** Sends a notification once. Rejects only after `signal`. */
export async function deliverNotification(
  parts: DeliveryParts,
  notification: Notification,
  limits: Pick<NotificationLimits, 'timeout' | 'answerSize'>,
  signal: AbortSignal,
): Promise<DeliveryFailure> {
  const { id, callback } = notification;
  try {
    const message = await messageOf(parts, notification);
    // A notification that should be signed is never sent unsigned.
    if (callback.clientId !== null && message.secrets.length === 0) return NOT_REGISTERED;
    return await postSigned(parts, { id, callback, ...message }, limits, signal);
  } catch (error) {
    if (signal.aborted) throw error;
    return explain(parts.log, id, error);
  }
}

/** Address, body and secrets of a notification: the body of the query, or the envelope of an event. */
async function messageOf(
  parts: DeliveryParts,
  { tcn, callback, webhook, createdAt }: Notification,
): Promise<Pick<SignedMessage, 'url' | 'body' | 'secrets'>> {
  const { clientId, baseUrl } = callback;
  if (webhook === null) {
    const secret = clientId === null ? undefined : await parts.webhookSecret(clientId);
    return {
      url: callbackTarget(callback.url, tcn),
      body: await parts.renderTransaction(tcn, baseUrl),
      secrets: secret === undefined ? [] : [secret],
    };
  }
  const data = await parts.renderSummary?.(tcn, baseUrl);
  return {
    url: callback.url,
    body: JSON.stringify({ type: webhook.event, timestamp: createdAt.toISOString(), data }),
    secrets: (await parts.endpointSecrets?.(webhook.endpointId)) ?? [],
  };
}

/** A message that is ready to be sent. */
export interface SignedMessage {
  /** `webhook-id`. */
  readonly id: string;
  readonly url: string;
  readonly callback: NotificationCallback;
  /** JSON. */
  readonly body: string;
  readonly secrets: readonly string[];
}

/** Posts a message once. Rejects only after `signal`. */
export async function postSigned(
  parts: Pick<DeliveryParts, 'clientFor' | 'now' | 'log'>,
  { id, url, callback, body, secrets }: SignedMessage,
  limits: Pick<NotificationLimits, 'timeout' | 'answerSize'>,
  signal: AbortSignal,
): Promise<DeliveryFailure> {
  try {
    const { status } = await parts.clientFor(callback).send({
      method: 'POST',
      url,
      contentType: 'application/json',
      headers: webhookHeaders({ id, sentAt: parts.now(), body, secrets }),
      body: Buffer.from(body),
      discardBody: true,
      timeout: limits.timeout,
      maxBytes: limits.answerSize,
      signal,
    });
    return judge(status);
  } catch (error) {
    if (signal.aborted) throw error;
    return explain(parts.log, id, error);
  }
}

/** The kind of a failure, for a sentence in any language; `status` is the HTTP status of `answered`. */
export interface FailureKind {
  readonly kind: 'answered' | 'unreachable' | 'not-registered' | 'not-made';
  readonly status: number | null;
}

/** The kind of a stored failure, recognized by its sentence. */
export function failureKind(sentence: string): FailureKind {
  if (sentence === NOT_REGISTERED) return { kind: 'not-registered', status: null };
  if (sentence === NOT_MADE) return { kind: 'not-made', status: null };
  const status = /^The server answered (\d{3})/.exec(sentence)?.[1];
  return status === undefined ? { kind: 'unreachable', status: null } : { kind: 'answered', status: Number(status) };
}

/** Any 2xx status counts as delivered. */
function judge(status: number): DeliveryFailure {
  if (status >= 200 && status < 300) return undefined;
  const redirect = status >= 300 && status < 400 ? '; redirects are not followed' : '';
  return `The server answered ${status}${redirect}.`;
}

/**
 * The sentence about a failure. A network failure names only the host; a fault of this instance is described in the
 * log.
 */
function explain(log: ServiceLog, id: string, error: unknown): string {
  if (error instanceof SigningError && error.code.startsWith('NETWORK_')) return error.message;
  log.error({ notification: id, error }, 'a notification could not be made');
  return NOT_MADE;
}
