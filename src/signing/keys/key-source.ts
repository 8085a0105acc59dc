import type { Signer } from './signer.ts';
import type { Pin } from './pin.ts';

/** The token that holds a key: what PKCS#11 `CK_TOKEN_INFO` tells, in words. */
export interface TokenState {
  /** Which driver: its product name when known, else its file name. */
  readonly module: string;
  readonly label: string;
  readonly serialNumber: string;
  readonly present: boolean;
  readonly loggedIn: boolean;
  /** From the token's flags; `unknown` when it does not tell. */
  readonly pinAttempts: 'normal' | 'low' | 'last' | 'locked' | 'unknown';
  /** The PIN is typed on the reader itself; `unlock` is then called with an empty PIN. */
  readonly pinPad: boolean;
}

/** One key with its certificate, as a source lists it. Holds no secret. */
export interface KeyDescription {
  /** Stable across restarts and unique in its source. */
  readonly id: string;
  readonly source: 'file' | 'token';
  /** Friendly name of the file's entry, or CKA_LABEL; may be empty. */
  readonly label: string;
  /** DER of the certificate. */
  readonly certificate: Buffer;
  /** DER of known issuers, nearest first. */
  readonly chain: readonly Buffer[];
  /** Present only for `source: 'token'`. */
  readonly token?: TokenState;
}

/** Whether a source works, for the health check and the GUI. */
export interface KeySourceHealth {
  readonly id: string;
  /** What to call it: a file vault, or the driver's name. */
  readonly name: string;
  readonly state: 'ok' | 'failing' | 'quarantined';
  /** A sentence for a person when the state is not `ok`. */
  readonly detail?: string;
}

/** Where private keys live. Implementations: `FileKeySource` (PKCS#12), `TokenKeySource` (one PKCS#11 module). */
export interface KeySource {
  readonly id: string;
  /** The keys that have a certificate. Certificates of a token are visible before its PIN is given. */
  list(): Promise<readonly KeyDescription[]>;
  /** A signer for one key. Rejects with `KEY_NOT_FOUND`; `PIN_REQUIRED` comes from here or from the first `sign`. */
  open(keyId: string): Promise<Signer>;
  /** Logs in to the token that holds the key; a no-op for files. `PIN_INCORRECT`, `PIN_LOCKED`, `PIN_INVALID`. */
  unlock(keyId: string, pin: Pin): Promise<void>;
  /** Logs out and forgets the session; a no-op for files. */
  lock(keyId: string): Promise<void>;
  health(): Promise<KeySourceHealth>;
  /** Ends child processes; the source is not used afterwards. */
  close(): Promise<void>;
}
