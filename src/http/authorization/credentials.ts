import type { Request, Response } from 'express';
import type { Requester } from '../../service/transactions/index.ts';
import { siteOf, attemptOriginOf, isRemote } from '../guard-request.ts';
import type { Application, Applications } from '../../service/applications/index.ts';
import {
  authorityFor,
  authorityOf,
  type AccessGrant,
  type Authority,
  type Authorization,
  type DecidingPerson,
  type IssuedToken,
  type Scope,
} from '../../service/authorization/index.ts';
import { ServiceError } from '../../service/errors/index.ts';
import { isTaxpayerNumber, type Accounts } from '../../service/users/index.ts';
import { HttpError } from '../http-error.ts';
import {
  providerScheme,
  sessionAnswerHeader,
  sessionHeaderSpellings,
  sessionOptionSpellings,
} from '../client-spellings.ts';
import { readPair, splitScheme, type Pair } from './oauth-library.ts';

/** Maximum length of the displayed name of a program. */
const nameLimit = 80;

/** An address or the name of a host, in the name of a program. Versions such as `5.0` have no letters at the end. */
const ADDRESS = /:\/\/|(?:^|[^\p{L}\d.-])(?:[\p{L}\d-]+\.)+\p{L}{2,}(?![\p{L}\d])/u;

/** The letters of our own name, also with other characters between them, or replaced by similar ones. */
const OUR_NAME = /s[^\p{L}\d]*[iíìîïı1l|][^\p{L}\d]*n[^\p{L}\d]*[eéèêë3][^\p{L}\d]*t[^\p{L}\d]*[eéèêë3]/iu;

/** True for a name that a person could take for a web site or for a part of Sinete. */
function isMisleading(name: string): boolean {
  const plain = name.normalize('NFKC');
  // Letters of other scripts imitate those of this one.
  const isMixed =
    /\p{Script=Latin}/u.test(plain) && /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}]/u.test(plain);
  return isMixed || ADDRESS.test(plain) || OUR_NAME.test(plain);
}

/**
 * The requester for the approval: a site by its origin, confirmed by its browser; a program by its own user agent,
 * without control or direction characters, unless the name would mislead.
 */
export function requesterOf(request: Request, response: Response): Requester {
  const site = siteOf(response);
  if (site !== undefined) return { kind: 'site', name: site };
  if (response.locals.caller === 'own-page') return { kind: 'user-interface', name: 'A page of Sinete' };
  const product = (request.get('User-Agent') ?? '').replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '').trim();
  const unnamed = isRemote(response) ? 'A program on another computer' : 'A program on this computer';
  const name = product === '' || isMisleading(product) ? unnamed : product.slice(0, nameLimit);
  return { kind: 'native-program', name };
}

/** Services for checking credentials. */
export interface CredentialServices {
  readonly accounts: Pick<Accounts, 'authenticate'>;
  readonly applications: Pick<Applications, 'find' | 'authenticate'>;
  readonly authorization: Pick<Authorization, 'readToken' | 'useForSigning' | 'issueSession'>;
  readonly now: () => Date;
  /** True if a one-time password that comes with a create request approves its transaction. */
  readonly oneTimePasswordApproves: boolean;
  /** The selected user of this computer. */
  readonly selectedUser: () => Promise<DecidingPerson | undefined>;
}

/** The creator of a transaction, and the permissions of the credentials. */
export interface IdentifiedCaller {
  readonly requester: Requester;
  /** Undefined for a program of the computer's owner that sends no credentials. */
  readonly authority: Authority | undefined;
  /** Separates the idempotency keys of different callers; undefined for a program without credentials. */
  readonly principal: string | undefined;
  /** The calling application, or the application of the token; its secret signs notifications. */
  readonly clientId?: string;
  /** True for the credentials of a person: the person may read the person's own certificates. */
  readonly isPerson?: boolean;
  /** The scopes of the token; undefined without a token. */
  readonly scopes?: readonly Scope[];
}

