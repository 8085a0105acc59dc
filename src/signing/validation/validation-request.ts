/** Input and services of a validation. */
import type { TrustAnchors } from '../certificates/trust/trust-anchors.ts';
import type { DetachedContent } from '../signed-data/verify-cms.ts';
import type { PathCompleter } from '../revocation/complete-path.ts';
import type { RevocationChecker } from '../revocation/revocation-checker.ts';
import type { AlgorithmPolicy } from './judge/algorithm-policy.ts';

/** Evidence records (RFC 4998) in files of their own, each over the whole unchanged file: DER or PEM. */
export interface WithRecords {
  readonly records?: readonly (Uint8Array | { readonly path: string })[];
}

/** A CMS or CAdES signature: DER, BER, PEM, or inside an S/MIME message. A file by its path is streamed. */
export interface SignatureInput extends WithRecords {
  readonly signature: Uint8Array | { readonly path: string };
  /** Detached content; beside an attached signature it must equal the enclosed content. */
  readonly content?: DetachedContent;
}

/** Sources of trust and evidence. */
export interface ValidationServices {
  readonly trust: TrustAnchors;
  /** Answers revocation questions that the signature's own data leaves open: cache first, then network. */
  readonly revocation: RevocationChecker;
  /** Builds paths, and fetches missing issuers. */
  readonly completePath: PathCompleter;
  /** The clock. */
  readonly now: () => Date;
}

/** Options of a validation; every default is the careful choice. */
export interface ValidationOptions {
  /** The time of the verdict; by default the clock's time. */
  readonly at?: Date;
  readonly algorithms?: AlgorithmPolicy;
  /**
   * Handling of a signature policy with unknown rules: `indeterminate` by default, as EN 319 102-1 §5.2.4 demands;
   * `accept` judges the rest of the signature.
   */
  readonly unknownPolicy?: 'indeterminate' | 'accept';
  readonly signal?: AbortSignal;
}
