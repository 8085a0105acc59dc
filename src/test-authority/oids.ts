/** Object identifiers for writing certificates only, besides those of the signing core. */
export const AuthorityOid = {
  // Extensions and access methods (RFC 5280 §4.2, §4.2.2.1)
  crlDistributionPoints: '2.5.29.31',
  authorityInformationAccess: '1.3.6.1.5.5.7.1.1',
  ocsp: '1.3.6.1.5.5.7.48.1',
  caIssuers: '1.3.6.1.5.5.7.48.2',
  cpsQualifier: '1.3.6.1.5.5.7.2.1',

  // Revocation lists (RFC 5280 §5.2, §5.3)
  crlNumber: '2.5.29.20',
  reasonCode: '2.5.29.21',
  issuingDistributionPoint: '2.5.29.28',
  certificateIssuer: '2.5.29.29',

  // OCSP (RFC 6960 §4.2.1, §4.2.2.2.1, §4.4.1)
  basicOcspResponse: '1.3.6.1.5.5.7.48.1.1',
  ocspNonce: '1.3.6.1.5.5.7.48.1.2',
  ocspNoCheck: '1.3.6.1.5.5.7.48.1.5',

  // Hash functions (RFC 9688 §2)
  'sha3-256': '2.16.840.1.101.3.4.2.8',
  'sha3-384': '2.16.840.1.101.3.4.2.9',
  'sha3-512': '2.16.840.1.101.3.4.2.10',

  // Policies of the test authority, below the arc for examples (ITU-T X.660 Annex A)
  testServerPolicy: '2.999.1',
  testTimestampPolicy: '2.999.2',

  // Key purposes (RFC 5280 §4.2.1.12)
  serverAuthentication: '1.3.6.1.5.5.7.3.1',
  clientAuthentication: '1.3.6.1.5.5.7.3.2',
  emailProtection: '1.3.6.1.5.5.7.3.4',

  // PKCS#12 and PKCS#5 (RFC 7292, RFC 8018)
  encryptedData: '1.2.840.113549.1.7.6',
  shroudedKeyBag: '1.2.840.113549.1.12.10.1.2',
  certificateBag: '1.2.840.113549.1.12.10.1.3',
  x509Certificate: '1.2.840.113549.1.9.22.1',
  friendlyName: '1.2.840.113549.1.9.20',
  localKeyId: '1.2.840.113549.1.9.21',
  pbes2: '1.2.840.113549.1.5.13',
  pbkdf2: '1.2.840.113549.1.5.12',
  hmacWithSha256: '1.2.840.113549.2.9',
  aes256Cbc: '2.16.840.1.101.3.4.1.42',
} as const;
