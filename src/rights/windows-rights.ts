/** Access lists of files on Windows, in self-relative security descriptors (MS-DTYP §2.4.6). */

const DACL_SECURITY_INFORMATION = 0x4;
/** The folder's own list adds nothing to the file's. */
const PROTECTED_DACL_SECURITY_INFORMATION = 0x8000_0000;
const LONGEST = 65_536;

/** SE_DACL_PRESENT, SE_DACL_PROTECTED and SE_SELF_RELATIVE. */
const CONTROL = 0x0004 | 0x1000 | 0x8000;
const HEADER = 20;
const LIST_HEADER = 8;
const ENTRY_HEADER = 8;
const FILE_ALL_ACCESS = 0x001f_01ff;

/** Owner Rights (S-1-3-4): the present owner of the file; and the system itself (S-1-5-18), for backups and scanners. */
const ALLOWED: readonly (readonly [authority: number, identifier: number])[] = [
  [3, 4],
  [5, 18],
];

async function loadFunctions() {
  const { default: koffi } = await import('koffi');
  const security = koffi.load('advapi32.dll');
  return {
    // Keeps a reference: koffi unloads an unreferenced library, and its functions then become unusable.
    library: security,
    GetFileSecurity: security.func('__stdcall', 'GetFileSecurityW', 'bool', [
      'str16',
      'uint32',
      'void *',
      'uint32',
      'void *',
    ]),
    SetFileSecurity: security.func('__stdcall', 'SetFileSecurityW', 'bool', ['str16', 'uint32', 'void *']),
  };
}

type Functions = Awaited<ReturnType<typeof loadFunctions>>;

let loaded: Promise<Functions | undefined> | undefined;
const functions = async (): Promise<Functions | undefined> => (loaded ??= loadFunctions().catch(() => undefined));

/** The security descriptor with the access list of a file; undefined if Windows does not tell. */
export async function readWindowsRights(path: string): Promise<Buffer | undefined> {
  const calls = await functions();
  const descriptor = Buffer.alloc(LONGEST);
  const length = Buffer.alloc(4);
  const wasRead: unknown = calls?.GetFileSecurity(path, DACL_SECURITY_INFORMATION, descriptor, LONGEST, length);
  return wasRead === true ? Buffer.from(descriptor.subarray(0, length.readUInt32LE())) : undefined;
}

/** The access list of a result; `inherited`: the rights that the folder passes on. */
export type RightsOnWindows = { readonly copied: Buffer } | 'owner-alone' | 'inherited';

/**
 * Gives a file the access list of another file, or takes all rights from everybody but its owner and the system. FAT has
 * no rights to take. A list that Windows does not take leaves the owner alone.
 */
export async function giveRightsOnWindows(path: string, rights: RightsOnWindows): Promise<void> {
  if (rights === 'inherited') return;
  const wasCopied = rights !== 'owner-alone' && (await write(path, rights.copied));
  if (!wasCopied) await write(path, ownerAlone());
}

async function write(path: string, descriptor: Buffer): Promise<boolean> {
  const calls = await functions();
  const kinds = DACL_SECURITY_INFORMATION + PROTECTED_DACL_SECURITY_INFORMATION;
  return calls?.SetFileSecurity(path, kinds, descriptor) === true;
}

/** A descriptor whose access list allows everything to the owner and the system, and nothing to anybody else. */
export function ownerAlone(): Buffer {
  const entries = Buffer.concat(ALLOWED.map(([authority, identifier]) => allowedEntry(authority, identifier)));
  const header = Buffer.alloc(HEADER);
  header.writeUInt8(1, 0);
  header.writeUInt16LE(CONTROL, 2);
  header.writeUInt32LE(HEADER, 16);
  const list = Buffer.alloc(LIST_HEADER);
  list.writeUInt8(2, 0);
  list.writeUInt16LE(LIST_HEADER + entries.length, 2);
  list.writeUInt16LE(ALLOWED.length, 4);
  return Buffer.concat([header, list, entries]);
}

/** ACCESS_ALLOWED_ACE (MS-DTYP §2.4.4.2) for a SID with one identifier. */
function allowedEntry(authority: number, identifier: number): Buffer {
  const entry = Buffer.alloc(ENTRY_HEADER + 12);
  entry.writeUInt16LE(entry.length, 2);
  entry.writeUInt32LE(FILE_ALL_ACCESS, 4);
  entry.writeUInt8(1, ENTRY_HEADER);
  entry.writeUInt8(1, ENTRY_HEADER + 1);
  entry.writeUIntBE(authority, ENTRY_HEADER + 2, 6);
  entry.writeUInt32LE(identifier, ENTRY_HEADER + 8);
  return entry;
}
