import { type HttpClient, type HttpResponse, normalizeTaxpayerNumber, SigningError } from '../../signing/index.ts';
import { ServiceError } from '../errors/index.ts';
import type { ApplicationRegistrar, ComputerApplication, IdentityProvider } from './assistant.ts';
import { computerRegistration } from './embedded.ts';

/** Another instance, from the configuration. */
export interface RemoteService {
  readonly http: HttpClient;
  /** `https://assina.example`, without a trailing slash. */
  readonly url: string;
}

/** Milliseconds for a request. */
const timeout = 15_000;
/** Limit of an answer in bytes: the answer about a user contains a photo. */
const maxBytes = 1_000_000;
/** Seconds until another try of an unavailable service. */
const retryAfter = 30;

/**
 * The authorization service of another instance: its token endpoint checks the one-time password. This computer's
 * registered application authenticates there. The token is not needed here, and is revoked at once.
 */
export function remoteIdentity(
  remote: RemoteService,
  computer: () => Promise<ComputerApplication | undefined>,
): IdentityProvider {
  return {
    async authenticate(username, code) {
      const client = await computer();
      const answer = await post(remote, '/oauth', {
        grant_type: 'password',
        username,
        password: code,
        client_id: client?.clientId,
        client_secret: client?.clientSecret,
      });
      if (answer.status !== 200) throw tokenFailure(remote, answer);
      const { access_token: token, user } = readObject(remote, answer);
      if (typeof token === 'string') await revoke(remote, token, client);
      return readPerson(remote, user, username);
    },
  };
}

/** The registry of another instance, without addresses for changing or ending a registration. */
export function remoteRegistrar(remote: RemoteService): ApplicationRegistrar {
  const { comments, email, redirectUris } = computerRegistration;
  return {
    async register(name) {
      const answer = await post(remote, '/v0/oauth/application', {
        name,
        comments,
        email,
        redirect_uris: redirectUris,
      });
      if (answer.status === 401 || answer.status === 403) {
        throw unavailable(remote, "does not register this computer without an administrator's token");
      }
      if (answer.status !== 201 && answer.status !== 200)
        throw unavailable(remote, 'refused to register this computer');
      const { client_id: clientId, client_secret: clientSecret } = readObject(remote, answer);
      if (typeof clientId === 'string' && typeof clientSecret === 'string') return { clientId, clientSecret };
      throw unavailable(remote, 'gave no credentials');
    },
    rename: async () => Promise.resolve(),
    remove: async () => Promise.resolve(),
  };
}

async function post({ http, url }: RemoteService, path: string, body: Record<string, unknown>): Promise<HttpResponse> {
  try {
    return await http.send({
      method: 'POST',
      url: `${url}${path}`,
      contentType: 'application/json',
      accept: 'application/json',
      body: Buffer.from(JSON.stringify(body)),
      timeout,
      maxBytes,
    });
  } catch (error) {
    if (!(error instanceof SigningError)) throw error;
    throw unavailable({ http, url }, 'does not answer', error);
  }
}

/** RFC 6749 §5.2. */
function tokenFailure(remote: RemoteService, answer: HttpResponse): ServiceError {
  if (answer.status === 429) {
    const message = 'Too many one-time passwords were tried: wait a while.';
    return new ServiceError('TOO_MANY_ATTEMPTS', message, { retryAfter: 60 });
  }
  if (answer.status >= 500) return unavailable(remote, 'cannot work now');
  const { error } = readObject(remote, answer);
  if (error === 'invalid_grant') return new ServiceError('INVALID_CREDENTIALS', 'Invalid credentials.');
  if (error === 'invalid_client' || error === 'unauthorized_client') {
    return unavailable(remote, 'does not know this computer: register it with POST /application, and force if need be');
  }
  return unavailable(remote, 'refused the request');
}

async function revoke(remote: RemoteService, token: string, client: ComputerApplication | undefined): Promise<void> {
  const credentials = client === undefined ? {} : { client_id: client.clientId, client_secret: client.clientSecret };
  // A token that could not be revoked expires by itself, and the person is already known.
  await post(remote, '/oauth/revoke', { token, ...credentials }).catch(() => undefined);
}

function readPerson(
  remote: RemoteService,
  user: unknown,
  asked: string,
): { name: string; username: string; photo: string | null } {
  const { name, username, photo } = isObject(user) ? user : {};
  const isTheSame = typeof username === 'string' && normalizeTaxpayerNumber(username) === asked;
  if (typeof name !== 'string' || !isTheSame) throw unavailable(remote, 'did not say who the user is');
  return { name, username: asked, photo: typeof photo === 'string' && /^data:image\//.test(photo) ? photo : null };
}

function readObject(remote: RemoteService, { body }: HttpResponse): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    if (isObject(value)) return value;
  } catch (cause) {
    throw unavailable(remote, 'gave an answer that is not JSON', cause);
  }
  throw unavailable(remote, 'gave an answer that is not JSON');
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function unavailable({ url }: RemoteService, what: string, cause?: unknown): ServiceError {
  const host = URL.parse(url)?.host ?? url;
  const message = `The service at ${host} ${what}. Check the network and "authorization.url" and "registry.url" in the configuration.`;
  return new ServiceError('AUTHORIZATION_UNAVAILABLE', message, { cause, retryAfter });
}
