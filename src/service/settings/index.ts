/** The user's settings. */
export type { SettingsStore } from './settings.ts';
