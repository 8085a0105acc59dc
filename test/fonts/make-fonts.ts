/**
 * `node test/fonts/make-fonts.ts`: takes the fonts of `assets/fonts/scripts` from the packages beside this file. Fonts of
 * scripts with changing letters are copied. The packages of Chinese, Japanese and Korean have a hundred parts each, which
 * are joined to a font without the tables for the forms of letters.
 */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deflateSync } from 'node:zlib';
import { SCRIPT_FONTS } from '../../src/signing/pdf/appearance/stamp-fonts.ts';
import { componentOffsets, TrueTypeFont } from '../../src/signing/pdf/appearance/true-type-font.ts';
import { installSuite } from '../setup/install-suite.ts';

const packages = fileURLToPath(new URL('node_modules/@fontsource/', import.meta.url));
const target = fileURLToPath(new URL('../../assets/fonts/scripts/', import.meta.url));
const REGULAR = '-400-normal.woff';
const LAST_CODE_POINT = 0x323af;

/** A glyph by its code point, in one of the parts. */
interface Source {
  readonly font: TrueTypeFont;
  readonly glyph: number;
}

/** The glyphs of a package for these characters; the first part with a character counts. */
function collect(name: string, characters: RegExp, found: Map<number, Source>): void {
  const folder = join(packages, name, 'files');
  const fonts = readdirSync(folder)
    .filter((file) => file.endsWith(REGULAR))
    .sort()
    .map((file) => new TrueTypeFont(readFileSync(join(folder, file)), name));
  for (let codePoint = 0x20; codePoint <= LAST_CODE_POINT; codePoint += 1) {
    if (found.has(codePoint) || !characters.test(String.fromCodePoint(codePoint))) continue;
    for (const font of fonts) {
      const glyph = font.glyphOf(codePoint);
      if (glyph === undefined) continue;
      found.set(codePoint, { font, glyph });
      break;
    }
  }
}

/** A map of format 12 (`cmap`): groups of neighbouring characters with neighbouring glyphs. */
function characterMap(glyphs: ReadonlyMap<number, number>): Buffer {
  const groups: [start: number, end: number, glyph: number][] = [];
  for (const [codePoint, glyph] of [...glyphs].sort(([one], [other]) => one - other)) {
    const last = groups.at(-1);
    if (last?.[1] === codePoint - 1 && last[2] + codePoint - last[0] === glyph) last[1] = codePoint;
    else groups.push([codePoint, codePoint, glyph]);
  }
  const table = Buffer.alloc(12 + 16 + groups.length * 12);
  for (const [index, word] of [0, 1, 3, 10, 0, 12, 12, 0].entries()) table.writeUInt16BE(word, index * 2);
  table.writeUInt32BE(table.length - 12, 16);
  table.writeUInt32BE(groups.length, 24);
  for (const [index, group] of groups.entries()) {
    for (const [place, number] of group.entries()) table.writeUInt32BE(number, 28 + index * 12 + place * 4);
  }
  return table;
}

const patched = (table: Buffer, patch: (copy: Buffer) => void): Buffer => {
  const copy = Buffer.from(table);
  patch(copy);
  return copy;
};

