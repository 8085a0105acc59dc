import type { z } from 'zod';
import { ServiceError, type FieldProblem } from '../service/errors/index.ts';

/** Checks `value` against a schema; all problems become a single `REQUEST_INVALID` that names every field. */
export function parseFields<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw invalidFields(result.error.issues.map((issue) => fieldProblem(issue, value)));
}

/** A single `REQUEST_INVALID` for wrong fields. */
export function invalidFields(problems: readonly FieldProblem[]): ServiceError {
  const names = problems.map((problem) => problem.field).join(', ');
  return new ServiceError('REQUEST_INVALID', `Correct these fields: ${names}.`, { problems });
}

/** `documents[0].data` from zod's path. */
export function fieldName(path: readonly PropertyKey[]): string {
  const name = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
  return name === '' ? 'body' : name.replace(/^\./, '');
}

/** True for a JSON object: not null, not a list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function fieldProblem(issue: z.core.$ZodIssue, value: unknown): FieldProblem {
  const missing = valueAt(value, issue.path) === undefined;
  const detail = missing ? 'This field is required.' : sentence(issue.message);
  return { field: fieldName(issue.path), code: missing ? 'REQUIRED' : issue.code.toUpperCase(), detail };
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, part) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, part) : undefined),
    value,
  );
}

function sentence(message: string): string {
  return message.endsWith('.') ? message : `${message}.`;
}
