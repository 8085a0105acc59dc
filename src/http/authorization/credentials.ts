import type { Request, Response } from 'express';
import type { Requester } from '../../service/transactions/index.ts';
import { siteOf, attemptOriginOf } from '../guard-request.ts';
import type { Applications } from '../../service/applications/index.ts';
import {
  authorityFor,
  authorityOf,
  type Authority,
  type Authorization,
  type DecidingPerson,
} from '../../service/authorization/index.ts';
import { ServiceError } from '../../service/errors/index.ts';
import { isTaxpayerNumber, type Accounts } from '../../service/users/index.ts';
import { HttpError } from '../http-error.ts';
import { readPair, type Pair } from './oauth-library.ts';

/** Longest displayed name of a program. */
const nameLimit = 80;

/**
 * The requester for the approval: a site by its origin, confirmed by its browser; a program by its own user agent,
 * without control or direction characters.
 */
export function requesterOf(request: Request, response: Response): Requester {
  const site = siteOf(response);
  if (site !== undefined) return { kind: 'site', name: site };
  if (response.locals.caller === 'own-page') return { kind: 'user-interface', name: 'A page of Sinete' };
  const product = (request.get('User-Agent') ?? '').replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '').trim();
  return { kind: 'native-program', name: product === '' ? 'A program on this computer' : product.slice(0, nameLimit) };
}

/** Services for checking credentials. */
export interface CredentialServices {
  readonly accounts: Pick<Accounts, 'authenticate'>;
  readonly applications: Pick<Applications, 'find' | 'authenticate'>;
  readonly authorization: Pick<Authorization, 'readToken' | 'useForSigning' | 'issueSession'>;
  /** The selected user of this computer. */
  readonly selectedUser: () => Promise<DecidingPerson | undefined>;
}

/** The creator of a transaction, and the permissions of the credentials. */
export interface IdentifiedCaller {
  readonly requester: Requester;
  /** Undefined: a program of the computer's user, without credentials. */
  readonly authority: Authority | undefined;
  /** Separates the idempotency keys of different callers; undefined without credentials. */
  readonly principal: string | undefined;
  /** The calling application, or the application of the token; its secret signs notifications. */
  readonly clientId?: string;
}

/** The `Authorization` header as contract and interface name its forms. */
type Credentials =
  | { readonly kind: 'none' }
  | { readonly kind: 'basic'; readonly username: string; readonly password: string }
  | { readonly kind: 'bearer'; readonly token: string }
  | { readonly kind: 'application'; readonly clientId: string; readonly clientSecret: string };

/**
 * Reads and checks the credentials of endpoint 1: `Basic` (CPF or CNPJ and one-time password), `Bearer` (access token),
 * `Sinete` (client id and secret, for the selected user), or none. A requested session token is put into the answer's
 * `X-Session-Token`. Rejects with `CREDENTIALS_INVALID` (401) and `TOO_MANY_ATTEMPTS`.
 */
export async function identifyCaller(
  services: CredentialServices,
  request: Request,
  response: Response,
): Promise<IdentifiedCaller> {
  const credentials = readCredentials(request.get('Authorization'));
  switch (credentials.kind) {
    case 'none':
      return { requester: requesterOf(request, response), authority: undefined, principal: undefined };
    case 'basic':
      return identifyPerson(services, credentials, request, response);
    case 'bearer':
      return identifyBearer(services, credentials.token, request, response);
    case 'application':
      return identifyApplication(services, credentials);
  }
}

/** Splits the header without checking its parts. */
export function readCredentials(header: string | undefined): Credentials {
  if (header === undefined || header.trim() === '') return { kind: 'none' };
  const [, scheme = '', value = ''] = /^\s*(\S+)\s*(.*?)\s*$/s.exec(header) ?? [];
  switch (scheme.toLowerCase()) {
    case 'basic': {
      const { name, secret } = expectPair(value);
      return { kind: 'basic', username: name, password: secret };
    }
    case 'bearer':
      if (/^[A-Za-z0-9._~+/-]+=*$/.test(value)) return { kind: 'bearer', token: value };
      throw invalid('Behind Bearer stands the access token, and nothing else.', 'Bearer', 'invalid_request');
    case 'sinete': {
      const { name, secret } = expectPair(value);
      return { kind: 'application', clientId: name, clientSecret: secret };
    }
    default:
      throw invalid(
        'Use Authorization: Basic (CPF or CNPJ, and one-time password), Bearer (access token) or Sinete (client id and secret).',
      );
  }
}

