/** Access lists of POSIX (acl(5)) on Linux, as the kernel keeps them in extended attributes of files. */

/** linux/posix_acl_xattr.h: a header of four bytes with the version, and entries of eight bytes. */
const VERSION = 2;
const HEADER = 4;
const ENTRY = { length: 8, tag: 0, bits: 2 } as const;
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
  if (process.platform !== 'linux') return undefined;
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
  if (length < HEADER || space.readUInt32LE() !== VERSION) return null;
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
  const limits: Readonly<Record<number, number>> = { [USER_OBJ]: limit >> 6, [MASK]: limit >> 3, [OTHER]: limit };
  if (!tagsOf(fitted).includes(MASK)) Object.assign(limits, { [GROUP_OBJ]: limit >> 3 });
  for (const start of startsOf(fitted)) {
    const most = limits[fitted.readUInt16LE(start + ENTRY.tag)] ?? 0o7;
    fitted.writeUInt16LE(fitted.readUInt16LE(start + ENTRY.bits) & most & 0o7, start + ENTRY.bits);
  }
  return { bytes: fitted, mode: modeOf(fitted) };
}

function modeOf(bytes: Buffer): number {
  const bitsOf = (tag: number): number => {
    const start = startsOf(bytes).find((one) => bytes.readUInt16LE(one + ENTRY.tag) === tag);
    return start === undefined ? 0 : bytes.readUInt16LE(start + ENTRY.bits) & 0o7;
  };
  const group = tagsOf(bytes).includes(MASK) ? MASK : GROUP_OBJ;
  return (bitsOf(USER_OBJ) << 6) | (bitsOf(group) << 3) | bitsOf(OTHER);
}

const tagsOf = (bytes: Buffer): readonly number[] =>
  startsOf(bytes).map((start) => bytes.readUInt16LE(start + ENTRY.tag));

const startsOf = (bytes: Buffer): readonly number[] =>
  Array.from(
    { length: Math.floor((bytes.length - HEADER) / ENTRY.length) },
    (_, index) => HEADER + index * ENTRY.length,
  );
