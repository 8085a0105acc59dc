/** The system, the log and the request of each log line. */
export { Correlation, onBehalfOf, requestInWork } from './correlation.ts';
export { describeSystem, formatSize } from './describe-system.ts';
export { RecentTries } from './recent-tries.ts';
export { systemReader, type SystemReader } from './read-system.ts';
export { shortTcn, type ServiceLog } from './correlation.ts';
export {
  errorCodeOf,
  inSpan,
  noTracing,
  type Span,
  type SpanAttributes,
  type SpanOptions,
  type Tracer,
} from './tracing.ts';
