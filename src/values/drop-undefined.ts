/** The properties of `Values` that may be undefined become optional, and are absent instead of undefined. */
export type WithoutUndefined<Values> = {
  [Name in keyof Values as undefined extends Values[Name] ? never : Name]: Values[Name];
} & {
  [Name in keyof Values as undefined extends Values[Name] ? Name : never]?: Exclude<Values[Name], undefined>;
};

/**
 * The object without its undefined properties, where a property that is there counts: a patch over defaults or over a
 * stored record, headers, variables of the environment. Answers `values` itself when none of its properties is
 * undefined, because most calls are of this kind; `values` must be a plain object.
 */
export function dropUndefined<Values extends object>(values: Values): WithoutUndefined<Values> {
  for (const name in values) if (values[name] === undefined) return copyDefined(values);
  return values;
}

function copyDefined<Values extends object>(values: Values): WithoutUndefined<Values> {
  const defined: Record<string, unknown> = {};
  for (const name in values) if (values[name] !== undefined) defined[name] = values[name];
  return defined as WithoutUndefined<Values>;
}
