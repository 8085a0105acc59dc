export { readTimestampToken } from './timestamp-token.ts';
export { TIMESTAMP_DIGESTS } from '../algorithms/algorithms.ts';
export type { TimestampAuthentication, TimestampAuthority } from './timestamp-response.ts';
export type * from './timestamp-token.ts';
export { createTimestamper, type TimestamperOptions } from './timestamper.ts';
export {
  verifyTimestampToken,
  type TimestampExpectations,
  type TimestampVerification,
  type ValidateTimestampChain,
} from './verify-timestamp-token.ts';
