/** The assistant's local cache (endpoints 12 to 20): the users of this computer, and the computer as an application. */
import type { KeySourceKind } from '../../signing/index.ts';
import type { CertificateEntry } from '../certificates/index.ts';

/** A user in the cache. */
export interface CachedUser {
  readonly id: number;
  readonly name: string;
  readonly username: string;
  readonly photo: string | null;
  readonly updatedAt: Date;
  readonly selected: boolean;
}

/** A user's key. */
export interface UserKey {
  readonly alias: string;
  /** Lower-case hex SHA-256. */
  readonly fingerprint: string;
  /** False for a certificate of an absent token. */
  readonly present: boolean;
  /** True for a certificate linked by hand; false if the certificate itself names the user. */
  readonly linked: boolean;
}

/** A user's certificate in the interface's form. */
export interface UserCertificate extends UserKey {
  readonly source: KeySourceKind;
  /** The place of the key for people; empty for a file. */
  readonly place: string;
  readonly token: { readonly module: string; readonly label: string; readonly serialNumber: string } | null;
  readonly pem: string;
  readonly entry: CertificateEntry;
}

/** Checks one-time passwords and registers applications: this instance, or a remote instance. */
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
  }>;
}

export interface ApplicationRegistrar {
  /** `AUTHORIZATION_UNAVAILABLE` when the remote is down. */
  register(name: string): Promise<{ readonly clientId: string; readonly clientSecret: string }>;
  /** Sends the new name to the registry, if supported; the registration itself stays. */
  rename(clientId: string, name: string): Promise<void>;
  /** Ends a replaced registration, if supported; an unknown registration is no error. */
  remove(clientId: string): Promise<void>;
}

export interface ComputerApplication {
  readonly clientName: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface Assistant {
  /**
   * The first user of an empty cache becomes the selected user. `REQUEST_INVALID` with problems, `INVALID_CREDENTIALS`,
   * `TOO_MANY_ATTEMPTS`, `AUTHORIZATION_UNAVAILABLE`; on errors the cache is unchanged.
   */
  addUser(username: string, code: string, origin: string): Promise<CachedUser>;
  users(): Promise<readonly CachedUser[]>;
  /** `USER_NOT_FOUND`. Removes the user's tokens as well. */
  removeUser(id: number): Promise<void>;
  selectedUser(): Promise<CachedUser | undefined>;
  /** `USER_NOT_FOUND`. */
  selectUser(username: string): Promise<CachedUser>;
  /** Certificates with the user's CPF or CNPJ in their ICP-Brasil other names, and certificates linked by hand. */
  certificatesOf(user: CachedUser): Promise<readonly UserCertificate[]>;
  /** As `certificatesOf`, without checking the certificates' state. `USER_NOT_FOUND`. */
  keysOf(username: string): Promise<readonly UserKey[]>;
  /** `USER_NOT_FOUND`, `CERTIFICATE_NOT_FOUND`. */
  linkCertificate(username: string, fingerprint: string): Promise<void>;
  unlinkCertificate(username: string, fingerprint: string): Promise<void>;
  /** `APPLICATION_EXISTS` unless `force`. */
  registerComputer(clientName: string, force: boolean): Promise<ComputerApplication>;
  computer(): Promise<ComputerApplication | undefined>;
  /** `APPLICATION_NOT_FOUND`. */
  renameComputer(clientName: string): Promise<ComputerApplication>;
  /** Called after changes of users, selections and links. */
  onChange(listener: () => void): () => void;
}

/** The facts of a new user. */
export type NewCachedUser = Pick<CachedUser, 'name' | 'username' | 'photo' | 'updatedAt'>;

/** Stores the assistant's cache. Rejects with `STORAGE_UNAVAILABLE` or `STORAGE_FULL`. */
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
