import { randomBytes } from 'node:crypto';
import { dropUndefined } from '../../values/drop-undefined.ts';
import { ServiceError, type FieldProblem } from '../errors/index.ts';
import type { Sealer } from '../secrets/index.ts';
import { checkCallbackUrl, postSigned, type CallbackRefusal, type DeliveryParts } from './deliver-notification.ts';
import { defaultNotificationLimits, WEBHOOK_EVENTS, type Notifications, type WebhookEvent } from './notification.ts';
import type {
  NewWebhookEndpoint,
  StoredWebhookEndpoint,
  WebhookEndpoint,
  WebhookSettings,
  Webhooks,
  WebhookStore,
} from './webhooks.ts';

/** Services for the endpoints of applications. */
export interface WebhookDependencies {
  readonly store: WebhookStore;
  readonly sealer: Sealer;
  /** True if an application is registered. */
  readonly isRegistered: (clientId: string) => Promise<boolean>;
  readonly refusalOf: CallbackRefusal;
  readonly clientFor: DeliveryParts['clientFor'];
  readonly redeliver: Notifications['redeliver'];
  readonly now: () => Date;
  readonly log: DeliveryParts['log'];
}

const mostEndpoints = 20;
/** Maximum length of an address, in characters. */
const longestUrl = 2000;

const placeOf = (id: string): string => `webhook_endpoints|${id}|secret`;

/** The endpoints of the applications of this instance, over a store. */
export function createWebhooks(dependencies: WebhookDependencies): Webhooks {
  const { store } = dependencies;
  return {
    add: async (wanted) => addEndpoint(dependencies, wanted),
    list: async (clientId) => (await store.list(clientId)).map(withoutSecrets),
    find: async (clientId, id) => withoutSecrets(await findOwn(store, clientId, id)),
    async change(clientId, id, change, caller) {
      const found = await findOwn(store, clientId, id);
      const isMoved = change.url !== undefined && change.url !== found.url;
      const fromLoopback = isMoved ? caller.fromLoopback : found.fromLoopback;
      const settings = checkSettings(dependencies, { ...found, ...dropUndefined(change) }, { ...found, fromLoopback });
      await store.update(id, { ...settings, fromLoopback });
      return withoutSecrets({ ...found, ...settings, fromLoopback });
    },
    rotate: async (clientId, id, overlap) => replaceSecret(dependencies, await findOwn(store, clientId, id), overlap),
    async remove(clientId, id) {
      await findOwn(store, clientId, id);
      await store.remove(id);
    },
    async test(clientId, id) {
      const found = await findOwn(store, clientId, id);
      const error = await sendTest(dependencies, found);
      return { delivered: error === undefined, error: error ?? null };
    },
    async deliveries(clientId, id, filter) {
      await findOwn(store, clientId, id);
      const found = await store.deliveries(id, filter);
      if (found !== undefined) return found;
      throw wrongField('after', 'Give the id of a delivery of this endpoint, or leave after out.');
    },
    async redeliver(clientId, id, deliveryId) {
      await findOwn(store, clientId, id);
      const isOwn = (await store.deliveries(id, { limit: 1, after: deliveryId })) !== undefined;
      if (!isOwn) throw notFound('There is no delivery of this id to this endpoint.');
      return dependencies.redeliver(deliveryId);
    },
    secretsOf: async (id) => {
      const found = await store.find(id);
      return found === undefined ? [] : openSecrets(dependencies, found);
    },
  };
}

async function addEndpoint(dependencies: WebhookDependencies, wanted: NewWebhookEndpoint): ReturnType<Webhooks['add']> {
  const { store, now } = dependencies;
  if (!(await dependencies.isRegistered(wanted.clientId))) throw unknownApplication();
  const settings = checkSettings(dependencies, wanted, wanted);
  if ((await store.list(wanted.clientId)).length >= mostEndpoints) throw tooMany();
  const id = `whe_${randomBytes(16).toString('hex')}`;
  const secret = newSecret();
  const { clientId, baseUrl, fromLoopback } = wanted;
  const endpoint: StoredWebhookEndpoint = {
    id,
    clientId,
    baseUrl,
    fromLoopback,
    ...settings,
    createdAt: now(),
    earlierSecretUntil: null,
    sealedEarlierSecret: null,
    sealedSecret: await sealSecret(dependencies, id, secret),
  };
  await store.insert(endpoint);
  return { endpoint: withoutSecrets(endpoint), secret };
}

