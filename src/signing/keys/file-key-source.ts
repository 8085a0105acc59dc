import { createPrivateKey, type KeyObject } from 'node:crypto';
import { SigningError } from '../errors.ts';
import type { KeyDescription, KeySource, KeySourceHealth } from './key-source.ts';
import type { KeyVault, VaultEntry } from './key-vault.ts';
import type { Signer } from './signer.ts';
import { softwareSigner } from './software-signer.ts';
import { verifiedSigner } from './verified-signer.ts';

/** Names of a vault of imported files. */
export interface FileKeySourceOptions {
  /** `KeySource.id`; by default `files`. */
  readonly id?: string;
  /** A name for people; by default `PKCS#12 files`. */
  readonly name?: string;
}

interface OpenKey {
  readonly certificate: Buffer;
  readonly signer: Signer;
}

/**
 * Keys imported from PKCS#12 files. A key is read from the vault on first use, and then kept as a `KeyObject`, outside
 * JavaScript's memory, until `lock` or `close`. There is no PIN: `unlock` does nothing.
 */
export class FileKeySource implements KeySource {
  readonly id: string;
  readonly asksDriver = false;
  readonly rank = 0;
  readonly #name: string;
  readonly #vault: KeyVault;
  #listed: { readonly entries: readonly VaultEntry[]; readonly keys: readonly KeyDescription[] } | undefined;
  readonly #open = new Map<string, Promise<OpenKey>>();

  constructor(vault: KeyVault, options: FileKeySourceOptions = {}) {
    this.#vault = vault;
    this.id = options.id ?? 'files';
    this.#name = options.name ?? 'PKCS#12 files';
  }

  async list(): Promise<readonly KeyDescription[]> {
    const entries = await this.#vault.list();
    if (this.#listed?.entries !== entries) {
      const describe = ({ id, label, certificate, chain }: VaultEntry): KeyDescription => ({
        id,
        source: 'file',
        label,
        certificate,
        chain,
      });
      this.#listed = { entries, keys: entries.map(describe) };
    }
    return this.#listed.keys;
  }

  /**
   * Rejects with `KEY_NOT_FOUND`; with `KEY_MISMATCH` for a private key that does not match the certificate; and with
   * the vault's own error for a damaged entry.
   */
  async open(keyId: string): Promise<Signer> {
    const entry = (await this.#vault.list()).find((one) => one.id === keyId);
    if (entry === undefined) {
      this.#open.delete(keyId);
      throw new SigningError('KEY_NOT_FOUND', 'This certificate is no longer among the imported files.');
    }
    // Checks and sets the entry without an await in between, so that overlapping calls read the key once.
    const earlier = this.#open.get(keyId);
    const known = earlier && (await earlier.catch(() => undefined));
    if (known?.certificate.equals(entry.certificate) === true) return known.signer;
    return (await this.#startReading(entry)).signer;
  }

  /** Does nothing: a file's password was needed only for the import. */
  unlock(): Promise<void> {
    return Promise.resolve();
  }

  /** Forgets the key until its next use. */
  lock(keyId: string): Promise<void> {
    this.#open.delete(keyId);
    return Promise.resolve();
  }

  async health(): Promise<KeySourceHealth> {
    const { id } = this;
    try {
      await this.#vault.list();
      return { id, name: this.#name, state: 'ok' };
    } catch {
      return { id, name: this.#name, state: 'failing', detail: 'The store of imported keys cannot be read.' };
    }
  }

  close(): Promise<void> {
    this.#open.clear();
    return Promise.resolve();
  }

  #startReading(entry: VaultEntry): Promise<OpenKey> {
    const opening = this.#read(entry);
    this.#open.set(entry.id, opening);
    // A failed read is not cached, because the next read may succeed.
    opening.catch(() => {
      if (this.#open.get(entry.id) === opening) this.#open.delete(entry.id);
    });
    return opening;
  }

  async #read(entry: VaultEntry): Promise<OpenKey> {
    const privateKey = await this.#readKey(entry.id);
    const { certificate, chain } = entry;
    return { certificate, signer: verifiedSigner(softwareSigner(privateKey, certificate, chain)) };
  }

  async #readKey(id: string): Promise<KeyObject> {
    const bytes = await this.#vault.readPrivateKey(id);
    try {
      return createPrivateKey({ key: bytes, format: 'der', type: 'pkcs8' });
    } catch {
      // The cause is left out, because its text could quote key material.
      throw new SigningError('KEY_MISMATCH', 'The stored private key cannot be read.');
    } finally {
      bytes.fill(0);
    }
  }
}
