import type { z } from 'zod';
import type { WithoutUndefined } from '../values/drop-undefined.ts';
import type { OptionValues, RequestOption, Zod } from './signature-request.ts';

type Options = Readonly<Record<string, RequestOption>>;
type Schema<Option extends RequestOption> = ReturnType<Option['schema']>;

/** The fields of the HTTP body, by their names on the wire. */
export type BodyShape<Table extends Options> = {
  [
    Name in keyof Table as Table[Name] extends { body: { name: infer Field extends string } } ? Field : never
  ]: Table[Name] extends { body: { schema: (zod: Zod) => infer Wire extends z.ZodType } }
    ? Wire
    : z.ZodOptional<Schema<Table[Name]>>;
};

/** The fields of a call, by the names inside. */
export type CallShape<Table extends Options> = {
  [Name in keyof Table]: Table[Name] extends { call: (zod: Zod) => infer Call extends z.ZodType }
    ? Call
    : Table[Name] extends { required: true }
      ? Schema<Table[Name]>
      : z.ZodOptional<Schema<Table[Name]>>;
};

/** Schemas for the options of the HTTP body, with their descriptions for OpenAPI. */
export function bodyShape<Table extends Options>(zod: Zod, table: Table): BodyShape<Table> {
  const fields = Object.values<RequestOption>(table).flatMap(({ schema, body }) => {
    if (body === undefined) return [];
    const field = body.schema?.(zod) ?? schema(zod).optional();
    return [[body.name, body.about === undefined ? field : field.meta({ description: body.about })] as const];
  });
  return Object.fromEntries(fields) as BodyShape<Table>;
}

/** Schemas for the options in a call. */
export function callShape<Table extends Options>(zod: Zod, table: Table): CallShape<Table> {
  const fields = Object.entries<RequestOption>(table).map(([name, { schema, call, required }]) => {
    const field = call?.(zod) ?? (required === true ? schema(zod) : schema(zod).optional());
    return [name, field] as const;
  });
  return Object.fromEntries(fields) as CallShape<Table>;
}

/** The options in a body that its schema has read. */
export function optionsOfBody<Table extends Options>(
  table: Table,
  body: z.output<z.ZodObject<BodyShape<Table>>>,
): OptionValues<Table> {
  const fields = body as Readonly<Record<string, unknown>>;
  const values = Object.entries<RequestOption>(table).flatMap(([name, option]) => {
    const value = option.body === undefined ? undefined : fields[option.body.name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(values) as OptionValues<Table>;
}

/** The options of the table among the properties of `values`, without those that are undefined. */
export function pickOptions<Table extends Options, Values extends object>(
  table: Table,
  values: Values,
): WithoutUndefined<Pick<Values, keyof Table & keyof Values>> {
  const named = Object.entries(values).filter(([name, value]) => name in table && value !== undefined);
  return Object.fromEntries(named) as WithoutUndefined<Pick<Values, keyof Table & keyof Values>>;
}
