/** Settings that the user chose. */
export type { SettingsStore } from './settings.ts';
