/** The contents of a backup: regular files in a row, as a tar archive (ustar, POSIX.1-1988). */
import { open } from 'node:fs/promises';
import { ArchiveDigest } from './backup-maker.ts';
import { damagedBackup } from '../copies/backup-errors.ts';

/** The only permitted names, so that an archive cannot write files elsewhere. */
const NAME =
  /^(manifest\.json|master\.key|maker\.mac|sinete\.(db|mark|toml|json)|(documents|results)\/[0-9a-f]{32}(\.r\d+|\.stamped)?)$/;
const BLOCK = 512;
const READ_AT_ONCE = 256 * 1024;
/** Larger sizes do not fit into 11 octal digits and are written in base 256, as GNU tar does. */
const MOST_OCTAL = 8 ** 11 - 1;

/** Fields of a header: offset and length in bytes. */
const field = { name: [0, 100], mode: [100, 8], size: [124, 12], time: [136, 12], sum: [148, 8] } as const;
const KIND = 156;
const MAGIC = 257;

/** A file of an archive. */
export interface ArchiveEntry {
  readonly name: string;
  /** The content, also as known once the files before are written, or the path of a file; a missing file is left out. */
  readonly source: Buffer | (() => Buffer) | { readonly path: string };
}

/** Writes files one after the other; `onAdded` is called with the name of each. */
export async function* writeArchive(
  entries: Iterable<ArchiveEntry>,
  now: Date,
  onAdded: (name: string) => void = () => undefined,
  digest = new ArchiveDigest(),
): AsyncGenerator<Uint8Array, void> {
  for (const { name, source } of entries) {
    if (Buffer.isBuffer(source) || typeof source === 'function') {
      const content = typeof source === 'function' ? source() : source;
      const file = digest.begin().update(content);
      yield headerOf(name, content.length, now);
      yield content;
      yield paddingOf(content.length);
      digest.end(name, file);
    } else if (!(yield* copyFile(name, source.path, now, digest))) continue;
    onAdded(name);
  }
  yield Buffer.alloc(2 * BLOCK);
}

async function* copyFile(
  name: string,
  path: string,
  now: Date,
  digest: ArchiveDigest,
): AsyncGenerator<Uint8Array, boolean> {
  const file = await open(path, 'r').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (file === undefined) return false;
  try {
    const { size } = await file.stat();
    yield headerOf(name, size, now);
    const content = digest.begin();
    for (let left = size; left > 0;) {
      const part = Buffer.allocUnsafe(Math.min(left, READ_AT_ONCE));
      const { bytesRead } = await file.read(part, 0, part.length);
      if (bytesRead === 0) throw new Error(`${name} became shorter while it was copied.`);
      content.update(part.subarray(0, bytesRead));
      yield part.subarray(0, bytesRead);
      left -= bytesRead;
    }
    yield paddingOf(size);
    digest.end(name, content);
    return true;
  } finally {
    await file.close();
  }
}

const paddingOf = (size: number): Buffer => Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK);

function headerOf(name: string, size: number, time: Date): Buffer {
  if (!NAME.test(name)) throw new Error(`${name} is not a name of a backup.`);
  const header = Buffer.alloc(BLOCK);
  const writeOctal = ([start, length]: readonly [number, number], value: number): number =>
    header.write(value.toString(8).padStart(length - 1, '0'), start, 'latin1');
  header.write(name, field.name[0], 'latin1');
  writeOctal(field.mode, 0o600);
  if (size <= MOST_OCTAL) writeOctal(field.size, size);
  else {
    header.writeUInt8(0x80, field.size[0]);
    header.writeBigUInt64BE(BigInt(size), field.size[0] + 4);
  }
  writeOctal(field.time, Math.floor(time.getTime() / 1000));
  header.write('0', KIND, 'latin1');
  header.write('ustar\u000000', MAGIC, 'latin1');
  header.write(`${checksumOf(header).toString(8).padStart(6, '0')}\u0000 `, field.sum[0], 'latin1');
  return header;
}

/** The sum of all bytes, with spaces in place of the sum itself. */
function checksumOf(header: Buffer): number {
  const [start, length] = field.sum;
  let sum = 0x20 * length;
  for (const [index, byte] of header.entries()) if (index < start || index >= start + length) sum += byte;
  return sum;
}

/** Passes each file of an archive to `take`, which must read the whole file. Throws `BACKUP_DAMAGED`. */
export async function readArchive(
  chunks: AsyncGenerator<Buffer, void>,
  take: (name: string, content: AsyncGenerator<Buffer, void>) => Promise<void>,
): Promise<void> {
  const reader = new ByteReader(chunks);
  for (;;) {
    const header = await reader.exactly(BLOCK);
    if (isZero(header)) break;
    const { name, size } = readHeader(header);
    await take(name, reader.upTo(size));
    await reader.exactly(paddingOf(size).length);
  }
  // tar fills its last record with zeros, which are skipped.
  for (let rest = await reader.next(); rest !== undefined; rest = await reader.next()) {
    if (!isZero(rest)) throw damagedBackup();
  }
}

const isZero = (bytes: Buffer): boolean => bytes.every((byte) => byte === 0);

function readHeader(header: Buffer): { readonly name: string; readonly size: number } {
  const textOf = ([start, length]: readonly [number, number]): string =>
    header.toString('latin1', start, start + length).replace(/[\u0000 ].*$/s, '');
  const name = textOf(field.name);
  const digits = textOf(field.size);
  const isLarge = header.readUInt8(field.size[0]) === 0x80;
  const size = isLarge ? Number(header.readBigUInt64BE(field.size[0] + 4)) : Number.parseInt(digits, 8);
  const isRegular = header.toString('latin1', KIND, KIND + 1) === '0';
  const isSound = Number.parseInt(textOf(field.sum), 8) === checksumOf(header) && Number.isSafeInteger(size);
  if (!isRegular || !isSound || !NAME.test(name)) throw damagedBackup();
  return { name, size };
}

/** Reads exact numbers of bytes from a stream of chunks. Throws `BACKUP_DAMAGED` for a stream that ends too early. */
export class ByteReader {
  readonly #chunks: AsyncGenerator<Buffer, void>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(chunks: AsyncGenerator<Buffer, void>) {
    this.#chunks = chunks;
  }

  async exactly(length: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    for await (const part of this.upTo(length)) parts.push(part);
    return Buffer.concat(parts);
  }

  async *upTo(length: number): AsyncGenerator<Buffer, void> {
    for (let left = length; left > 0;) {
      const chunk = await this.next();
      if (chunk === undefined) throw damagedBackup();
      const part = chunk.subarray(0, left);
      this.#rest = chunk.subarray(part.length);
      left -= part.length;
      yield part;
    }
  }

  /** The bytes that are already in memory, at least one; undefined at the end. */
  async next(): Promise<Buffer | undefined> {
    let chunk = this.#rest;
    this.#rest = Buffer.alloc(0);
    while (chunk.length === 0) {
      const next = await this.#chunks.next();
      if (next.done === true) return undefined;
      chunk = next.value;
    }
    return chunk;
  }
}
