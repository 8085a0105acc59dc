/** A certification authority for tests and demonstrations, without any legal value. */
export { answerOcspRequest, type TestCertificateStatus, type TestOcspOptions } from './answer-ocsp.ts';
export { answerTimestampRequest, type TestTimestampOptions } from './answer-timestamp.ts';
export { TestAuthorityError, type TestAuthorityErrorCode } from './errors.ts';
export {
  issueTestCompany,
  issueTestPerson,
  type TestCompanyRequest,
  type TestPersonRequest,
} from './issue-identities.ts';
export {
  issueTestResponder,
  issueTestServer,
  issueTestTimestampAuthority,
  type TestServerRequest,
} from './issue-services.ts';
export type { TestKeyKind } from './key-pairs.ts';
export { REVOCATION_REASONS, type TestRevocation, type TestRevocationReason } from './revocation.ts';
export {
  createTestAuthority,
  type TestAuthority,
  type TestAuthorityOptions,
  type TestAuthorityUrls,
  type TestIdentity,
  type TestIssueOptions,
} from './test-authority.ts';
export {
  DEFAULT_TEST_SERVICES_PORT,
  startTestServices,
  testServiceUrls,
  type TestRevokedCertificate,
  type TestServices,
  type TestServicesOptions,
} from './test-services.ts';
export { streamCrl, writeCrl, type TestCrlEntry, type TestCrlFields, type TestDistributionPoint } from './write-crl.ts';
export { writePkcs12 } from './write-pkcs12.ts';
