/** The keys of the configuration: one row tells all there is to a key. */
import { dataKeys } from './data-keys.ts';
import { serviceKeys } from './service-keys.ts';
import { surroundingsKeys } from './surroundings-keys.ts';

/** Every key of the configuration. In a file `a.b` is `b` in the table `[a]`, in the environment `SINETE_A_B`. */
export const keys = { ...serviceKeys, ...dataKeys, ...surroundingsKeys } as const;

/** The name of a key. */
export type Key = keyof typeof keys;

/** Names of all keys, for documentation and tests. */
export const configurationKeys: readonly string[] = Object.keys(keys);

export function isKey(name: string): name is Key {
  return Object.hasOwn(keys, name);
}
