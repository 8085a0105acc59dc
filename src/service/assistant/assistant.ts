/** The assistant's local cache (endpoints 12 to 20): the users of this computer, and the computer as an application. */

/** A user in the cache. */
export interface CachedUser {
  readonly id: number;
  readonly name: string;
  readonly username: string;
  readonly photo: string | null;
  readonly updatedAt: Date;
  readonly selected: boolean;
}

/** Who checks one-time passwords and registers applications: this instance, or a remote one. */
export interface IdentityProvider {
  /** `INVALID_CREDENTIALS`, `TOO_MANY_ATTEMPTS`, `AUTHORIZATION_UNAVAILABLE` (the remote is down). */
  authenticate(
    username: string,
    code: string,
    origin: string,
  ): Promise<{
    readonly name: string;
    readonly username: string;
    readonly photo: string | null;
    readonly accessToken?: string;
  }>;
}

export interface ApplicationRegistrar {
  /** `AUTHORIZATION_UNAVAILABLE` when the remote is down. */
  register(name: string): Promise<{ readonly clientId: string; readonly clientSecret: string }>;
  rename(clientId: string, clientSecret: string, name: string): Promise<void>;
}

export interface ComputerApplication {
  readonly clientName: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface Assistant {
  addUser(username: string, code: string, origin: string): Promise<CachedUser>;
  users(): Promise<readonly CachedUser[]>;
  /** `USER_NOT_FOUND`. Removes the user's tokens as well. */
  removeUser(id: number): Promise<void>;
  selectedUser(): Promise<CachedUser | undefined>;
  /** `USER_NOT_FOUND`. */
  selectUser(username: string): Promise<CachedUser>;
  /** Aliases of the keys whose certificate names the user, and of those linked by hand. */
  certificatesOf(user: CachedUser): Promise<readonly string[]>;
  linkCertificate(username: string, fingerprint: string): Promise<void>;
  unlinkCertificate(username: string, fingerprint: string): Promise<void>;
  /** `APPLICATION_EXISTS` unless `force`. */
  registerComputer(clientName: string, force: boolean): Promise<ComputerApplication>;
  computer(): Promise<ComputerApplication | undefined>;
  /** `APPLICATION_NOT_FOUND`. */
  renameComputer(clientName: string): Promise<ComputerApplication>;
}
