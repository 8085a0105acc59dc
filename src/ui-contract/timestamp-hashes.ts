/** Hash functions of time stamps that the window offers. */
export const timestampHashes = ['sha256', 'sha384', 'sha512', 'sha3-256', 'sha3-384', 'sha3-512'] as const;

export type TimestampDigest = (typeof timestampHashes)[number];
