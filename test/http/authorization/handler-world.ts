import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { certificateOperation } from '../../../src/http/authorization/certificate-info.ts';
import { authorizationOperations, type AuthorizationServices } from '../../../src/http/authorization/operations.ts';
import { registryOperations } from '../../../src/http/registry/operations.ts';
import { sendError } from '../../../src/http/problems/send-error.ts';
import { noHashCalls } from '../nobody.ts';
import type { Application } from '../../../src/service/applications/index.ts';
import {
  AuthorizationRequests,
  PushedRequests,
  type AccessGrant,
  type AuthorizationDetails,
  type CodeGrant,
  type IssuedToken,
  type RefreshGrant,
} from '../../../src/service/authorization/index.ts';
import { MemoryShortLivedStore } from '../../../src/service/short-lived/index.ts';
import { ServiceError } from '../../../src/service/errors/index.ts';
import type { Account } from '../../../src/service/users/index.ts';

export const ana = { name: 'Ana <Lima>', username: '52998224725' };
export const password = '123456';
export const secret = 'secret+with%signs';
export const callback = 'https://portal.example/back?kept=1';

export const portal: Application = {
  clientId: 'portal',
  name: 'Portal <Gov>',
  comments: '',
  email: '',
  redirectUris: [callback, 'http://127.0.0.1:9999/second'],
  isPublic: false,
  limits: {},
  signsRaw: false,
  createdAt: new Date('2026-01-01T00:00:00Z'),
  lastUsedAt: null,
};
export const page: Application = { ...portal, clientId: 'page', name: 'Page', isPublic: true };
export const homeless: Application = { ...portal, clientId: 'homeless', redirectUris: [] };

export const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
/** The verifier of `challenge` (RFC 7636 Appendix B). */
export const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';

/** A grant to the portal, given by Ana on the authorize page unless told otherwise. */
export function grantOf(changes: Partial<AccessGrant> = {}): AccessGrant {
  return {
    id: 'grant-1',
    username: ana.username,
    clientId: portal.clientId,
    scopes: ['signature_session'],
    consented: true,
    approvesUntil: null,
    expiresAt: new Date('2026-01-02T04:04:05Z'),
    ...changes,
  };
}

/** An answer of the handlers. */
export interface HandlerAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

export type TestCaller = 'native-program' | 'own-page' | 'site';

/**
 * The authorization handlers behind Express, without the rest of the server: services are in memory and note their
 * calls, to try thousands of changed handlers in minutes.
 */
export class HandlerWorld {
  readonly now = new Date('2026-01-02T03:04:05Z');
  readonly applications = [portal, page, homeless];
  readonly requests = new AuthorizationRequests(new MemoryShortLivedStore(), () => this.now);
  readonly faults: unknown[] = [];
  /** Calls of the services in their order. */
  readonly calls: unknown[][] = [];
  readonly grants = new Map<string, AccessGrant>();
  readonly refreshTokens = new Map<string, RefreshGrant>();
  readonly codes = new Map<string, CodeGrant & { readonly expiresAt: Date }>();
  /** Thrown by the next call of the service with this name. */
  failures: Partial<Record<'authenticate' | 'authenticateClient' | 'issueForCode' | 'revoke', Error>> = {};
  selected: { readonly name: string; readonly username: string } | undefined = ana;
  certificates: readonly unknown[] = [{ alias: 'ana' }];
  lastSignal: AbortSignal | undefined;
  /** Life of issued tokens in seconds; undefined: as requested. */
  tokenLifetime: number | undefined;
  /** The address called by clients: checked by the guard before the handlers run. */
  host = 'sinete.example:17171';
  #server: Server | undefined;

