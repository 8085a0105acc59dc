import type { KeyImport, KeyVault, VaultEntry } from '../../../service/certificates/index.ts';
import { SigningError } from '../../../service/errors/index.ts';
import { engineOf, inOrder } from '../commits.ts';
import type { Database } from '../database-schema.ts';
import { openSealed, seal, withMasterKey, type SecretStore } from '../../secrets/index.ts';
import { storing } from '../../service-failure.ts';

/**
 * The entries of databases that this process alone changes: SQLite's, because the data folder is locked. Reading and
 * naming each of a thousand certificates would cost more than a signature.
 */
const listed = new WeakMap<object, Promise<readonly VaultEntry[]>>();

/**
 * Imported private keys in the instance's database, each sealed under the master key for its own row and version, so
 * that rows cannot be swapped or rolled back. Failures of the secret store are `StorageError`, others `ServiceError`.
 */
export class SqlKeyVault implements KeyVault {
  readonly #database: Database;
  readonly #secrets: Pick<SecretStore, 'getMasterKey'>;

  constructor(database: Database, secrets: Pick<SecretStore, 'getMasterKey'>) {
    this.#database = database;
    this.#secrets = secrets;
  }

  /** In the order of addition. */
  async list(): Promise<readonly VaultEntry[]> {
    if (engineOf(this.#database) !== 'sqlite') return this.#read();
    const known = listed.get(this.#database);
    if (known !== undefined) return known;
    const reading = this.#read();
    listed.set(this.#database, reading);
    reading.catch(() => this.#forget());
    return reading;
  }

  async #read(): Promise<readonly VaultEntry[]> {
    const rows = await storing(() =>
      this.#database
        .selectFrom('private_keys')
        .select(['id', 'label', 'certificate', 'chain'])
        .orderBy('position')
        .execute(),
    );
    return rows.map((row) => ({ ...row, chain: splitChain(row.chain) }));
  }

  #forget(): void {
    listed.delete(this.#database);
  }

  async readPrivateKey(id: string): Promise<Buffer> {
    const row = await storing(() =>
      this.#database
        .selectFrom('private_keys')
        .select(['sealed_key', 'version'])
        .where('id', '=', id)
        .executeTakeFirst(),
    );
    if (row === undefined) throw new SigningError('KEY_NOT_FOUND', 'The key is no longer in the vault.');
    return withMasterKey(this.#secrets, (masterKey) => openSealed(masterKey, row.sealed_key, place(id, row.version)));
  }

  async add({ id, label, certificate, chain, privateKey }: KeyImport): Promise<void> {
    await withMasterKey(this.#secrets, (masterKey) =>
      storing(() =>
        inOrder(this.#database, 'keys', async (connection) => {
          const earlier = await connection
            .selectFrom('private_keys')
            .select(['version', 'position'])
            .where('id', '=', id)
            .executeTakeFirst();
          const { last } = await connection
            .selectFrom('private_keys')
            .select(({ fn }) => fn.max<number | null>('position').as('last'))
            .executeTakeFirstOrThrow();
          const version = (earlier?.version ?? 0) + 1;
          const position = earlier?.position ?? (last ?? -1) + 1;
          const sealed_key = seal(masterKey, privateKey, place(id, version));
          const row = { id, position, label, certificate, chain: joinChain(chain), sealed_key, version };
          await connection
            .insertInto('private_keys')
            .values(row)
            .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
            .execute();
        }).finally(() => {
          this.#forget();
        }),
      ),
    );
  }

  async remove(id: string): Promise<void> {
    await storing(() => this.#database.deleteFrom('private_keys').where('id', '=', id).execute());
    this.#forget();
  }
}

/** The place to which the seal is bound: table, row, version. */
const place = (id: string, version: number): string => `private_keys|${id}|${version}`;

/** Joins certificates, each behind its length in four bytes, most significant byte first. */
function joinChain(chain: readonly Buffer[]): Buffer {
  return Buffer.concat(
    chain.flatMap((certificate) => {
      const length = Buffer.alloc(4);
      length.writeUInt32BE(certificate.length);
      return [length, certificate];
    }),
  );
}

function splitChain(joined: Buffer): readonly Buffer[] {
  const chain: Buffer[] = [];
  for (let at = 0; at < joined.length;) {
    const end = at + 4 + joined.readUInt32BE(at);
    chain.push(joined.subarray(at + 4, end));
    at = end;
  }
  return chain;
}
