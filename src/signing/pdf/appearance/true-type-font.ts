/**
 * Reads the parts of a TrueType font needed for setting text and embedding a subset (OpenType 1.9, ISO/IEC 14496-22).
 */
import { inflateSync } from 'node:zlib';

const TABLE_RECORD = 16;
const FORMAT_4 = 4;
const FORMAT_12 = 12;
const WOFF_SIGNATURE = 'wOFF';
const WOFF_HEADER = 44;
const WOFF_RECORD = 20;
/** Flags of a component in a composite glyph (`glyf`, composite glyph description). */
const ARGUMENTS_ARE_WORDS = 0x0001;
const HAS_SCALE = 0x0008;
const MORE_COMPONENTS = 0x0020;
const HAS_TWO_SCALES = 0x0040;
const HAS_TWO_BY_TWO = 0x0080;

/** The tables of a WOFF file (W3C WOFF 1.0 §4, §5): a table is compressed where compression makes it shorter. */
function readWoffTables(file: Buffer): ReadonlyMap<string, Buffer> {
  const tables = new Map<string, Buffer>();
  const count = file.readUInt16BE(12);
  for (let index = 0; index < count; index += 1) {
    const record = WOFF_HEADER + index * WOFF_RECORD;
    const [offset, stored, length] = [4, 8, 12].map((place) => file.readUInt32BE(record + place)) as [
      number,
      number,
      number,
    ];
    const data = file.subarray(offset, offset + stored);
    tables.set(file.toString('latin1', record, record + 4), stored < length ? inflateSync(data) : data);
  }
  return tables;
}

function readTables(file: Buffer): ReadonlyMap<string, Buffer> {
  if (file.toString('latin1', 0, 4) === WOFF_SIGNATURE) return readWoffTables(file);
  const tables = new Map<string, Buffer>();
  const count = file.readUInt16BE(4);
  for (let index = 0; index < count; index += 1) {
    const record = 12 + index * TABLE_RECORD;
    const offset = file.readUInt32BE(record + 8);
    const length = file.readUInt32BE(record + 12);
    tables.set(file.toString('latin1', record, record + 4), file.subarray(offset, offset + length));
  }
  return tables;
}

/** A Unicode subtable of the platform 3: of all planes (format 12), or of the Basic Multilingual Plane (format 4). */
function findCharacterMap(table: Buffer): Buffer {
  const count = table.readUInt16BE(2);
  for (const [encoding, format] of [
    [10, FORMAT_12],
    [1, FORMAT_4],
  ] as const) {
    for (let index = 0; index < count; index += 1) {
      const record = 4 + index * 8;
      const subtable = table.subarray(table.readUInt32BE(record + 4));
      const isUnicode = table.readUInt16BE(record) === 3 && table.readUInt16BE(record + 2) === encoding;
      if (isUnicode && subtable.readUInt16BE(0) === format) return subtable;
    }
  }
  throw new TypeError('The font has no Unicode character map of the formats 4 and 12.');
}

/** The glyph in a map of format 12: groups in order, of three numbers of 32 bits (`cmap`, format 12). */
function glyphInGroups(map: Buffer, codePoint: number): number | undefined {
  let [low, high] = [0, map.readUInt32BE(12) - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const group = 16 + middle * 12;
    if (codePoint < map.readUInt32BE(group)) high = middle - 1;
    else if (codePoint > map.readUInt32BE(group + 4)) low = middle + 1;
    else return map.readUInt32BE(group + 8) + codePoint - map.readUInt32BE(group) || undefined;
  }
  return undefined;
}

/** Offsets of the component glyph numbers in the data of a composite glyph; empty for a simple glyph. */
export function componentOffsets(glyph: Buffer): readonly number[] {
  if (glyph.length < 10 || glyph.readInt16BE(0) >= 0) return [];
  const offsets: number[] = [];
  for (let position = 10; ;) {
    const flags = glyph.readUInt16BE(position);
    offsets.push(position + 2);
    position += (flags & ARGUMENTS_ARE_WORDS) === 0 ? 6 : 8;
    if ((flags & HAS_SCALE) !== 0) position += 2;
    else if ((flags & HAS_TWO_SCALES) !== 0) position += 4;
    else if ((flags & HAS_TWO_BY_TWO) !== 0) position += 8;
    if ((flags & MORE_COMPONENTS) === 0) return offsets;
  }
}

