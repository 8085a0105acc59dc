import { createHash, randomBytes } from 'node:crypto';
import { ServiceError } from '../errors/index.ts';
import type { AttemptLimits } from '../users/index.ts';

/** The permissions of an administrator's token; `all` includes the others. */
export const ADMINISTRATOR_SCOPES = ['monitor', 'registry', 'users', 'all'] as const;

export type AdministratorScope = (typeof ADMINISTRATOR_SCOPES)[number];

/** An administrator, identified by name; the token itself is not stored. */
export interface Administrator {
  readonly name: string;
  readonly scopes: readonly AdministratorScope[];
  readonly createdAt: Date;
  /** Rounded down to the minute. */
  readonly lastUsedAt: Date | null;
}

/** Stores administrators with the SHA-256 of their tokens. */
export interface AdministratorStore {
  /** False: the name is taken. */
  insert(administrator: Administrator, hash: Buffer): Promise<boolean>;
  /** In the order of names. */
  list(): Promise<readonly Administrator[]>;
  find(hash: Buffer): Promise<Administrator | undefined>;
  /** False: there is no such name. */
  remove(name: string): Promise<boolean>;
  noteUse(name: string, at: Date): Promise<void>;
}

/** Administrators of an instance that other computers reach. */
export interface Administrators {
  /** Adds an administrator; only this answer contains the token. Rejects with `REQUEST_INVALID`. */
  add(
    name: string,
    scopes: readonly AdministratorScope[],
  ): Promise<{ readonly administrator: Administrator; readonly token: string }>;
  list(): Promise<readonly Administrator[]>;
  /** Revokes the token at once. Rejects with `NOT_FOUND`. */
  revoke(name: string): Promise<void>;
  /**
   * The administrator with this token; undefined for an unknown token. Failures are counted for `address`. Rejects with
   * `TOO_MANY_ATTEMPTS` while the address is paused, also for a valid token.
   */
  authenticate(token: string, address: string): Promise<Administrator | undefined>;
  /** Records that an administrator changed something over the network. */
  act(name: string, operation: string): Promise<void>;
}

/** True if the administrator's token includes this scope. */
export function isPermitted({ scopes }: Pick<Administrator, 'scopes'>, scope: AdministratorScope): boolean {
  return scopes.includes(scope) || scopes.includes('all');
}

/** Prefix by which secret scanners recognize our tokens. */
const TOKEN_PREFIX = 'sinete_admin_';
const TOKEN_SHAPE = /^sinete_admin_[\w-]{43}$/;
const NAME_SHAPE = /^[\p{L}\p{N}][\p{L}\p{N} ._@-]{0,63}$/u;

/** Milliseconds during which the last use is not stored again. */
const USE_INTERVAL = 60_000;

/**
 * Builds the service over its store. A token is 256 random bits, so a plain SHA-256 protects it (no dictionary helps).
 */
export function createAdministrators(parts: {
  readonly store: AdministratorStore;
  readonly limits: Pick<AttemptLimits, 'begin' | 'expectNoPause'>;
  readonly now: () => Date;
}): Administrators {
  const { store, limits, now } = parts;
  return {
    add: async (name, scopes) => {
      checkNew(name, scopes);
      const token = `${TOKEN_PREFIX}${randomBytes(32).toString('base64url')}`;
      const administrator = { name, scopes: [...new Set(scopes)], createdAt: now(), lastUsedAt: null };
      if (!(await store.insert(administrator, hashOf(token)))) {
        throw invalidField('name', `There is an administrator "${name}" already: revoke it, or choose another name.`);
      }
      return { administrator, token };
    },
    list: async () => store.list(),
    revoke: async (name) => {
      if (await store.remove(name)) return;
      throw new ServiceError('NOT_FOUND', `There is no administrator "${name}": "sinete admin tokens" lists them.`);
    },
    authenticate: async (token, address) => {
      const attempt = { administratorFrom: address };
      await limits.expectNoPause(attempt);
      const found = TOKEN_SHAPE.test(token) ? await store.find(hashOf(token)) : undefined;
      if (found === undefined) {
        await limits.begin(attempt);
        return undefined;
      }
      const at = now();
      const isNoted = found.lastUsedAt !== null && at.getTime() - found.lastUsedAt.getTime() < USE_INTERVAL;
      if (!isNoted) await store.noteUse(found.name, at);
      return found;
    },
    // Does nothing here: `auditedAdministrators` writes the event.
    act: async () => Promise.resolve(),
  };
}

function checkNew(name: string, scopes: readonly AdministratorScope[]): void {
  if (!NAME_SHAPE.test(name)) {
    throw invalidField('name', 'Use 1 to 64 letters, digits, blanks and . _ @ - and begin with a letter or a digit.');
  }
  if (scopes.length === 0) throw invalidField('scopes', `Give at least one of ${ADMINISTRATOR_SCOPES.join(', ')}.`);
}

function invalidField(field: string, detail: string): ServiceError {
  return new ServiceError('REQUEST_INVALID', detail, { problems: [{ field, code: 'INVALID_VALUE', detail }] });
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
