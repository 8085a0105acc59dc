/** The properties of `Values` that may be undefined become optional, and are absent instead of undefined. */
export type WithoutUndefined<Values> = {
  [Name in keyof Values as undefined extends Values[Name] ? never : Name]: Values[Name];
} & {
  [Name in keyof Values as undefined extends Values[Name] ? Name : never]?: Exclude<Values[Name], undefined>;
};

/** Copies an object without its undefined properties, for types whose optional properties must not be undefined. */
export function dropUndefined<Values extends object>(values: Values): WithoutUndefined<Values> {
  const defined: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(values)) if (value !== undefined) defined[name] = value;
  return defined as WithoutUndefined<Values>;
}