/** The forms of the `Authorization` header that the interface document defines. */
type Credentials =
  | { readonly kind: 'none' }
  | { readonly kind: 'basic'; readonly username: string; readonly password: string }
  | { readonly kind: 'bearer'; readonly token: string }
  | { readonly kind: 'application'; readonly clientId: string; readonly clientSecret: string };

/**
 * Reads and checks the credentials of endpoint 1: `Basic` (CPF or CNPJ and one-time password, or client id and secret),
 * `Bearer` or `VCSchema` (access token), `Sinete` (client id and secret, for the selected user), or none. A requested session token
 * is put into a header of the answer. Rejects with `CREDENTIALS_INVALID` (401) and `TOO_MANY_ATTEMPTS`.
 */
export async function identifyCaller(
  services: CredentialServices,
  request: Request,
  response: Response,
): Promise<IdentifiedCaller> {
  const credentials = readCredentials(request.get('Authorization'));
  switch (credentials.kind) {
    case 'none':
      if (isRemote(response))
        throw invalid('From another computer every request names its caller: send Authorization.');
      return { requester: requesterOf(request, response), authority: undefined, principal: principalOfSite(response) };
    case 'basic':
      return identifyBasic(services, credentials, request, response);
    case 'bearer':
      return identifyToken(services, credentials.token, request, response);
    case 'application':
      return identifyApplication(services, { ...credentials, origin: attemptOriginOf(response) });
  }
}

/**
 * A separate principal for each site: a site that learns the Idempotency-Key and body of a program must not get that
 * program's answer.
 */
function principalOfSite(response: Response): string | undefined {
  const site = siteOf(response);
  return site === undefined ? undefined : `site:${site}`;
}

/** Splits the header without checking its parts. */
export function readCredentials(header: string | undefined): Credentials {
  if (header === undefined || header.trim() === '') return { kind: 'none' };
  const { scheme, value } = splitScheme(header);
  switch (scheme.toLowerCase()) {
    case 'basic': {
      const { name, secret } = expectPair(value);
      return { kind: 'basic', username: name, password: secret };
    }
    case 'bearer':
      if (/^[A-Za-z0-9._~+/-]+=*$/.test(value)) return { kind: 'bearer', token: value };
      throw invalid('Behind Bearer stands the access token, and nothing else.', 'Bearer', 'invalid_request');
    case providerScheme.spelling.toLowerCase(): {
      const token = tokenOfProvider(value);
      if (token !== undefined) return { kind: 'bearer', token };
      throw invalid(`Behind ${providerScheme.spelling} stands the base64 of a provider, "-|" and the access token.`);
    }
    case 'sinete': {
      const { name, secret } = expectPair(value);
      return { kind: 'application', clientId: name, clientSecret: secret };
    }
    default:
      throw invalid(
        'Use Authorization: Basic (CPF or CNPJ and one-time password, or client id and secret), Bearer (access token) or Sinete (client id and secret).',
      );
  }
}

/**
 * The access token of `VCSchema base64(<provider>-|<token>)`, as clients of other services write the service-specific
 * schema of the interface document. The provider is ignored.
 */
function tokenOfProvider(value: string): string | undefined {
  const [, token] = /^.*?-\|([A-Za-z0-9._~+/-]+=*)$/s.exec(Buffer.from(value, 'base64').toString()) ?? [];
  return token;
}

/** The access token of an `Authorization` header, in each form that names one; undefined for another header. */
export function accessTokenOf(header: string): string | undefined {
  const { scheme, value } = splitScheme(header);
  if (scheme.toLowerCase() === providerScheme.spelling.toLowerCase()) return tokenOfProvider(value);
  return /^bearer\s+([A-Za-z0-9._~+/-]+=*)$/i.exec(header)?.[1];
}

function expectPair(value: string): Pair {
  const pair = readPair(value);
  if (pair === undefined) throw invalid('Behind the scheme stands the base64 of name, colon and secret.');
  return pair;
}