/** Joins glyphs of several fonts with the same units; the glyph 0 is the first font's. */
function joinGlyphs(found: ReadonlyMap<number, Source>): ReadonlyMap<string, Buffer> {
  const [first] = found.values();
  if (first === undefined) throw new Error('There is no glyph.');
  const sources: Source[] = [{ font: first.font, glyph: 0 }];
  const numbers = new Map<TrueTypeFont, Map<number, number>>();
  const numberOf = ({ font, glyph }: Source): number => {
    const known = numbers.get(font) ?? new Map<number, number>();
    numbers.set(font, known);
    const number = known.get(glyph);
    if (number !== undefined) return number;
    known.set(glyph, sources.length);
    sources.push({ font, glyph });
    return sources.length - 1;
  };
  const characters = new Map([...found].map(([codePoint, source]) => [codePoint, numberOf(source)]));
  const outlines: Buffer[] = [];
  // The list grows during the loop, by components of glyphs.
  for (const { font, glyph } of sources) {
    const outline = Buffer.from(font.outlineOf(glyph));
    for (const offset of componentOffsets(outline)) {
      outline.writeUInt16BE(numberOf({ font, glyph: outline.readUInt16BE(offset) }), offset);
    }
    outlines.push(Buffer.concat([outline, Buffer.alloc((4 - (outline.length % 4)) % 4)]));
  }
  const [loca, metrics] = [Buffer.alloc((sources.length + 1) * 4), Buffer.alloc(sources.length * 4)];
  let length = 0;
  for (const [index, { font, glyph }] of sources.entries()) {
    length += outlines[index]?.length ?? 0;
    loca.writeUInt32BE(length, (index + 1) * 4);
    metrics.writeUInt16BE(font.advanceOf(glyph), index * 4);
    metrics.writeInt16BE(font.sideBearingOf(glyph), index * 4 + 2);
  }
  const { font } = first;
  const count = sources.length;
  return new Map([
    ['OS/2', font.table('OS/2')],
    ['cmap', characterMap(characters)],
    ['glyf', Buffer.concat(outlines)],
    ['head', patched(font.table('head'), (head) => head.writeInt16BE(1, 50))],
    ['hhea', patched(font.table('hhea'), (hhea) => hhea.writeUInt16BE(count, 34))],
    ['hmtx', metrics],
    ['loca', loca],
    ['maxp', patched(font.table('maxp'), (maxp) => maxp.writeUInt16BE(count, 4))],
    ['name', font.table('name')],
  ]);
}

/** Writes a WOFF file (W3C WOFF 1.0). */
function toWoff(tables: ReadonlyMap<string, Buffer>): Buffer {
  const header = Buffer.alloc(44 + tables.size * 20);
  header.write('wOFF', 0, 'latin1');
  header.writeUInt32BE(0x00010000, 4);
  header.writeUInt16BE(tables.size, 12);
  const parts = [header];
  let offset = header.length;
  let whole = 12 + tables.size * 16;
  for (const [index, [tag, table]] of [...tables].entries()) {
    const compressed = deflateSync(table, { level: 9 });
    const data = compressed.length < table.length ? compressed : table;
    const record = 44 + index * 20;
    header.write(tag, record, 'latin1');
    for (const [place, number] of [offset, data.length, table.length].entries()) {
      header.writeUInt32BE(number, record + 4 + place * 4);
    }
    const padded = Buffer.concat([data, Buffer.alloc((4 - (data.length % 4)) % 4)]);
    parts.push(padded);
    offset += padded.length;
    whole += Math.ceil(table.length / 4) * 4;
  }
  header.writeUInt32BE(offset, 8);
  header.writeUInt32BE(whole, 16);
  return Buffer.concat(parts);
}

const HANGUL = /\p{sc=Hangul}/u;
const EAST_ASIAN = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Bopomofo}\u3000-\u303f\uff00-\uffef]/u;

installSuite('test/fonts');
mkdirSync(target, { recursive: true });
for (const { file, name } of SCRIPT_FONTS) {
  const script = name.replace('NotoSans', '').replace('-Regular', '').toLowerCase();
  const source = join(packages, `noto-sans-${script}`, 'files', `noto-sans-${script}-${script}${REGULAR}`);
  copyFileSync(source, join(target, '..', file));
}
const chinese = new Map<number, Source>();
collect('noto-sans-sc', EAST_ASIAN, chinese);
collect('noto-sans-jp', EAST_ASIAN, chinese);
collect('noto-sans-kr', HANGUL, chinese);
collect('noto-sans-kr', EAST_ASIAN, chinese);
writeFileSync(join(target, 'NotoSansCJK-Regular.woff'), toWoff(joinGlyphs(chinese)));
const japanese = new Map<number, Source>();
collect('noto-sans-jp', EAST_ASIAN, japanese);
writeFileSync(join(target, 'NotoSansJP-Regular.woff'), toWoff(joinGlyphs(japanese)));
console.log(`${chinese.size} and ${japanese.size} characters of East Asia.`);
