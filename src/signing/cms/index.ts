export type * from './cms-signer.ts';
export { prepareCmsSigner } from './sign-cms.ts';
export type * from './verify-result.ts';
