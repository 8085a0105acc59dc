import type { SettingsStore } from '../../src/service/settings/index.ts';

/** Settings kept until the end of the process. */
export function settingsInMemory(): SettingsStore {
  const values = new Map<string, unknown>();
  return {
    read: (key) => Promise.resolve(values.get(key)),
    write: (key, value) => Promise.resolve(void values.set(key, value)),
    remove: (key) => Promise.resolve(void values.delete(key)),
  };
}
