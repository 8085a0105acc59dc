/** A certification authority for tests and demonstrations; nothing that it issues has legal value. */
export { TestAuthorityError, type TestAuthorityErrorCode } from './errors.ts';
export type { TestCompanyData, TestPersonData } from './icp-brasil-names.ts';
export {
  issueTestCompany,
  issueTestPerson,
  type TestCertificateType,
  type TestCompanyRequest,
  type TestPersonRequest,
} from './issue-identities.ts';
export type { TestKeyKind } from './key-pairs.ts';
export {
  createTestAuthority,
  issueTestCertificate,
  type TestAuthority,
  type TestAuthorityOptions,
  type TestAuthorityUrls,
  type TestCertificateRequest,
  type TestIdentity,
  type TestIssueOptions,
} from './test-authority.ts';
export { writePkcs12, type WritePkcs12Options } from './write-pkcs12.ts';
