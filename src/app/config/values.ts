/** The values of the keys, and the shape of the configuration, which follows from the places in the rows of the keys. */
import type { z } from 'zod';
import { nearestName } from '../../service/errors/index.ts';
import { issueSentence } from '../../http/problems/field-problems.ts';
import { AppError } from '../app-error.ts';
import { configurationKeys, isKey, keys, type Key } from './config-keys.ts';
import type { KeyRow } from './key-schemas.ts';

/** The values of the keys, checked and complete. */
export type Values = { readonly [Name in Key]: z.output<(typeof keys)[Name]['schema']> };

type PlaceOf<Row> = Row extends { readonly place: infer Place extends string } ? Place : never;
type PlacedValue<Name extends Key> = (typeof keys)[Name] extends { readonly otherwise: unknown }
  ? NonNullable<Values[Name]>
  : Values[Name];

/** The values by their places, `signing.lifetime` as one name. */
type ByPlace = { readonly [Name in Key as PlaceOf<(typeof keys)[Name]>]: PlacedValue<Name> };

/** Properties that may be undefined are optional. */
type Shape<All> = { readonly [Name in keyof All as undefined extends All[Name] ? never : Name]: All[Name] } & {
  readonly [Name in keyof All as undefined extends All[Name] ? Name : never]?: Exclude<All[Name], undefined>;
};
type Group<Name extends string> = {
  readonly [Place in keyof ByPlace as Place extends `${Name}.${infer Own}` ? Own : never]: ByPlace[Place];
};
type GroupName = keyof ByPlace extends infer Place ? (Place extends `${infer Name}.${string}` ? Name : never) : never;
type Single = {
  readonly [Place in keyof ByPlace as Place extends `${string}.${string}` ? never : Place]: ByPlace[Place];
};

/** The part of `Configuration` that follows from the rows. */
export type PlacedValues = Shape<Single> & { readonly [Name in GroupName]: Shape<Group<Name>> };

/**
 * Checks the values of all keys, and adds the defaults of missing ones. Throws `AppError` (exit code 2) that names an
 * unknown key with the most similar known key, a retired key with the remedy, or the key with a wrong value.
 */
export function checkValues(settings: Readonly<Record<string, unknown>>): Values {
  for (const key of Object.keys(settings)) {
    const retired = retiredKeys[key];
    if (retired !== undefined) {
      throw new AppError(2, `The configuration key "${key}" does not exist any more. ${retired}`);
    }
    if (!isKey(key)) throw unknownName(`The configuration key "${key}"`, key, configurationKeys);
  }
  const entries = Object.entries(keys).map(([key, { schema }]) => {
    const result = schema.safeParse(settings[key], { error: issueSentence });
    if (result.success) return [key, result.data] as const;
    const reason = (result.error.issues[0]?.message ?? 'it is not valid').replace(/\.$/, '');
    throw new AppError(2, `The configuration key "${key}" is wrong: ${reason}.`);
  });
  return Object.fromEntries(entries) as Values;
}

/** Puts each value into its place. A property without a value is absent. */
export function placeValues(values: Values, dataFolder: string): PlacedValues {
  const placed: Record<string, unknown> = {};
  for (const [name, row] of Object.entries(keys) as readonly (readonly [Key, KeyRow])[]) {
    const { place, otherwise } = row;
    const value = values[name] ?? otherwise?.(dataFolder);
    if (place === undefined || value === undefined) continue;
    const [group = '', own] = place.split('.');
    if (own === undefined) placed[group] = value;
    else placed[group] = { ...(placed[group] as object | undefined), [own]: value };
  }
  return placed as unknown as PlacedValues;
}

/** Keys of earlier versions, with the sentence for those who still have them. */
export const retiredKeys: Readonly<Record<string, string>> = {
  'modules.binding': 'Token drivers are called through koffi only: remove the key.',
};

/** The error for an unknown key, with the most similar known key. */
export function unknownName(what: string, name: string, known: readonly string[]): AppError {
  return new AppError(2, `${what} is unknown. Did you mean "${nearestName(name, known)}"?`);
}
