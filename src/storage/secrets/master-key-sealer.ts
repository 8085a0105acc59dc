import type { Sealer } from '../../service/secrets/index.ts';
import { openSealed, seal, type SecretStore } from './index.ts';

/** Seals single values under the master key. Failures are `StorageError`. */
export class MasterKeySealer implements Sealer {
  readonly #secrets: Pick<SecretStore, 'getMasterKey'>;

  constructor(secrets: Pick<SecretStore, 'getMasterKey'>) {
    this.#secrets = secrets;
  }

  async seal(plaintext: Uint8Array, place: string): Promise<Buffer> {
    return this.#withMasterKey((masterKey) => seal(masterKey, plaintext, place));
  }

  async open(sealed: Uint8Array, place: string): Promise<Buffer> {
    return this.#withMasterKey((masterKey) => openSealed(masterKey, sealed, place));
  }

  async #withMasterKey(action: (masterKey: Buffer) => Buffer): Promise<Buffer> {
    const masterKey = await this.#secrets.getMasterKey();
    try {
      return action(masterKey);
    } finally {
      masterKey.fill(0);
    }
  }
}
