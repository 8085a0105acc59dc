import { type CodedProblem, refuseProblems } from '../errors/index.ts';
import type { NotificationCallback } from './notification.ts';

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

/** The reason for never contacting an address, as far as known now: a sentence. Undefined: a try is possible. */
export type CallbackRefusal = (callback: NotificationCallback) => string | undefined;

/** Rejects a request with an unreachable callback, so that its owner learns the problem at once. */
export function refuseCallback(refusalOf: CallbackRefusal, callback: NotificationCallback | undefined): void {
  const detail = callback && refusalOf(callback);
  if (detail !== undefined) refuseProblems([{ field, code: 'REQUEST_INVALID', detail }]);
}

/**
 * The callback with the TCN at its end: `https://x/?tcn=` → `https://x/?tcn=<tcn>`, `https://x/done` →
 * `https://x/done/<tcn>`. A query is followed by the TCN directly; a path gets a slash in between, unless its last
 * character is a slash.
 */
export function callbackTarget(callback: string, tcn: string): string {
  const { href, search } = new URL(callback);
  const hasQuery = search !== '' || href.endsWith('?');
  return `${href}${hasQuery || href.endsWith('/') ? '' : '/'}${encodeURIComponent(tcn)}`;
}

/** The destination of a notification for display: without the query, which may be a secret, and without the TCN. */
export function shownCallback(callback: string): string {
  const { origin, pathname } = new URL(callback);
  return `${origin}${pathname}`;
}
