import { SigningError, type HttpClient } from '../../signing/index.ts';
import type { ServiceLog } from '../monitoring/index.ts';
import { callbackTarget } from './callback-url.ts';
import type { NotificationLimits } from './limits.ts';
import type { Notification, NotificationCallback } from './notification.ts';
import { webhookHeaders } from './webhook-headers.ts';

/** Services for an attempt. */
export interface DeliveryParts {
  /** Makes the body: the answer of the transaction's query, as JSON. `baseUrl` as in `NotificationCallback`. */
  readonly renderTransaction: (tcn: string, baseUrl: string) => Promise<string>;
  /** The client for a callback: only a callback from this computer may lead back to this computer. */
  readonly clientFor: (callback: NotificationCallback) => HttpClient;
  /** `Applications.webhookSecret`. */
  readonly webhookSecret: (clientId: string) => Promise<string | undefined>;
  readonly now: () => Date;
  readonly log: ServiceLog;
}

const NOT_REGISTERED = 'The application that asked for it is not registered here any more.';

/** Undefined: delivered; else why not, in a sentence without secret, path or query. */
export type DeliveryFailure = string | undefined;

/** Sends a notification once. Rejects only after `signal`. */
export async function deliverNotification(
  parts: DeliveryParts,
  notification: Notification,
  limits: Pick<NotificationLimits, 'timeout' | 'answerSize'>,
  signal: AbortSignal,
): Promise<DeliveryFailure> {
  const { id, tcn, callback } = notification;
  try {
    const body = await parts.renderTransaction(tcn, callback.baseUrl);
    const { clientId } = callback;
    const secret = clientId === null ? undefined : await parts.webhookSecret(clientId);
    // A notification with a promised signature is never sent without.
    if (clientId !== null && secret === undefined) return NOT_REGISTERED;
    const { status } = await parts.clientFor(callback).send({
      method: 'POST',
      url: callbackTarget(callback.url, tcn),
      contentType: 'application/json',
      headers: webhookHeaders({ id, sentAt: parts.now(), body, secret }),
      body: Buffer.from(body),
      discardBody: true,
      timeout: limits.timeout,
      maxOctets: limits.answerSize,
      signal,
    });
    return judge(status);
  } catch (error) {
    if (signal.aborted) throw error;
    return explain(parts.log, id, error);
  }
}

/** Any 2xx is delivered. */
function judge(status: number): DeliveryFailure {
  if (status >= 200 && status < 300) return undefined;
  const redirect = status >= 300 && status < 400 ? '; redirects are not followed' : '';
  return `The server answered ${status}${redirect}.`;
}

/** Failures of the network are told with the host; others concern this instance and are told in its log. */
function explain(log: ServiceLog, id: string, error: unknown): string {
  if (error instanceof SigningError && error.code.startsWith('NETWORK_')) return error.message;
  log.error({ notification: id, error }, 'a notification could not be made');
  return 'The notification could not be made here; the log of this instance tells why.';
}
