/** The OpenAPI document in the fuzzer's reading: operations with their input and their possible answers. */
import { z } from 'zod';

/** A JSON Schema (2020-12) from the document. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A path, query or header parameter. */
export interface Parameter {
  readonly name: string;
  readonly place: 'path' | 'query' | 'header';
  readonly schema: JsonSchema;
}

/** The documentation of a single status. */
export interface DocumentedAnswer {
  /** The codes listed in its description. */
  readonly codes: ReadonlySet<string>;
  /** Media type without parameters → the check of the body; undefined for bodies other than JSON. */
  readonly bodies: ReadonlyMap<string, z.ZodType | undefined>;
}

export interface Operation {
  readonly id: string;
  readonly method: string;
  /** With `{parameters}`. */
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** Media type → schema of the request's body; empty without a body. */
  readonly bodies: ReadonlyMap<string, JsonSchema>;
  readonly answers: ReadonlyMap<number, DocumentedAnswer>;
}

/** An OpenAPI document in memory. */
export interface Interface {
  readonly operations: readonly Operation[];
  /** The target schema of a `$ref`, or the schema itself. */
  readonly resolve: (schema: JsonSchema) => JsonSchema;
}

const schema = z.record(z.string(), z.unknown());
const content = z.record(z.string(), z.object({ schema }));
const operationShape = z.object({
  operationId: z.string(),
  parameters: z.array(z.object({ name: z.string(), in: z.enum(['path', 'query', 'header']), schema })).default([]),
  requestBody: z.object({ content }).optional(),
  responses: z.record(z.string(), z.object({ description: z.string(), content: content.default({}) })),
});
const documentShape = z.object({
  paths: z.record(z.string(), z.record(z.string(), operationShape)),
  components: z.object({ schemas: z.record(z.string(), schema) }),
});

const place = '#/components/schemas/';

/** Reads `GET /openapi.json`. Throws where the document does not have the shape of OpenAPI 3.1. */
export function readInterface(document: unknown): Interface {
  const { paths, components } = documentShape.parse(document);
  const checks = new Map<string, z.ZodType>();
  const checkOf = (one: JsonSchema): z.ZodType => {
    const key = JSON.stringify(one);
    const known = checks.get(key) ?? compile(one, components.schemas);
    checks.set(key, known);
    return known;
  };
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => readOperation(path, method, operation, checkOf)),
  );
  return {
    operations,
    resolve: (one) => {
      const { $ref: reference } = one;
      if (typeof reference !== 'string') return one;
      const found = components.schemas[reference.slice(place.length)];
      if (found === undefined) throw new Error(`${reference} is not in the document.`);
      return found;
    },
  };
}

function readOperation(
  path: string,
  method: string,
  { operationId, parameters, requestBody, responses }: z.output<typeof operationShape>,
  checkOf: (one: JsonSchema) => z.ZodType,
): Operation {
  const answers = Object.entries(responses).map(([status, answer]): [number, DocumentedAnswer] => {
    const codes = [...answer.description.matchAll(/`([A-Z][A-Z0-9_]*)`/g)].map(([, code = '']) => code);
    const bodies = Object.entries(answer.content).map(([type, body]): [string, z.ZodType | undefined] => [
      bareType(type),
      type.includes('json') ? checkOf(body.schema) : undefined,
    ]);
    return [Number(status), { codes: new Set(codes), bodies: new Map(bodies) }];
  });
  return {
    id: operationId,
    method: method.toUpperCase(),
    path,
    parameters: parameters.map((one) => ({ name: one.name, place: one.in, schema: one.schema })),
    bodies: new Map(Object.entries(requestBody?.content ?? {}).map(([type, body]) => [type, body.schema])),
    answers: new Map(answers),
  };
}

/** `text/html` of `text/html; charset=utf-8`. */
export function bareType(type: string): string {
  return (type.split(';', 1)[0] ?? '').trim().toLowerCase();
}

/** A check of values against a schema with references into the document's components. */
function compile(one: JsonSchema, components: Readonly<Record<string, JsonSchema>>): z.ZodType {
  const whole = JSON.stringify({ ...one, $defs: components }).replaceAll(place, '#/$defs/');
  return z.fromJSONSchema(JSON.parse(whole) as z.core.JSONSchema.JSONSchema);
}
