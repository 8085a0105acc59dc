/** Object identifiers of revocation: CRL extensions (RFC 5280 §5.2, §5.3), access methods and OCSP (RFC 6960, RFC 9654). */
export const RevocationOid = {
  authorityKeyIdentifier: '2.5.29.35',
  crlNumber: '2.5.29.20',
  reasonCode: '2.5.29.21',
  invalidityDate: '2.5.29.24',
  deltaCrlIndicator: '2.5.29.27',
  issuingDistributionPoint: '2.5.29.28',
  certificateIssuer: '2.5.29.29',
  crlDistributionPoints: '2.5.29.31',
  expiredCertificatesOnCrl: '2.5.29.60',
  authorityInformationAccess: '1.3.6.1.5.5.7.1.1',
  ocsp: '1.3.6.1.5.5.7.48.1',
  caIssuers: '1.3.6.1.5.5.7.48.2',
  basicOcspResponse: '1.3.6.1.5.5.7.48.1.1',
  ocspNonce: '1.3.6.1.5.5.7.48.1.2',
  ocspNoCheck: '1.3.6.1.5.5.7.48.1.5',
  archiveCutoff: '1.3.6.1.5.5.7.48.1.6',
} as const;
