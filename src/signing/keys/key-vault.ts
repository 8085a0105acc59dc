/** A key in the vault, as far as it may be shown. */
export interface VaultEntry {
  /** Stable, and unique in the vault. */
  readonly id: string;
  /** What the file or the user called it; may be empty. */
  readonly label: string;
  /** DER of the certificate. */
  readonly certificate: Buffer;
  /** DER of known issuers, nearest first; may be empty. */
  readonly chain: readonly Buffer[];
}

/** A key on its way into the vault. */
export interface KeyImport extends VaultEntry {
  /** PKCS#8 PrivateKeyInfo, DER, in the clear. The vault seals a copy; the caller wipes this one. */
  readonly privateKey: Buffer;
}

/** Where imported private keys rest, sealed. The signing core reads keys from it and knows nothing of how they rest. */
export interface KeyVault {
  /** Every entry, in a stable order; reads no private key. */
  list(): Promise<readonly VaultEntry[]>;
  /**
   * The PKCS#8 PrivateKeyInfo (DER) of one entry, in the clear: the caller wipes it (`fill(0)`). Rejects with
   * `SigningError` `KEY_NOT_FOUND`, or with the vault's own error when the entry cannot be unsealed.
   */
  readPrivateKey(id: string): Promise<Buffer>;
  /** Adds an entry; one with the same id is replaced. */
  add(entry: KeyImport): Promise<void>;
  /** Removes an entry; unknown ids are ignored. */
  remove(id: string): Promise<void>;
}
