/** The calls about what clients were told. */
import { z } from 'zod';
import { instant } from './views.ts';

/** A notification of a finished transaction. */
const notificationView = z.object({
  /** `webhook-id`. */
  id: z.string(),
  tcn: z.string(),
  /** Where it goes, without query and TCN. */
  target: z.string(),
  status: z.enum(['WAITING', 'DELIVERED', 'GIVEN_UP']),
  attempts: z.number().int(),
  lastError: z.string().nullable(),
  /** With the secret of this application; null: it is not signed. */
  clientId: z.string().nullable(),
  createdAt: instant,
  /** Null: it is final. */
  nextAttemptAt: instant.nullable(),
  /** When it was delivered or given up. */
  finishedAt: instant.nullable(),
});

export const notificationCalls = {
  /** Newest first. */
  'notifications.list': {
    input: z.object({ limit: z.number().int().min(1).max(500) }),
    output: z.array(notificationView),
  },
  /** Begins anew, whatever became of it; by id or TCN. */
  'notifications.redeliver': { input: z.object({ idOrTcn: z.string().max(64) }), output: notificationView },
  /** It is not tried again by itself. One that is final already stays as it is. */
  'notifications.giveUp': { input: z.object({ id: z.string().max(64) }), output: notificationView },
} as const;

export type NotificationView = z.output<typeof notificationView>;
