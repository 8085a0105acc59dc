import { join } from 'node:path';
import { pino, type Logger } from 'pino';
import type { HttpLog } from '../../http/request-log.ts';
import { noTracing, requestInWork, type ServiceLog, type Tracer } from '../../service/monitoring/index.ts';
import type { Configuration } from '../config/config.ts';
import { describeError, readableFields } from './log-fields.ts';
import { RotatingFile, type RotationLimits } from './rotating-file.ts';

/** 10 MB each, 60 MB at most. */
const defaultLimits: RotationLimits = { size: 10 * 2 ** 20, count: 5 };

/** The log of an instance, in its data folder; older logs have a number at the end. */
export const logFileName = 'sinete.log';

/** The log of all layers: a file in the data folder, JSON lines. */
export interface Log {
  readonly service: ServiceLog;
  readonly http: HttpLog;
  /** A failure in the application itself. */
  failure(what: string, error: unknown): void;
}

/**
 * Opens the log in the data folder, readable by its owner only. Each line about a request carries its `requestId`, the
 * same as the answer's `X-Request-Id`, up to the request's signatures. In a recorded trace, each line carries `trace_id`
 * and `span_id`.
 */
export async function openLog(
  dataFolder: string,
  level: Configuration['logLevel'],
  { limits = defaultLimits, tracer = noTracing }: { readonly limits?: RotationLimits; readonly tracer?: Tracer } = {},
): Promise<Log> {
  const file = new RotatingFile(join(dataFolder, logFileName), limits);
  const mixin = (): object => {
    const requestId = requestInWork();
    return { requestId, ...traceFields(tracer.current()) };
  };
  return Promise.resolve(logInto(pino({ level, base: { pid: process.pid }, mixin }, file)));
}

/** The fields by which log and traces find each other; none for a trace that is not recorded. */
function traceFields(traceParent: string | undefined): object {
  const [, trace, span, flags] = traceParent?.split('-') ?? [];
  return flags === '01' ? { trace_id: trace, span_id: span } : {};
}

function logInto(logger: Logger): Log {
  return {
    service: {
      info: (fields, message) => logger.info(readableFields(fields), message),
      warn: (fields, message) => logger.warn(readableFields(fields), message),
      error: (fields, message) => logger.error(readableFields(fields), message),
    },
    http: {
      request: (entry) => logger.info(entry, 'request'),
      failure: (requestId, error) => logger.error({ requestId, error: describeError(error) }, 'request failed'),
    },
    failure: (what, error) => logger.error({ error: describeError(error) }, what),
  };
}
