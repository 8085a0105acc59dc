import { crc32, deflateRawSync } from 'node:zlib';

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const DEFLATE = 8;
/** Names are UTF-8 (APPNOTE.TXT §4.4.4, bit 11). */
const FLAGS = 0x0800;
/** 1980-01-01, the first day of the format: equal files make equal archives. */
const DATE = 0x0021;

/** A ZIP archive (APPNOTE.TXT §4.3) of a few small files, by name. */
export function makeZip(files: Readonly<Record<string, string>>): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of Object.entries(files)) {
    const content = Buffer.from(text);
    const packed = deflateRawSync(content);
    const nameBytes = Buffer.from(name);
    const about = describe(content, packed, nameBytes);
    const local = Buffer.concat([number32(LOCAL), about, nameBytes, packed]);
    const attributes = Buffer.concat([Buffer.alloc(10), number32(offset)]);
    directory.push(number32(CENTRAL), number16(20), about, attributes, nameBytes);
    parts.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const count = number16(Object.keys(files).length);
  const end = [number32(END), number32(0), count, count, number32(central.length), number32(offset), number16(0)];
  return Buffer.concat([...parts, central, ...end]);
}

/** The common fields of a local header and a directory entry. */
function describe(content: Buffer, packed: Buffer, name: Buffer): Buffer {
  return Buffer.concat([
    number16(20),
    number16(FLAGS),
    number16(DEFLATE),
    number16(0),
    number16(DATE),
    number32(crc32(content)),
    number32(packed.length),
    number32(content.length),
    number16(name.length),
    number16(0),
  ]);
}

function number16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

function number32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
