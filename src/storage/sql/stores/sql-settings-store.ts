import type { SettingsStore } from '../../../service/settings/index.ts';
import type { Database } from '../database-schema.ts';
import { storing } from '../../service-failure.ts';

/** Settings as JSON text, a row for each. */
export class SqlSettingsStore implements SettingsStore {
  readonly #database: Database;
  readonly #onChange: (key: string) => void;

  /** @param onChange called after each change of a setting by this store */
  constructor(database: Database, onChange: (key: string) => void = () => undefined) {
    this.#database = database;
    this.#onChange = onChange;
  }

  /** Undefined when nothing was written under this key. */
  async read(key: string): Promise<unknown> {
    const row = await storing(() =>
      this.#database.selectFrom('settings').select('value').where('key', '=', key).executeTakeFirst(),
    );
    return row === undefined ? undefined : (JSON.parse(row.value) as unknown);
  }

  async write(key: string, value: unknown): Promise<void> {
    const text = JSON.stringify(value);
    await storing(() =>
      this.#database
        .insertInto('settings')
        .values({ key, value: text })
        .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: text }))
        .execute(),
    );
    this.#onChange(key);
  }

  /** The keys of all settings, in order. */
  async names(): Promise<readonly string[]> {
    const rows = await storing(() => this.#database.selectFrom('settings').select('key').orderBy('key').execute());
    return rows.map(({ key }) => key);
  }

  async remove(key: string): Promise<void> {
    await storing(() => this.#database.deleteFrom('settings').where('key', '=', key).execute());
    this.#onChange(key);
  }
}
