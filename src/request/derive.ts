import type { z } from 'zod';
import type { WithoutUndefined } from '../values/drop-undefined.ts';
import type { OptionValues, RequestOption, Zod } from './signature-request.ts';
import { cmsTypes, nameTypes, type SignatureType } from './signature-types.ts';

type Options = Readonly<Record<string, RequestOption>>;
type Schema<Option extends RequestOption> = Option extends { values: readonly (infer Value extends string)[] }
  ? z.ZodEnum<{ [Name in Value]: Name }>
  : Option extends { schema: (zod: Zod) => infer Own extends z.ZodType }
    ? Own
    : never;

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
  const fields = Object.values<RequestOption>(table).flatMap((option) => {
    const { body, types } = option;
    if (body === undefined) return [];
    const field = body.schema?.(zod) ?? schemaOf(zod, option).optional();
    // The description of an option for PDFs speaks of PDFs anyway.
    const isForSome = cmsTypes.some((type) => !types.includes(type)) && cmsTypes.some((type) => types.includes(type));
    const description = isForSome ? `${body.about ?? ''} ${nameTypes(types)} only.`.trim() : body.about;
    return [[body.name, description === undefined ? field : field.meta({ description })] as const];
  });
  return Object.fromEntries(fields) as BodyShape<Table>;
}

/** Schemas for the options in a call. */
export function callShape<Table extends Options>(zod: Zod, table: Table): CallShape<Table> {
  const fields = Object.entries<RequestOption>(table).map(([name, option]) => {
    const schema = schemaOf(zod, option);
    return [name, option.call?.(zod) ?? (option.required === true ? schema : schema.optional())] as const;
  });
  return Object.fromEntries(fields) as CallShape<Table>;
}

const schemaOf = (zod: Zod, { values, schema }: RequestOption): z.ZodType =>
  values === undefined ? schema(zod) : zod.enum(values);

/** The options in a body that its schema has read; without their forms, in a body that no schema has read. */
export function optionsOfBody<Table extends Options>(
  table: Table,
  body: z.output<z.ZodObject<BodyShape<Table>>>,
): OptionValues<Table>;
export function optionsOfBody(
  table: Options,
  body: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>>;
export function optionsOfBody(table: Options, fields: Readonly<Record<string, unknown>>): object {
  const values = Object.entries<RequestOption>(table).flatMap(([name, option]) => {
    const value = option.body === undefined ? undefined : fields[option.body.name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(values);
}

/** The options of the table among the properties of `values`, without those that are undefined. */
export function pickOptions<Table extends Options, Values extends object>(
  table: Table,
  values: Values,
): WithoutUndefined<Pick<Values, keyof Table & keyof Values>> {
  const named = Object.entries(values).filter(([name, value]) => name in table && value !== undefined);
  return Object.fromEntries(named) as WithoutUndefined<Pick<Values, keyof Table & keyof Values>>;
}

/** The options of the table that have an effect on a signature of this type. */
export function optionsForType<Table extends Options, Values extends object>(
  table: Table,
  values: Values,
  type: SignatureType,
): WithoutUndefined<Pick<Values, keyof Table & keyof Values>> {
  const named = Object.entries(pickOptions(table, values)).filter(
    ([name]) => table[name]?.types.includes(type) === true,
  );
  return Object.fromEntries(named) as WithoutUndefined<Pick<Values, keyof Table & keyof Values>>;
}

/** An option that a request names although its signature type does not have the option. */
export interface MisplacedOption {
  /** The option's field on the wire, without its path. */
  readonly field: string;
  /** The reason for the refusal; undefined for an option that is dropped and named in the answer. */
  readonly refusal: string | undefined;
}

/** The named options that signatures of this type do not have; false asks for nothing. */
export function misplacedOptions(table: Options, values: object, type: SignatureType): readonly MisplacedOption[] {
  return Object.entries(pickOptions(table, values)).flatMap(([name, value]): readonly MisplacedOption[] => {
    const option = table[name];
    if (option === undefined || value === false || option.types.includes(type)) return [];
    const field = option.body?.name ?? option.field ?? name;
    if (option.otherTypes === 'ignored') return [{ field, refusal: undefined }];
    const usual = `Signatures of the types ${nameTypes(option.types)} have this option: leave it out.`;
    return [{ field, refusal: option.otherTypes ?? usual }];
  });
}
