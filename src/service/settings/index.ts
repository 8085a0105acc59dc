/** The user's choices and the application's memory; a JSON value per key, checked by its reader. */
export interface SettingsStore {
  read(key: string): Promise<unknown>;
  write(key: string, value: unknown): Promise<void>;
  remove(key: string): Promise<void>;
}
