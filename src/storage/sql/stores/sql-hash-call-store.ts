import type { ApplicationPerson, HashCallStore, KeptCall } from '../../../service/hash-calls/index.ts';
import type { Database } from '../database-schema.ts';
import { storing } from '../../service-failure.ts';

/** The name of a call in its table. */
export const nameOfCall = (tokenId: string, call: string): string => `${tokenId} ${call}`;

/** Calls that signed hashes, with their sealed signatures, and the people whom an application may find. */
export class SqlHashCallStore implements HashCallStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async find(tokenId: string, call: string): Promise<KeptCall | undefined> {
    const row = await storing(() =>
      this.#database
        .selectFrom('hash_calls')
        .select(['attempt', 'sealed_signatures'])
        .where('id', '=', nameOfCall(tokenId, call))
        .executeTakeFirst(),
    );
    return row && { attempt: row.attempt, sealed: row.sealed_signatures ?? undefined };
  }

  async keep(tokenId: string, call: string, change: KeptCall): Promise<void> {
    await storing(() =>
      this.#database
        .updateTable('hash_calls')
        .set({ attempt: change.attempt, sealed_signatures: change.sealed ?? null })
        .where('id', '=', nameOfCall(tokenId, call))
        .execute(),
    );
  }

  async addPerson({ slot, clientId, username, isAuthorized }: ApplicationPerson): Promise<void> {
    const row = { slot, client_id: clientId, username, authorized: isAuthorized ? 1 : 0 };
    await storing(() =>
      this.#database
        .insertInto('application_people')
        .values(row)
        .onConflict((conflict) => conflict.columns(['client_id', 'username']).doNothing())
        .execute(),
    );
    if (!isAuthorized) return;
    await storing(() =>
      this.#database
        .updateTable('application_people')
        .set({ authorized: 1 })
        .where('client_id', '=', clientId)
        .where('username', '=', username)
        .execute(),
    );
  }

  async findPerson(clientId: string, username: string): Promise<ApplicationPerson | undefined> {
    const row = await storing(() =>
      this.#database
        .selectFrom('application_people')
        .selectAll()
        .where('client_id', '=', clientId)
        .where('username', '=', username)
        .executeTakeFirst(),
    );
    return row && { slot: row.slot, clientId, username, isAuthorized: row.authorized === 1 };
  }

  async findSlot(clientId: string, slot: string): Promise<ApplicationPerson | undefined> {
    const row = await storing(() =>
      this.#database
        .selectFrom('application_people')
        .selectAll()
        .where('client_id', '=', clientId)
        .where('slot', '=', slot)
        .executeTakeFirst(),
    );
    return row && { slot, clientId, username: row.username, isAuthorized: row.authorized === 1 };
  }
}
