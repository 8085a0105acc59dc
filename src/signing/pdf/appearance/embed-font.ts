import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import type { ObjectSink } from '../writing/incremental-update.ts';
import { plainString } from '../syntax/serialize.ts';
import { PdfName, PdfNumber, PdfReference } from '../syntax/values.ts';
import type { PdfDictionary, PdfValue } from '../syntax/values.ts';
import { subsetFont } from './subset-font.ts';
import type { FontSubset } from './subset-font.ts';
import type { TrueTypeFont } from './true-type-font.ts';

/** Symbolic (ISO 32000-2 Table 121): glyphs are addressed by number, not by a standard encoding. */
const FONT_FLAGS = 4;
const STEM_WEIGHT = 80;
/** Maximum number of entries of a `bfchar` block (Adobe Technical Note 5014). */
const BLOCK = 100;

const name = (text: string): PdfName => new PdfName(text);
const signed = (number: number): PdfValue => (number < 0 ? new PdfNumber(String(number)) : number);
const hexadecimal = (number: number): string => number.toString(16).padStart(4, '0');

/** Six capital letters, different for each subset (ISO 32000-2 §9.9.2). */
function subsetTag(file: Buffer): string {
  const digest = createHash('sha256').update(file).digest();
  return Array.from(digest.subarray(0, 6), (byte) => String.fromCharCode(0x41 + (byte % 26))).join('');
}

/** Maps glyph numbers back to characters, so that text can be copied and searched (ISO 32000-2 §9.10.3). */
function toUnicodeMap(subset: FontSubset, texts: ReadonlyMap<number, string>): Buffer {
  const entries = [...texts].map(([glyph, characters]) => {
    const text = Buffer.from(characters, 'utf16le').swap16().toString('hex');
    return `<${hexadecimal(subset.numbers.get(glyph) ?? 0)}> <${text}>`;
  });
  const blocks: string[] = [];
  for (let start = 0; start < entries.length; start += BLOCK) {
    const block = entries.slice(start, start + BLOCK);
    blocks.push(`${block.length} beginbfchar`, ...block, 'endbfchar');
  }
  const lines = [
    '/CIDInit /ProcSet findresource begin',
    '12 dict begin',
    'begincmap',
    '/CIDSystemInfo <</Registry (Adobe) /Ordering (UCS) /Supplement 0>> def',
    '/CMapName /Adobe-Identity-UCS def',
    '/CMapType 2 def',
    '1 begincodespacerange',
    '<0000> <ffff>',
    'endcodespacerange',
    ...blocks,
    'endcmap',
    'CMapName currentdict /CMap defineresource pop',
    'end',
    'end',
  ];
  return Buffer.from(lines.join('\n'));
}

function addCompressed(update: ObjectSink, data: Buffer, entries: PdfDictionary): PdfReference {
  const number = update.allocate();
  update.addStream(number, new Map([...entries, ['Filter', name('FlateDecode')]]), deflateSync(data));
  return new PdfReference(number, 0);
}

/** One bit for each glyph of the subset, all set, the first glyph in the highest bit (ISO 32000-1 Table 124). */
function glyphSet(count: number): Buffer {
  const bits = Buffer.alloc(Math.ceil(count / 8), 0xff);
  if (count % 8 !== 0) bits[bits.length - 1] = (0xff00 >> (count % 8)) & 0xff;
  return bits;
}

function addDescriptor(
  update: ObjectSink,
  font: TrueTypeFont,
  subset: FontSubset,
  { baseName, withGlyphSet }: { readonly baseName: string; readonly withGlyphSet: boolean },
): PdfReference {
  const scaled = (length: number): PdfValue => signed(Math.round((length * 1000) / font.unitsPerEm));
  const file = addCompressed(update, subset.file, new Map([['Length1', subset.file.length]]));
  const descriptor: PdfDictionary = new Map<string, PdfValue>([
    ['Type', name('FontDescriptor')],
    ['FontName', name(baseName)],
    ['Flags', FONT_FLAGS],
    ['FontBBox', font.box.map(scaled)],
    ['ItalicAngle', 0],
    ['Ascent', scaled(font.ascent)],
    ['Descent', scaled(font.descent)],
    ['CapHeight', scaled(font.capHeight)],
    ['StemV', STEM_WEIGHT],
    ['FontFile2', file],
  ]);
  if (withGlyphSet) descriptor.set('CIDSet', addCompressed(update, glyphSet(subset.glyphs.length), new Map()));
  return update.create(descriptor);
}

/** A font in the document whose glyphs are addressed by their number in the source font. */
export interface EmbeddedGlyphs {
  readonly reference: PdfReference;
  /** A string token for glyphs. */
  encode(glyphs: readonly number[]): string;
}

/**
 * Embeds glyphs as a composite font: CIDFontType2 with Identity-H, so that the code of a glyph is its number in the subset
 * (ISO 32000-2 §9.7).
 *
 * @param texts the characters shown by each glyph, by its number in the source font
 * @param withGlyphSet PDF/A-1 demands a CIDSet (ISO 19005-1 §6.3.5); ISO 32000-2 deprecates CIDSet
 */
export function embedGlyphs(
  update: ObjectSink,
  font: TrueTypeFont,
  texts: ReadonlyMap<number, string>,
  withGlyphSet: boolean,
): EmbeddedGlyphs {
  const subset = subsetFont(font, texts);
  const baseName = `${subsetTag(subset.file)}+${font.postScriptName}`;
  const widths = subset.glyphs.map((glyph) => Math.round((font.advanceOf(glyph) * 1000) / font.unitsPerEm));
  const descendant = update.create(
    new Map<string, PdfValue>([
      ['Type', name('Font')],
      ['Subtype', name('CIDFontType2')],
      ['BaseFont', name(baseName)],
      [
        'CIDSystemInfo',
        new Map<string, PdfValue>([
          ['Registry', plainString(Buffer.from('Adobe'))],
          ['Ordering', plainString(Buffer.from('Identity'))],
          ['Supplement', 0],
        ]),
      ],
      ['FontDescriptor', addDescriptor(update, font, subset, { baseName, withGlyphSet })],
      ['W', [0, widths]],
      ['CIDToGIDMap', name('Identity')],
    ]),
  );
  const reference = update.create(
    new Map<string, PdfValue>([
      ['Type', name('Font')],
      ['Subtype', name('Type0')],
      ['BaseFont', name(baseName)],
      ['Encoding', name('Identity-H')],
      ['DescendantFonts', [descendant]],
      ['ToUnicode', addCompressed(update, toUnicodeMap(subset, texts), new Map())],
    ]),
  );
  const code = (glyph: number): string => hexadecimal(subset.numbers.get(glyph) ?? 0);
  return { reference, encode: (glyphs) => `<${glyphs.map(code).join('')}>` };
}
