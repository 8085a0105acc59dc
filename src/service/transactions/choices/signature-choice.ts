import type { DigestAlgorithm } from '../../../signing/index.ts';
import type { SignaturePolicy, SignatureType, SignerCompany } from '../transaction.ts';

/** The options of a transaction's signatures. */
export interface SignatureChoice {
  readonly type: SignatureType;
  readonly digest: DigestAlgorithm;
  readonly policy: SignaturePolicy;
  readonly timestampServer?: string;
  readonly timestampDigest?: DigestAlgorithm;
  readonly signerCompany?: SignerCompany;
  /** The existing CMS signature to add the signer to. */
  readonly existingSignature?: Buffer;
  readonly now: () => Date;
}
