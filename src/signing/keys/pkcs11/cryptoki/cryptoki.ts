/** The part of PKCS#11 that this project calls, and its numbers (PKCS#11 v2.40, OASIS); see `koffi-binding.ts`. */

/** The number of a slot, a session or an object (CK_ULONG). Only the driver can interpret the value. */
export type Handle = bigint;

/** An attribute for finding objects. A number stands for a CK_ULONG. */
export interface AttributeTemplate {
  readonly type: number;
  readonly value: number | Buffer;
}

export interface CryptokiMechanism {
  readonly mechanism: number;
  /** CK_RSA_PKCS_PSS_PARAMS (§2.1.8). */
  readonly parameter?: { readonly hashAlg: number; readonly mgf: number; readonly saltLen: number };
}

interface Version {
  readonly major: number;
  readonly minor: number;
}

/** CK_C_INITIALIZE_ARGS. */
export interface CryptokiInitialization {
  readonly flags: number;
  /** A text in `pReserved`, for drivers that p11-kit or NSS start with parameters. */
  readonly libraryParameters?: string;
}

/** CK_INFO. Texts keep the driver's padding. */
export interface CryptokiInfo {
  readonly cryptokiVersion: Version;
  readonly libraryVersion: Version;
  readonly manufacturerID: string;
  readonly libraryDescription: string;
}

/** CK_TOKEN_INFO. Texts keep the driver's padding. */
export interface CryptokiTokenInfo {
  readonly label: string;
  readonly manufacturerID: string;
  readonly model: string;
  readonly serialNumber: string;
  readonly flags: number;
  readonly minPinLen: number;
  readonly maxPinLen: number;
}

/**
 * A driver. Each method throws a `CryptokiError` that names the function of the driver; its `code` is the CK_RV that
 * the driver returned.
 */
export interface Cryptoki {
  /** Loads the driver's library. An error has the kind `load` and the message of the dynamic loader. */
  load(path: string): void;
  C_Initialize(options?: CryptokiInitialization): void;
  C_Finalize(): void;
  C_GetInfo(): CryptokiInfo;
  C_GetSlotList(tokenPresent: boolean): Handle[];
  C_GetTokenInfo(slot: Handle): CryptokiTokenInfo;
  C_GetMechanismList(slot: Handle): number[];
  /** Null: no event (CKR_NO_EVENT). */
  C_WaitForSlotEvent(flags: number): Handle | null;
  C_OpenSession(slot: Handle, flags: number): Handle;
  C_CloseSession(session: Handle): void;
  C_GetSessionInfo(session: Handle): { readonly state: number };
  /** `pin` is UTF-8; null means that the PIN is typed on the reader (protected authentication path, §5.6.5). */
  C_Login(session: Handle, userType: number, pin: Buffer | null): void;
  C_Logout(session: Handle): void;
  C_FindObjectsInit(session: Handle, template: readonly AttributeTemplate[]): void;
  C_FindObjects(session: Handle, count: number): Handle[];
  C_FindObjectsFinal(session: Handle): void;
  /** The value of one attribute. */
  C_GetAttributeValue(session: Handle, object: Handle, type: number): Buffer;
  C_SignInit(session: Handle, mechanism: CryptokiMechanism, key: Handle): void;
  /** Writes the signature into `output`, and returns the part of `output` that holds it. */
  C_Sign(session: Handle, input: Buffer, output: Buffer): Buffer;
  /** Like `C_Sign`, in a thread of the pool. The binding keeps both buffers alive until the driver has returned. */
  C_SignAsync(session: Handle, input: Buffer, output: Buffer): Promise<Buffer>;
}

/** Return values with an entry in the recovery table (§5.1.6). */
export const Ckr = {
  ok: 0x00,
  slotIdInvalid: 0x03,
  generalError: 0x05,
  argumentsBad: 0x07,
  noEvent: 0x08,
  needToCreateThreads: 0x09,
  cantLock: 0x0a,
  deviceError: 0x30,
  deviceRemoved: 0x32,
  functionNotSupported: 0x54,
  keyHandleInvalid: 0x60,
  objectHandleInvalid: 0x82,
  operationActive: 0x90,
  pinIncorrect: 0xa0,
  pinInvalid: 0xa1,
  pinLengthRange: 0xa2,
  pinExpired: 0xa3,
  pinLocked: 0xa4,
  sessionClosed: 0xb0,
  sessionCount: 0xb1,
  sessionHandleInvalid: 0xb3,
  tokenNotPresent: 0xe0,
  tokenNotRecognized: 0xe1,
  userAlreadyLoggedIn: 0x100,
  userNotLoggedIn: 0x101,
  bufferTooSmall: 0x150,
  cryptokiAlreadyInitialized: 0x191,
} as const;

/** CK_TOKEN_INFO flags (§3.2). */
export const TokenFlag = {
  loginRequired: 0x4,
  userPinInitialized: 0x8,
  protectedAuthenticationPath: 0x100,
  tokenInitialized: 0x400,
  userPinCountLow: 0x10000,
  userPinFinalTry: 0x20000,
  userPinLocked: 0x40000,
} as const;

/** The remaining numbers, by their names in the standard. */
export const Ck = {
  CKF_OS_LOCKING_OK: 0x2,
  CKF_DONT_BLOCK: 0x1,
  CKF_SERIAL_SESSION: 0x4,
  CKU_USER: 1,
  CKU_CONTEXT_SPECIFIC: 2,
  CKS_RO_USER_FUNCTIONS: 1,
  CKS_RW_USER_FUNCTIONS: 3,
  CKO_CERTIFICATE: 1,
  CKO_PUBLIC_KEY: 2,
  CKO_PRIVATE_KEY: 3,
  CKC_X_509: 0,
  CKA_CLASS: 0x0,
  CKA_LABEL: 0x3,
  CKA_VALUE: 0x11,
  CKA_CERTIFICATE_TYPE: 0x80,
  CKA_ID: 0x102,
  CKA_MODULUS: 0x120,
  CKA_PUBLIC_KEY_INFO: 0x129,
  CKA_EC_POINT: 0x181,
  CKA_ALWAYS_AUTHENTICATE: 0x202,
  CKM_RSA_PKCS: 0x1,
  CKM_RSA_PKCS_PSS: 0xd,
  CKM_SHA256: 0x250,
  CKM_SHA384: 0x260,
  CKM_SHA512: 0x270,
  CKM_ECDSA: 0x1041,
  CKM_EDDSA: 0x1057,
  CKG_MGF1_SHA256: 0x2,
  CKG_MGF1_SHA384: 0x3,
  CKG_MGF1_SHA512: 0x4,
} as const;
