import { componentOffsets } from './true-type-font.ts';
import type { TrueTypeFont } from './true-type-font.ts';

/** A font with a few glyphs, numbered from 0 (the glyph for "missing") without gaps. */
export interface FontSubset {
  /** A TrueType file. */
  readonly file: Buffer;
  /** Glyph numbers in the original font, by their number in the subset. */
  readonly glyphs: readonly number[];
  /** Number in the subset, by the glyph's number in the original font. */
  readonly numbers: ReadonlyMap<number, number>;
}

/** Tables for instructions; kept unchanged if the font has instructions. */
const INSTRUCTION_TABLES = ['cvt ', 'fpgm', 'prep'];
const CHECKSUM_MAGIC = 0xb1b0afba;

/** Adds the components of composite glyphs after the glyphs of characters. */
function withComponents(font: TrueTypeFont, named: readonly number[]): number[] {
  const glyphs = [...named];
  const known = new Set(glyphs);
  // The list grows during the loop: components may be composite themselves.
  for (const glyph of glyphs) {
    const outline = font.outlineOf(glyph);
    for (const offset of componentOffsets(outline)) {
      const component = outline.readUInt16BE(offset);
      if (known.has(component)) continue;
      known.add(component);
      glyphs.push(component);
    }
  }
  return glyphs;
}

function outlineTables(font: TrueTypeFont, glyphs: readonly number[]): { glyf: Buffer; loca: Buffer } {
  const renumbered = new Map(glyphs.map((glyph, index) => [glyph, index]));
  const loca = Buffer.alloc((glyphs.length + 1) * 4);
  const outlines: Buffer[] = [];
  let length = 0;
  for (const [index, glyph] of glyphs.entries()) {
    const original = font.outlineOf(glyph);
    const outline = Buffer.alloc(Math.ceil(original.length / 4) * 4);
    original.copy(outline);
    for (const offset of componentOffsets(original)) {
      outline.writeUInt16BE(renumbered.get(original.readUInt16BE(offset)) ?? 0, offset);
    }
    outlines.push(outline);
    length += outline.length;
    loca.writeUInt32BE(length, (index + 1) * 4);
  }
  return { glyf: Buffer.concat(outlines), loca };
}

function horizontalMetrics(font: TrueTypeFont, glyphs: readonly number[]): Buffer {
  const table = Buffer.alloc(glyphs.length * 4);
  for (const [index, glyph] of glyphs.entries()) {
    table.writeUInt16BE(font.advanceOf(glyph), index * 4);
    table.writeInt16BE(font.sideBearingOf(glyph), index * 4 + 2);
  }
  return table;
}

/**
 * A format 4 map with a segment for each character. The PDF addresses glyphs by number, but other tools read this map.
 */
function characterMap(numbers: ReadonlyMap<number, number>): Buffer {
  const segments = [...numbers].sort(([first], [second]) => first - second);
  segments.push([0xffff, 0]);
  const count = segments.length;
  const length = 16 + count * 8;
  const power = 2 ** Math.floor(Math.log2(count));
  const map = Buffer.alloc(12 + length);
  const words = [0, 1, 3, 1, 0, 12, 4, length, 0, count * 2, power * 2, Math.log2(power), (count - power) * 2];
  for (const [index, word] of words.entries()) map.writeUInt16BE(word, index * 2);
  for (const [index, [codePoint, number]] of segments.entries()) {
    const delta = codePoint === 0xffff ? 1 : (number - codePoint) & 0xffff;
    map.writeUInt16BE(codePoint, 26 + index * 2);
    map.writeUInt16BE(codePoint, 28 + (count + index) * 2);
    map.writeUInt16BE(delta, 28 + (2 * count + index) * 2);
  }
  return map;
}

function patched(table: Buffer, patch: (copy: Buffer) => void): Buffer {
  const copy = Buffer.from(table);
  patch(copy);
  return copy;
}

function checksum(data: Buffer): number {
  let sum = 0;
  for (let offset = 0; offset < data.length; offset += 4) sum = (sum + data.readUInt32BE(offset)) >>> 0;
  return sum;
}

/** Writes the table directory and the tables; the checksum of the whole goes into `head`. */
function assemble(tables: ReadonlyMap<string, Buffer>): Buffer {
  const sorted = [...tables].sort(([first], [second]) => (first < second ? -1 : 1));
  const power = 2 ** Math.floor(Math.log2(sorted.length));
  const directory = Buffer.alloc(12 + sorted.length * 16);
  directory.writeUInt32BE(0x00010000, 0);
  const search = [sorted.length, power * 16, Math.log2(power), (sorted.length - power) * 16];
  for (const [index, word] of search.entries()) directory.writeUInt16BE(word, 4 + index * 2);
  const parts = [directory];
  let offset = directory.length;
  let headOffset = 0;
  for (const [index, [tag, table]] of sorted.entries()) {
    const padded = Buffer.concat([table, Buffer.alloc((4 - (table.length % 4)) % 4)]);
    const record = 12 + index * 16;
    directory.write(tag, record, 'latin1');
    directory.writeUInt32BE(checksum(padded), record + 4);
    directory.writeUInt32BE(offset, record + 8);
    directory.writeUInt32BE(table.length, record + 12);
    if (tag === 'head') headOffset = offset;
    parts.push(padded);
    offset += padded.length;
  }
  const file = Buffer.concat(parts);
  file.writeUInt32BE((CHECKSUM_MAGIC - checksum(file)) >>> 0, headOffset + 8);
  return file;
}

/** A code point of the Basic Multilingual Plane when the text is a single one. */
function codePointOf(text: string): number | undefined {
  const codePoint = text.codePointAt(0) ?? 0;
  return text.length === 1 ? codePoint : undefined;
}

/**
 * A font with these glyphs.
 *
 * @param texts the characters shown by each glyph, by its number in the source font
 */
export function subsetFont(font: TrueTypeFont, texts: ReadonlyMap<number, string>): FontSubset {
  const named = [0, ...[...texts.keys()].filter((glyph) => glyph !== 0)];
  const numbers = new Map(named.map((glyph, index) => [glyph, index]));
  const characters = new Map<number, number>();
  for (const [glyph, text] of texts) {
    const codePoint = codePointOf(text);
    if (codePoint !== undefined) characters.set(codePoint, numbers.get(glyph) ?? 0);
  }
  const glyphs = withComponents(font, named);
  const { glyf, loca } = outlineTables(font, glyphs);
  const tables = new Map([
    ['cmap', characterMap(characters)],
    ['glyf', glyf],
    ['loca', loca],
    ['hmtx', horizontalMetrics(font, glyphs)],
    ['hhea', patched(font.table('hhea'), (table) => table.writeUInt16BE(glyphs.length, 34))],
    ['maxp', patched(font.table('maxp'), (table) => table.writeUInt16BE(glyphs.length, 4))],
    [
      'head',
      patched(font.table('head'), (table) => {
        table.writeUInt32BE(0, 8);
        table.writeInt16BE(1, 50);
      }),
    ],
  ]);
  for (const tag of INSTRUCTION_TABLES) {
    const table = font.findTable(tag);
    if (table !== undefined) tables.set(tag, table);
  }
  return { file: assemble(tables), glyphs, numbers };
}
