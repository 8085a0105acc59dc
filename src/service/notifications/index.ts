/** Callbacks to clients after the end of their transactions. */
export {
  checkCallbackUrl,
  failureKind,
  refuseCallback,
  shownCallback,
  type CallbackRefusal,
} from './deliver-notification.ts';
export { createNotifications, type NotificationDependencies } from './create-notifications.ts';
export {
  hostOfCallback,
  type AttemptOutcome,
  type ClaimLimits,
  type ClaimedNotification,
  type NotificationStore,
} from './notification.ts';
export {
  WEBHOOK_EVENTS,
  type Notification,
  type NotificationCallback,
  type NotificationState,
  type Notifications,
  type NotificationStatus,
  type WebhookEvent,
} from './notification.ts';
export { createWebhooks } from './create-webhooks.ts';
export type { DeliveryFilter, StoredWebhookEndpoint, WebhookEndpoint, Webhooks, WebhookStore } from './webhooks.ts';
