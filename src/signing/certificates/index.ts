export type * from './certificate.ts';
export {
  readCertificatePolicies,
  readCertificateSignature,
  readCertificateVersion,
  readEmailAddress,
  readPublicKeyFacts,
  type CertificatePolicy,
  type PublicKeyFacts,
} from './certificate-details.ts';
export { readIcpBrasilIdentity } from './icp-brasil.ts';
export { parseCertificate } from './parse-certificate.ts';
export { isValidCnpj, isValidCpf, maskTaxpayerNumber, normalizeTaxpayerNumber } from '../../text/taxpayer-number.ts';
export * from './path/index.ts';
export * from './trust/index.ts';
