import type { RevocationProblemCode } from '../revocation-result.ts';

/** What a stored answer is about: everything is kept by the issuer's key, because names do not tell issuers apart. */
export interface RevocationCacheKey {
  /** Lower-case hex SHA-256 of the issuer's SubjectPublicKeyInfo. */
  readonly issuerKey: string;
  readonly kind: 'ocsp' | 'crl' | 'issuer';
  /** Of OCSP the hex serial number; of CRLs and of issuers' certificates the address. */
  readonly locator: string;
}

/** What is stored. CRLs and OCSP responses were verified with the issuer's key before. */
export type RevocationCacheEntry =
  | {
      readonly kind: 'data';
      /** DER of a CertificateList or a BasicOCSPResponse; of issuers, the file as it came. */
      readonly der: Buffer;
      /** Of a CRL: its serialised index (`CrlIndex.serialize`). */
      readonly index?: Buffer;
      readonly freshUntil: Date;
    }
  | {
      /** It could not be had; kept for about a minute, so that an authority that is down is not asked again and again. */
      readonly kind: 'failure';
      readonly code: RevocationProblemCode;
      readonly sentence: string;
      readonly freshUntil: Date;
    };

/**
 * Keeps revocation data until it is no longer fresh. A cache may forget anything at any time; it must not give an entry
 * under another key, or after `freshUntil`.
 */
export interface RevocationCache {
  get(key: RevocationCacheKey): Promise<RevocationCacheEntry | undefined>;
  put(key: RevocationCacheKey, entry: RevocationCacheEntry): Promise<void>;
}

/** The key as one string. */
export const cacheKeyText = ({ issuerKey, kind, locator }: RevocationCacheKey): string =>
  `${issuerKey} ${kind} ${locator}`;
