/** Values for requests: values described by a schema, and values breaking readers. */
import fc from 'fast-check';
import type { JsonSchema } from './operations.ts';

/** Values that exist in an instance, by field name, to get requests past the first check. */
export type KnownValues = Readonly<Record<string, readonly string[]>>;

/** Stands in for each sent secret. The value must not appear in any answer or log. */
export const plantedSecret = 'planted-5ecret-9f2c41d7';

const secretField = /^(.*password|client_secret|token|code|code_verifier|.*pin)$/;

const nastyTexts = [
  '',
  ' ',
  '\0',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '../../../../etc/passwd',
  '..%2f..%2f',
  '\r\nX-Injected: 1',
  '\u202Eevil\u202C',
  '\uD800',
  '\uFEFFbom',
  '💣'.repeat(40),
  'e\u0301'.repeat(300),
  '<script>alert(1)</script>',
  "' OR 1=1 --",
  '${7*7}{{7*7}}',
  '%s%n%x',
  'null',
  'undefined',
  'NaN',
  '-1',
  '1e999',
  '9007199254740993',
  '0x10',
  'true',
  'http://169.254.169.254/',
  'data:,x',
  'data:;base64,=',
  'x'.repeat(5000),
  'A'.repeat(70_000),
];

const nastyNumbers = [
  0,
  -0,
  -1,
  0.5,
  1e-300,
  1e300,
  2 ** 31,
  2 ** 32 + 1,
  2 ** 53,
  -(2 ** 63),
  Number.MAX_VALUE,
  Number.MIN_VALUE,
];

/** Text breaking readers. */
export const oddText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...nastyTexts),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
);

/** Deep in arrays or objects; deeper than any reader should follow by recursion. */
const deep: fc.Arbitrary<unknown> = fc.constantFrom(50, 2000).map((depth) => {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { a: value };
  return value;
});

/** Own properties with the names of inherited ones, only makeable by a JSON parser. */
const prototypeNames: fc.Arbitrary<unknown> = fc
  .constantFrom('{"__proto__":{"isAdmin":true}}', '{"constructor":{"prototype":{"x":1}}}', '{"toString":1,"length":-1}')
  .map((text) => JSON.parse(text) as unknown);

/** A JSON value of any kind, of the wrong kind as a rule. */
export const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  oddText,
  fc.constantFrom(...nastyNumbers),
  fc.constantFrom(null, true, false, [], {}, [null], [[]], { '': '' }),
  deep,
  prototypeNames,
  fc.jsonValue({ maxDepth: 3 }),
);

/** A value described by the schema; `name` is the name of the field, for values known to the instance. */
export function valueOf(
  schema: JsonSchema,
  name: string,
  known: KnownValues,
  resolve: (one: JsonSchema) => JsonSchema,
): fc.Arbitrary<unknown> {
  const {
    anyOf,
    oneOf,
    allOf,
    enum: values,
    const: only,
    type,
    items,
    properties,
    pattern,
    default: preset,
  } = resolve(schema) as {
    readonly anyOf?: readonly JsonSchema[];
    readonly oneOf?: readonly JsonSchema[];
    readonly allOf?: readonly JsonSchema[];
    readonly enum?: readonly unknown[];
    readonly const?: unknown;
    readonly type?: string;
    readonly items?: JsonSchema;
    readonly properties?: Readonly<Record<string, JsonSchema>>;
    readonly pattern?: string;
    readonly default?: unknown;
  };
  const inner = (one: JsonSchema): fc.Arbitrary<unknown> => valueOf(one, name, known, resolve);
  const ready = Object.hasOwn(known, name) ? known[name] : undefined;
  if (secretField.test(name)) return fc.constantFrom(plantedSecret, ...(ready ?? []));
  if (ready !== undefined && type !== 'array') return fc.constantFrom(...ready);
  if (only !== undefined) return fc.constant(only);
  if (values !== undefined) return fc.constantFrom(...values);
  const choices = anyOf ?? oneOf ?? allOf;
  if (choices !== undefined) return fc.oneof(...choices.map(inner));
  switch (type) {
    case 'object':
      return objectOf(properties ?? {}, resolve(schema).required, (one, field) => valueOf(one, field, known, resolve));
    case 'array':
      return fc.array(inner(items ?? {}), { maxLength: 3 });
    case 'integer':
      return fc.integer({ min: -2, max: 40 });
    case 'number':
      return fc.double({ min: -2, max: 500, noNaN: true });
    case 'boolean':
      return fc.boolean();
    case undefined:
    default:
      return textOf(pattern, preset);
  }
}

function textOf(pattern: string | undefined, preset: unknown): fc.Arbitrary<unknown> {
  const text = pattern === undefined ? fc.string({ maxLength: 20 }) : fc.stringMatching(new RegExp(pattern));
  return preset === undefined ? text : fc.oneof(text, fc.constant(preset));
}

function objectOf(
  properties: Readonly<Record<string, JsonSchema>>,
  required: unknown,
  field: (one: JsonSchema, name: string) => fc.Arbitrary<unknown>,
): fc.Arbitrary<Record<string, unknown>> {
  const needed = new Set(Array.isArray(required) ? required : []);
  const fields = Object.entries(properties).map(([name, one]) => {
    const value = field(one, name);
    // Absence is the usual case of an optional field: values of all such fields at once are refused at the first.
    return [name, needed.has(name) ? value : optional(value)] as const;
  });
  return fc.record(Object.fromEntries(fields)).map(withoutAbsent);
}

function optional(value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 7, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });
}

function withoutAbsent(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined));
}
