/** A certification authority for tests and demonstrations; nothing that it issues has legal value. */
export { TestAuthorityError, type TestAuthorityErrorCode } from './errors.ts';
export {
  issueTestCompany,
  issueTestPerson,
  type TestCompanyRequest,
  type TestPersonRequest,
} from './issue-identities.ts';
export type { TestKeyKind } from './key-pairs.ts';
export {
  createTestAuthority,
  type TestAuthority,
  type TestAuthorityOptions,
  type TestAuthorityUrls,
  type TestIdentity,
} from './test-authority.ts';
export { writePkcs12 } from './write-pkcs12.ts';
