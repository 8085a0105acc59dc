import type {
  AccessGrant,
  HashUse,
  StoredCode,
  StoredRefreshToken,
  StoredToken,
  TokenStore,
} from '../../../service/authorization/index.ts';
import type { Database } from '../database-schema.ts';
import { codeColumns, refreshTokenColumns, tokenColumns, tokenSecretColumns } from '../columns/identity.ts';
import { storing } from '../../service-failure.ts';
import { nameOfCall } from './sql-hash-call-store.ts';

/** Authorization codes and access tokens, by their hashes. */
export class SqlTokenStore implements TokenStore {
  readonly #database: Database;
  readonly #mayErase: () => boolean;

  /** @param mayErase false while the clock is in doubt: then expired rows stay */
  constructor(database: Database, mayErase: () => boolean = () => true) {
    this.#database = database;
    this.#mayErase = mayErase;
  }

  async insertCode(code: StoredCode): Promise<void> {
    await storing(() => this.#database.insertInto('authorization_codes').values(codeColumns.toRow(code)).execute());
  }

  async findCode(hash: Buffer): Promise<StoredCode | undefined> {
    const row = await storing(() =>
      this.#database.selectFrom('authorization_codes').selectAll().where('hash', '=', hash).executeTakeFirst(),
    );
    return row && codeColumns.fromRow(row);
  }

  async spendCode(hash: Buffer, at: Date): Promise<boolean> {
    const { numUpdatedRows } = await storing(() =>
      this.#database
        .updateTable('authorization_codes')
        .set({ used_at: at.getTime() })
        .where('hash', '=', hash)
        .where('used_at', 'is', null)
        .executeTakeFirst(),
    );
    return numUpdatedRows === 1n;
  }

  async removeCode(hash: Buffer): Promise<void> {
    await storing(() => this.#database.deleteFrom('authorization_codes').where('hash', '=', hash).execute());
  }

  async insertToken(token: StoredToken): Promise<void> {
    const row = { ...tokenColumns.toRow({ ...token, spentAt: null }), ...tokenSecretColumns.toRow(token) };
    await storing(() => this.#database.insertInto('access_tokens').values(row).execute());
  }

  async findToken(hash: Buffer): Promise<(AccessGrant & { readonly spentAt: Date | null }) | undefined> {
    const row = await storing(() =>
      this.#database.selectFrom('access_tokens').selectAll().where('hash', '=', hash).executeTakeFirst(),
    );
    return row && tokenColumns.fromRow(row);
  }

  async spendToken(id: string, at: Date): Promise<boolean> {
    const { numUpdatedRows } = await storing(() =>
      this.#database
        .updateTable('access_tokens')
        .set({ spent_at: at.getTime() })
        .where('id', '=', id)
        .where('spent_at', 'is', null)
        .executeTakeFirst(),
    );
    return numUpdatedRows === 1n;
  }

  async claimHashes(use: HashUse): Promise<'claimed' | 'repeated' | 'spent' | 'exceeded'> {
    return storing(() => this.#database.transaction().execute((transaction) => claimHashes(transaction, use)));
  }

  async insertRefreshToken(token: StoredRefreshToken): Promise<void> {
    const row = refreshTokenColumns.toRow(token);
    await storing(() => this.#database.insertInto('refresh_tokens').values(row).execute());
  }

  async findRefreshToken(hash: Buffer): Promise<StoredRefreshToken | undefined> {
    const row = await storing(() =>
      this.#database.selectFrom('refresh_tokens').selectAll().where('hash', '=', hash).executeTakeFirst(),
    );
    return row && refreshTokenColumns.fromRow(row);
  }

  async spendRefreshToken(hash: Buffer, at: Date): Promise<boolean> {
    const { numUpdatedRows } = await storing(() =>
      this.#database
        .updateTable('refresh_tokens')
        .set({ used_at: at.getTime() })
        .where('hash', '=', hash)
        .where('used_at', 'is', null)
        .executeTakeFirst(),
    );
    return numUpdatedRows === 1n;
  }

  async removeTokens(of: Parameters<TokenStore['removeTokens']>[0]): Promise<void> {
    const tokens = this.#database.deleteFrom('access_tokens');
    const chosen =
      'hash' in of
        ? tokens.where('hash', '=', of.hash)
        : 'codeHash' in of
          ? tokens.where('code_hash', '=', of.codeHash)
          : 'username' in of
            ? tokens.where('username', '=', of.username)
            : tokens.where('client_id', '=', of.clientId);
    await storing(() => chosen.execute());
    await this.#removeRefreshTokens(of);
    await this.#removeUnusedCodes(of);
  }

  async #removeRefreshTokens(of: Parameters<TokenStore['removeTokens']>[0]): Promise<void> {
    if ('hash' in of) return;
    const tokens = this.#database.deleteFrom('refresh_tokens');
    const chosen =
      'codeHash' in of
        ? tokens.where('code_hash', '=', of.codeHash)
        : 'username' in of
          ? tokens.where('username', '=', of.username)
          : tokens.where('client_id', '=', of.clientId);
    await storing(() => chosen.execute());
  }

  async removeEnded(now: Date, codesBefore: Date): Promise<void> {
    if (!this.#mayErase()) return;
    await storing(() => this.#database.deleteFrom('access_tokens').where('expires_at', '<=', now.getTime()).execute());
    await storing(() => this.#database.deleteFrom('hash_calls').where('expires_at', '<=', now.getTime()).execute());
    await storing(() => this.#database.deleteFrom('refresh_tokens').where('expires_at', '<=', now.getTime()).execute());
    await storing(() =>
      this.#database.deleteFrom('authorization_codes').where('expires_at', '<', codesBefore.getTime()).execute(),
    );
  }

  /** Removes unused codes together with the tokens of their person or application. */
  async #removeUnusedCodes(of: Parameters<TokenStore['removeTokens']>[0]): Promise<void> {
    const unused = this.#database.deleteFrom('authorization_codes').where('used_at', 'is', null);
    if ('username' in of) await storing(() => unused.where('username', '=', of.username).execute());
    if ('clientId' in of) await storing(() => unused.where('client_id', '=', of.clientId).execute());
  }
}

/** The first statement locks the row of the token, so that calls with one token run one after the other. */
async function claimHashes(
  database: Database,
  { tokenId, call, hashes, most, isOneCall, at, expiresAt }: HashUse,
): ReturnType<TokenStore['claimHashes']> {
  const token = database.updateTable('access_tokens').where('id', '=', tokenId);
  const locked = await token.set({ id: tokenId }).executeTakeFirst();
  if (locked.numUpdatedRows !== 1n) return 'spent';
  const calls = database.selectFrom('hash_calls');
  const id = nameOfCall(tokenId, call);
  if ((await calls.select('id').where('id', '=', id).executeTakeFirst()) !== undefined) return 'repeated';
  if (isOneCall) {
    const spent = await token.set({ spent_at: at.getTime() }).where('spent_at', 'is', null).executeTakeFirst();
    if (spent.numUpdatedRows !== 1n) return 'spent';
  }
  const rows = await calls.select('hashes').where('token_id', '=', tokenId).execute();
  const used = rows.reduce((sum, row) => sum + row.hashes, 0);
  if (used + hashes > most) return used >= most ? 'spent' : 'exceeded';
  const row = { id, token_id: tokenId, hashes, attempt: 0, sealed_signatures: null, expires_at: expiresAt.getTime() };
  await database.insertInto('hash_calls').values(row).execute();
  return 'claimed';
}
