import { maskEveryNumber } from '../../text/taxpayer-number.ts';

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
