import { z } from 'zod';
import { WEBHOOK_EVENTS } from '../../service/notifications/index.ts';

const text = z.string();
const event = z.enum(WEBHOOK_EVENTS);

const url = text.meta({
  description:
    'http or https. Private networks are not reached unless the configuration names them; this computer only for ' +
    'endpoints that were registered from this computer.',
});
const events = z.array(event).meta({ description: 'Which events are told; all by default.' });
const enabled = z.boolean().meta({ description: 'false: no further events.' });

/** Body of a registration. */
export const newWebhook = z
  .object({ url, events: events.optional(), enabled: enabled.optional() })
  .meta({ id: 'WebhookRegistration' });

/** Body of a change. */
export const webhookChange = z
  .object({ url: url.optional(), events: events.optional(), enabled: enabled.optional() })
  .meta({ id: 'WebhookChange' });

/** Body of a rotation. */
export const webhookRotation = z
  .object({
    overlap: z.number().int().min(0).max(604_800).default(86_400).meta({
      description: 'Seconds in which the earlier secret signs as well; 0 ends it at once.',
    }),
  })
  .meta({ id: 'WebhookRotation' });

/** An endpoint. */
export const webhookBody = z
  .object({
    id: text,
    client_id: text,
    url: text,
    events: z.array(event),
    enabled: z.boolean(),
    earlier_secret_until: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'Until then the secret before the last rotation signs as well.' }),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'Webhook' });

/** An endpoint with its secret: the answer of registration and rotation. */
export const webhookWithSecret = webhookBody
  .extend({ secret: text.meta({ description: 'Standard Webhooks (whsec_…); told this once.' }) })
  .meta({ id: 'WebhookWithSecret' });

export const webhookList = z.object({ webhooks: z.array(webhookBody) }).meta({ id: 'WebhookList' });

/** The outcome of a test call. */
export const webhookTest = z
  .object({ delivered: z.boolean(), error: text.nullable().meta({ description: 'Why it was not delivered.' }) })
  .meta({ id: 'WebhookTest' });

const deliveryStatus = z.enum(['WAITING', 'DELIVERED', 'GIVEN_UP']);

/** A row of the delivery log. */
export const deliveryBody = z
  .object({
    id: text.meta({ description: 'webhook-id: the same in every attempt.' }),
    event,
    tcn: text,
    status: deliveryStatus,
    attempts: z.number().int(),
    last_error: text.nullable(),
    created_at: z.iso.datetime(),
    next_attempt_at: z.iso.datetime().nullable(),
    finished_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'WebhookDelivery' });

export const deliveryList = z
  .object({
    deliveries: z.array(deliveryBody).meta({ description: 'Newest first.' }),
    next: text.nullable().meta({ description: 'The value of `after` for the next page; null on the last page.' }),
  })
  .meta({ id: 'WebhookDeliveryList' });

/** Query parameters of the delivery log. */
export const deliveryQuery = z.object({
  status: deliveryStatus.optional(),
  after: text.optional().meta({ description: 'Id of the last delivery of the page before: `next`.' }),
  limit: z.coerce.number().int().min(1).max(500).optional().meta({ description: '100 by default.' }),
});
