import type { RequestHandler } from 'express';
import type { Applications } from '../../service/applications/index.ts';
import type { CertificateInformation } from '../../service/certificates/index.ts';
import { changeApplication, readApplication, registerApplication } from '../registry/applications.ts';
import { answerAuthorization, awaitAuthorization, showAuthorization, type AuthorizeServices } from './authorize.ts';
import { readCertificateInformation } from './certificate-info.ts';
import { pushRequest } from './push-request.ts';
import { describeServer, introspectToken, issueToken, revokeToken } from './token.ts';
import type { GuardClass } from '../local-guard.ts';

/** Services of endpoints 8 to 11. */
export interface AuthorizationServices extends AuthorizeServices {
  readonly applications: Applications;
  readonly certificates: CertificateInformation;
  readonly now: () => Date;
  /** True if a one-time password that comes with a create request approves its transaction. */
  readonly oneTimePasswordApproves: boolean;
}

/** The handlers of endpoints 8 to 11 and of their companions. */
export function authorizationHandlers(services: AuthorizationServices): Record<AuthorizationOperation, RequestHandler> {
  const { now, onFault, applications } = services;
  return {
    showAuthorization: showAuthorization(services),
    answerAuthorization: answerAuthorization(services),
    awaitAuthorization: awaitAuthorization(services),
    issueToken: issueToken(services, now, onFault),
    revokeToken: revokeToken(services, onFault),
    introspectToken: introspectToken(services, onFault),
    pushRequest: pushRequest(services, onFault),
    describeServer,
    readCertificateInformation: readCertificateInformation(services, services.certificates),
    registerApplication: registerApplication(applications),
    readApplication: readApplication(applications) as unknown as RequestHandler,
    changeApplication: changeApplication(applications) as unknown as RequestHandler,
  };
}

/** The operations of authorization and registry. */
export type AuthorizationOperation =
  | 'showAuthorization'
  | 'answerAuthorization'
  | 'awaitAuthorization'
  | 'issueToken'
  | 'revokeToken'
  | 'introspectToken'
  | 'pushRequest'
  | 'describeServer'
  | 'readCertificateInformation'
  | 'registerApplication'
  | 'readApplication'
  | 'changeApplication';

interface AuthorizationRoute {
  readonly operation: AuthorizationOperation;
  readonly number: number | null;
  readonly method: 'get' | 'post' | 'put';
  /** All forms of the path; the first is the one in the interface document. */
  readonly paths: readonly [string, ...string[]];
  readonly guard: GuardClass;
  readonly body: 'json' | 'form' | 'stream' | 'none';
}

/** Paths that existing clients use for endpoint 9. */
const tokenAliases = ['/oauth/token', '/v0/oauth/token', '/oauth/pwd_authorize', '/v0/oauth/pwd_authorize'] as const;

/** Endpoints 8 to 11 and their companions. */
export const authorizationRoutes: readonly AuthorizationRoute[] = [
  {
    operation: 'showAuthorization',
    number: 8,
    method: 'get',
    paths: ['/oauth/authorize', '/v0/oauth/authorize'],
    guard: 'form',
    body: 'none',
  },
  {
    operation: 'answerAuthorization',
    number: null,
    method: 'post',
    paths: ['/oauth/authorize'],
    guard: 'form',
    body: 'form',
  },
  {
    operation: 'awaitAuthorization',
    number: null,
    method: 'get',
    paths: ['/oauth/authorize/waiting'],
    guard: 'page',
    body: 'none',
  },
  // The handlers read their bodies themselves, because errors of a body have the form of RFC 6749 §5.2.
  {
    operation: 'issueToken',
    number: 9,
    method: 'post',
    paths: ['/oauth', ...tokenAliases],
    guard: 'token',
    body: 'stream',
  },
  { operation: 'revokeToken', number: null, method: 'post', paths: ['/oauth/revoke'], guard: 'token', body: 'stream' },
  {
    operation: 'introspectToken',
    number: null,
    method: 'post',
    paths: ['/oauth/introspect'],
    guard: 'api',
    body: 'stream',
  },
  { operation: 'pushRequest', number: null, method: 'post', paths: ['/oauth/par'], guard: 'token', body: 'stream' },
  {
    operation: 'describeServer',
    number: null,
    method: 'get',
    paths: ['/.well-known/oauth-authorization-server'],
    guard: 'discovery',
    body: 'none',
  },
  // The token is the permission: a site with a token needs no grant.
  {
    operation: 'readCertificateInformation',
    number: 10,
    method: 'get',
    paths: ['/certificate/info'],
    guard: 'token',
    body: 'none',
  },
  {
    operation: 'registerApplication',
    number: 11,
    method: 'post',
    paths: ['/v0/oauth/application'],
    guard: 'api',
    body: 'json',
  },
  {
    operation: 'readApplication',
    number: null,
    method: 'get',
    paths: ['/applications/:clientId'],
    guard: 'api',
    body: 'none',
  },
  {
    operation: 'changeApplication',
    number: null,
    method: 'put',
    paths: ['/applications/:clientId'],
    guard: 'api',
    body: 'json',
  },
];
