import type { DocumentHash } from '../../service/transactions/index.ts';

/** A hash function. */
export type DigestAlgorithm = DocumentHash['digest'];

/** Hash functions by their OIDs (RFC 8017 A.2.4, NIST CSOR). */
export const digestOids = {
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
} as const satisfies Readonly<Record<string, DigestAlgorithm>>;

/** The hash function of an OID, or of a name such as `SHA-256`; undefined for another one. */
export function readDigestName(name: string): DigestAlgorithm | undefined {
  const byOid: Readonly<Record<string, DigestAlgorithm>> = digestOids;
  const text = name.trim();
  const plain = text.toLowerCase().replaceAll(/[-_]/g, '');
  return Object.hasOwn(byOid, text) ? byOid[text] : Object.values(byOid).find((digest) => digest === plain);
}
