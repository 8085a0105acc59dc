import { join } from 'node:path';
import { pino, type Logger } from 'pino';
import type { HttpLog } from '../../http/request-log.ts';
import { noTracing, requestInWork, type ServiceLog, type Tracer } from '../../service/monitoring/index.ts';
import { maskEveryNumber } from '../../text/taxpayer-number.ts';
import { AppError } from '../app-error.ts';
import type { Configuration } from '../config/config.ts';
import { closeSync, existsSync, fstatSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';

/** The size of a full file, and the number of kept files. */
interface RotationLimits {
  /** Bytes. */
  readonly size: number;
  readonly count: number;
}

/**
 * An append-only file, readable by its owner only. A full file becomes `FILE.1`, the old `FILE.1` becomes `FILE.2`, and
 * the oldest file is removed. Each line is written immediately and completely, so a crash loses none. On a full disk
 * only the line is lost: logging must not stop signatures.
 */
class RotatingFile {
  readonly #path: string;
  readonly #limits: RotationLimits;
  #file: number;
  #size: number;

  constructor(path: string, limits: RotationLimits) {
    this.#path = path;
    this.#limits = limits;
    this.#file = openSync(path, 'a', 0o600);
    this.#size = fstatSync(this.#file).size;
  }

  write(line: string): void {
    try {
      const length = Buffer.byteLength(line);
      if (this.#size > 0 && this.#size + length > this.#limits.size) this.#rotate();
      writeSync(this.#file, line);
      this.#size += length;
    } catch {
      // There is no other place to report the failure.
    }
  }

  #rotate(): void {
    const name = (number: number): string => (number === 0 ? this.#path : `${this.#path}.${number}`);
    // Windows cannot rename an open file.
    closeSync(this.#file);
    try {
      rmSync(name(this.#limits.count), { force: true });
      for (let number = this.#limits.count - 1; number >= 0; number--) {
        if (existsSync(name(number))) renameSync(name(number), name(number + 1));
      }
    } finally {
      this.#file = openSync(this.#path, 'a', 0o600);
      this.#size = fstatSync(this.#file).size;
    }
  }
}

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
 * and `span_id`. Rejects with `AppError` if the file cannot be opened.
 */
export async function openLog(
  dataFolder: string,
  level: Configuration['logLevel'],
  { limits = defaultLimits, tracer = noTracing }: { readonly limits?: RotationLimits; readonly tracer?: Tracer } = {},
): Promise<Log> {
  const file = openFile(join(dataFolder, logFileName), limits);
  const mixin = (): object => {
    const requestId = requestInWork();
    return { requestId, ...traceFields(tracer.current()) };
  };
  return Promise.resolve(logInto(pino({ level, base: { pid: process.pid }, mixin }, file)));
}

/** Throws an `AppError` that names the log: the code of the system alone names no file. */
function openFile(path: string, limits: RotationLimits): RotatingFile {
  try {
    return new RotatingFile(path, limits);
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown';
    const remedy = `Move away what has the name "${path}", or give its rights to this user.`;
    throw new AppError(3, `The log cannot be opened (${code}). ${remedy}`, { cause });
  }
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

/** TCNs permit downloads and may be part of a path in an error. */
const tcnLike = /\b[A-Za-z0-9_-]{26}\b/g;

/**
 * The only fields permitted in the log, so that a field added by mistake is not logged: no name of a person or a file,
 * no address of a page, nothing chosen by a caller.
 */
const allowedFields = new Set([
  'transaction',
  'documents',
  'type',
  'decision',
  'code',
  'error',
  'reason',
  'endOfTransaction',
  'files',
  'removed',
  'resumed',
  'notification',
  'notifications',
  'attempt',
  'attempts',
  'host',
  'store',
]);

/** Converts permitted fields to JSON values. Other fields are left out. */
export function readableFields(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const entries = Object.entries(fields).filter(([name]) => allowedFields.has(name));
  return Object.fromEntries(entries.map(([name, value]) => [name, readableValue(value)]));
}

function readableValue(value: unknown): unknown {
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (typeof value === 'string') return withoutSecrets(value);
  return value instanceof Error ? describeError(value) : typeof value;
}

/** Removes everything that looks like a TCN, and masks CPF and CNPJ. */
export const withoutSecrets = (text: string): string => maskEveryNumber(text.replaceAll(tcnLike, '[…]'));

/** Describes an error with its causes: name, code, message and place, without TCNs and taxpayer numbers. */
export function describeError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return typeof error;
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {};
  const frames = error.stack?.split('\n').filter((line) => line.startsWith('    at ')) ?? [];
  return {
    name: error.name,
    ...code,
    message: withoutSecrets(error.message),
    stack: frames.slice(0, 12).map((line) => line.trim().replaceAll(tcnLike, '[…]')),
    ...(error.cause === undefined || depth > 3 ? {} : { cause: describeError(error.cause, depth + 1) }),
  };
}
