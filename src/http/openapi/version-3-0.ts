import type { createDocument } from 'zod-openapi';

type Json = Record<string, unknown>;
const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The same document in OpenAPI 3.0.3, for generators that read no 3.1: JSON Schema of a Wright draft, where null is a
 * flag, a schema has one type, and a constant is a list of one value.
 */
export function asVersion30(document: ReturnType<typeof createDocument>): object {
  const { info, ...rest } = JSON.parse(JSON.stringify(document)) as { info: Json };
  const { license, ...about } = info;
  // `identifier` came with 3.1; before, a license had an address.
  const address = 'https://www.apache.org/licenses/LICENSE-2.0';
  const known = isJson(license) ? { ...about, license: { name: license.name, url: address } } : about;
  return { ...(convert(rest, '') as object), openapi: '3.0.3', info: known };
}

/** Members whose names are those of properties, schemas or media types, and not keywords. */
const maps: ReadonlySet<string> = new Set([
  'properties',
  'schemas',
  'content',
  'headers',
  'responses',
  'paths',
  'links',
]);
/** Values that are data of the interface, and no part of the description. */
const data: ReadonlySet<string> = new Set(['example', 'examples', 'value', 'enum', 'parameters']);

function convert(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return value.map((one) => convert(one, ''));
  if (!isJson(value)) return value;
  const own = maps.has(name) ? value : asSchema30(value);
  return Object.fromEntries(
    Object.entries(own).map(([key, inner]) => {
      const isData = data.has(key) && !maps.has(name) && !(key === 'parameters' && Array.isArray(inner));
      return [key, isData ? inner : convert(inner, maps.has(name) ? '' : key)];
    }),
  );
}

/** A schema by the keywords of 3.0; anything else stays as it is. */
function asSchema30(value: Json): Json {
  const { type, anyOf, $ref: reference, const: constant, examples, contentEncoding, ...others } = value;
  const isNull = (one: unknown): boolean => one === 'null' || (isJson(one) && one.type === 'null');
  const [alternatives, types] = [anyOf, type].map((one) => (Array.isArray(one) ? (one as unknown[]) : [])) as [
    unknown[],
    unknown[],
  ];
  const isNullable = [...alternatives, ...types].some(isNull);
  const choices = alternatives.filter((one) => !isNull(one));
  const isAlone = choices.length === 1 && isJson(choices[0]);
  const own = isAlone ? asSchema30(choices[0] as Json) : choices.length > 1 ? { anyOf: choices } : {};
  const plain = types.length === 0 ? type : types.find((one) => !isNull(one));
  const schema: Json = {
    ...own,
    ...(plain === undefined ? {} : { type: plain }),
    ...(isNullable ? { nullable: true } : {}),
    ...(constant === undefined ? {} : { enum: [constant] }),
    ...(examples === undefined ? {} : Array.isArray(examples) ? { example: examples[0] as unknown } : { examples }),
    ...(contentEncoding === 'base64' ? { format: 'byte' } : {}),
    ...others,
    ...exclusiveBounds(value),
  };
  if (reference !== undefined) schema.$ref = reference;
  // A closed set that may be null lists null too (OpenAPI 3.0.3, proposal on nullable).
  if (isNullable && Array.isArray(schema.enum)) schema.enum = [...(schema.enum as unknown[]), null];
  // A pattern for the names of a map came with 3.1.
  delete schema.propertyNames;
  return withoutSiblings(schema);
}

/** In 3.0 a reference stands alone, and `nullable` beside a type; the schemas that are referred to are objects. */
function withoutSiblings({ $ref: reference, ...rest }: Json): Json {
  if (reference === undefined) return rest;
  if (Object.keys(rest).length === 0) return { $ref: reference };
  const { nullable, ...others } = rest;
  return { ...others, ...(nullable === true ? { type: 'object', nullable } : {}), allOf: [{ $ref: reference }] };
}

/** Exclusive bounds are flags beside the bounds (JSON Schema, Wright draft §5.3, §5.5). */
function exclusiveBounds({ exclusiveMinimum, exclusiveMaximum }: Json): Json {
  return {
    ...(typeof exclusiveMinimum === 'number' ? { minimum: exclusiveMinimum, exclusiveMinimum: true } : {}),
    ...(typeof exclusiveMaximum === 'number' ? { maximum: exclusiveMaximum, exclusiveMaximum: true } : {}),
  };
}
