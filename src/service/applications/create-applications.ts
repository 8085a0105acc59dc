import { createHash, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { ServiceError } from '../errors/index.ts';
import type { Sealer } from '../secrets/index.ts';
import type { AttemptLimits } from '../users/index.ts';
import type {
  Application,
  Applications,
  ApplicationSecrets,
  ApplicationStore,
  NewApplication,
  StoredApplication,
} from './applications.ts';
import { checkApplication } from './check-application.ts';
import { promisify } from 'node:util';

const derive = promisify<string, Buffer, number, { N: number; r: number; p: number }, Buffer>(scrypt);

/** Cost of one check (RFC 7914): 16 MiB and about 40 ms, because an integrator may choose a weak secret. */
const cost = { N: 2 ** 14, r: 8, p: 1 };
const saltLength = 16;
const keyLength = 32;

/** `scrypt$<N>$<r>$<p>$<salt>$<key>`, base64url. */
async function hashSecret(secret: string): Promise<string> {
  const salt = randomBytes(saltLength);
  const key = await derive(secret, salt, keyLength, cost);
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), key.toString('base64url')].join('$');
}

/**
 * Compares secrets with their hashes. A right secret is remembered by a faster hash in memory, so that a frequent
 * caller pays the full cost once. Wrong secrets are not remembered.
 */
class SecretChecker {
  readonly #right = new Map<string, Buffer>();
  #decoy: Promise<string> | undefined;

  /** True if this secret was confirmed before; answers without delay. */
  remembers(hash: string | null | undefined, secret: string): boolean {
    const known = hash == null ? undefined : this.#right.get(hash);
    return known !== undefined && timingSafeEqual(known, createHash('sha256').update(secret).digest());
  }

