import type { DigestAlgorithm } from '../../../signing/index.ts';
import type { SignaturePolicy, SignatureType, SignerCompany } from '../transaction.ts';

/** What one transaction asks of its signatures. */
export interface SignatureChoice {
  readonly type: SignatureType;
  readonly digest: DigestAlgorithm;
  readonly policy: SignaturePolicy;
  readonly timestampServer?: string;
  readonly timestampDigest?: DigestAlgorithm;
  readonly signerCompany?: SignerCompany;
  /** The CMS signature that the signer is added to. */
  readonly existingSignature?: Buffer;
  readonly now: () => Date;
}
