/**
 * The memory layout of PKCS#11's structures. The standard lets a CK_ULONG be as wide as the system's `unsigned long`,
 * and packs structures without gaps on Windows (PKCS#11 v2.40 §2.1).
 */

/** The type of a member: CK_ULONG, a pointer, CK_VERSION (two bytes), or a text with this number of bytes. */
type Member = 'ulong' | 'pointer' | 'version' | number;

const FUNCTIONS = [
  'C_Initialize',
  'C_Finalize',
  'C_GetInfo',
  'C_GetFunctionList',
  'C_GetSlotList',
  'C_GetSlotInfo',
  'C_GetTokenInfo',
  'C_GetMechanismList',
  'C_GetMechanismInfo',
  'C_InitToken',
  'C_InitPIN',
  'C_SetPIN',
  'C_OpenSession',
  'C_CloseSession',
  'C_CloseAllSessions',
  'C_GetSessionInfo',
  'C_GetOperationState',
  'C_SetOperationState',
  'C_Login',
  'C_Logout',
  'C_CreateObject',
  'C_CopyObject',
  'C_DestroyObject',
  'C_GetObjectSize',
  'C_GetAttributeValue',
  'C_SetAttributeValue',
  'C_FindObjectsInit',
  'C_FindObjects',
  'C_FindObjectsFinal',
  'C_EncryptInit',
  'C_Encrypt',
  'C_EncryptUpdate',
  'C_EncryptFinal',
  'C_DecryptInit',
  'C_Decrypt',
  'C_DecryptUpdate',
  'C_DecryptFinal',
  'C_DigestInit',
  'C_Digest',
  'C_DigestUpdate',
  'C_DigestKey',
  'C_DigestFinal',
  'C_SignInit',
  'C_Sign',
  'C_SignUpdate',
  'C_SignFinal',
  'C_SignRecoverInit',
  'C_SignRecover',
  'C_VerifyInit',
  'C_Verify',
  'C_VerifyUpdate',
  'C_VerifyFinal',
  'C_VerifyRecoverInit',
  'C_VerifyRecover',
  'C_DigestEncryptUpdate',
  'C_DecryptDigestUpdate',
  'C_SignEncryptUpdate',
  'C_DecryptVerifyUpdate',
  'C_GenerateKey',
  'C_GenerateKeyPair',
  'C_WrapKey',
  'C_UnwrapKey',
  'C_DeriveKey',
  'C_SeedRandom',
  'C_GenerateRandom',
  'C_GetFunctionStatus',
  'C_CancelFunction',
  'C_WaitForSlotEvent',
] as const;

/** Members in their order, by their names in the standard (§3). */
const STRUCTURES = {
  CK_INFO: {
    cryptokiVersion: 'version',
    manufacturerID: 32,
    flags: 'ulong',
    libraryDescription: 32,
    libraryVersion: 'version',
  },
  CK_TOKEN_INFO: {
    label: 32,
    manufacturerID: 32,
    model: 16,
    serialNumber: 16,
    flags: 'ulong',
    ulMaxSessionCount: 'ulong',
    ulSessionCount: 'ulong',
    ulMaxRwSessionCount: 'ulong',
    ulRwSessionCount: 'ulong',
    ulMaxPinLen: 'ulong',
    ulMinPinLen: 'ulong',
    ulTotalPublicMemory: 'ulong',
    ulFreePublicMemory: 'ulong',
    ulTotalPrivateMemory: 'ulong',
    ulFreePrivateMemory: 'ulong',
    hardwareVersion: 'version',
    firmwareVersion: 'version',
    utcTime: 16,
  },
  CK_SESSION_INFO: { slotID: 'ulong', state: 'ulong', flags: 'ulong', ulDeviceError: 'ulong' },
  CK_ATTRIBUTE: { type: 'ulong', pValue: 'pointer', ulValueLen: 'ulong' },
  CK_MECHANISM: { mechanism: 'ulong', pParameter: 'pointer', ulParameterLen: 'ulong' },
  CK_RSA_PKCS_PSS_PARAMS: { hashAlg: 'ulong', mgf: 'ulong', sLen: 'ulong' },
  CK_C_INITIALIZE_ARGS: {
    CreateMutex: 'pointer',
    DestroyMutex: 'pointer',
    LockMutex: 'pointer',
    UnlockMutex: 'pointer',
    flags: 'ulong',
    pReserved: 'pointer',
  },
  CK_FUNCTION_LIST: {
    version: 'version',
    ...(Object.fromEntries(FUNCTIONS.map((name) => [name, 'pointer'])) as Record<
      (typeof FUNCTIONS)[number],
      'pointer'
    >),
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Member>>>>;

type Structures = typeof STRUCTURES;

/** The size of a structure, and the offset of each member. */
interface Structure<Name extends string> {
  readonly size: number;
  readonly at: Readonly<Record<Name, number>>;
}

/** The layout of all structures on one kind of system. Sizes and offsets are bytes. */
export type Layout = {
  readonly [Name in keyof Structures]: Structure<keyof Structures[Name] & string>;
} & {
  /** Bytes of a CK_ULONG. */
  readonly ulong: 4 | 8;
};

/** Bytes of a pointer: Sinete runs on 64-bit systems only. */
export const POINTER = 8;

function layOut(members: Readonly<Record<string, Member>>, ulong: 4 | 8, isPacked: boolean): Structure<string> {
  const at: Record<string, number> = {};
  let end = 0;
  let widest = 1;
  const align = (alignment: number): void => {
    if (isPacked) return;
    widest = Math.max(widest, alignment);
    end = Math.ceil(end / alignment) * alignment;
  };
  for (const [name, member] of Object.entries(members)) {
    const size = member === 'ulong' ? ulong : member === 'pointer' ? POINTER : member === 'version' ? 2 : member;
    align(member === 'ulong' || member === 'pointer' ? size : 1);
    at[name] = end;
    end += size;
  }
  align(widest);
  return { size: end, at };
}

function layOutAll(ulong: 4 | 8, isPacked: boolean): Layout {
  const structures = Object.entries(STRUCTURES).map(([name, members]) => [name, layOut(members, ulong, isPacked)]);
  return { ...Object.fromEntries(structures), ulong } as Layout;
}

/** The layouts by kind of system. */
export const LAYOUTS = {
  windows: layOutAll(4, true),
  others: layOutAll(8, false),
} as const satisfies Readonly<Record<string, Layout>>;

/** The layout of drivers for this system. */
export function layoutOf(platform: NodeJS.Platform): Layout {
  return platform === 'win32' ? LAYOUTS.windows : LAYOUTS.others;
}

/** Writes a CK_ULONG, little-endian like all systems with binaries of the binding. */
export function writeUlong(buffer: Buffer, value: number | bigint, offset: number, { ulong }: Layout): void {
  if (ulong === 4) buffer.writeUInt32LE(Number(value), offset);
  else buffer.writeBigUInt64LE(BigInt(value), offset);
}

export function readUlong(buffer: Buffer, offset: number, { ulong }: Layout): bigint {
  return ulong === 4 ? BigInt(buffer.readUInt32LE(offset)) : buffer.readBigUInt64LE(offset);
}
