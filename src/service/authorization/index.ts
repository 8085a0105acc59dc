/** Sessions, tokens and the authorize page. */
export { applicationOfCaller, authorityFor, authorityOf, type ApprovalGround, type Authority } from './authority.ts';
export {
  AuthorizationRequests,
  type AuthorizationDetails,
  type AuthorizationRequest,
  type DecidingPerson,
  type WaitingAuthorization,
} from './authorization-requests.ts';
export {
  SCOPES,
  type AccessGrant,
  type Authorization,
  type CodeGrant,
  type HashCallClaim,
  type HashPermission,
  type HashUse,
  type IssuedToken,
  type RefreshGrant,
  type Scope,
} from './authorization.ts';
export { PushedRequests, pushedLifetime } from './pushed-requests.ts';
export { isRenewable } from './refresh-tokens.ts';
export { createAuthorization, hashPermissionOf, tokenLifetime } from './create-authorization.ts';
export type { StoredCode, StoredRefreshToken, StoredToken, TokenStore } from './authorization.ts';
