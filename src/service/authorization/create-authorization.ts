import { createHash, randomBytes } from 'node:crypto';
import { ServiceError } from '../errors/index.ts';
import { normalizeTaxpayerNumber } from '../../signing/index.ts';
import type {
  AccessGrant,
  Authorization,
  CodeGrant,
  HashCallClaim,
  HashPermission,
  IssuedToken,
  Scope,
  TokenRequest,
  TokenStore,
} from './authorization.ts';

import {
  addRefreshToken,
  isRenewable,
  issueForRefresh,
  readRefreshToken,
  renewableLifetime,
  spendRefreshToken,
} from './refresh-tokens.ts';

/** Services for authorization. */
export interface AuthorizationDependencies {
  readonly store: TokenStore;
  readonly now: () => Date;
  /** Seconds for which a token approves after its one-time password; 0: never. */
  readonly approvalSession: number;
  /** Called after a refresh token was used twice, which revokes all tokens of its permission. */
  readonly onReuse?: (clientId: string) => Promise<void>;
}

/** Seconds. */
const codeLifetime = 60;
const defaultLifetime = 3600;
/** The longest lifetime of a token for a person, and for a company. */
const longestForPerson = 604_800;
const longestForCompany = 2_592_000;
const companyNumberLength = 14;

/** Bytes of codes and tokens: 256 bits. */
const secretLength = 32;

/** The scopes for creating a transaction, the widest first. */
const signingScopes = ['signature_session', 'multi_signature', 'single_signature'] as const satisfies readonly Scope[];

/** Tokens and codes of this instance, over a store. */
export function createAuthorization(dependencies: AuthorizationDependencies): Authorization {
  const { store, now } = dependencies;
  return {
    readToken: async (accessToken) => {
      const found = await store.findToken(hashOf(accessToken));
      return found === undefined || found.expiresAt <= now() ? undefined : grantOf(found);
    },
    useForSigning: (grant, documents) => useForSigning(dependencies, grant, documents),
    useForHashes: (grant, claim) => useForHashes(dependencies, grant, claim),
    issueCode: (grant) => issueCode(dependencies, grant),
    findCode: (code) => findCode(dependencies, code),
    spendCode: (code) => store.spendCode(hashOf(code), now()),
    issueForCode: (code, grant) => issueForCode(dependencies, hashOf(code), grant),
    issueToken: (request) => issue(dependencies, request, { consented: request.consented ?? false, codeHash: null }),
    issueSession: (username, lifetime) =>
      issue(
        dependencies,
        { username: normalizeTaxpayerNumber(username), clientId: null, scopes: ['signature_session'], lifetime },
        { consented: false, codeHash: null },
      ),
    readRefreshToken: (token) => readRefreshToken(dependencies, token),
    spendRefreshToken: (token) => spendRefreshToken(dependencies, token),
    issueForRefresh: (token, { scopes }) =>
      issueForRefresh(dependencies, token, scopes, (grant, codeHash, lifetime) =>
        issue(dependencies, { ...grant, lifetime }, { consented: true, codeHash }),
      ),
    revoke: async (token) => {
      const refresh = await store.findRefreshToken(hashOf(token));
      await store.removeTokens(refresh === undefined ? { hash: hashOf(token) } : { codeHash: refresh.codeHash });
    },
    revokeAll: (of) => store.removeTokens(of),
  };
}

/** Lifetime of a token in seconds: as requested, at most a week for a CPF and thirty days for a CNPJ. */
export function tokenLifetime(username: string | null, lifetime: number | undefined): number {
  const longest = username?.length === companyNumberLength ? longestForCompany : longestForPerson;
  return Math.min(longest, Math.max(1, Math.floor(lifetime ?? defaultLifetime)));
}

async function issueCode({ store, now }: AuthorizationDependencies, grant: CodeGrant): Promise<string> {
  const code = randomBytes(secretLength).toString('base64url');
  const at = now();
  // A used code is kept for its token's longest lifetime, so that a replay is detected.
  await store.removeEnded(at, new Date(at.getTime() - longestForCompany * 1000));
  const expiresAt = new Date(at.getTime() + codeLifetime * 1000);
  await store.insertCode({ ...grant, hash: hashOf(code), expiresAt, usedAt: null });
  return code;
}

async function findCode(
  { store, now }: AuthorizationDependencies,
  code: string,
): Promise<(CodeGrant & { readonly expiresAt: Date }) | undefined> {
  const found = await store.findCode(hashOf(code));
  if (found === undefined) return undefined;
  if (found.usedAt !== null) {
    await store.removeCode(found.hash);
    await store.removeTokens({ codeHash: found.hash });
    return undefined;
  }
  return found.expiresAt <= now() ? undefined : found;
}

/**
 * A replay removes the code first and its tokens then. If the code is gone after the token was stored, the replay may
 * have missed this token, so it is removed here.
 */
async function issueForCode(
  dependencies: AuthorizationDependencies,
  codeHash: Buffer,
  grant: CodeGrant,
): Promise<IssuedToken> {
  const { store } = dependencies;
  const issued = await issueFirst(dependencies, codeHash, grant);
  if ((await store.findCode(codeHash)) !== undefined) return issued;
  await store.removeTokens({ codeHash });
  throw new ServiceError('INVALID_CREDENTIALS', 'This code was used more than once.');
}

