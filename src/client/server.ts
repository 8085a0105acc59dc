/**
 * For the server of an application, in Node or another runtime with Web Crypto: genuine callbacks, and the
 * authorization-code flow with PKCE. Import `sinete-client/server`; pages use the main module.
 */
import { isLocalName } from './browser-facts.ts';
import { errorOfAnswer, errorOfFailure, SineteError } from './sinete-error.ts';

export { SineteError, type SineteErrorCode, type SineteProblem } from './sinete-error.ts';

/** Seconds by which the clock of the sender of a callback may differ. */
const TOLERANCE = 300;

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(new TextEncoder().encode(text));

/** The bytes of base64; undefined for other text. */
function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function toBase64Url(bytes: Uint8Array): string {
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** A header as Node and as `fetch` have it. */
type HeaderSource = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

function readHeader(headers: HeaderSource, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  return typeof value === 'string' ? value : '';
}

/**
 * Answers the body of a genuine callback or webhook (Standard Webhooks), or rejects with the code `NOT_GENUINE`. A
 * callback may come more than once: store `webhook-id`.
 *
 * @param headers of the request: `Headers`, or an object with names in lower case
 * @param body the body as received, before any JSON is read
 * @param secret the `whsec_…` of the application or of the endpoint
 */
export async function verifyWebhook(
  headers: HeaderSource,
  body: string | Uint8Array,
  secret: string,
  now: number = Date.now() / 1000,
): Promise<Readonly<Record<string, unknown>>> {
  const id = readHeader(headers, 'webhook-id');
  const sentAt = readHeader(headers, 'webhook-timestamp');
  if (id === '' || !/^\d+$/.test(sentAt)) throw notGenuine('The headers of the callback are missing.');
  if (Math.abs(now - Number(sentAt)) > TOLERANCE) throw notGenuine('The callback is too old, or the clocks differ.');
  const secretBytes = fromBase64(secret.replace(/^whsec_/, ''));
  if (secretBytes === undefined || secretBytes.length === 0) throw new TypeError('The secret is not a whsec_… text.');
  const key = await crypto.subtle.importKey('raw', secretBytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
  const content = typeof body === 'string' ? bytesOf(body) : new Uint8Array(body);
  const signed = new Uint8Array([...bytesOf(`${id}.${sentAt}.`), ...content]);
  let isGenuine = false;
  // While a secret is being replaced there are two signatures; one of them has to fit. Web Crypto compares in constant time.
  for (const entry of readHeader(headers, 'webhook-signature').split(' ')) {
    const signature = entry.startsWith('v1,') ? fromBase64(entry.slice(3)) : undefined;
    if (signature !== undefined && (await crypto.subtle.verify('HMAC', key, signature, signed))) isGenuine = true;
  }
  if (!isGenuine) throw notGenuine('The signature of the callback is wrong.');
  return JSON.parse(new TextDecoder().decode(content)) as Readonly<Record<string, unknown>>;
}

const notGenuine = (message: string): SineteError => new SineteError('NOT_GENUINE', message);

/** Properties of a registered application. */
export interface OAuthApplicationOptions {
  /** `https://sign.company.example`, or an address of this computer. */
  readonly address: string;
  readonly clientId: string;
  /** Absent for a public application. */
  readonly clientSecret?: string;
  readonly redirectUri: string;
}

/** An authorization that a person has not answered yet: keep it in the person's session until then. */
export interface Authorization {
  /** The person's browser goes here. */
  readonly url: string;
  readonly state: string;
  readonly verifier: string;
}

/** An access token, and the refresh token of the scope `offline_access`. */
export interface Token {
  readonly accessToken: string;
  /** Seconds. */
  readonly expiresIn: number;
  readonly scope: string;
  /** The option `authorization` of `sign`. */
  readonly authorization: string;
  readonly refreshToken?: string;
}

/** The authorization-code flow with PKCE (RFC 6749, RFC 7636, RFC 9207). Every method rejects with `SineteError`. */
export class OAuthApplication {
  readonly #options: OAuthApplicationOptions;
  readonly #address: string;

  constructor(options: OAuthApplicationOptions) {
    const { protocol, hostname, username, password } = new URL(options.address);
    if (username !== '' || password !== '') throw new TypeError('The address has no credentials.');
    if (protocol !== 'https:' && !isLocalName(hostname)) {
      throw new TypeError('Use https: secrets are not sent to another computer without TLS.');
    }
    this.#options = options;
    this.#address = options.address.replace(/\/+$/, '');
  }

  /** `lifetime` is in seconds; `loginHint` is the CPF or CNPJ of the expected person. */
  async begin({
    scope = 'single_signature',
    lifetime,
    loginHint,
  }: {
    readonly scope?: string;
    readonly lifetime?: number;
    readonly loginHint?: string;
  } = {}): Promise<Authorization> {
    const state = toBase64Url(crypto.getRandomValues(new Uint8Array(32)));
    const verifier = toBase64Url(crypto.getRandomValues(new Uint8Array(64)));
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytesOf(verifier)));
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: this.#options.clientId,
      redirect_uri: this.#options.redirectUri,
      scope,
      state,
      code_challenge: toBase64Url(digest),
      code_challenge_method: 'S256',
    });
    if (lifetime !== undefined) query.set('lifetime', String(lifetime));
    if (loginHint !== undefined) query.set('login_hint', loginHint);
    return { url: `${this.#address}/oauth/authorize?${query.toString()}`, state, verifier };
  }

  /** Exchanges the code. `answer` has the parameters with which the browser came back. */
  async finish(authorization: Authorization, answer: URLSearchParams): Promise<Token> {
    // The state is a value of one use, so that its comparison tells an attacker nothing.
    if (answer.get('state') !== authorization.state) throw notGenuine('The answer belongs to another authorization.');
    const error = answer.get('error');
    if (error !== null) throw new SineteError('NOT_ALLOWED', answer.get('error_description') ?? error);
    const { issuer } = (await this.#send('/.well-known/oauth-authorization-server')) as { readonly issuer?: string };
    if (answer.get('iss') !== issuer) throw notGenuine('The answer comes from another server.');
    return this.#ask({
      grant_type: 'authorization_code',
      code: answer.get('code') ?? '',
      redirect_uri: this.#options.redirectUri,
      code_verifier: authorization.verifier,
    });
  }

  /** The next pair of tokens. Each refresh token works once: never repeat a refresh. */
  async refresh({ refreshToken }: Token): Promise<Token> {
    if (refreshToken === undefined) throw new SineteError('INPUT_INVALID', 'Ask for the scope offline_access.');
    return this.#ask({ grant_type: 'refresh_token', refresh_token: refreshToken });
  }

  /** A token of the application itself. */
  async clientToken(): Promise<Token> {
    return this.#ask({ grant_type: 'client_credentials' });
  }

  /** Ends a token, and with a refresh token the whole permission. */
  async revoke({ accessToken, refreshToken }: Token): Promise<void> {
    await this.#send('/oauth/revoke', { token: refreshToken ?? accessToken });
  }

  async #ask(fields: Readonly<Record<string, string>>): Promise<Token> {
    const body = (await this.#send('/oauth', fields)) as Readonly<Record<string, string>>;
    return {
      accessToken: body['access_token'] ?? '',
      expiresIn: Number(body['expires_in']),
      scope: body['scope'] ?? '',
      authorization: `Bearer ${body['access_token'] ?? ''}`,
      refreshToken: body['refresh_token'],
    };
  }

  async #send(path: string, fields?: Readonly<Record<string, string>>): Promise<unknown> {
    const { clientId, clientSecret } = this.#options;
    const body = fields && new URLSearchParams({ ...fields, client_id: clientId });
    if (clientSecret !== undefined) body?.set('client_secret', clientSecret);
    let answer: Response;
    try {
      answer = await fetch(this.#address + path, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { Accept: 'application/json' },
        body: body ?? null,
        redirect: 'error',
      });
    } catch (failure) {
      throw errorOfFailure(failure);
    }
    if (!answer.ok) throw await errorOfAnswer(answer);
    const text = await answer.text();
    return text === '' ? {} : JSON.parse(text);
  }
}
