import { open } from 'node:fs/promises';

/** The format of a library's file, from its first bytes. */
export type LibraryFormat =
  | { readonly kind: 'library'; readonly bits: 32 | 64; readonly architectures: readonly string[] }
  /** Another program's file, or an unknown file. */
  | { readonly kind: 'other' };

/** Number of first bytes needed to recognise the format: a PE header may begin late. */
export const HEAD_LENGTH = 4096;

const other: LibraryFormat = { kind: 'other' };

/** The format of a driver's file; undefined for an unreadable file. The file is not loaded. */
export async function readLibraryFormat(path: string): Promise<LibraryFormat | undefined> {
  const file = await open(path, 'r').catch(() => undefined);
  if (file === undefined) return undefined;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_LENGTH), 0, HEAD_LENGTH, 0);
    return libraryFormat(buffer.subarray(0, bytesRead));
  } catch {
    return undefined;
  } finally {
    await file.close();
  }
}

/** The format by the head of a file: ELF (gABI, chapter 4), PE (PE/COFF §3), Mach-O. */
export function libraryFormat(head: Buffer): LibraryFormat {
  try {
    if (head.readUInt32BE(0) === 0x7f454c46) return elfFormat(head);
    if (head.toString('latin1', 0, 2) === 'MZ') return peFormat(head);
    return machFormat(head);
  } catch {
    // The file ends inside its header.
    return other;
  }
}

/** `e_machine`. */
const elfMachines = new Map([
  [3, 'ia32'],
  [21, 'ppc64'],
  [40, 'arm'],
  [62, 'x64'],
  [183, 'arm64'],
  [243, 'riscv64'],
  [258, 'loong64'],
]);

function elfFormat(head: Buffer): LibraryFormat {
  const width = head.readUInt8(4);
  if (width !== 1 && width !== 2) return other;
  const isLittle = head.readUInt8(5) === 1;
  const read = (offset: number): number => (isLittle ? head.readUInt16LE(offset) : head.readUInt16BE(offset));
  // ET_DYN: a shared object.
  if (read(16) !== 3) return other;
  return library(width === 1 ? 32 : 64, elfMachines.get(read(18)));
}

/** `Machine` of the COFF file header. */
const peMachines = new Map([
  [0x14c, 'ia32'],
  [0x8664, 'x64'],
  [0xaa64, 'arm64'],
  [0x1c4, 'arm'],
]);

function peFormat(head: Buffer): LibraryFormat {
  const start = head.readUInt32LE(0x3c);
  if (head.toString('latin1', start, start + 4) !== 'PE\0\0') return other;
  const machine = peMachines.get(head.readUInt16LE(start + 4));
  const isDll = (head.readUInt16LE(start + 22) & 0x2000) !== 0;
  // PE32 or PE32+.
  const magic = head.readUInt16LE(start + 24);
  if (!isDll || (magic !== 0x10b && magic !== 0x20b)) return other;
  return library(magic === 0x10b ? 32 : 64, machine);
}

/** `cputype`; the bit 0x01000000 means 64 bits. */
const machTypes = new Map([
  [7, 'ia32'],
  [0x01000007, 'x64'],
  [12, 'arm'],
  [0x0100000c, 'arm64'],
]);

function machFormat(head: Buffer): LibraryFormat {
  const magic = head.readUInt32BE(0);
  if (magic === 0xcffaedfe || magic === 0xcefaedfe) {
    return library(magic === 0xcffaedfe ? 64 : 32, machTypes.get(head.readUInt32LE(4)));
  }
  // A universal file has a list of parts. Java class files begin with the same bytes, but have a version in place of
  // the count.
  const count = head.readUInt32BE(4);
  if (magic !== 0xcafebabe || count === 0 || count > 16) return other;
  const parts = Array.from({ length: count }, (_, index) => machTypes.get(head.readUInt32BE(8 + index * 20)));
  const known = parts.filter((one) => one !== undefined);
  return { kind: 'library', bits: known.some((one) => one.endsWith('64')) ? 64 : 32, architectures: known };
}

function library(bits: 32 | 64, architecture: string | undefined): LibraryFormat {
  return { kind: 'library', bits, architectures: architecture === undefined ? [] : [architecture] };
}
