/** Where the master key rests. */
export type SecretStoreKind = 'os-keychain' | 'key-file' | 'passphrase' | 'memory';

/** Whether a place can keep and give back a secret at this moment. */
export type SecretStoreProbe =
  | { readonly state: 'ok' }
  /** `reason` is a sentence for a person. */
  | { readonly state: 'unavailable'; readonly reason: string; readonly cause?: unknown };

/** One place for the one master key, under which everything else is sealed. */
export interface SecretStore {
  readonly kind: SecretStoreKind;
  /** Why it is this one, as a sentence, when it is not what the user would expect; else null. */
  readonly detail: string | null;
  /**
   * The 32 octets of the master key, as a copy that the caller may wipe. The first use makes the key, unless the
   * store was opened for data that is sealed already: then a missing key is `SECRET_STORE_UNAVAILABLE`, because a
   * second one would open nothing. Rejects with `StorageError`; a failure is not remembered.
   */
  getMasterKey(): Promise<Buffer>;
  /** Tries the place out; never rejects, and leaves nothing behind. */
  probe(): Promise<SecretStoreProbe>;
}

/** Octets of the master key: AES-256. */
export const MASTER_KEY_LENGTH = 32;

/** Remembers the key once it was found or made; calls that overlap share one attempt. */
export class MasterKeyCache {
  readonly #obtain: () => Promise<Buffer>;
  #key: Promise<Buffer> | undefined;

  constructor(obtain: () => Promise<Buffer>) {
    this.#obtain = obtain;
  }

  async get(): Promise<Buffer> {
    const attempt = this.#key ?? this.#obtain();
    this.#key = attempt;
    try {
      return Buffer.from(await attempt);
    } catch (error) {
      if (this.#key === attempt) this.#key = undefined;
      throw error;
    }
  }
}
