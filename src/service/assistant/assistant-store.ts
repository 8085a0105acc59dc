import type { CachedUser, ComputerApplication } from './assistant.ts';

/** The facts of a new user. */
export type NewCachedUser = Pick<CachedUser, 'name' | 'username' | 'photo' | 'updatedAt'>;

/** Where the assistant's cache rests. Rejects with `STORAGE_UNAVAILABLE` or `STORAGE_FULL`. */
export interface AssistantStore {
  /**
   * Adds a user, or updates the user with this username and keeps the id. The first user of an empty cache becomes the
   * selected user.
   */
  putUser(user: NewCachedUser): Promise<CachedUser>;
  /** In the order of addition. */
  users(): Promise<readonly CachedUser[]>;
  /** Removes the user with all links; answers the removed user. Undefined: unknown id. */
  removeUser(id: number): Promise<CachedUser | undefined>;
  /** Undefined: there is no such user; nothing has changed then. */
  selectUser(username: string): Promise<CachedUser | undefined>;
  /** Fingerprints of the certificates linked to a user by hand. */
  linkedCertificates(userId: number): Promise<readonly string[]>;
  link(userId: number, fingerprint: string): Promise<void>;
  unlink(userId: number, fingerprint: string): Promise<void>;
  /** This computer's own application; its secret is stored sealed. */
  computer(): Promise<ComputerApplication | undefined>;
  /** Replaces the earlier application. */
  putComputer(application: ComputerApplication): Promise<void>;
}
