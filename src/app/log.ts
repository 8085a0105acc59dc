import { rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pino, type Logger } from 'pino';
import type { HttpLog } from '../http/request-log.ts';
import type { ServiceLog } from '../service/index.ts';
import type { Configuration } from './config.ts';

/** The size in octets at which the log of earlier runs is set aside. */
const rotateAt = 10 * 2 ** 20;

/** TCNs open downloads and may stand in a path inside an error. */
const tcnLike = /\b[A-Za-z0-9_-]{26}\b/g;

/** What the layers write to: one file in the data folder, JSON lines. */
export interface Log {
  readonly service: ServiceLog;
  readonly http: HttpLog;
  /** A failure in the application itself. */
  failure(what: string, error: unknown): void;
}

/** Opens `sinete.log` in the data folder, readable by its owner only; a long one becomes `sinete.log.1` first. */
export async function openLog(dataFolder: string, level: Configuration['logLevel']): Promise<Log> {
  const file = join(dataFolder, 'sinete.log');
  const size = await stat(file).then(
    (found) => found.size,
    () => 0,
  );
  if (size > rotateAt) await rename(file, `${file}.1`);
  const destination = pino.destination({ dest: file, mode: 0o600, sync: true, mkdir: false });
  return logInto(pino({ level, base: { pid: process.pid } }, destination));
}

function logInto(logger: Logger): Log {
  return {
    service: {
      info: (fields, message) => logger.info(readable(fields), message),
      warn: (fields, message) => logger.warn(readable(fields), message),
      error: (fields, message) => logger.error(readable(fields), message),
    },
    http: {
      request: (entry) => logger.info(entry, 'request'),
      failure: (requestId, error) => logger.error({ requestId, error: describeError(error) }, 'request failed'),
    },
    failure: (what, error) => logger.error({ error: describeError(error) }, what),
  };
}

/** Errors among the fields in a form that JSON can carry. */
function readable(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const entries = Object.entries(fields);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, value instanceof Error ? describeError(value) : value]),
  );
}

/** An error with its causes: name, code, sentence and where it happened, with whatever looks like a TCN taken out. */
export function describeError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return typeof error;
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {};
  const frames = error.stack?.split('\n').filter((line) => line.startsWith('    at ')) ?? [];
  return {
    name: error.name,
    ...code,
    message: error.message.replaceAll(tcnLike, '[…]'),
    stack: frames.slice(0, 12).map((line) => line.trim().replaceAll(tcnLike, '[…]')),
    ...(error.cause === undefined || depth > 3 ? {} : { cause: describeError(error.cause, depth + 1) }),
  };
}
