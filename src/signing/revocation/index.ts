export { createMemoryRevocationCache, type MemoryRevocationCacheOptions } from './cache/revocation-cache.ts';
export type * from './cache/revocation-cache.ts';
export { createPathCompleter, type IssuerFetchOptions, type PathCompleter } from './complete-path.ts';
export type { CrlEntry } from './crl/crl-scanner.ts';
export type { CrlExtensions, CrlScope } from './crl/crl-head.ts';
export { CrlIndex, type CrlOptions } from './crl/crl-index.ts';
export { createMaterialCollector, type MaterialCollectorOptions } from './material-collector.ts';
export {
  readBasicResponse,
  unwrapOcspResponse,
  type BasicResponse,
  type SingleAnswer,
} from './ocsp/read-ocsp-response.ts';
export { verifyOcspResponse, type OcspExpectation, type VerifiedAnswer } from './ocsp/verify-ocsp-response.ts';
export { writeOcspRequest, type OcspQuestion } from './ocsp/certificate-id.ts';
export {
  createRevocationChecker,
  type RevocationChecker,
  type RevocationCheckerOptions,
  type RevocationRequest,
} from './revocation-checker.ts';
export type { RevocationReason } from './revocation-result.ts';
export type * from './revocation-result.ts';
export { readRevocationSources, type RevocationSources } from './revocation-sources.ts';
export type * from './revocation-result.ts';
