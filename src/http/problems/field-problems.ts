import type { z } from 'zod';
import type { FieldProblem } from '../../service/errors/index.ts';

type Issue = z.core.$ZodRawIssue;

/**
 * A sentence that says what to send instead of a wrong value. The schema's own sentence comes first, because zod's
 * sentences are written for programmers.
 */
export function issueSentence(issue: Issue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return typeSentence(issue.expected, issue.input);
    case 'invalid_value':
      return `Use ${listed(issue.values.map(String))}.`;
    case 'too_small':
      return boundSentence(issue.origin, 'at least', issue.minimum, issue.inclusive ?? true);
    case 'too_big':
      return boundSentence(issue.origin, 'at most', issue.maximum, issue.inclusive ?? true);
    case 'invalid_format':
      return formatSentences[issue.format];
    case 'invalid_union':
      return unionSentence(issue);
    case 'custom':
    case 'invalid_element':
    case 'invalid_key':
    case 'not_multiple_of':
    case 'unrecognized_keys':
      return undefined;
  }
}

/** The closed codes of wrong fields. */
const codes: Readonly<Record<string, string>> = {
  invalid_type: 'INVALID_TYPE',
  invalid_value: 'INVALID_VALUE',
  invalid_union: 'INVALID_TYPE',
  invalid_format: 'INVALID_FORMAT',
  too_small: 'TOO_SMALL',
  too_big: 'TOO_BIG',
};

/** The code of a wrong field; this project's own rules are `INVALID_VALUE`. */
export const issueCode = (code: string): string => codes[code] ?? 'INVALID_VALUE';

/** The problem of a field that must be there. */
export const requiredProblem = (field: string): FieldProblem => ({
  field,
  code: 'REQUIRED',
  detail: 'This field is required.',
});

const typeNames: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

function typeSentence(expected: string, input: unknown): string {
  const wanted = typeNames[expected] ?? `a value of the type ${expected}`;
  if (Array.isArray(input) && expected !== 'array') return `Send this field once, with ${wanted}.`;
  return `Give ${wanted}.`;
}

const units: Readonly<Record<string, string>> = { string: ' characters', array: ' entries', set: ' entries' };

function boundSentence(
  origin: string,
  word: 'at least' | 'at most',
  bound: number | bigint,
  inclusive: boolean,
): string {
  const unit = units[origin] ?? '';
  if (inclusive) return `Give ${word} ${bound}${unit}.`;
  return `Give ${word === 'at least' ? 'more than' : 'less than'} ${bound}${unit}.`;
}

const formatSentences: Readonly<Record<string, string | undefined>> = {
  base64: 'Give base64 (RFC 4648 §4).',
  email: 'Give an e-mail address, as in name@example.org.',
  url: 'Give an absolute URL.',
  datetime: 'Give a date and time, as in 2026-01-31T12:00:00Z.',
};

/** The first sentence of each possible form, or only of the form that fits the type of the value. */
function unionSentence(issue: Issue & { readonly code: 'invalid_union' }): string | undefined {
  const options = issue.errors.map((issues) => issues[0]).filter((first) => first !== undefined);
  const types = options.flatMap((first) => (first.code === 'invalid_type' ? [first.expected] : []));
  if (types.length === options.length && types.length > 0) {
    const wanted = types.map((type) => typeNames[type] ?? type).join(' or ');
    const isRepeated = Array.isArray(issue.input) && !types.includes('array');
    return isRepeated ? `Send this field once, with ${wanted}.` : `Give ${wanted}.`;
  }
  return options.find((first) => first.code !== 'invalid_type')?.message;
}

function listed(values: readonly string[]): string {
  const last = values.at(-1) ?? '';
  return values.length <= 1 ? last : `${values.slice(0, -1).join(', ')} or ${last}`;
}
