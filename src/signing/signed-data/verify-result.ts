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

/** The result of verifying a SignerInfo: integrity and identity of the signer; trust is a separate step. */
export interface SignerVerification {
  /**
   * `intact`: digest and signature agree. `broken`: they disagree. `unknown`: could not be determined; `reason` says
   * why.
   */
  readonly outcome: 'intact' | 'broken' | 'unknown';
  readonly reason?: string;
  /** Present with `reason`. */
  readonly problem?: SignerProblem;
  /** The signer's certificate, if SignedData has the certificate. */
  readonly certificate?: Certificate;
  readonly signingTime?: Date;
  readonly digestAlgorithm: string;
  /** signingCertificateV2 names this certificate (`undefined`: attribute absent). */
  readonly signingCertificateMatches?: boolean;
}

export interface CmsVerification {
  /** True when there is at least one signer and all signers are intact. */
  readonly intact: boolean;
  readonly attached: boolean;
  readonly signers: readonly SignerVerification[];
  readonly certificates: readonly Certificate[];
}
