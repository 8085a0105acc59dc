/** The signing core's index: other layers import from here only. */
export { SigningError, type SigningErrorCode } from './errors.ts';
export * from './certificates/index.ts';
export * from './cms/index.ts';
export * from './der/index.ts';
export * from './keys/index.ts';
export * from './pdf/index.ts';
export * from './policies/index.ts';
export * from './revocation/index.ts';
export * from './timestamps/index.ts';
export * from './validation/index.ts';
export * from './workers/index.ts';
export type * from './http-client.ts';