/** Clients of other services also send an application's id and secret as Basic (RFC 6749 §2.3.1). */
async function identifyBasic(
  services: CredentialServices,
  pair: { readonly username: string; readonly password: string },
  request: Request,
  response: Response,
): Promise<IdentifiedCaller> {
  const { username, password } = pair;
  if (!isTaxpayerNumber(username) && (await services.applications.find(username)) !== undefined) {
    const origin = attemptOriginOf(response);
    return identifyApplication(services, { clientId: username, clientSecret: password, origin }, 'Basic');
  }
  return identifyPerson(services, pair, request, response);
}

async function identifyPerson(
  services: CredentialServices,
  { username, password }: { readonly username: string; readonly password: string },
  request: Request,
  response: Response,
): Promise<IdentifiedCaller> {
  const options = readSessionOptions(request);
  const person = await services.accounts
    .authenticate(username, password, attemptOriginOf(response))
    .catch((error: unknown) => {
      if (error instanceof ServiceError && error.code === 'INVALID_CREDENTIALS') throw invalid(error.message);
      throw error;
    });
  if (options?.wanted === true) {
    const session = await services.authorization.issueSession(person.username, options.lifetime);
    response.set(...options.answer(session, services.now()));
  }
  const requester = requesterOf(request, response);
  const approval = services.oneTimePasswordApproves ? ({ approvedBy: 'one-time-password' } as const) : {};
  return {
    requester,
    principal: `person:${person.username}`,
    isPerson: true,
    authority: authorityFor(person.username, approval),
  };
}

/** The services that read a token. */
type TokenService = 'authorization' | 'applications' | 'selectedUser' | 'now';

/** The bearer of an access token. */
export interface TokenBearer extends IdentifiedCaller {
  readonly authority: Authority;
  readonly grant: AccessGrant;
  /** The application of the token; undefined for a person's own session. */
  readonly application: Application | undefined;
}

/** The caller of an endpoint that takes access tokens only. Rejects with `CREDENTIALS_INVALID` (401). */
export async function identifyBearer(
  services: Pick<CredentialServices, TokenService>,
  request: Request,
  response: Response,
): Promise<TokenBearer> {
  const credentials = readCredentials(request.get('Authorization'));
  if (credentials.kind === 'bearer') return identifyToken(services, credentials.token, request, response);
  throw invalid("Send a person's access token: Authorization: Bearer <token>.", 'Bearer');
}

async function identifyToken(
  { authorization, applications, selectedUser, now }: Pick<CredentialServices, TokenService>,
  token: string,
  request: Request,
  response: Response,
): Promise<TokenBearer> {
  const grant = await authorization.readToken(token);
  if (grant === undefined) {
    const detail = 'The access token is unknown, over or revoked: ask the user for another one.';
    throw invalid(detail, 'Bearer', 'invalid_token');
  }
  await expectTokenOfSite(applications, grant, response);
  const application = grant.clientId === null ? undefined : await applications.find(grant.clientId);
  const requester: Requester =
    application === undefined ? requesterOf(request, response) : { kind: 'application', name: application.name };
  // A token without a person acts for the selected user, as its application does.
  const person = grant.username ?? (await selectedUser())?.username;
  return {
    requester,
    grant,
    application,
    authority: authorityOf(authorization, grant, person, now()),
    principal: `token:${grant.id}`,
    isPerson: grant.username !== null,
    scopes: grant.scopes,
    clientId: grant.clientId ?? undefined,
  };
}

async function identifyApplication(
  { applications, selectedUser }: CredentialServices,
  {
    clientId,
    clientSecret,
    origin,
  }: { readonly clientId: string; readonly clientSecret: string; readonly origin: string },
  scheme: Schema = 'Sinete',
): Promise<IdentifiedCaller> {
  const application = await applications.authenticate(clientId, clientSecret, origin);
  if (application === undefined) throw invalid('Client id or client secret is wrong.', scheme);
  const user = await selectedUser();
  return {
    requester: { kind: 'application', name: application.name },
    authority: authorityFor(user?.username, { clientId }),
    principal: `application:${clientId}`,
    clientId,
  };
}

/**
 * A page may use the tokens of its own application only: a page that has stolen a token is recognized by the origin
 * that its browser reports. Tokens without an application, and callers other than pages, are not checked.
 */
