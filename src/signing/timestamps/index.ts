export { readTimestampToken } from './read-timestamp-token.ts';
export type { TimestampAuthentication, TimestampAuthority } from './timestamp-authority.ts';
export type * from './timestamp-token.ts';
export { createTimestamper, type TimestamperOptions } from './timestamper.ts';
export {
  verifyTimestampToken,
  type TimestampExpectations,
  type TimestampVerification,
  type ValidateTimestampChain,
} from './verify-timestamp-token.ts';