/** A renewable permission lasts as long as its person was shown; its access tokens last at most an hour. */
async function issueFirst(
  dependencies: AuthorizationDependencies,
  codeHash: Buffer,
  { clientId, username, scopes, lifetime, hashes }: CodeGrant,
): Promise<IssuedToken> {
  const seconds = tokenLifetime(username, lifetime);
  const isLong = isRenewable(scopes);
  const request = {
    clientId,
    username,
    scopes,
    hashes,
    lifetime: isLong ? Math.min(renewableLifetime, seconds) : lifetime,
  };
  const issued = await issue(dependencies, request, { consented: true, codeHash });
  if (!isLong) return issued;
  const end = new Date(dependencies.now().getTime() + seconds * 1000);
  return { ...issued, refresh: await addRefreshToken(dependencies, codeHash, { clientId, username, scopes }, end) };
}

async function issue(
  { store, now, approvalSession }: AuthorizationDependencies,
  { username, clientId, scopes, lifetime, hashes }: TokenRequest,
  { consented, codeHash }: { readonly consented: boolean; readonly codeHash: Buffer | null },
): Promise<IssuedToken> {
  const accessToken = randomBytes(secretLength).toString('base64url');
  const createdAt = now();
  const expiresAt = new Date(createdAt.getTime() + tokenLifetime(username, lifetime) * 1000);
  const approvesUntil =
    username === null || consented || approvalSession <= 0
      ? null
      : new Date(Math.min(expiresAt.getTime(), createdAt.getTime() + approvalSession * 1000));
  const id = randomBytes(16).toString('hex');
  const hash = hashOf(accessToken);
  await store.insertToken({
    id,
    hash,
    codeHash,
    username,
    clientId,
    scopes,
    consented,
    approvesUntil,
    hashes,
    createdAt,
    expiresAt,
  });
  return { accessToken, expiresAt, scopes };
}

async function useForSigning(
  { store, now }: AuthorizationDependencies,
  grant: AccessGrant,
  documents: number,
): Promise<void> {
  const scope = signingScopes.find((one) => grant.scopes.includes(one));
  if (scope === undefined) {
    throw notAllowed(
      'This token may not sign: ask for the scope single_signature, multi_signature or signature_session.',
    );
  }
  if (scope === 'signature_session') return;
  if (scope === 'single_signature' && documents > 1) {
    throw notAllowed('This token signs one document: ask for the scope multi_signature or signature_session.');
  }
  if (!(await store.spendToken(grant.id, now()))) {
    throw notAllowed('This token has signed already: ask the user for another one.');
  }
}

/** The scopes for hashes: those for transactions, and the one of the Cloud Signature Consortium. */
const hashScopes: readonly Scope[] = [...signingScopes, 'credential'];

async function useForHashes(
  { store, now }: AuthorizationDependencies,
  { id, scopes, hashes: permission, expiresAt }: AccessGrant,
  { call, hashes, certificate }: HashCallClaim,
): Promise<void> {
  const scope = hashScopes.find((one) => scopes.includes(one));
  if (scope === undefined || permission === undefined) {
    throw notAllowed('This token signs no hashes: ask the user on the authorize page for a scope that signs.');
  }
  expectPermitted(permission, hashes, certificate);
  const most = scope === 'single_signature' ? 1 : permission.most;
  if (hashes.length > most) throw tooMany(most);
  const isOneCall = scope === 'single_signature' || scope === 'multi_signature';
  const use = { tokenId: id, call, hashes: hashes.length, most, isOneCall, at: now(), expiresAt };
  const outcome = await store.claimHashes(use);
  if (outcome === 'exceeded') throw tooMany(most);
  if (outcome !== 'spent') return;
  throw new ServiceError('INVALID_CREDENTIALS', 'This token has signed already: ask the user for another one.');
}

function expectPermitted(permission: HashPermission, hashes: readonly string[], certificate: string): void {
  if (permission.certificate !== undefined && permission.certificate !== certificate) {
    throw notAllowed('The user authorized another certificate.');
  }
  const { values } = permission;
  if (values === undefined || hashes.every((value) => values.includes(value))) return;
  throw notAllowed('The user authorized other hashes.');
}

const tooMany = (most: number): ServiceError =>
  new ServiceError(
    'REQUEST_INVALID',
    `The user permitted at most ${most} ${most === 1 ? 'hash' : 'hashes'} with this token.`,
  );

/** The hashes that a consent or a one-time password with these scopes permits; undefined: none. */
export function hashPermissionOf(scopes: readonly Scope[], most: number): HashPermission | undefined {
  const scope = hashScopes.find((one) => scopes.includes(one));
  if (scope === undefined || most <= 0) return undefined;
  return { most: scope === 'single_signature' ? 1 : most };
}

function grantOf(grant: AccessGrant): AccessGrant {
  const { id, username, clientId, scopes, consented, approvesUntil, hashes, expiresAt } = grant;
  return { id, username, clientId, scopes, consented, approvesUntil, hashes, expiresAt };
}

function notAllowed(detail: string): ServiceError {
  return new ServiceError('SCOPE_NOT_ALLOWED', detail);
}

function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
