import type { Sealer } from '../../service/secrets/index.ts';
import { openSealed, seal, withMasterKey, type SecretStore } from './index.ts';

/** Seals single values under the master key. Failures are `StorageError`. */
export class MasterKeySealer implements Sealer {
  readonly #secrets: Pick<SecretStore, 'getMasterKey'>;

  constructor(secrets: Pick<SecretStore, 'getMasterKey'>) {
    this.#secrets = secrets;
  }

  async seal(plaintext: Uint8Array, place: string): Promise<Buffer> {
    return withMasterKey(this.#secrets, (masterKey) => seal(masterKey, plaintext, place));
  }

  async open(sealed: Uint8Array, place: string): Promise<Buffer> {
    return withMasterKey(this.#secrets, (masterKey) => openSealed(masterKey, sealed, place));
  }
}
