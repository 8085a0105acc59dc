/** The tables of people, applications and tokens. */
import type { Generated } from 'kysely';
import type { Administrator } from '../../../service/administration/index.ts';
import type { ApplicationLimits, StoredApplication } from '../../../service/applications/index.ts';
import type { AccessGrant, StoredCode, StoredRefreshToken, StoredToken } from '../../../service/authorization/index.ts';
import type { AttemptRecord, StoredAccount } from '../../../service/users/index.ts';
import {
  bytes,
  converted,
  date,
  flag,
  integer,
  json,
  nullable,
  optional,
  recordColumns,
  text,
  type RowOf,
  type RowOfAll,
} from './columns.ts';

export const accountColumns = recordColumns<Omit<StoredAccount, 'id' | 'sealedSecret' | 'recoveryCodes'>>()({
  name: text('name'),
  username: text('username'),
  photo: nullable(text('photo')),
  createdAt: date('created_at'),
  updatedAt: date('updated_at'),
});

export type AccountRow = RowOf<typeof accountColumns> & { id: number; sealed_secret: Buffer };

/** A time step (RFC 6238 §4.2) with a spent code. */
interface SpentStepRow {
  account_id: number;
  step: number;
}

interface RecoveryCodeRow {
  account_id: number;
  hash: Buffer;
}

export const attemptColumns = recordColumns<AttemptRecord & { readonly key: string }>()({
  key: text('key'),
  failures: integer('failures'),
  lastAt: date('last_at'),
  blockedUntil: nullable(date('blocked_until')),
});

export const applicationColumns = recordColumns<Omit<StoredApplication, 'isPublic' | keyof ApplicationSecrets>>()({
  clientId: text('client_id'),
  signsRaw: flag('signs_raw'),
  name: text('name'),
  comments: text('comments'),
  email: text('email'),
  redirectUris: json('redirect_uris'),
  limits: converted(
    'limits',
    (limits: ApplicationLimits): string | null =>
      Object.values(limits).every((limit) => limit === undefined) ? null : JSON.stringify(limits),
    (stored) => (stored === null ? {} : (JSON.parse(stored) as ApplicationLimits)),
  ),
  createdAt: date('created_at'),
  lastUsedAt: nullable(date('last_used_at')),
});

type ApplicationSecrets = Pick<StoredApplication, 'secretHash' | 'sealedWebhookSecret'>;

export const applicationSecretColumns = recordColumns<ApplicationSecrets>()({
  // NULL: a public client (RFC 6749 §2.1).
  secretHash: nullable(text('secret_hash')),
  sealedWebhookSecret: bytes('sealed_webhook_secret'),
});

export type ApplicationRow = RowOfAll<[typeof applicationColumns, typeof applicationSecretColumns]>;

/** Documents of the last day on which an application with a limit sent any. */
interface ApplicationUseRow {
  client_id: string;
  /** `YYYY-MM-DD`, local time. */
  day: string;
  documents: number;
}

export const codeColumns = recordColumns<StoredCode>()({
  hash: bytes('hash'),
  clientId: text('client_id'),
  username: text('username'),
  redirectUri: text('redirect_uri'),
  redirectUriGiven: flag('redirect_uri_given'),
  scopes: json('scopes'),
  codeChallenge: optional(text('code_challenge')),
  lifetime: optional(integer('lifetime')),
  hashes: optional(json('hashes')),
  expiresAt: date('expires_at'),
  usedAt: nullable(date('used_at')),
});

/** An access token, and the time of its single permitted signature. */
export const tokenColumns = recordColumns<AccessGrant & { readonly spentAt: Date | null }>()({
  id: text('id'),
  username: nullable(text('username')),
  clientId: nullable(text('client_id')),
  scopes: json('scopes'),
  consented: flag('consented'),
  // NULL: the token never approves.
  approvesUntil: nullable(date('approves_until')),
  hashes: optional(json('hashes')),
  expiresAt: date('expires_at'),
  spentAt: nullable(date('spent_at')),
});

export const tokenSecretColumns = recordColumns<Omit<StoredToken, keyof AccessGrant>>()({
  hash: bytes('hash'),
  codeHash: nullable(bytes('code_hash')),
  createdAt: date('created_at'),
});

export const refreshTokenColumns = recordColumns<StoredRefreshToken>()({
  hash: bytes('hash'),
  // Shared by all tokens of one permission.
  codeHash: bytes('code_hash'),
  clientId: text('client_id'),
  username: text('username'),
  scopes: json('scopes'),
  createdAt: date('created_at'),
  expiresAt: date('expires_at'),
  usedAt: nullable(date('used_at')),
});

/** A call that used a token's permission for hashes. `id`: the token's id, a space and the digest of the call. */
interface HashCallRow {
  id: string;
  token_id: string;
  hashes: number;
  attempt: number;
  sealed_signatures: Buffer | null;
  expires_at: number;
}

/** A person whom an application may find: `slot` names the person to the application alone. */
interface ApplicationPersonRow {
  slot: string;
  client_id: string;
  username: string;
  /** 1: the person once authorized the application. */
  authorized: number;
}

export const administratorColumns = recordColumns<Administrator>()({
  name: text('name'),
  scopes: json('scopes'),
  createdAt: date('created_at'),
  lastUsedAt: nullable(date('last_used_at')),
});

export interface IdentityTables {
  accounts: Omit<AccountRow, 'id'> & { id: Generated<number> };
  spent_steps: SpentStepRow;
  recovery_codes: RecoveryCodeRow;
  attempts: RowOf<typeof attemptColumns>;
  applications: ApplicationRow;
  application_use: ApplicationUseRow;
  authorization_codes: RowOf<typeof codeColumns>;
  access_tokens: RowOfAll<[typeof tokenColumns, typeof tokenSecretColumns]>;
  refresh_tokens: RowOf<typeof refreshTokenColumns>;
  hash_calls: HashCallRow;
  application_people: ApplicationPersonRow;
  /** `hash`: SHA-256 of the token. */
  administrators: RowOf<typeof administratorColumns> & { hash: Buffer };
}
