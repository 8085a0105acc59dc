import { createHash, randomBytes } from 'node:crypto';
import { ServiceError } from '../errors/index.ts';
import type { CodeGrant, IssuedToken, RefreshGrant, Scope, TokenStore } from './authorization.ts';

/** Services for refresh tokens. */
export interface RefreshDependencies {
  readonly store: TokenStore;
  readonly now: () => Date;
  /** Called after a refresh token was used twice, which revokes all tokens of its permission. */
  readonly onReuse?: (clientId: string) => Promise<void>;
}

/** Bytes of a refresh token: 256 bits. */
const secretLength = 32;

/** Maximum lifetime in seconds of an access token that can be renewed. */
export const renewableLifetime = 3600;

/** Scopes for a single use: renewing the token would multiply the uses. */
const singleUse: readonly Scope[] = ['single_signature', 'multi_signature'];

/** True if a permission may be renewed by refresh tokens, up to the end that was shown to the person. */
export function isRenewable(scopes: readonly Scope[]): boolean {
  if (!scopes.includes('offline_access')) return false;
  return scopes.includes('signature_session') || !scopes.some((scope) => singleUse.includes(scope));
}

/** Adds the first or the next refresh token of a permission; it expires with the permission. */
export async function addRefreshToken(
  { store, now }: RefreshDependencies,
  family: Buffer,
  { clientId, username, scopes }: Pick<CodeGrant, 'clientId' | 'username' | 'scopes'>,
  expiresAt: Date,
): Promise<NonNullable<IssuedToken['refresh']>> {
  const token = randomBytes(secretLength).toString('base64url');
  const hash = hashOf(token);
  await store.insertRefreshToken({
    hash,
    codeHash: family,
    clientId,
    username,
    scopes,
    expiresAt,
    createdAt: now(),
    usedAt: null,
  });
  return { token, expiresAt };
}

/**
 * The meaning of a refresh token; undefined if unknown or expired. A token that was used before is undefined as well:
 * either its client or a thief has the next token, so all tokens of the permission are revoked (RFC 9700 §4.14.2).
 */
export async function readRefreshToken(
  { store, now, onReuse }: RefreshDependencies,
  token: string,
): Promise<RefreshGrant | undefined> {
  const found = await store.findRefreshToken(hashOf(token));
  if (found === undefined) return undefined;
  if (found.usedAt !== null) {
    await store.removeTokens({ codeHash: found.codeHash });
    await onReuse?.(found.clientId);
    return undefined;
  }
  const { clientId, username, scopes, expiresAt } = found;
  return expiresAt <= now() ? undefined : { clientId, username, scopes, expiresAt };
}

/** Marks a refresh token as used: true for the first caller only, which may get the next one. */
export async function spendRefreshToken({ store, now }: RefreshDependencies, token: string): Promise<boolean> {
  return store.spendRefreshToken(hashOf(token), now());
}

/**
 * Issues the next tokens after a used refresh token. `issue` makes an access token of the same permission with this
 * lifetime in seconds. Rejects with `INVALID_CREDENTIALS` if the permission was ended in the meantime.
 */
export async function issueForRefresh(
  dependencies: RefreshDependencies,
  token: string,
  scopes: readonly Scope[],
  issue: (grant: RefreshGrant, family: Buffer, lifetime: number) => Promise<IssuedToken>,
): Promise<IssuedToken> {
  const { store, now } = dependencies;
  const spent = await store.findRefreshToken(hashOf(token));
  if (spent === undefined) throw ended();
  const left = Math.floor((spent.expiresAt.getTime() - now().getTime()) / 1000);
  const issued = await issue({ ...spent, scopes }, spent.codeHash, Math.min(renewableLifetime, Math.max(1, left)));
  const refresh = await addRefreshToken(dependencies, spent.codeHash, spent, spent.expiresAt);
  // If a reuse was detected in the meantime, the row is gone, and the new tokens must be revoked too.
  if ((await store.findRefreshToken(hashOf(token))) !== undefined) return { ...issued, refresh };
  await store.removeTokens({ codeHash: spent.codeHash });
  throw ended();
}

const ended = (): ServiceError =>
  new ServiceError('INVALID_CREDENTIALS', 'This permission has ended: ask the user again.');

const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();
