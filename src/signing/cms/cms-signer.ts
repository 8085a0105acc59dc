import type { MaterialCollector } from '../revocation/revocation-result.ts';
import type { Timestamper } from '../timestamps/timestamp-token.ts';
import type { DigestAlgorithm, SignatureScheme, SigningDigest } from '../keys/signer.ts';
import type { CmsLevel, OlderEvidence } from './levels/cms-level.ts';
import type { OptionalAttributes } from './optional-attributes.ts';

/** Common properties of all signatures of a signer; encoded once by `prepareCmsSigner`. */
export interface CmsSignerOptions extends OptionalAttributes {
  readonly digest: DigestAlgorithm;
  /** `cades` adds signingCertificateV2 (RFC 5035 §3, EN 319 122-1 §5.2.2); both sign contentType and messageDigest. */
  readonly profile: 'cms' | 'cades';
  /** Default: the key's first scheme. */
  readonly scheme?: SignatureScheme;
  /** Allow ML-DSA keys (RFC 9882). Refused by default, because hardly any program verifies such signatures yet. */
  readonly allowMlDsa?: boolean;
  /** Leave out the signing-time attribute: PAdES states the time in the signature dictionary (EN 319 142-1 §6.3). */
  readonly omitSigningTime?: boolean;
  /**
   * By default no evidence is added (level B-B). In a PDF only `B-T` is useful, because the PDF itself holds all other
   * evidence.
   */
  readonly level?: CmsLevel;
  /** Needed for every level. */
  readonly timestamper?: Timestamper;
  /** Needed for every level but `B-T` and `AD-RT`. */
  readonly collector?: MaterialCollector;
  /** See `LevelServices`. */
  readonly olderEvidence?: OlderEvidence;
  /** The time for collecting material; by default the clock of this computer. */
  readonly now?: () => Date;
  /** Bytes reserved in `detachedSizeLimit` for a level's certificates and revocation data; by default 16 MiB. */
  readonly materialSizeLimit?: number;
}

/** Makes CMS SignedData (RFC 5652 §5) with one key. Calls may overlap. */
export interface CmsSigner {
  /** The hash function for content, chosen by `prepareCmsSigner`. */
  readonly digest: SigningDigest;
  readonly certificate: Buffer;
  /** The level of each signature; absent: none. */
  readonly level?: CmsLevel;
  /**
   * An upper bound of the DER length of a detached SignedData, for a PDF's `Contents`. With a level, the bound relies
   * on the time-stamp client's own bound and on `materialSizeLimit`, and may change between time stamps.
   */
  readonly detachedSizeLimit: number;
  /** Detached SignedData over content with the given digest. `onPostponed`: see `SignFileResult`. */
  signDigest(
    contentDigest: Uint8Array,
    signingTime: Date,
    signal?: AbortSignal,
    onPostponed?: (reason: string) => void,
  ): Promise<Buffer>;
  /** Attached SignedData over content held in memory. */
  signContent(content: Uint8Array, signingTime: Date, signal?: AbortSignal): Promise<Buffer>;
  /**
   * Streams a file into a new file in constant memory: detached (`.p7s`) or attached in definite-length DER (`.p7m`).
   * The output is created exclusively, flushed to disk and closed; on failure it is removed.
   */
  signFile(request: SignFileRequest): Promise<SignFileResult>;
}

/** A file to sign as CMS or CAdES, and the path of the result. */
export interface SignFileRequest {
  readonly inputPath: string;
  readonly outputPath: string;
  readonly attached: boolean;
  readonly signingTime: Date;
  readonly signal?: AbortSignal;
}

/** The written signature, and what its file holds. */
export interface SignFileResult {
  /** Bytes of the output file. */
  readonly size: number;
  /** Lower-case hex digest of the content, by the signer's digest algorithm. */
  readonly contentDigest: string;
  /**
   * The reason why the level's evidence is postponed (`OlderEvidence`), as a sentence; absent when the level is
   * reached.
   */
  readonly postponed?: string;
}
