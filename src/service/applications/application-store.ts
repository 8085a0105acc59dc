import type { Application } from './applications.ts';

/** An application with the hashes of its secrets. */
export interface StoredApplication extends Application {
  /** Null: public. */
  readonly secretHash: string | null;
  readonly sealedWebhookSecret: Buffer;
}

/** Where applications rest. Rejects with `ServiceError` `STORAGE_UNAVAILABLE` or `STORAGE_FULL`. */
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
        'name' | 'comments' | 'email' | 'redirectUris' | 'secretHash' | 'sealedWebhookSecret' | 'lastUsedAt'
      >
    >,
  ): Promise<boolean>;
  /** With its codes and tokens. False when there is none. */
  remove(clientId: string): Promise<boolean>;
}
