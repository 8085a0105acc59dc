/** The assistant's local cache (endpoints 12 to 20): the users of this computer, and the computer as an application. */

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

/** A key that is a user's. */
export interface UserKey {
  readonly alias: string;
  /** Lower-case hex SHA-256. */
  readonly fingerprint: string;
  /** False for a certificate whose token was taken out. */
  readonly present: boolean;
  /** By hand; false: the certificate itself names the user. */
  readonly linked: boolean;
}

/** A user's certificate, as the interface lists it. */
export interface UserCertificate extends UserKey {
  readonly source: 'file' | 'token';
  readonly token: { readonly module: string; readonly label: string; readonly serialNumber: string } | null;
  readonly pem: string;
  readonly entry: CertificateEntry;
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
  }>;
}

export interface ApplicationRegistrar {
  /** `AUTHORIZATION_UNAVAILABLE` when the remote is down. */
  register(name: string): Promise<{ readonly clientId: string; readonly clientSecret: string }>;
  /** Tells the registry the name, where it can be told; the registration itself stays. */
  rename(clientId: string, name: string): Promise<void>;
  /** Ends a registration that was replaced, where that can be done; unknown ones are no error. */
  remove(clientId: string): Promise<void>;
}

export interface ComputerApplication {
  readonly clientName: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface Assistant {
  /**
   * The first user of an empty cache becomes the selected one. `REQUEST_INVALID` with problems, `INVALID_CREDENTIALS`,
   * `TOO_MANY_ATTEMPTS`, `AUTHORIZATION_UNAVAILABLE`; the cache is as before then.
   */
  addUser(username: string, code: string, origin: string): Promise<CachedUser>;
  users(): Promise<readonly CachedUser[]>;
  /** `USER_NOT_FOUND`. Removes the user's tokens as well. */
  removeUser(id: number): Promise<void>;
  selectedUser(): Promise<CachedUser | undefined>;
  /** `USER_NOT_FOUND`. */
  selectUser(username: string): Promise<CachedUser>;
  /** Those whose ICP-Brasil other names carry the user's CPF or CNPJ, and those linked by hand. */
  certificatesOf(user: CachedUser): Promise<readonly UserCertificate[]>;
  /** The same, without a look at the certificates' state. `USER_NOT_FOUND`. */
  keysOf(username: string): Promise<readonly UserKey[]>;
  /** `USER_NOT_FOUND`, `CERTIFICATE_NOT_FOUND`. */
  linkCertificate(username: string, fingerprint: string): Promise<void>;
  unlinkCertificate(username: string, fingerprint: string): Promise<void>;
  /** `APPLICATION_EXISTS` unless `force`. */
  registerComputer(clientName: string, force: boolean): Promise<ComputerApplication>;
  computer(): Promise<ComputerApplication | undefined>;
  /** `APPLICATION_NOT_FOUND`. */
  renameComputer(clientName: string): Promise<ComputerApplication>;
  /** Tells of users, selections and links that changed. */
  onChange(listener: () => void): () => void;
}
