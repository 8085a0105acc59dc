/** The sites with permission to call this instance, and the questions to the user. */
export { isApprovedCaller, isCallerName, isNamedApplication, isPlainHttpOrigin } from './approved-callers.ts';
export type { ConsentStore, GrantUses } from './consent.ts';
export {
  GRANT_SCOPES,
  type Consent,
  type ConsentOutcome,
  type ConsentQuestion,
  type GrantScope,
  type SiteGrant,
  type StandingApproval,
} from './consent.ts';
export { FILE_ACCESS, type ConfiguredFileGrant, type FileGrant } from './file-grants.ts';
export type { ConfiguredSite } from './grants.ts';
export { openConsent, type ConsentDependencies, type RefreshedConsent } from './open-consent.ts';