  readonly services: AuthorizationServices = {
    accounts: {
      authenticate: async (username: string, code: string, origin: string): Promise<Account> => {
        this.#note('authenticate', 'authenticate', username, code, origin);
        if (username === ana.username && code === password) return Promise.resolve({ ...ana, photo: 'pic' } as Account);
        throw new ServiceError('INVALID_CREDENTIALS', 'Name or code is "wrong".');
      },
    },
    hashCalls: noHashCalls,
    applications: {
      find: async (clientId: unknown) => {
        if (typeof clientId !== 'string') throw new TypeError('Only a text can be the id of an application.');
        return Promise.resolve(this.applications.find((one) => one.clientId === clientId));
      },
      authenticate: async (clientId: unknown, given: unknown) => {
        if (typeof clientId !== 'string' || typeof given !== 'string')
          throw new TypeError('Only texts prove a client.');
        this.#note('authenticateClient', 'authenticateClient', clientId, given);
        const found = this.applications.find((one) => one.clientId === clientId && !one.isPublic);
        return Promise.resolve(given === secret ? found : undefined);
      },
    } as AuthorizationServices['applications'],
    authorization: {
      readToken: async (token) => Promise.resolve(this.grants.get(token)),
      useForHashes: async () => Promise.resolve(),
      useForSigning: async (grant, documents) => {
        this.#note('useForSigning', undefined, grant.id, documents);
        return Promise.resolve();
      },
      issueCode: async (grant) => {
        this.#note('issueCode', undefined, grant);
        return Promise.resolve('the code&');
      },
      findCode: async (code) => Promise.resolve(this.codes.get(code)),
      spendCode: async (code) => {
        this.#note('spendCode', undefined, code);
        return Promise.resolve(this.codes.delete(code));
      },
      issueForCode: async (code, grant) => {
        this.#note('issueForCode', 'issueForCode', code, grant.clientId);
        return Promise.resolve(this.#issued(grant.scopes, 90));
      },
      issueToken: async (request) => {
        this.#note('issueToken', undefined, request);
        return Promise.resolve(this.#issued(request.scopes, request.lifetime ?? 3600));
      },
      issueSession: async (username, lifetime) => {
        this.#note('issueSession', undefined, username, lifetime);
        return Promise.resolve(this.#issued(['signature_session'], lifetime ?? 3600));
      },
      readRefreshToken: async (token) => Promise.resolve(this.refreshTokens.get(token)),
      spendRefreshToken: async (token) => Promise.resolve(this.refreshTokens.delete(token)),
      issueForRefresh: async (token, grant) => {
        this.#note('issueForRefresh', undefined, token, grant.clientId, grant.scopes);
        const refresh = { token: 'next', expiresAt: new Date(this.now.getTime() + 600_000) };
        return Promise.resolve({ ...this.#issued(grant.scopes, 90), refresh });
      },
      revoke: async (token) => {
        this.#note('revoke', 'revoke', token);
        return Promise.resolve();
      },
      revokeAll: async () => Promise.resolve(),
    },
    certificates: {
      read: async (username, alias, signal) => {
        this.lastSignal = signal;
        this.#note('read', undefined, username, alias);
        return Promise.resolve(this.certificates as never);
      },
    },
    requests: this.requests,
    pushed: new PushedRequests(new MemoryShortLivedStore(), () => this.now),
    oneTimePasswordApproves: true,
    selectedUser: async () => Promise.resolve(this.selected),
    onFault: (error) => this.faults.push(error),
    now: () => this.now,
  };

  static async open(): Promise<HandlerWorld> {
    const world = new HandlerWorld();
    const app = express();
    app.use((request, response, next) => {
      request.headers.host = world.host;
      response.locals.caller = request.get('X-Test-Caller') ?? 'native-program';
      if (response.locals.caller === 'site') response.locals.origin = 'https://spa.example';
      next();
    });
    for (const { method, paths, handle, body } of [
      ...authorizationOperations,
      ...registryOperations,
      certificateOperation,
    ]) {
      const read =
        body === 'form' ? [express.urlencoded({ extended: false })] : body === 'json' ? [express.json()] : [];
      app[method](paths[0], ...read, handle({ identity: world.services }) as RequestHandler);
    }
    app.use((error: unknown, request: Request, response: Response, next: NextFunction) => {
      if (response.headersSent) next(error);
      else sendError(error, request, response);
    });
    world.#server = app.listen(0, '127.0.0.1');
    await new Promise((resolve) => world.#server?.once('listening', resolve));
    return world;
  }

  async close(): Promise<void> {
    const server = this.#server;
    server?.closeAllConnections();
    await new Promise((resolve) => server?.close(resolve));
  }

  /** The arguments of the calls of one service. */
  callsOf(name: string): unknown[][] {
    return this.calls.filter(([called]) => called === name).map(([, ...parameters]) => parameters);
  }

  /** A code for the portal, allowed by Ana; ends in a minute of the computer's clock. */
  addCode(code: string, changes: Partial<CodeGrant> & { readonly expiresAt?: Date } = {}): void {
    this.codes.set(code, {
      clientId: portal.clientId,
      username: ana.username,
      redirectUri: callback,
      redirectUriGiven: true,
      scopes: ['certificate_info'],
      codeChallenge: undefined,
      lifetime: undefined,
      // The library compares with the clock of the computer.
      expiresAt: new Date(Date.now() + 60_000),
      ...changes,
    });
  }

  /** A request shown by a page. */
  shown(changes: Partial<AuthorizationDetails> = {}): ReturnType<AuthorizationRequests['add']> {
    return this.requests.add({
      application: portal,
      redirectUri: callback,
      redirectUriGiven: true,
      state: 'st&te',
      scopes: ['signature_session'],
      codeChallenge: undefined,
      lifetime: undefined,
      ...changes,
    });
  }

  async get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<HandlerAnswer> {
    return this.#send(path, { headers: { 'Accept-Language': 'en', ...headers } });
  }

  async postForm(
    path: string,
    fields: Readonly<Record<string, string>>,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<HandlerAnswer> {
    const body = new URLSearchParams(fields).toString();
    const type = { 'Content-Type': 'application/x-www-form-urlencoded', 'Accept-Language': 'en' };
    return this.#send(path, { method: 'POST', headers: { ...type, ...headers }, body });
  }

  async postJson(
    path: string,
    body: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<HandlerAnswer & { readonly content: Record<string, unknown> }> {
    const type = { 'Content-Type': 'application/json' };
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const answer = await this.#send(path, { method: 'POST', headers: { ...type, ...headers }, body: text });
    return { ...answer, content: answer.body === '' ? {} : (JSON.parse(answer.body) as Record<string, unknown>) };
  }

  /** Sends a body as it stands, under the media type in `headers`, or under none. */
  async postRaw(
    path: string,
    body: string | Buffer | undefined,
    headers: Readonly<Record<string, string>>,
  ): Promise<HandlerAnswer> {
    return this.#send(path, {
      method: 'POST',
      headers,
      body: body === undefined ? undefined : new Uint8Array(Buffer.from(body)),
    });
  }

  async #send(path: string, options: RequestInit): Promise<HandlerAnswer> {
    const { port } = this.#server?.address() as AddressInfo;
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { ...options, redirect: 'manual' });
    return { status: answer.status, headers: answer.headers, body: await answer.text() };
  }

  #issued(scopes: IssuedToken['scopes'], seconds: number): IssuedToken {
    const lifetime = this.tokenLifetime ?? seconds;
    return { accessToken: 'the-token', expiresAt: new Date(this.now.getTime() + lifetime * 1000), scopes };
  }

  #note(name: string, failure: keyof HandlerWorld['failures'] | undefined, ...parameters: unknown[]): void {
    this.calls.push([name, ...parameters]);
    const error = failure === undefined ? undefined : this.failures[failure];
    if (error === undefined || failure === undefined) return;
    this.failures = { ...this.failures, [failure]: undefined };
    throw error;
  }
}

export const basic = (name: string, value: string): string =>
  `Basic ${Buffer.from(`${name}:${value}`).toString('base64')}`;

/** As RFC 6749 §2.3.1 wants client ids and secrets in Basic credentials. */
export const formEncoded = (text: string): string => encodeURIComponent(text).replaceAll('%20', '+');
