import type { Certificate } from '../certificates/certificate.ts';

/** Why a signer is not intact, for programs. */
export type SignerProblem =
  | 'content-changed'
  | 'content-differs'
  | 'content-missing'
  | 'content-needed'
  | 'content-type'
  | 'signature-wrong'
  | 'repeated-attribute'
  | 'damaged'
  | 'certificate-missing'
  | 'certificate-not-named'
  | 'key-unreadable'
  | 'algorithm-unknown';

/** What the first verification says of one SignerInfo: integrity and who signed; trust is another matter. */
export interface SignerVerification {
  /** `intact`: digest and signature agree. `broken`: they do not. `unknown`: could not tell; `reason` says why. */
  readonly outcome: 'intact' | 'broken' | 'unknown';
  readonly reason?: string;
  /** Present with `reason`. */
  readonly problem?: SignerProblem;
  /** The signer's certificate, when the SignedData carries it. */
  readonly certificate?: Certificate;
  readonly signingTime?: Date;
  readonly digestAlgorithm: string;
  /** signingCertificateV2 names this certificate (`undefined`: attribute absent). */
  readonly signingCertificateMatches?: boolean;
}

export interface CmsVerification {
  /** True when there is at least one signer and every one is intact. */
  readonly intact: boolean;
  readonly attached: boolean;
  readonly signers: readonly SignerVerification[];
  readonly certificates: readonly Certificate[];
}
