/** Object identifiers of long-term evidence in PDFs. */
export const LongTermOid = {
  // RFC 3161 Appendix A
  signatureTimestamp: '1.2.840.113549.1.9.16.2.14',
  // ISO 32000-2 §12.8.3.3.2
  adobeRevocationInfoArchival: '1.2.840.113583.1.1.8',
} as const;
