export type * from './cms-signer.ts';
export type { ReadableDigestAlgorithm } from '../algorithms/algorithms.ts';
export type { DigestOf } from '../signed-data/content.ts';
export { prepareCmsSigner } from './sign-cms.ts';
export { verifyCms, verifyCmsFile, verifyCmsWithDigest, type DetachedContent } from '../signed-data/verify-cms.ts';
export type * from '../signed-data/verify-signer.ts';
export type { CmsLevel, LevelServices } from './levels/cms-level.ts';
export type {
  CommitmentType,
  OptionalAttributes,
  SignaturePolicy,
  SignerAttributes,
  SignerLocation,
} from './optional-attributes.ts';
export { prepareRawSigner, type RawScheme, type RawSigner } from './raw-signature.ts';
export { readSignedAttributes, type SignedAttributesSummary } from './read-signed-attributes.ts';
export { addSigner, type AddSignerRequest } from './add-signer.ts';
export { counterSign, type CounterSignRequest } from './add-signer.ts';
export { raiseCms, type RaiseCmsRequest } from './raise-cms.ts';
export {
  contentOfHash,
  raiseCmsFile,
  type ContentHash,
  type RaiseCmsFileRequest,
  type RaiseCmsFileResult,
} from './raise-cms.ts';
export { signStream, type SignStreamRequest } from './sign-file.ts';
