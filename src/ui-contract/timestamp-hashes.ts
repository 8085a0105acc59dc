/** Hash functions of time stamps that a person chooses from. */
export const timestampHashes = ['sha256', 'sha384', 'sha512', 'sha3-256', 'sha3-384', 'sha3-512'] as const;

export type TimestampDigest = (typeof timestampHashes)[number];
