import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Secret, TOTP } from 'otpauth';
import { AttemptLimits } from '../../../src/service/users/attempt-limits.ts';
import type { Accounts } from '../../../src/service/users/accounts.ts';
import type { Applications } from '../../../src/service/applications/applications.ts';
import { createApplications } from '../../../src/service/applications/create-applications.ts';
import type { Authorization } from '../../../src/service/authorization/authorization.ts';
import { createAuthorization } from '../../../src/service/authorization/create-authorization.ts';
import { createAccounts } from '../../../src/service/users/create-accounts.ts';
import { MasterKeySealer } from '../../../src/storage/secrets/master-key-sealer.ts';
import type { Storage } from '../../../src/storage/open-storage.ts';
import { openTestStorage } from '../../storage/engine.ts';
import { SqlAccountStore } from '../../../src/storage/sql/stores/sql-account-store.ts';
import { SqlApplicationStore } from '../../../src/storage/sql/stores/sql-application-store.ts';
import { SqlAttemptStore } from '../../../src/storage/sql/stores/sql-attempt-store.ts';
import { SqlShortLivedStore } from '../../../src/storage/nodes/sql-short-lived-store.ts';
import { SqlTokenStore } from '../../../src/storage/sql/stores/sql-token-store.ts';

export const ana = { name: 'Ana Lima', username: '11144477735' };
export const bruno = { name: 'Bruno Reis', username: '52998224725' };
export const company = { name: 'Padaria Aurora', username: '12ABC34501DE35' };

/** A person with the authenticator filled by enrolment. */
export interface Enrolled {
  readonly id: number;
  readonly username: string;
  readonly recoveryCodes: readonly string[];
  readonly secret: string;
  /** The code shown by the authenticator, `steps` of 30 seconds from now. */
  code(steps?: number): string;
}

/** Accounts over a real database, with a clock moved by the test. */
export class IdentityWorld {
  readonly folder: string;
  time = new Date('2026-03-01T12:00:00Z');
  readonly ended: string[] = [];
  readonly masterKey = Buffer.alloc(32, 7);
  storage: Storage;
  authorization: Authorization;
  applications: Applications;
  accounts: Accounts;

  private constructor(folder: string, storage: Storage) {
    this.folder = folder;
    this.storage = storage;
    this.authorization = this.#authorization();
    this.applications = this.#applications();
    this.accounts = this.#accounts();
  }

  static async open(): Promise<IdentityWorld> {
    const folder = await mkdtemp(join(tmpdir(), 'sinete-identity-'));
    return new IdentityWorld(folder, await openTestStorage(folder));
  }

  /** Closes the database and opens it again, like the next start of the application. */
  async restart(): Promise<void> {
    await this.storage.close();
    this.storage = await openTestStorage(this.folder);
    this.authorization = this.#authorization();
    this.applications = this.#applications();
    this.accounts = this.#accounts();
  }

  async close(): Promise<void> {
    await this.storage.close();
    await rm(this.folder, { recursive: true });
  }

  pass(seconds: number): void {
    this.time = new Date(this.time.getTime() + seconds * 1000);
  }

  /** Enrols a person; the clock moves on, and so the confirming code is spent and the next code is fresh. */
  async enrol(person: {
    readonly name: string;
    readonly username: string;
    readonly photo?: string;
  }): Promise<Enrolled> {
    const { enrolment, secret } = await this.accounts.begin(person);
    const totp = new TOTP({ secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: 30 });
    const code = (steps = 0): string => totp.generate({ timestamp: this.time.getTime() + steps * 30_000 });
    const { account, recoveryCodes } = await this.accounts.confirm(enrolment, code());
    this.pass(60);
    return { id: account.id, username: account.username, recoveryCodes, secret, code };
  }

  readonly #now = (): Date => this.time;

  #sealer(): MasterKeySealer {
    return new MasterKeySealer({ getMasterKey: async () => Promise.resolve(Buffer.from(this.masterKey)) });
  }

  #authorization(): Authorization {
    return createAuthorization({
      store: new SqlTokenStore(this.storage.database),
      now: this.#now,
      approvalSession: 300,
    });
  }

  /** The limits, over the present content of the store. */
  get limits(): AttemptLimits {
    return new AttemptLimits(new SqlAttemptStore(this.storage.database), this.#now);
  }

  #applications(): Applications {
    return createApplications({
      store: new SqlApplicationStore(this.storage.database),
      limits: this.limits,
      sealer: this.#sealer(),
      now: this.#now,
      onRotated: async (clientId) => this.authorization.revokeAll({ clientId }),
    });
  }

  #accounts(): Accounts {
    const { database } = this.storage;
    return createAccounts({
      store: new SqlAccountStore(database),
      shortLived: new SqlShortLivedStore(database),
      limits: this.limits,
      sealer: this.#sealer(),
      now: this.#now,
      onRemoved: async (username) => {
        this.ended.push(username);
        await this.authorization.revokeAll({ username });
      },
    });
  }
}
