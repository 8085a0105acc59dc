/** Every object identifier of the signing core in one table; the comment of a group names its standard. */
export const Oid = {
  // CMS content types (RFC 5652 §4, §5)
  data: '1.2.840.113549.1.7.1',
  signedData: '1.2.840.113549.1.7.2',
  timeStampInfo: '1.2.840.113549.1.9.16.1.4',

  // Attributes (RFC 5652 §11, RFC 5035 §3 and §5)
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingTime: '1.2.840.113549.1.9.5',
  signingCertificate: '1.2.840.113549.1.9.16.2.12',
  signingCertificateV2: '1.2.840.113549.1.9.16.2.47',

  // Hash functions (RFC 3370 §2.1, RFC 5754 §2, RFC 8702 §2, RFC 8419 §2.3)
  sha1: '1.3.14.3.2.26',
  sha256: '2.16.840.1.101.3.4.2.1',
  sha384: '2.16.840.1.101.3.4.2.2',
  sha512: '2.16.840.1.101.3.4.2.3',
  shake256: '2.16.840.1.101.3.4.2.12',
  shake256WithLength: '2.16.840.1.101.3.4.2.18',

  // RSA (RFC 8017 appendix C)
  rsaEncryption: '1.2.840.113549.1.1.1',
  sha1WithRsa: '1.2.840.113549.1.1.5',
  mgf1: '1.2.840.113549.1.1.8',
  rsassaPss: '1.2.840.113549.1.1.10',
  sha256WithRsa: '1.2.840.113549.1.1.11',
  sha384WithRsa: '1.2.840.113549.1.1.12',
  sha512WithRsa: '1.2.840.113549.1.1.13',

  // Elliptic curves (RFC 5480 §2, RFC 5758 §3.2, RFC 8410 §3)
  ecPublicKey: '1.2.840.10045.2.1',
  ecdsaWithSha1: '1.2.840.10045.4.1',
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
  ecdsaWithSha384: '1.2.840.10045.4.3.3',
  ecdsaWithSha512: '1.2.840.10045.4.3.4',
  ed25519: '1.3.101.112',
  ed448: '1.3.101.113',

  // Distinguished names (RFC 4519 §2, RFC 2985 §5, RFC 4519 §2.4)
  commonName: '2.5.4.3',
  surname: '2.5.4.4',
  serialNumber: '2.5.4.5',
  countryName: '2.5.4.6',
  localityName: '2.5.4.7',
  stateOrProvinceName: '2.5.4.8',
  streetAddress: '2.5.4.9',
  organizationName: '2.5.4.10',
  organizationalUnitName: '2.5.4.11',
  title: '2.5.4.12',
  givenName: '2.5.4.42',
  organizationIdentifier: '2.5.4.97',
  emailAddress: '1.2.840.113549.1.9.1',
  userId: '0.9.2342.19200300.100.1.1',
  domainComponent: '0.9.2342.19200300.100.1.25',

  // Certificate extensions (RFC 5280 §4.2)
  subjectKeyIdentifier: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAlternativeName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  certificatePolicies: '2.5.29.32',
  authorityKeyIdentifier: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',

  // Key purposes (RFC 5280 §4.2.1.12)
  timeStamping: '1.3.6.1.5.5.7.3.8',
  ocspSigning: '1.3.6.1.5.5.7.3.9',

  // ICP-Brasil other names (DOC-ICP-04 §7.1.2.3)
  icpBrasilPerson: '2.16.76.1.3.1',
  icpBrasilResponsibleName: '2.16.76.1.3.2',
  icpBrasilCnpj: '2.16.76.1.3.3',
  icpBrasilResponsible: '2.16.76.1.3.4',
  icpBrasilVoterId: '2.16.76.1.3.5',
  icpBrasilPersonCei: '2.16.76.1.3.6',
  icpBrasilCompanyCei: '2.16.76.1.3.7',
  icpBrasilCompanyName: '2.16.76.1.3.8',

  // ICP-Brasil certificate policies of electronic seals, kept in software and in hardware (Resolução 211/2024)
  icpBrasilSealSoftware: '2.16.76.1.2.201',
  icpBrasilSealHardware: '2.16.76.1.2.202',
} as const;