async function replaceSecret(
  dependencies: WebhookDependencies,
  found: StoredWebhookEndpoint,
  overlap: number,
): ReturnType<Webhooks['rotate']> {
  const { store, now } = dependencies;
  const secret = newSecret();
  const change = {
    sealedSecret: await sealSecret(dependencies, found.id, secret),
    sealedEarlierSecret: overlap > 0 ? found.sealedSecret : null,
    earlierSecretUntil: overlap > 0 ? new Date(now().getTime() + overlap * 1000) : null,
  };
  await store.update(found.id, change);
  return { endpoint: withoutSecrets({ ...found, ...change }), secret };
}

const sealSecret = async ({ sealer }: WebhookDependencies, id: string, secret: string): Promise<Buffer> =>
  sealer.seal(Buffer.from(secret), placeOf(id));

async function openSecrets(
  { sealer, now }: Pick<WebhookDependencies, 'sealer' | 'now'>,
  { id, sealedSecret, sealedEarlierSecret, earlierSecretUntil }: StoredWebhookEndpoint,
): Promise<readonly string[]> {
  const isOverlapping = earlierSecretUntil !== null && now() < earlierSecretUntil;
  const sealed = [sealedSecret, ...(isOverlapping && sealedEarlierSecret !== null ? [sealedEarlierSecret] : [])];
  return Promise.all(sealed.map(async (one) => (await sealer.open(one, placeOf(id))).toString('utf8')));
}

async function sendTest(
  dependencies: WebhookDependencies,
  endpoint: StoredWebhookEndpoint,
): Promise<string | undefined> {
  const { now } = dependencies;
  const body = JSON.stringify({
    type: 'webhook.test',
    timestamp: now().toISOString(),
    data: { webhook_id: endpoint.id, client_id: endpoint.clientId },
  });
  return postSigned(
    dependencies,
    {
      id: `msg_${randomBytes(16).toString('hex')}`,
      url: endpoint.url,
      callback: endpoint,
      body,
      secrets: await openSecrets(dependencies, endpoint),
    },
    defaultNotificationLimits,
    AbortSignal.timeout(defaultNotificationLimits.timeout * 2),
  );
}

/** Checks the settings of an endpoint; the address without any request to the network. */
function checkSettings(
  { refusalOf }: WebhookDependencies,
  { url, events, enabled }: WebhookSettings,
  caller: Pick<WebhookEndpoint, 'baseUrl' | 'clientId' | 'fromLoopback'>,
): WebhookSettings {
  const shape = url.length > longestUrl ? [wrongUrl(`Use at most ${longestUrl} characters.`)] : checkCallbackUrl(url);
  const { baseUrl, clientId, fromLoopback } = caller;
  const refusal = shape.length > 0 ? undefined : refusalOf({ url, baseUrl, clientId, fromLoopback });
  const problems: FieldProblem[] = [
    ...shape.map(({ detail }) => wrongUrl(detail)),
    ...(refusal === undefined ? [] : [wrongUrl(refusal)]),
    ...(events.length > 0
      ? []
      : [{ field: 'events', code: 'REQUIRED', detail: `Name one of ${WEBHOOK_EVENTS.join(', ')}.` }]),
  ];
  if (problems.length > 0) {
    const names = problems.map(({ field }) => field).join(', ');
    throw new ServiceError('REQUEST_INVALID', `Correct these fields: ${names}.`, { problems });
  }
  const unique: readonly WebhookEvent[] = WEBHOOK_EVENTS.filter((event) => events.includes(event));
  return { url, events: unique, enabled };
}

const wrongUrl = (detail: string): FieldProblem => ({ field: 'url', code: 'INVALID_VALUE', detail });

function wrongField(field: string, detail: string): ServiceError {
  return new ServiceError('REQUEST_INVALID', detail, { problems: [{ field, code: 'UNKNOWN', detail }] });
}

/** An endpoint of another application is unknown as well. */
async function findOwn(store: WebhookStore, clientId: string, id: string): Promise<StoredWebhookEndpoint> {
  const found = await store.find(id);
  if (found?.clientId === clientId) return found;
  throw notFound('The application has no webhook endpoint of this id.');
}

const notFound = (detail: string): ServiceError => new ServiceError('NOT_FOUND', detail);
const unknownApplication = (): ServiceError =>
  new ServiceError('APPLICATION_NOT_FOUND', 'There is no application with this client id.');
const tooMany = (): ServiceError =>
  new ServiceError('REQUEST_INVALID', `An application has at most ${mostEndpoints} endpoints: remove one.`);

/** Standard Webhooks: the prefix, and 256 random bits in base64. */
const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

function withoutSecrets(endpoint: StoredWebhookEndpoint): WebhookEndpoint {
  const { id, clientId, url, events, enabled, earlierSecretUntil, baseUrl, fromLoopback, createdAt } = endpoint;
  return { id, clientId, url, events, enabled, earlierSecretUntil, baseUrl, fromLoopback, createdAt };
}
