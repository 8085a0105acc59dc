/** The applications with access to tokens: OAuth2 clients (RFC 6749 §2). */

/** Limits of an application. An absent member is no limit. */
export interface ApplicationLimits {
  /** Documents from midnight to midnight, in the local time of this computer. */
  readonly documentsPerDay?: number;
  /** Bytes of a document. */
  readonly documentSize?: number;
  /** `08:00-18:00`, in the local time of this computer; past midnight if the end is before the beginning. */
  readonly hours?: string;
}

export interface Application {
  readonly clientId: string;
  readonly name: string;
  readonly comments: string;
  readonly email: string;
  /** Absolute URLs; https, or http on loopback; no fragment. */
  readonly redirectUris: readonly string[];
  /** True for an application without a secret (RFC 6749 §2.1), in a browser or on a telephone. It must use PKCE. */
  readonly isPublic: boolean;
  readonly limits: ApplicationLimits;
  /** True if the owner lets the application ask for bare signatures of hashes (`sign_raw`). */
  readonly signsRaw: boolean;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

/** Secrets of a new application, shown once. */
export interface ApplicationSecrets {
  readonly clientSecret: string;
  /** Standard Webhooks: `whsec_` and base64; signs the notifications of this application. */
  readonly webhookSecret: string;
}

export interface NewApplication {
  readonly name: string;
  readonly comments: string;
  readonly email: string;
  readonly redirectUris: readonly string[];
  /** Default: none. */
  readonly limits?: ApplicationLimits;
  /** The wanted client id. Rejects with `APPLICATION_EXISTS` if taken. */
  readonly clientId?: string;
  readonly clientSecret?: string;
}

export interface Applications {
  /** `REQUEST_INVALID` with problems, `APPLICATION_EXISTS`. */
  register(application: NewApplication): Promise<{ readonly application: Application } & ApplicationSecrets>;
  /** Without a secret: tokens by authorization codes with PKCE only. Errors as `register`. */
  registerPublic(
    application: Omit<NewApplication, 'clientSecret'>,
  ): Promise<{ readonly application: Application; readonly webhookSecret: string }>;
  list(): Promise<readonly Application[]>;
  find(clientId: string): Promise<Application | undefined>;
  /** `NOT_FOUND`, `REQUEST_INVALID`. */
  change(
    clientId: string,
    change: Partial<
      Pick<NewApplication, 'name' | 'comments' | 'email' | 'redirectUris' | 'limits'> & Pick<Application, 'signsRaw'>
    >,
  ): Promise<Application>;
  /** New secrets; the old ones stop working, and tokens end. `NOT_FOUND`; `REQUEST_INVALID` for a public application. */
  rotate(clientId: string): Promise<ApplicationSecrets>;
  /** Removes the application with its codes and tokens. `NOT_FOUND`. */
  remove(clientId: string): Promise<void>;
  /**
   * Compares in constant time; undefined if id or secret is wrong. `TOO_MANY_ATTEMPTS` with `retryAfter` after several
   * wrong secrets from the same place; a secret confirmed since the start is still accepted. `origin` is the place of the
   * attempt (`AttemptOrigin`); absent: the programs of this computer.
   */
  authenticate(clientId: string, clientSecret: string, origin?: string): Promise<Application | undefined>;
  /** The secret that signs this application's notifications. */
  webhookSecret(clientId: string): Promise<string | undefined>;
}

/** An application with the hashes of its secrets. */
export interface StoredApplication extends Application {
  /** Null: public. */
  readonly secretHash: string | null;
  readonly sealedWebhookSecret: Buffer;
}

/** Stores applications. Rejects with `ServiceError` `STORAGE_UNAVAILABLE` or `STORAGE_FULL`. */
export interface ApplicationStore {
  /** False when the client id is taken. */
  insert(application: StoredApplication): Promise<boolean>;
  /** By name, then client id. */
  list(): Promise<readonly Application[]>;
  find(clientId: string): Promise<StoredApplication | undefined>;
  /** False when there is none. */
  update(
    clientId: string,
    change: Partial<
      Pick<
        StoredApplication,
        | 'name'
        | 'comments'
        | 'email'
        | 'redirectUris'
        | 'limits'
        | 'signsRaw'
        | 'secretHash'
        | 'sealedWebhookSecret'
        | 'lastUsedAt'
      >
    >,
  ): Promise<boolean>;
  /** Removes the application with its codes and tokens. False if there is none. */
  remove(clientId: string): Promise<boolean>;
  /**
   * Adds documents to the count of a day, `YYYY-MM-DD`, and removes the counts of other days. False, and nothing is
   * added, if the count would exceed `most`. A negative number subtracts documents.
   */
  countDocuments(
    clientId: string,
    count: { readonly day: string; readonly documents: number; readonly most: number },
  ): Promise<boolean>;
  documentsOn(clientId: string, day: string): Promise<number>;
}
