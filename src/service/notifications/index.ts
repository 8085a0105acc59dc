/** Callbacks to clients after the end of their transactions. */
export { checkCallbackUrl, refuseCallback, shownCallback, type CallbackRefusal } from './deliver-notification.ts';
export { createNotifications, type NotificationDependencies } from './create-notifications.ts';
export {
  hostOfCallback,
  type AttemptOutcome,
  type ClaimLimits,
  type ClaimedNotification,
  type NotificationStore,
} from './notification.ts';
export type { Notification, NotificationCallback, NotificationState, Notifications } from './notification.ts';
