import { timingSafeEqual } from 'node:crypto';

/** The place of the master key. */
export type SecretStoreKind = 'os-keychain' | 'key-file' | 'passphrase' | 'memory';

/** Whether a place can store and return a secret at this moment. */
export type SecretStoreProbe =
  | { readonly state: 'ok' }
  /** `reason` is a sentence for a person. */
  | { readonly state: 'unavailable'; readonly reason: string; readonly cause?: unknown };

/** The place of the master key, under which everything else is sealed. */
export interface SecretStore {
  readonly kind: SecretStoreKind;
  /** The reason for an unexpected kind of store, as a sentence, else null. */
  readonly detail: string | null;
  /**
   * The 32 bytes of the master key, as a copy to be wiped by the caller. The first use makes the key, unless sealed
   * data exists: then a missing key is `SECRET_STORE_UNAVAILABLE`, because a second key would open nothing. Rejects
   * with `StorageError`; a failure is not remembered.
   */
  getMasterKey(): Promise<Buffer>;
  /** Tests the place; never rejects, and leaves nothing behind. */
  probe(): Promise<SecretStoreProbe>;
}

/** Bytes of the master key: AES-256. */
export const MASTER_KEY_LENGTH = 32;

/** Remembers the key; overlapping calls share one attempt. */
export class MasterKeyCache {
  readonly #obtain: () => Promise<Buffer>;
  #key: Promise<Buffer> | undefined;
  #known: Buffer | undefined;

  constructor(obtain: () => Promise<Buffer>) {
    this.#obtain = obtain;
  }

  async get(): Promise<Buffer> {
    const attempt = this.#key ?? this.#obtain();
    this.#key = attempt;
    try {
      this.#known = await attempt;
      return Buffer.from(this.#known);
    } catch (error) {
      if (this.#key === attempt) this.#key = undefined;
      throw error;
    }
  }

  /** True if this process has obtained the key. */
  get isKnown(): boolean {
    return this.#known !== undefined;
  }

  /** False only when this process has obtained a key other than `key`. */
  agreesWith(key: Buffer): boolean {
    return this.#known === undefined || (key.length === this.#known.length && timingSafeEqual(key, this.#known));
  }
}

/** Lends the master key to `action`, and wipes this copy of the key afterwards. */
export async function withMasterKey<Value>(
  secrets: Pick<SecretStore, 'getMasterKey'>,
  action: (masterKey: Buffer) => Value | Promise<Value>,
): Promise<Value> {
  const masterKey = await secrets.getMasterKey();
  try {
    return await action(masterKey);
  } finally {
    masterKey.fill(0);
  }
}
