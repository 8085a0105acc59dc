import { WEBHOOK_EVENTS } from '../../../src/service/notifications/index.ts';
import { SqlApplicationStore, type Storage } from '../../../src/storage/index.ts';

/** An application with an endpoint for every event. */
export async function addEndpoint({ database, webhooks }: Storage, clientId: string): Promise<void> {
  const about = {
    name: 'Shop',
    comments: '',
    email: '',
    redirectUris: [],
    isPublic: false,
    signsRaw: false,
    limits: {},
  };
  const sealed = { secretHash: null, sealedWebhookSecret: Buffer.alloc(1), createdAt: new Date(), lastUsedAt: null };
  await new SqlApplicationStore(database).insert({ clientId, ...about, ...sealed });
  await webhooks.insert({
    id: 'whe_1',
    clientId,
    url: 'https://shop.example/hook',
    events: WEBHOOK_EVENTS,
    enabled: true,
    baseUrl: 'http://127.0.0.1:17171',
    fromLoopback: false,
    earlierSecretUntil: null,
    createdAt: new Date(),
    sealedSecret: Buffer.alloc(1),
    sealedEarlierSecret: null,
  });
}
