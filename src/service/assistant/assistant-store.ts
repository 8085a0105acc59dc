import type { CachedUser, ComputerApplication } from './assistant.ts';

/** What is known of a user when they are added. */
export type NewCachedUser = Pick<CachedUser, 'name' | 'username' | 'photo' | 'updatedAt'>;

/** Where the assistant's cache rests. Rejects with `STORAGE_UNAVAILABLE` or `STORAGE_FULL`. */
export interface AssistantStore {
  /**
   * Adds a user, or brings the one with this username up to date, who keeps their id. The first user of an empty cache
   * becomes the selected one.
   */
  putUser(user: NewCachedUser): Promise<CachedUser>;
  /** In the order in which they were added. */
  users(): Promise<readonly CachedUser[]>;
  /** Removes the user with what is linked to them; answers who it was. Undefined: there was none. */
  removeUser(id: number): Promise<CachedUser | undefined>;
  /** Undefined: there is no such user; nothing has changed then. */
  selectUser(username: string): Promise<CachedUser | undefined>;
  /** Fingerprints of the certificates that were linked to a user by hand. */
  linkedCertificates(userId: number): Promise<readonly string[]>;
  link(userId: number, fingerprint: string): Promise<void>;
  unlink(userId: number, fingerprint: string): Promise<void>;
  /** The application that this computer is; its secret is sealed where it rests. */
  computer(): Promise<ComputerApplication | undefined>;
  /** In the place of the earlier one. */
  putComputer(application: ComputerApplication): Promise<void>;
}
