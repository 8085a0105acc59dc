import { failureKind, shownCallback, type Notification } from '../../service/notifications/index.ts';
import type { NotificationView } from '../../ui-contract/notification-calls.ts';
import type { CallHandlers } from '../../ui-contract/ui-contract.ts';
import type { Core } from '../compose/open-core.ts';

type NotificationCalls = Pick<CallHandlers, Extract<keyof CallHandlers, `notifications.${string}`>>;

/** The calls about notifications. */
export function notificationCalls({ notifications }: Pick<Core, 'notifications'>): NotificationCalls {
  return {
    'notifications.list': async ({ limit }) => (await notifications.list(limit)).map(notificationForUi),
    'notifications.redeliver': async ({ idOrTcn }) => notificationForUi(await notifications.redeliver(idOrTcn)),
    'notifications.giveUp': async ({ id }) => notificationForUi(await notifications.giveUp(id)),
  };
}

function notificationForUi(notification: Notification): NotificationView {
  const { id, tcn, callback, status, attempts, lastError, createdAt, nextAttemptAt, finishedAt } = notification;
  return {
    id,
    tcn,
    status,
    attempts,
    lastError,
    lastFailure: lastError === null ? null : failureKind(lastError),
    target: shownCallback(callback.url),
    clientId: callback.clientId,
    createdAt: createdAt.toISOString(),
    nextAttemptAt: nextAttemptAt?.toISOString() ?? null,
    finishedAt: finishedAt?.toISOString() ?? null,
  };
}
