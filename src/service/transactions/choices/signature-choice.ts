import type { SignatureRequest } from '../../../request/signature-request.ts';

/** The options of a transaction's signatures. */
export interface SignatureChoice extends SignatureRequest {
  /** The existing CMS signature to add the signer to. */
  readonly existingSignature?: Buffer;
  readonly now: () => Date;
}
