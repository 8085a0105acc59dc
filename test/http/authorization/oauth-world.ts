import { AuthorizationRequests, PushedRequests } from '../../../src/service/authorization/index.ts';
import { MemoryShortLivedStore } from '../../../src/service/short-lived/index.ts';
import { ana, bruno, IdentityWorld, type Enrolled } from '../../service/users/identity-world.ts';
import { noHashCalls } from '../nobody.ts';
import { plainRequest, startTestServer, type PlainAnswer, type TestServer } from '../start-test-server.ts';

export const redirectUri = 'https://portal.example/back?kept=1';
export const otherRedirectUri = 'http://127.0.0.1:9999/second';

/** A JSON answer with its status and headers. */
export interface JsonAnswer extends PlainAnswer {
  readonly content: Record<string, unknown>;
}

/** The authorization endpoints over real accounts, applications and tokens, with an adjustable clock. */
export class OAuthWorld {
  readonly identity: IdentityWorld;
  readonly requests: AuthorizationRequests;
  readonly server: TestServer;
  readonly faults: unknown[];
  readonly client: { readonly id: string; readonly secret: string };
  readonly publicClient: string;
  readonly ana: Enrolled;
  readonly bruno: Enrolled;
  selected: { readonly name: string; readonly username: string } | undefined;

  private constructor(
    parts: Pick<OAuthWorld, 'identity' | 'requests' | 'faults' | 'client' | 'publicClient' | 'ana' | 'bruno'>,
    start: (world: OAuthWorld) => TestServer,
  ) {
    this.identity = parts.identity;
    this.requests = parts.requests;
    this.faults = parts.faults;
    this.client = parts.client;
    this.publicClient = parts.publicClient;
    this.ana = parts.ana;
    this.bruno = parts.bruno;
    this.server = start(this);
  }

  static async open(): Promise<OAuthWorld> {
    const identity = await IdentityWorld.open();
    // The OAuth2 library compares with the clock of the computer.
    identity.time = new Date();
    const now = (): Date => identity.time;
    const requests = new AuthorizationRequests(new MemoryShortLivedStore(), now);
    const faults: unknown[] = [];
    const about = { name: 'Portal <Gov>', comments: 'Contracts', email: 'help@portal.example' };
    const redirectUris = [redirectUri, otherRedirectUri];
    const registered = await identity.applications.register({ ...about, redirectUris });
    const withoutSecret = await identity.applications.registerPublic({ ...about, name: 'Page', redirectUris });
    const people = { ana: await identity.enrol(ana), bruno: await identity.enrol(bruno) };
    const holder: { world?: OAuthWorld } = {};
    const { accounts, applications, authorization } = identity;
    const server = await startTestServer({
      identity: {
        accounts,
        applications,
        authorization,
        requests,
        now,
        pushed: new PushedRequests(new MemoryShortLivedStore(), now),
        selectedUser: async () => Promise.resolve(holder.world?.selected),
        oneTimePasswordApproves: true,
        hashCalls: noHashCalls,
        certificates: { read: async () => Promise.resolve([]) },
        onFault: (error) => faults.push(error),
      },
    });
    const client = { id: registered.application.clientId, secret: registered.clientSecret };
    const parts = { identity, requests, faults, client, publicClient: withoutSecret.application.clientId, ...people };
    const world = new OAuthWorld(parts, () => server);
    holder.world = world;
    return world;
  }

  async close(): Promise<void> {
    await this.server.stop();
    await this.identity.close();
  }

  /** Opens the authorize page as a browser does. */
  async show(parameters: Readonly<Record<string, string>>, language = 'en'): Promise<PlainAnswer> {
    const query = new URLSearchParams({ response_type: 'code', client_id: this.client.id, ...parameters });
    return this.get(`/oauth/authorize?${query.toString()}`, language);
  }

  async get(path: string, language = 'en'): Promise<PlainAnswer> {
    return plainRequest(this.server, {
      path,
      headers: {
        Host: this.#host,
        'Accept-Language': language,
        'Sec-Fetch-Mode': 'navigate',
        'Sec-Fetch-Dest': 'document',
        'Sec-Fetch-Site': 'cross-site',
      },
    });
  }

  /** Posts the page's form as a browser does, or as a program. */
  async answer(
    fields: Readonly<Record<string, string>>,
    sender: 'browser' | 'program' = 'browser',
  ): Promise<PlainAnswer> {
    const browser = {
      Origin: this.server.url,
      'Sec-Fetch-Mode': 'navigate',
      'Sec-Fetch-Dest': 'document',
      'Sec-Fetch-Site': 'same-origin',
    };
    return plainRequest(this.server, {
      method: 'POST',
      path: '/oauth/authorize',
      headers: {
        Host: this.#host,
        'Accept-Language': 'en',
        'Content-Type': 'application/x-www-form-urlencoded',
        ...(sender === 'browser' ? browser : {}),
      },
      body: new URLSearchParams(fields).toString(),
    });
  }

  /** Ana allows the request of these parameters; answers the parameters given back to the application. */
  async allow(parameters: Readonly<Record<string, string>> = {}): Promise<URLSearchParams> {
    const page = await this.show(parameters);
    this.identity.pass(30);
    const answer = await this.answer({
      request: requestIdOf(page),
      username: this.ana.username,
      password: this.ana.code(),
      decision: 'allow',
    });
    return new URL(locationOf(answer)).searchParams;
  }

  /** Ana's code for the confidential application. */
  async code(parameters: Readonly<Record<string, string>> = {}): Promise<string> {
    return (await this.allow(parameters)).get('code') ?? 'no code came';
  }

  async token(fields: Readonly<Record<string, unknown>>, options: TokenOptions = {}): Promise<JsonAnswer> {
    return this.post('/oauth', { client_id: this.client.id, client_secret: this.client.secret, ...fields }, options);
  }

  async post(path: string, fields: Readonly<Record<string, unknown>>, options: TokenOptions = {}): Promise<JsonAnswer> {
    const sent = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
    const form = new URLSearchParams(Object.entries(sent).map(([name, value]) => [name, String(value)]));
    const answer = await plainRequest(this.server, {
      method: 'POST',
      path,
      headers: {
        Host: this.#host,
        'Content-Type': options.form === true ? 'application/x-www-form-urlencoded' : 'application/json',
        ...options.headers,
      },
      body: options.body ?? (options.form === true ? form.toString() : JSON.stringify(sent)),
    });
    const isJson = String(answer.headers['content-type']).includes('json');
    return { ...answer, content: isJson ? (JSON.parse(answer.body) as Record<string, unknown>) : {} };
  }

  get #host(): string {
    return `127.0.0.1:${this.server.port}`;
  }
}

export interface TokenOptions {
  readonly form?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The id in a page's form. */
export function requestIdOf({ body }: PlainAnswer): string {
  return /name="request" value="([^"]+)"/.exec(body)?.[1] ?? 'the page has no form';
}

/** Where an answer leads: by a redirect, or by the page going on by itself. */
export function locationOf({ headers, body }: PlainAnswer): string {
  if (typeof headers.location === 'string') return headers.location;
  const address = /http-equiv="refresh" content="0;url=([^"]+)"/.exec(body)?.[1];
  return address?.replaceAll('&amp;', '&').replaceAll('&quot;', '"') ?? 'http://nowhere.example/';
}