export async function expectTokenOfSite(
  applications: Pick<Applications, 'find'>,
  { clientId }: { readonly clientId: string | null },
  response: Response,
): Promise<void> {
  const site = siteOf(response);
  if (site === undefined || clientId === null) return;
  const application = await applications.find(clientId);
  const origins = (application?.redirectUris ?? []).map((uri) => URL.parse(uri)?.origin);
  if (origins.includes(site)) return;
  const detail = 'This token belongs to an application whose redirect addresses are not at your origin.';
  throw invalid(detail, 'Bearer', 'invalid_token');
}

/** The request for a session token, and the header that returns the token. */
interface SessionOptions {
  readonly wanted: boolean;
  /** Seconds. */
  readonly lifetime: number | undefined;
  /** Name and value of the header with the token. */
  readonly answer: (session: IssuedToken, now: Date) => readonly [name: string, value: string];
}

/** The answer's header for each name of the request's header. */
const sessionHeaders: Readonly<Record<string, SessionOptions['answer']>> = {
  'X-Session-Options': ({ accessToken }) => ['X-Session-Token', accessToken],
  ...Object.fromEntries(sessionHeaderSpellings.map(({ spelling }) => [spelling, sessionData])),
};

/** `<token>;<lifetime in seconds>;<provider>`, the form that existing clients read. */
function sessionData({ accessToken, expiresAt }: IssuedToken, now: Date): readonly [string, string] {
  const seconds = Math.max(0, Math.round((expiresAt.getTime() - now.getTime()) / 1000));
  return [sessionAnswerHeader.spelling, `${accessToken};${seconds};Sinete`];
}

const optionName = (name: string): string => name.trim().toLowerCase().replaceAll('_', '');

/** The option that asks for the token. */
const wantedOptions = ['return_access_token', ...sessionOptionSpellings.map(({ spelling }) => spelling)].map(
  optionName,
);

/**
 * `X-Session-Options: lifetime=600;return_access_token=true`; existing clients send `VCSchemaCfg:
 * lifetime=600;returnAccessToken=true`. Other options are ignored: a token ends with its lifetime, whatever
 * `autoRevoke` says. Undefined without such a header.
 */
function readSessionOptions(request: Request): SessionOptions | undefined {
  const found = Object.entries(sessionHeaders).find(([header]) => (request.get(header) ?? '') !== '');
  if (found === undefined) return undefined;
  const [header, answer] = found;
  const entries = (request.get(header) ?? '').split(/[;,]/).map((part) => {
    const [name = '', value = ''] = part.split('=', 2);
    return [optionName(name), value.trim().toLowerCase()] as const;
  });
  const options = new Map(entries);
  const lifetime = options.get('lifetime');
  if (lifetime !== undefined && !/^[1-9]\d{0,11}$/.test(lifetime)) {
    throw new HttpError('REQUEST_MALFORMED', `lifetime in ${header}: give a whole number of seconds.`);
  }
  return {
    answer,
    wanted: wantedOptions.some((name) => options.get(name) === 'true'),
    lifetime: lifetime === undefined ? undefined : Number(lifetime),
  };
}

type Schema = 'Basic' | 'Bearer' | 'Sinete';

/** 401 with the supported schemes (RFC 9110 §11.6.1). The scheme of the request comes first, with the reason. */
function invalid(detail: string, used?: Schema, error?: string): HttpError {
  const schemas: readonly Schema[] = ['Basic', 'Bearer', 'Sinete'];
  const challenges = schemas
    .toSorted((one, other) => Number(other === used) - Number(one === used))
    .map((schema) => challengeOf(schema, schema === used ? error : undefined));
  return new HttpError('CREDENTIALS_INVALID', detail, { headers: { 'WWW-Authenticate': challenges.join(', ') } });
}

function challengeOf(schema: Schema, error: string | undefined): string {
  const charset = schema === 'Basic' ? ', charset="UTF-8"' : '';
  return `${schema} realm="Sinete"${charset}${error === undefined ? '' : `, error="${error}"`}`;
}
