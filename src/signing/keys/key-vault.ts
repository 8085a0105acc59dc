/** The public facts of a key in the vault. */
export interface VaultEntry {
  /** Stable, and unique in the vault. */
  readonly id: string;
  /** The name given by the file or the user; may be empty. */
  readonly label: string;
  /** DER of the certificate. */
  readonly certificate: Buffer;
  /** DER of known issuers, nearest first; may be empty. */
  readonly chain: readonly Buffer[];
}

/** A key to import into the vault. */
export interface KeyImport extends VaultEntry {
  /** PKCS#8 PrivateKeyInfo, DER, in clear. The vault seals a copy; the caller wipes the original. */
  readonly privateKey: Buffer;
}

/** The store of sealed private keys. The signing core reads keys here and does not know the form of storage. */
export interface KeyVault {
  /** Every entry, in a stable order; reads no private key. Unchanged entries may come as the same list again. */
  list(): Promise<readonly VaultEntry[]>;
  /**
   * The PKCS#8 PrivateKeyInfo (DER) of an entry, in clear, to be wiped by the caller (`fill(0)`). Rejects with
   * `SigningError` `KEY_NOT_FOUND`, or with the vault's own error for a damaged entry.
   */
  readPrivateKey(id: string): Promise<Buffer>;
  /** Adds an entry; an entry with the same id is replaced. */
  add(entry: KeyImport): Promise<void>;
  /** Removes an entry; unknown ids are ignored. */
  remove(id: string): Promise<void>;
}
