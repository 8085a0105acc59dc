import type { GuardClass } from '../local-guard.ts';

/** The operations of authorization and registry. */
export type AuthorizationOperation =
  | 'showAuthorization'
  | 'answerAuthorization'
  | 'awaitAuthorization'
  | 'issueToken'
  | 'revokeToken'
  | 'readCertificateInformation'
  | 'registerApplication';

interface AuthorizationRoute {
  readonly operation: AuthorizationOperation;
  readonly number: number | null;
  readonly method: 'get' | 'post';
  readonly paths: readonly [string];
  readonly guard: GuardClass;
  readonly body: 'json' | 'form' | 'stream' | 'none';
}

/** Endpoints 8 to 11 and their companions. */
export const authorizationRoutes: readonly AuthorizationRoute[] = [
  {
    operation: 'showAuthorization',
    number: 8,
    method: 'get',
    paths: ['/oauth/authorize'],
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
  { operation: 'issueToken', number: 9, method: 'post', paths: ['/oauth'], guard: 'token', body: 'stream' },
  { operation: 'revokeToken', number: null, method: 'post', paths: ['/oauth/revoke'], guard: 'token', body: 'stream' },
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
];