  /** Compares in constant time. Without a hash the call takes as long and answers false. */
  async matches(hash: string | null | undefined, secret: string): Promise<boolean> {
    if (this.remembers(hash, secret)) return true;
    this.#decoy ??= hashSecret(randomBytes(32).toString('base64url'));
    const [, N, r, p, salt = '', expected = ''] = (hash ?? (await this.#decoy)).split('$');
    const options = { N: Number(N), r: Number(r), p: Number(p) };
    const key = await derive(secret, Buffer.from(salt, 'base64url'), keyLength, options);
    const isRight = timingSafeEqual(key, Buffer.from(expected, 'base64url')) && hash != null;
    if (isRight) this.#remember(hash, createHash('sha256').update(secret).digest());
    return isRight;
  }

  #remember(hash: string, short: Buffer): void {
    const [oldest] = this.#right.keys();
    if (this.#right.size >= remembered && oldest !== undefined) this.#right.delete(oldest);
    this.#right.set(hash, short);
  }
}

const remembered = 1000;

/** Services for applications. */
export interface ApplicationDependencies {
  readonly store: ApplicationStore;
  readonly limits: Pick<AttemptLimits, 'begin'>;
  readonly sealer: Sealer;
  readonly now: () => Date;
  /** Ends the tokens of an application with new secrets. */
  readonly onRotated: (clientId: string) => Promise<void>;
  /** Called after every change, so that listeners read again. */
  readonly onChange?: () => void;
}

/** Milliseconds between two updates of the last use, which is shown to the minute. */
const useInterval = 60_000;

const placeOf = (clientId: string): string => `applications|${clientId}|webhook_secret`;

/** The applications of this instance, over a store. */
export function createApplications(dependencies: ApplicationDependencies): Applications {
  const { store, sealer, onChange = () => undefined } = dependencies;
  const secrets = new GuardedSecrets(dependencies);
  const readWebhookSecret = async ({ clientId, sealedWebhookSecret }: StoredApplication): Promise<string> => {
    const bytes = await sealer.open(sealedWebhookSecret, placeOf(clientId));
    return bytes.toString('utf8');
  };
  return {
    register: async (request) => {
      const clientSecret = request.clientSecret ?? randomBytes(32).toString('base64url');
      const kept = await keep(dependencies, checkApplication({ ...request, clientSecret }));
      onChange();
      return { ...kept, clientSecret };
    },
    registerPublic: async (request) => {
      const kept = await keep(dependencies, checkApplication(request));
      onChange();
      return kept;
    },
    list: () => store.list(),
    find: async (clientId) => {
      const found = await store.find(clientId);
      return found === undefined ? undefined : withoutSecrets(found);
    },
    change: async (clientId, change) => {
      const checked = checkApplication(change);
      if (!(await store.update(clientId, checked))) throw notFound();
      onChange();
      return withoutSecrets(await readStored(store, clientId));
    },
    rotate: async (clientId) => {
      const secrets = await rotate(dependencies, clientId);
      onChange();
      return secrets;
    },
    remove: async (clientId) => {
      if (!(await store.remove(clientId))) throw notFound();
      onChange();
    },
    authenticate: async (clientId, clientSecret, origin = 'program') => {
      const found = await store.find(clientId);
      if (!(await secrets.isRight({ clientId, clientSecret, origin }, found)) || found === undefined) return undefined;
      await noteUse(dependencies, found);
      return withoutSecrets(found);
    },
    webhookSecret: async (clientId) => {
      const found = await store.find(clientId);
      return found === undefined ? undefined : readWebhookSecret(found);
    },
  };
}

/** A secret that somebody sends for an application, and the place of the attempt. */
interface SecretAttempt {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly origin: string;
}

/** Checks secrets, and counts wrong ones. */
class GuardedSecrets {
  readonly #limits: ApplicationDependencies['limits'];
  readonly #checker = new SecretChecker();
  /** Checks under way, by client id and digest of the secret. */
  readonly #underWay = new Map<string, Promise<boolean>>();

  constructor({ limits }: ApplicationDependencies) {
    this.#limits = limits;
  }

  /**
   * True if the secret is right. A secret that was confirmed before is not counted, and is accepted even while guesses
   * are paused. Simultaneous calls with the same secret count as one attempt, so a program that begins with many
   * requests is not limited. Rejects with `TOO_MANY_ATTEMPTS`.
   */
  async isRight(attempt: SecretAttempt, found: StoredApplication | undefined): Promise<boolean> {
    const { clientId, clientSecret, origin } = attempt;
    const hash = found?.secretHash;
    if (this.#checker.remembers(hash, clientSecret)) return true;
    const key = `${origin}|${clientId}|${hash ?? ''}|${createHash('sha256').update(clientSecret).digest('base64url')}`;
    const known = this.#underWay.get(key);
    if (known !== undefined) return known;
    const check = this.#check(attempt, hash).finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, check);
    return check;
  }

  async #check({ clientId, clientSecret, origin }: SecretAttempt, hash: string | null | undefined): Promise<boolean> {
    const counted = await this.#limits.begin(hash == null ? { unknownClientFrom: origin } : { clientId, origin });
    if (!(await this.#checker.matches(hash, clientSecret))) return false;
    await counted.succeeded();
    return true;
  }
}

async function keep(
  { store, sealer, now }: ApplicationDependencies,
  request: NewApplication,
): Promise<{ readonly application: Application; readonly webhookSecret: string }> {
  const { name, comments, email, redirectUris, clientSecret } = request;
  const clientId = request.clientId ?? randomBytes(16).toString('hex');
  const webhookSecret = newWebhookSecret();
  const application: StoredApplication = {
    clientId,
    name,
    comments,
    email,
    redirectUris: [...redirectUris],
    isPublic: clientSecret === undefined,
    limits: request.limits ?? {},
    // Only its owner gives this permission, never a registration.
    signsRaw: false,
    createdAt: now(),
    lastUsedAt: null,
    secretHash: clientSecret === undefined ? null : await hashSecret(clientSecret),
    sealedWebhookSecret: await sealer.seal(Buffer.from(webhookSecret), placeOf(clientId)),
  };
  if (!(await store.insert(application))) {
    const detail = 'Another application has this client id: choose another one, or leave it out to be given one.';
    const problems = [{ field: 'client_id', code: 'TAKEN', detail }];
    throw new ServiceError('APPLICATION_EXISTS', detail, { problems });
  }
  return { application: withoutSecrets(application), webhookSecret };
}

async function rotate(
  { store, sealer, onRotated }: ApplicationDependencies,
  clientId: string,
): Promise<ApplicationSecrets> {
  const { isPublic } = await readStored(store, clientId);
  if (isPublic) throw new ServiceError('REQUEST_INVALID', 'This application is public: it has no secret to change.');
  const clientSecret = randomBytes(32).toString('base64url');
  const webhookSecret = newWebhookSecret();
  await store.update(clientId, {
    secretHash: await hashSecret(clientSecret),
    sealedWebhookSecret: await sealer.seal(Buffer.from(webhookSecret), placeOf(clientId)),
  });
  await onRotated(clientId);
  return { clientSecret, webhookSecret };
}

async function noteUse({ store, now }: ApplicationDependencies, application: StoredApplication): Promise<void> {
  const { clientId, lastUsedAt } = application;
  const at = now();
  if (lastUsedAt !== null && at.getTime() - lastUsedAt.getTime() < useInterval) return;
  await store.update(clientId, { lastUsedAt: at });
}

async function readStored(store: ApplicationStore, clientId: string): Promise<StoredApplication> {
  const found = await store.find(clientId);
  if (found === undefined) throw notFound();
  return found;
}

/** Standard Webhooks: the prefix, and 256 random bits in base64. */
function newWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

function withoutSecrets(application: StoredApplication): Application {
  const { clientId, name, comments, email, redirectUris, isPublic, limits, signsRaw, createdAt, lastUsedAt } =
    application;
  return { clientId, name, comments, email, redirectUris, isPublic, limits, signsRaw, createdAt, lastUsedAt };
}

function notFound(): ServiceError {
  return new ServiceError('NOT_FOUND', 'There is no application with this client id.');
}
