/** The calls about notifications. */
import { z } from 'zod';
import { instant } from './views.ts';

/** A notification of a finished transaction. */
const notificationView = z.object({
  /** `webhook-id`. */
  id: z.string(),
  tcn: z.string(),
  /** The destination, without query and TCN. */
  target: z.string(),
  status: z.enum(['WAITING', 'DELIVERED', 'GIVEN_UP']),
  attempts: z.number().int(),
  lastError: z.string().nullable(),
  /** The kind of the last failure, with the HTTP status of an answer. */
  lastFailure: z
    .object({
      kind: z.enum(['answered', 'unreachable', 'not-registered', 'not-made']),
      status: z.number().int().nullable(),
    })
    .nullable(),
  /** The application whose secret signs; null: unsigned. */
  clientId: z.string().nullable(),
  createdAt: instant,
  /** Null for a final state. */
  nextAttemptAt: instant.nullable(),
  /** The time of delivery or of the end of attempts. */
  finishedAt: instant.nullable(),
});

export const notificationCalls = {
  /** Newest first. */
  'notifications.list': {
    input: z.object({ limit: z.number().int().min(1).max(500) }),
    output: z.array(notificationView),
  },
  /** Starts a notification again from any state; by id or TCN. */
  'notifications.redeliver': { input: z.object({ idOrTcn: z.string().max(64) }), output: notificationView },
  /** Ends the attempts. A final notification stays unchanged. */
  'notifications.giveUp': { input: z.object({ id: z.string().max(64) }), output: notificationView },
} as const;

export type NotificationView = z.output<typeof notificationView>;
