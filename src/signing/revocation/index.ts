export { CrlIndex, type CrlOptions } from './crl/crl-index.ts';
export type { CrlEntry } from './crl/crl-entry.ts';
export type { CrlExtensions, CrlScope } from './crl/crl-head.ts';
export type { RevocationReason } from './revocation-reason.ts';
export type * from './validation-material.ts';
