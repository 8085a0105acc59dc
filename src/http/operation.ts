import type { Request, RequestHandler } from 'express';
import type { ZodOpenApiOperationObject } from 'zod-openapi';
import type { AdministratorScope } from '../service/administration/index.ts';
import type { GuardClass, RouteAccess } from './local-guard.ts';
import type { ProblemCode } from './openapi/problems.ts';

/**
 * An HTTP operation, told once: where it is, who may call it, what runs, and what the OpenAPI document says about it.
 * `Parts` are the services that its handler uses.
 */
export interface Operation<Parts = never> {
  /** The name of the operation: in the OpenAPI document, the log, the metrics and the audit log. */
  readonly id: string;
  /** The endpoint's number in the interface document; absent for an endpoint outside of that document. */
  readonly number?: number;
  readonly method: 'get' | 'post' | 'put' | 'delete';
  /** All forms of the path, in Express's syntax. The interface document shows the first form. */
  readonly paths: readonly [string, ...string[]];
  /** The rule of the local guard. */
  readonly guard: GuardClass;
  /** The access from other computers. */
  readonly access: RouteAccess;
  /** The access for a request with this query, where the query decides. */
  readonly accessFor?: (query: Request['query']) => RouteAccess;
  /**
   * How the body is read. `json`: as JSON, before the handler; `form`: as a form or JSON; `stream`: by the handler
   * itself; `upload`: so too, and the handler invites a client that waits for 100 Continue; `none`: no body.
   */
  readonly body: 'json' | 'form' | 'stream' | 'upload' | 'none';
  /** True for a probe of monitors and load balancers: it comes every few seconds, so traces leave it out. */
  readonly isProbe?: true;
  /** True if the operation also answers while the owner has paused the interface. */
  readonly answersWhilePaused?: true;
  /** True if the operation also answers while the database is away. */
  readonly answersWithoutDatabase?: true;
  /** Makes the handler, once for each server. */
  readonly handle: (parts: Parts) => RequestHandler<never>;
  /** The operation in the OpenAPI document, read when the document is first asked for. Absent: it is not in there. */
  readonly describe?: () => Description | readonly Description[];
}

/** A body of a request, with a sentence on when to send it. */
export interface RequestExample {
  readonly summary: string;
  readonly value: unknown;
}

type Responses = ZodOpenApiOperationObject['responses'];

/** An operation of the OpenAPI document. */
export interface Description {
  /** Only where one operation of the server is several of the document: OpenAPI has no optional path parameters. */
  readonly form?: { readonly id: string; readonly path: string };
  /** One of the tags of the document. */
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  /**
   * The accepted credentials, each by its security scheme; `{}` is a request without. Default: those of administrators
   * where other computers need them, else none.
   */
  readonly credentials?: Credentials;
  /** Path, query and header parameters. The example of a path parameter is the first of its `examples`. */
  readonly parameters?: ZodOpenApiOperationObject['requestParams'];
  readonly body?: ZodOpenApiOperationObject['requestBody'];
  /** Bodies for JSON and for forms, by name. */
  readonly examples?: Readonly<Record<string, RequestExample>>;
  readonly answers: Responses;
  /** The usual answer as sent; pages and documents have none. A test compares it with the schema of the answer. */
  readonly example?: unknown;
  /** Headers of successful answers. */
  readonly headers?: Readonly<Record<string, object>>;
  /** Codes of the refusals, besides those of the guard. */
  readonly problems?: readonly ProblemCode[];
  /** Refusals in a form of their own, instead of `problems`. */
  readonly refusals?: Responses;
  readonly callbacks?: ZodOpenApiOperationObject['callbacks'];
  /** Values that are accepted beyond a schema's own, by the name of the schema and of its property. */
  readonly accepts?: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
}

export type Credentials = readonly Readonly<Partial<Record<string, readonly string[]>>>[];

type Service = RouteAccess['service'];

/** For everybody: the operation needs the TCN of a transaction (which is a secret), or reveals nothing about anybody. */
export const forEverybody = (service: Service): RouteAccess => ({ service, remote: 'open' });

/** For callers with credentials, which the handler checks. */
export const withCredentials = (service: Service): RouteAccess => ({ service, remote: 'credentials' });

/** Programs of this computer need none; an application sends a token or its secret. */
export const ofApplications: Credentials = [{}, { accessToken: [] }, { applicationSecret: [] }, { clientSecret: [] }];

/** For holders of an administrator's token with this scope. */
export const forAdministrators = (service: Service, scope: AdministratorScope): RouteAccess => ({
  service,
  scope,
  remote: 'administrator',
});

/** For the window: a session, on this computer too. */
export const withSession: RouteAccess = { service: 'window', remote: 'session' };

/** The only example of a request. */
export const oneExample = (summary: string, value: unknown): Readonly<Record<string, RequestExample>> => ({
  usual: { summary, value },
});
