import type { SigningErrorCode } from '../errors.ts';
import type { Signer } from './signer.ts';
import type { Pin } from './pin.ts';

/** The token of a key: `CK_TOKEN_INFO` of PKCS#11 in readable form. */
export interface TokenState {
  /** The driver: its product name if known, else its file name. */
  readonly module: string;
  readonly label: string;
  readonly serialNumber: string;
  readonly present: boolean;
  /** False for a token whose keys sign without a PIN. */
  readonly loginRequired: boolean;
  readonly loggedIn: boolean;
  /** From the token's flags; `unknown` without flags. */
  readonly pinAttempts: 'normal' | 'low' | 'last' | 'locked' | 'unknown';
  /** The PIN is typed on the reader itself; `unlock` is then called with an empty PIN. */
  readonly pinPad: boolean;
}

/** The kind of place of a key: a file in the vault, a token with a PKCS#11 driver, or the database of a browser. */
export type KeySourceKind = 'file' | 'token' | 'browser';

/** A key with its certificate, as listed by a source. Holds no secret. */
export interface KeyDescription {
  /** Stable across restarts and unique in its source. */
  readonly id: string;
  readonly source: KeySourceKind;
  /** The place in words for people, such as `Firefox (default)`; absent for files and tokens, whose facts say it. */
  readonly place?: string;
  /** Friendly name of the file's entry, or CKA_LABEL; may be empty. */
  readonly label: string;
  /** DER of the certificate. */
  readonly certificate: Buffer;
  /** DER of known issuers, nearest first. */
  readonly chain: readonly Buffer[];
  /** Present for a key that a PKCS#11 driver reads. */
  readonly token?: TokenState;
  /** False when the place is known to hold the certificate without its private key. */
  readonly hasKey?: boolean;
}

/**
 * The name of a driver's failure: the code of an error, or the reason why a file cannot be loaded as a driver.
 *
 * - `MODULE_FILE_MISSING`: the file is not there.
 * - `MODULE_NOT_A_DRIVER`: a library without `C_GetFunctionList`.
 * - `MODULE_LIBRARY_MISSING`, `MODULE_LIBRARY_OTHER`: a library that the driver needs is missing, or has another
 *   version.
 * - `MODULE_FORMAT_OTHER`: made for another processor or word size.
 */
export type DriverProblem =
  | SigningErrorCode
  | 'MODULE_FILE_MISSING'
  | 'MODULE_NOT_A_DRIVER'
  | 'MODULE_LIBRARY_MISSING'
  | 'MODULE_LIBRARY_OTHER'
  | 'MODULE_FORMAT_OTHER';

/** Whether a source works, for the health check and the GUI. */
export interface KeySourceHealth {
  readonly id: string;
  /** The source's name: a file vault, or the driver's name. */
  readonly name: string;
  readonly state: 'ok' | 'failing' | 'quarantined';
  /** The failure of a driver; absent when the state is `ok`, and for files. */
  readonly problem?: DriverProblem;
  /** An English sentence for a person when the state is not `ok`. */
  readonly detail?: string;
  /** The remedy, if known. */
  readonly remedy?: string;
}

/** A place of private keys. Implementations: `FileKeySource` (PKCS#12), `TokenKeySource` (a PKCS#11 module). */
export interface KeySource {
  readonly id: string;
  /** True if `list` asks a driver, which may take long or hang; false if the keys are stored here. */
  readonly asksDriver: boolean;
  /** The order of places: of a certificate in two places, the key of the lower rank signs. Files 0, browsers 3. */
  readonly rank: number;
  /**
   * The keys with a certificate. Certificates of a token are visible without its PIN. A source whose keys have not
   * changed may answer the same list again, so that nobody names its keys anew.
   */
  list(): Promise<readonly KeyDescription[]>;
  /** A signer for a key. Rejects with `KEY_NOT_FOUND`; `PIN_REQUIRED` comes from here or from the first `sign`. */
  open(keyId: string): Promise<Signer>;
  /** Logs in to the key's token; does nothing for files. `PIN_INCORRECT`, `PIN_LOCKED`, `PIN_INVALID`. */
  unlock(keyId: string, pin: Pin): Promise<void>;
  /** Logs out and forgets the session; a no-op for files. */
  lock(keyId: string): Promise<void>;
  health(): Promise<KeySourceHealth>;
  /** Ends child processes; the source is not used afterwards. */
  close(): Promise<void>;
}
