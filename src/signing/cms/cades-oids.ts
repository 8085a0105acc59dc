/** Object identifiers of CAdES attributes and their contents; the comment of a group names its standard. */
export const CadesOid = {
  // Signed attributes (EN 319 122-1 §5.2; RFC 5035 §2.9; RFC 5126 §5.8, §5.10, §5.11)
  contentHints: '1.2.840.113549.1.9.16.2.4',
  signaturePolicyIdentifier: '1.2.840.113549.1.9.16.2.15',
  commitmentTypeIndication: '1.2.840.113549.1.9.16.2.16',
  signerLocation: '1.2.840.113549.1.9.16.2.17',
  contentTimeStamp: '1.2.840.113549.1.9.16.2.20',
  mimeType: '0.4.0.1733.2.1',
  signerAttributesV2: '0.4.0.19122.1.1',
  /** Qualifier of a policy: the address of its file (RFC 5126 §5.8.1). */
  policyAddress: '1.2.840.113549.1.9.16.5.1',

  // Signed attribute of PDFs (ISO 32000-2 §12.8.3.3.2)
  adobeRevocationInfoArchival: '1.2.840.113583.1.1.8',

  // Unsigned attributes (RFC 5652 §11.4; RFC 5126 §6; EN 319 122-1 §5.5 and annex A)
  counterSignature: '1.2.840.113549.1.9.6',
  signatureTimeStamp: '1.2.840.113549.1.9.16.2.14',
  certificateReferences: '1.2.840.113549.1.9.16.2.21',
  revocationReferences: '1.2.840.113549.1.9.16.2.22',
  certificateValues: '1.2.840.113549.1.9.16.2.23',
  revocationValues: '1.2.840.113549.1.9.16.2.24',
  referencesTimeStamp: '1.2.840.113549.1.9.16.2.25',
  /** The first version, superseded by version 2 (RFC 5126 §6.4.1). */
  archiveTimeStamp: '1.2.840.113549.1.9.16.2.27',
  archiveTimeStampV2: '1.2.840.113549.1.9.16.2.48',
  archiveTimeStampV3: '0.4.0.1733.2.4',
  /** Evidence records over the message, and over message and detached content (RFC 4998 appendix A). */
  evidenceRecordInternal: '1.2.840.113549.1.9.16.2.49',
  evidenceRecordExternal: '1.2.840.113549.1.9.16.2.50',
  archiveHashIndex: '0.4.0.1733.2.5',
  archiveHashIndexV3: '0.4.0.19122.1.5',

  // Commitments (RFC 5126 §5.11.1)
  proofOfOrigin: '1.2.840.113549.1.9.16.6.1',
  proofOfReceipt: '1.2.840.113549.1.9.16.6.2',
  proofOfDelivery: '1.2.840.113549.1.9.16.6.3',
  proofOfSender: '1.2.840.113549.1.9.16.6.4',
  proofOfApproval: '1.2.840.113549.1.9.16.6.5',
  proofOfCreation: '1.2.840.113549.1.9.16.6.6',

  // Revocation data in SignedData (RFC 5940 §2.1; RFC 6960 §4.2.1; RFC 5280 §5.2.3)
  ocspRevocationInfo: '1.3.6.1.5.5.7.16.2',
  basicOcspResponse: '1.3.6.1.5.5.7.48.1.1',
  crlNumber: '2.5.29.20',
} as const;

/** True for the attributes with an evidence record (RFC 4998 appendix A). */
export const isEvidenceRecordType = (oid: string): boolean =>
  oid === CadesOid.evidenceRecordInternal || oid === CadesOid.evidenceRecordExternal;
