/**
 * Reads the files of a ZIP archive (APPNOTE.TXT 6.3.10), stored or deflated, in memory. File names appear in messages
 * only: nothing is written to disk. Encrypted, spanned and ZIP64 archives are refused.
 */
import { inflateRawSync } from 'node:zlib';
import { SigningError } from '../../errors.ts';

/** A file of an archive. */
export interface ZipFile {
  readonly name: string;
  /** Undefined when this file cannot be read; `reason` says why. */
  readonly content: Buffer | undefined;
  readonly reason?: string;
}

const MAX_FILES = 5_000;
const MAX_FILE_BYTES = 16 * 2 ** 20;
const MAX_TOTAL_BYTES = 64 * 2 ** 20;
const END_SIGNATURE = 0x06054b50;
const ENTRY_SIGNATURE = 0x02014b50;
const LOCAL_SIGNATURE = 0x04034b50;
const END_LENGTH = 22;
const MAX_COMMENT = 0xffff;
const ENTRY_LENGTH = 46;
const LOCAL_LENGTH = 30;
const STORED = 0;
const DEFLATED = 8;

function malformed(detail: string): never {
  throw new SigningError('DER_MALFORMED', `The ZIP archive cannot be read: ${detail}.`);
}

/** True when the bytes begin like a ZIP archive. */
export const isZip = (input: Buffer): boolean =>
  input.length >= END_LENGTH && input.readUInt32LE(0) === LOCAL_SIGNATURE;

function findEnd(input: Buffer): number {
  const first = Math.max(0, input.length - END_LENGTH - MAX_COMMENT);
  for (let offset = input.length - END_LENGTH; offset >= first; offset--) {
    if (input.readUInt32LE(offset) === END_SIGNATURE) return offset;
  }
  return malformed('its directory is missing');
}

interface ZipEntry {
  readonly name: string;
  readonly flags: number;
  readonly method: number;
  readonly compressed: number;
  readonly length: number;
  readonly offset: number;
}

function readEntries(input: Buffer): readonly ZipEntry[] {
  const end = findEnd(input);
  const count = input.readUInt16LE(end + 10);
  let offset = input.readUInt32LE(end + 16);
  if (count > MAX_FILES) malformed(`it has more than ${MAX_FILES} files`);
  const entries: ZipEntry[] = [];
  for (let index = 0; index < count; index++) {
    if (offset + ENTRY_LENGTH > end || input.readUInt32LE(offset) !== ENTRY_SIGNATURE)
      malformed('its directory is damaged');
    const nameEnd = offset + ENTRY_LENGTH + input.readUInt16LE(offset + 28);
    entries.push({
      name: input.toString('utf8', offset + ENTRY_LENGTH, Math.min(nameEnd, end)),
      flags: input.readUInt16LE(offset + 8),
      method: input.readUInt16LE(offset + 10),
      compressed: input.readUInt32LE(offset + 20),
      length: input.readUInt32LE(offset + 24),
      offset: input.readUInt32LE(offset + 42),
    });
    offset = nameEnd + input.readUInt16LE(offset + 30) + input.readUInt16LE(offset + 32);
  }
  return entries;
}

/** The bytes of a file, or a sentence with the reason for the failure. */
function readContent(input: Buffer, { flags, method, compressed, length, offset }: ZipEntry): Buffer | string {
  if ((flags & 1) !== 0) return 'it is encrypted';
  if (length > MAX_FILE_BYTES) return `it is larger than ${MAX_FILE_BYTES / 2 ** 20} MiB`;
  if (offset + LOCAL_LENGTH > input.length || input.readUInt32LE(offset) !== LOCAL_SIGNATURE)
    return 'it is not where the directory says';
  const start = offset + LOCAL_LENGTH + input.readUInt16LE(offset + 26) + input.readUInt16LE(offset + 28);
  if (start + compressed > input.length) return 'it is cut off';
  const bytes = input.subarray(start, start + compressed);
  if (method === STORED) return bytes.length === length ? bytes : 'its length is wrong';
  if (method !== DEFLATED) return `its compression method ${method} is not known here`;
  try {
    // One byte more than announced, so that a longer file fails instead of filling the memory.
    const content = inflateRawSync(bytes, { maxOutputLength: length + 1 });
    return content.length === length ? content : 'its length is wrong';
  } catch {
    return 'it is damaged';
  }
}

/**
 * All files of the archive in the order of its directory, without folders. Throws `DER_MALFORMED` for input other than
 * an archive, `LIMIT_EXCEEDED` when the files together are larger than 64 MiB.
 */
export function readZip(input: Buffer): readonly ZipFile[] {
  const entries = readEntries(input).filter(({ name }) => !name.endsWith('/'));
  const total = entries.reduce((sum, { length }) => sum + length, 0);
  if (total > MAX_TOTAL_BYTES) {
    throw new SigningError('LIMIT_EXCEEDED', `The ZIP archive holds more than ${MAX_TOTAL_BYTES / 2 ** 20} MiB.`);
  }
  return entries.map((entry) => {
    const content = readContent(input, entry);
    return typeof content === 'string'
      ? { name: entry.name, content: undefined, reason: content }
      : { name: entry.name, content };
  });
}