function expectPair(value: string): Pair {
  const pair = readPair(value);
  if (pair === undefined) throw invalid('Behind the scheme stands the base64 of name, colon and secret.');
  return pair;
}

async function identifyPerson(
  services: CredentialServices,
  { username, password }: { readonly username: string; readonly password: string },
  request: Request,
  response: Response,
): Promise<IdentifiedCaller> {
  if (!isTaxpayerNumber(username) && (await services.applications.find(username)) !== undefined) {
    throw invalid(
      'This is the client id of an application: send it as "Authorization: Sinete base64(client_id:client_secret)".',
    );
  }
  const options = readSessionOptions(request);
  const person = await services.accounts
    .authenticate(username, password, attemptOriginOf(response))
    .catch((error: unknown) => {
      if (error instanceof ServiceError && error.code === 'INVALID_CREDENTIALS') throw invalid(error.message);
      throw error;
    });
  if (options.wanted) {
    const { accessToken } = await services.authorization.issueSession(person.username, options.lifetime);
    response.set('X-Session-Token', accessToken);
  }
  const requester = requesterOf(request, response);
  return { requester, authority: authorityFor(person.username), principal: `person:${person.username}` };
}

async function identifyBearer(
  { authorization, applications, selectedUser }: CredentialServices,
  token: string,
  request: Request,
  response: Response,
): Promise<IdentifiedCaller> {
  const grant = await authorization.readToken(token);
  if (grant === undefined) {
    const detail = 'The access token is unknown, over or revoked: ask the user for another one.';
    throw invalid(detail, 'Bearer', 'invalid_token');
  }
  const application = grant.clientId === null ? undefined : await applications.find(grant.clientId);
  const requester: Requester =
    application === undefined ? requesterOf(request, response) : { kind: 'application', name: application.name };
  // A token without a person acts for the selected user, like its application.
  const person = grant.username ?? (await selectedUser())?.username;
  return {
    ...{ requester, authority: authorityOf(authorization, grant, person), principal: `token:${grant.id}` },
    ...(grant.clientId === null ? {} : { clientId: grant.clientId }),
  };
}

async function identifyApplication(
  { applications, selectedUser }: CredentialServices,
  { clientId, clientSecret }: { readonly clientId: string; readonly clientSecret: string },
): Promise<IdentifiedCaller> {
  const application = await applications.authenticate(clientId, clientSecret);
  if (application === undefined) throw invalid('Client id or client secret is wrong.', 'Sinete');
  const user = await selectedUser();
  return {
    requester: { kind: 'application', name: application.name },
    authority: authorityFor(user?.username, clientId),
    principal: `application:${clientId}`,
    clientId,
  };
}

/**
 * `X-Session-Options: lifetime=600;return_access_token=true`; other clients send these options under two other names.
 */
function readSessionOptions(request: Request): { readonly wanted: boolean; readonly lifetime: number | undefined } {
  const text = ['X-Session-Options', 'VCSchemaCfg', 'VCSchemaData'].map((name) => request.get(name)).find(Boolean);
  const entries = (text ?? '').split(/[;,]/).map((part) => {
    const [name = '', value = ''] = part.split('=', 2);
    return [name.trim().toLowerCase(), value.trim().toLowerCase()] as const;
  });
  const options = new Map(entries);
  const lifetime = options.get('lifetime');
  if (lifetime !== undefined && !/^[1-9]\d{0,11}$/.test(lifetime)) {
    throw new HttpError('REQUEST_MALFORMED', 'lifetime in X-Session-Options: give a whole number of seconds.');
  }
  return {
    wanted: options.get('return_access_token') === 'true',
    lifetime: lifetime === undefined ? undefined : Number(lifetime),
  };
}

/** 401 with the supported schemas (RFC 9110 §11.6.1); the schema in use comes first, with the reason. */
function invalid(detail: string, used?: 'Bearer' | 'Sinete', error?: string): HttpError {
  const schemas = ['Basic', 'Bearer', 'Sinete'] as const;
  const challenges = schemas
    .toSorted((one, other) => Number(other === used) - Number(one === used))
    .map((schema) => challengeOf(schema, schema === used ? error : undefined));
  return new HttpError('CREDENTIALS_INVALID', detail, { headers: { 'WWW-Authenticate': challenges.join(', ') } });
}

function challengeOf(schema: 'Basic' | 'Bearer' | 'Sinete', error: string | undefined): string {
  const charset = schema === 'Basic' ? ', charset="UTF-8"' : '';
  return `${schema} realm="Sinete"${charset}${error === undefined ? '' : `, error="${error}"`}`;
}
