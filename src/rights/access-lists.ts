/** Access lists of POSIX (acl(5)) on Linux, as the kernel keeps them in extended attributes of files. */

/** linux/posix_acl_xattr.h: a header of four bytes with the version, and entries of eight bytes. */
const VERSION = 2;
const HEADER = 4;
/** An entry begins with its tag, and has its permission bits behind the tag. */
const ENTRY = { length: 8, bits: 2 } as const;
/** Tags of entries: of the owner, the owning group, the mask, and everybody else. */
const USER_OBJ = 0x01;
const GROUP_OBJ = 0x04;
const MASK = 0x10;
const OTHER = 0x20;

const ACCESS = 'system.posix_acl_access';
const DEFAULT = 'system.posix_acl_default';
/** The kernel keeps no longer attribute (xattr(7)). */
const LONGEST = 65_536;

/** An access list as the kernel keeps it. */
export interface AccessList {
  readonly bytes: Buffer;
  /** The list as permission bits: the bits of the group are the mask, or without a mask those of the owning group. */
  readonly mode: number;
}

interface Calls {
  /** A negative length: no such attribute. */
  readonly get: (path: string, name: string, value: Buffer) => number;
  readonly set: (path: string, name: string, value: Buffer) => boolean;
}

let opened: Promise<Calls | undefined> | undefined;
const calls = async (): Promise<Calls | undefined> => (opened ??= open());

async function open(): Promise<Calls | undefined> {
  try {
    const { default: koffi } = await import('koffi');
    const library = koffi.load('libc.so.6');
    const functions = {
      // Keeps a reference: koffi unloads an unreferenced library, and its functions then become unusable.
      library,
      getxattr: library.func('getxattr', 'int64', ['str', 'str', 'void *', 'size_t']),
      setxattr: library.func('setxattr', 'int', ['str', 'str', 'void *', 'size_t', 'int']),
    };
    return {
      get: (path, name, value) => Number(functions.getxattr(path, name, value, value.length)),
      set: (path, name, value) => functions.setxattr(path, name, value, value.length, 0) === 0,
    };
  } catch {
    return undefined;
  }
}

/** The access list of a file; null: the file has none; undefined: the system does not tell. */
export const readAccessList = async (path: string): Promise<AccessList | null | undefined> => read(path, ACCESS);

/** The list that a folder gives to its new files; null: none; undefined: the system does not tell. */
export const readDefaultList = async (folder: string): Promise<AccessList | null | undefined> => read(folder, DEFAULT);

async function read(path: string, name: string): Promise<AccessList | null | undefined> {
  // Other systems have no lists of this kind.
  if (process.platform !== 'linux') return null;
  const system = await calls();
  if (system === undefined) return undefined;
  const space = Buffer.alloc(LONGEST);
  const length = system.get(path, name, space);
  // Where there is no list, the system writes nothing.
  if (space.readUInt32LE() !== VERSION) return null;
  const bytes = Buffer.from(space.subarray(0, length));
  return { bytes, mode: modeOf(bytes) };
}

/** Replaces the access list of a file, and its permission bits with it; false if the system does not. */
export async function writeAccessList(path: string, { bytes }: AccessList): Promise<boolean> {
  return (await calls())?.set(path, ACCESS, bytes) ?? false;
}

/** The list without rights beyond permission bits, whose bits of the group limit the mask. */
export function fitAccessList({ bytes }: AccessList, limit: number): AccessList {
  const fitted = Buffer.from(bytes);
  const entries = entriesOf(bytes);
  const group = entries.some(({ tag }) => tag === MASK) ? MASK : GROUP_OBJ;
  const limits = new Map([
    [USER_OBJ, limit >> 6],
    [group, limit >> 3],
    [OTHER, limit],
  ]);
  for (const { start, tag, bits } of entries) {
    fitted.writeUInt16LE(bits & (limits.get(tag) ?? 0o7), start + ENTRY.bits);
  }
  return { bytes: fitted, mode: modeOf(fitted) };
}

function modeOf(bytes: Buffer): number {
  const bitsOf = new Map(entriesOf(bytes).map(({ tag, bits }) => [tag, bits]));
  const group = bitsOf.get(MASK) ?? bitsOf.get(GROUP_OBJ) ?? 0;
  return ((bitsOf.get(USER_OBJ) ?? 0) << 6) | (group << 3) | (bitsOf.get(OTHER) ?? 0);
}

interface Entry {
  readonly start: number;
  readonly tag: number;
  readonly bits: number;
}

const entriesOf = (bytes: Buffer): readonly Entry[] =>
  Array.from({ length: Math.floor((bytes.length - HEADER) / ENTRY.length) }, (_, index) => {
    const start = HEADER + index * ENTRY.length;
    return { start, tag: bytes.readUInt16LE(start), bits: bytes.readUInt16LE(start + ENTRY.bits) };
  });
