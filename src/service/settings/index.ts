/** Stores choices of the user and state of the application: a JSON value per key, checked when read. */
export interface SettingsStore {
  read(key: string): Promise<unknown>;
  write(key: string, value: unknown): Promise<void>;
  remove(key: string): Promise<void>;
}
