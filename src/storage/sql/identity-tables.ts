import type { Generated } from 'kysely';

/** A point in time: milliseconds since 1970, UTC. */
type Instant = number;
/** 0 or 1. */
type Flag = number;
/** JSON text. */
type Json = string;

export interface AccountRow {
  id: Generated<number>;
  name: string;
  username: string;
  photo: string | null;
  sealed_secret: Buffer;
  created_at: Instant;
  updated_at: Instant;
}

/** A time step (RFC 6238 §4.2) with a spent code. */
interface SpentStepRow {
  account_id: number;
  step: number;
}

interface RecoveryCodeRow {
  account_id: number;
  hash: Buffer;
}

export interface AttemptRow {
  key: string;
  failures: number;
  last_at: Instant;
  blocked_until: Instant | null;
}

export interface ApplicationRow {
  client_id: string;
  name: string;
  comments: string;
  email: string;
  redirect_uris: Json;
  /** Null: a public client (RFC 6749 §2.1). */
  secret_hash: string | null;
  sealed_webhook_secret: Buffer;
  created_at: Instant;
  last_used_at: Instant | null;
  /** `ApplicationLimits`; null: none. */
  limits: Json | null;
}

/** Documents of the last day on which an application with a limit sent any. */
export interface ApplicationUseRow {
  client_id: string;
  /** `YYYY-MM-DD`, local time. */
  day: string;
  documents: number;
}

export interface AuthorizationCodeRow {
  hash: Buffer;
  client_id: string;
  username: string;
  redirect_uri: string;
  redirect_uri_given: Flag;
  scopes: Json;
  code_challenge: string | null;
  lifetime: number | null;
  expires_at: Instant;
  used_at: Instant | null;
}

export interface AccessTokenRow {
  id: string;
  hash: Buffer;
  username: string | null;
  client_id: string | null;
  scopes: Json;
  consented: Flag;
  /** The token approves until this time; null: never. */
  approves_until: Instant | null;
  code_hash: Buffer | null;
  created_at: Instant;
  expires_at: Instant;
  /** The time of its single permitted signature. */
  spent_at: Instant | null;
}

export interface RefreshTokenRow {
  hash: Buffer;
  /** Shared by all tokens of one permission. */
  code_hash: Buffer;
  client_id: string;
  username: string;
  scopes: Json;
  created_at: Instant;
  expires_at: Instant;
  used_at: Instant | null;
}

export interface AdministratorRow {
  name: string;
  /** SHA-256 of the token. */
  hash: Buffer;
  scopes: Json;
  created_at: Instant;
  last_used_at: Instant | null;
}

/** The tables of people, applications and tokens. */
export interface IdentityTables {
  accounts: AccountRow;
  spent_steps: SpentStepRow;
  recovery_codes: RecoveryCodeRow;
  attempts: AttemptRow;
  applications: ApplicationRow;
  application_use: ApplicationUseRow;
  authorization_codes: AuthorizationCodeRow;
  access_tokens: AccessTokenRow;
  refresh_tokens: RefreshTokenRow;
  administrators: AdministratorRow;
}
