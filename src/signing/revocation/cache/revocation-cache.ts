import type { RevocationProblemCode } from '../revocation-result.ts';

/** The subject of a stored answer. The issuer's key is part of the key, because names do not identify issuers. */
export interface RevocationCacheKey {
  /** Lower-case hex SHA-256 of the issuer's SubjectPublicKeyInfo. */
  readonly issuerKey: string;
  readonly kind: 'ocsp' | 'crl' | 'issuer';
  /** Of OCSP the hex serial number; of CRLs and of issuers' certificates the address. */
  readonly locator: string;
}

/** A stored entry. CRLs and OCSP responses were verified with the issuer's key before. */
export type RevocationCacheEntry =
  | {
      readonly kind: 'data';
      /** DER of a CertificateList or a BasicOCSPResponse; for issuers, the fetched file unchanged. */
      readonly der: Buffer;
      /** Of a CRL: its serialised index (`CrlIndex.serialize`). */
      readonly index?: Buffer;
      readonly freshUntil: Date;
    }
  | {
      /**
       * The data could not be fetched; kept for about a minute, so that an unavailable authority is not asked
       * repeatedly.
       */
      readonly kind: 'failure';
      readonly code: RevocationProblemCode;
      readonly sentence: string;
      readonly freshUntil: Date;
    };

/**
 * Keeps revocation data until the data is stale. A cache may forget anything at any time, but must not answer with an
 * entry of another key, or after `freshUntil`.
 */
export interface RevocationCache {
  get(key: RevocationCacheKey): Promise<RevocationCacheEntry | undefined>;
  put(key: RevocationCacheKey, entry: RevocationCacheEntry): Promise<void>;
}

/** The key as a string. */
export const cacheKeyText = ({ issuerKey, kind, locator }: RevocationCacheKey): string =>
  `${issuerKey} ${kind} ${locator}`;