/** Reads a TrueType font that comes with Sinete, so hostile input is not considered. Lengths are in font units. */
export class TrueTypeFont {
  readonly postScriptName: string;
  readonly unitsPerEm: number;
  readonly ascent: number;
  readonly descent: number;
  readonly capHeight: number;
  /** Left, bottom, right, top of all glyphs together. */
  readonly box: readonly [number, number, number, number];
  readonly #tables: ReadonlyMap<string, Buffer>;
  readonly #characterMap: Buffer;

  constructor(file: Buffer, postScriptName: string) {
    this.#tables = readTables(file);
    this.postScriptName = postScriptName;
    const head = this.table('head');
    const metrics = this.table('hhea');
    this.unitsPerEm = head.readUInt16BE(18);
    this.box = [head.readInt16BE(36), head.readInt16BE(38), head.readInt16BE(40), head.readInt16BE(42)];
    this.ascent = metrics.readInt16BE(4);
    this.descent = metrics.readInt16BE(6);
    this.capHeight = this.table('OS/2').readInt16BE(88);
    this.#characterMap = findCharacterMap(this.table('cmap'));
  }

  /** Throws `TypeError` when the font lacks the table. */
  table(tag: string): Buffer {
    const table = this.findTable(tag);
    if (table === undefined) throw new TypeError(`The font has no table "${tag}".`);
    return table;
  }

  /** The whole font as an OpenType file, without checksums: for readers that know no WOFF. */
  toSfnt(): Buffer {
    const tables = [...this.#tables].sort(([first], [second]) => (first < second ? -1 : 1));
    const directory = Buffer.alloc(12 + tables.length * TABLE_RECORD);
    directory.writeUInt32BE(0x00010000, 0);
    directory.writeUInt16BE(tables.length, 4);
    const parts = [directory];
    let offset = directory.length;
    for (const [index, [tag, table]] of tables.entries()) {
      const record = 12 + index * TABLE_RECORD;
      directory.write(tag, record, 'latin1');
      directory.writeUInt32BE(offset, record + 8);
      directory.writeUInt32BE(table.length, record + 12);
      const padded = Buffer.concat([table, Buffer.alloc((4 - (table.length % 4)) % 4)]);
      parts.push(padded);
      offset += padded.length;
    }
    return Buffer.concat(parts);
  }

  findTable(tag: string): Buffer | undefined {
    return this.#tables.get(tag);
  }

  /** The glyph of a Unicode code point; undefined when the font has none. */
  glyphOf(codePoint: number): number | undefined {
    const map = this.#characterMap;
    if (map.readUInt16BE(0) === FORMAT_12) return glyphInGroups(map, codePoint);
    const segments = map.readUInt16BE(6) / 2;
    const [ends, starts] = [14, 16 + segments * 2];
    for (let segment = 0; segment < segments; segment += 1) {
      if (map.readUInt16BE(ends + segment * 2) < codePoint) continue;
      const start = map.readUInt16BE(starts + segment * 2);
      if (start > codePoint) return undefined;
      const delta = map.readUInt16BE(starts + segments * 2 + segment * 2);
      const rangePosition = starts + segments * 4 + segment * 2;
      const range = map.readUInt16BE(rangePosition);
      if (range === 0) return (codePoint + delta) & 0xffff || undefined;
      const glyph = map.readUInt16BE(rangePosition + range + (codePoint - start) * 2);
      return glyph === 0 ? undefined : (glyph + delta) & 0xffff;
    }
    return undefined;
  }

  #metricPosition(glyph: number): number {
    const last = this.table('hhea').readUInt16BE(34) - 1;
    return Math.min(glyph, last) * 4;
  }

  advanceOf(glyph: number): number {
    return this.table('hmtx').readUInt16BE(this.#metricPosition(glyph));
  }

  sideBearingOf(glyph: number): number {
    const metrics = this.table('hmtx');
    const full = this.table('hhea').readUInt16BE(34);
    return metrics.readInt16BE(glyph < full ? glyph * 4 + 2 : full * 4 + (glyph - full) * 2);
  }

  /** The glyph's outline in `glyf`, unchanged; empty for a glyph without outline, such as the space. */
  outlineOf(glyph: number): Buffer {
    const [locations, outlines] = [this.table('loca'), this.table('glyf')];
    const isLong = this.table('head').readInt16BE(50) === 1;
    const offset = (index: number): number =>
      isLong ? locations.readUInt32BE(index * 4) : locations.readUInt16BE(index * 2) * 2;
    return outlines.subarray(offset(glyph), offset(glyph + 1));
  }
}
