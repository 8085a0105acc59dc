export type * from './key-source.ts';
export type * from './signer.ts';
export { KeyRing, type AliasedKey } from './key-ring.ts';
export { Pin } from './pin.ts';
