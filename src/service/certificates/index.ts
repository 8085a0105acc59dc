/** Certificates and keys in the interface's form. */
export { aliasFor, sentenceFor, type AliasSight } from './alias-sight.ts';
export { byCertificate } from './by-certificate.ts';
export type { CertificateEntry, CertificateFindings, Finding } from './certificate-entry.ts';
export { createCertificateInformation, type CertificateInformation } from './certificate-information.ts';
export {
  findingOf,
  findKnownRevocation,
  readCertificateStatus,
  revocationSentence,
  type CertificateEvidence,
  type KnownRevocation,
} from './certificate-status.ts';
export { readDefaultCertificate, writeDefaultCertificate } from './certificate-entry.ts';
export { commonNameOf, describeCertificate, describePolicy, serialNumberHex } from './describe-certificate.ts';
export { describeKey, limitedAcceptance, placeOf, type KeyDescriptionForPeople } from './describe-key.ts';
export { holderName, maskNumberBehindName, maskedTaxpayerNumber } from './holder-name.ts';
export { maskNumbersInText } from '../../text/taxpayer-number.ts';
export { isHolder, namesTaxpayer } from './holder-name.ts';
export { signerOf, wordForSigner, type Signer } from './signer-of.ts';
export { endDay, findStaleTrust, staleTrustSentence, type StaleTrust } from './stale-trust.ts';
export { toPem } from './describe-certificate.ts';
export type {
  KeyImport,
  KeyVault,
  RevocationCache,
  RevocationCacheEntry,
  RevocationCacheKey,
  VaultEntry,
} from '../../signing/index.ts';
