import { maskedText } from '../../service/index.ts';

/** TCNs open downloads and may stand in a path inside an error. */
const tcnLike = /\b[A-Za-z0-9_-]{26}\b/g;

/**
 * The only fields of the service that get into the log, so that what is added to a line by mistake does not: no name of
 * a person or a file, no address of a page, nothing that a caller chose.
 */
const allowedFields = new Set([
  ...['transaction', 'documents', 'type', 'decision', 'code', 'error', 'reason', 'endOfTransaction'],
  ...['files', 'removedFiles', 'removedSmall', 'resumed'],
  ...['notification', 'notifications', 'attempt', 'attempts', 'host', 'store'],
]);

/** Allowed fields in a form that JSON can carry. What else was given is left out. */
export function readableFields(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const entries = Object.entries(fields).filter(([name]) => allowedFields.has(name));
  return Object.fromEntries(entries.map(([name, value]) => [name, readableValue(value)]));
}

function readableValue(value: unknown): unknown {
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (typeof value === 'string') return withoutSecrets(value);
  return value instanceof Error ? describeError(value) : typeof value;
}

/** A text with whatever looks like a TCN taken out, and CPF and CNPJ masked. */
export const withoutSecrets = (text: string): string => maskedText(text.replaceAll(tcnLike, '[…]'));

/** An error with its causes: name, code, sentence and where it happened, without TCNs and taxpayer numbers. */
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
