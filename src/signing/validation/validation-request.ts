/** What a validation is given, and what it works with. */
import type { TrustAnchors } from '../certificates/trust/trust-anchors.ts';
import type { DetachedContent } from '../cms/verify-cms.ts';
import type { PathCompleter } from '../revocation/complete-path.ts';
import type { RevocationChecker } from '../revocation/revocation-checker.ts';
import type { AlgorithmPolicy } from './judge/algorithm-policy.ts';

/** A CMS or CAdES signature: DER, BER, PEM, or inside an S/MIME message. A file by its path is streamed. */
export interface SignatureInput {
  readonly signature: Uint8Array | { readonly path: string };
  /** Detached content; given for an attached signature, it must be what is enclosed. */
  readonly content?: DetachedContent;
}

/** Where trust and evidence come from. */
export interface ValidationServices {
  readonly trust: TrustAnchors;
  /** Asked for what a signature does not carry: cache, then network. */
  readonly revocation: RevocationChecker;
  /** Builds paths, and fetches issuers that are missing. */
  readonly completePath: PathCompleter;
  /** The clock. */
  readonly now: () => Date;
}

/** Choices of a validation; what is absent is as a careful person wants it. */
export interface ValidationOptions {
  /** The time as of which the verdict is asked for; by default the clock's. */
  readonly at?: Date;
  readonly algorithms?: AlgorithmPolicy;
  /**
   * A signature under a policy whose rules are not known here: `indeterminate` by default, as EN 319 102-1 §5.2.4 wants
   * it; `accept` judges the rest of the signature.
   */
  readonly unknownPolicy?: 'indeterminate' | 'accept';
  readonly signal?: AbortSignal;
}
