export type * from './cms-signer.ts';
export type * from './verify-result.ts';
