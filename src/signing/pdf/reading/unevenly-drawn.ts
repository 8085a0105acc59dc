import { nameOf, numberOf, PdfStream, type PdfDictionary, type PdfValue } from '../syntax/values.ts';
import type { PdfDocument } from './pdf-document.ts';

/** Colours and letters that programs draw by rules of their own. */
export type UnevenlyDrawn = 'ambiguous' | 'overprint' | 'foreign-fonts';

/** Inks of every printer, and the names that stand for all inks or none (ISO 32000-2 §8.6.6.4). */
const USUAL_INKS: ReadonlySet<string> = new Set(['Cyan', 'Magenta', 'Yellow', 'Black', 'All', 'None']);

/** Fonts of symbols that every program has, each with shapes of its own (§9.6.2.2). */
const SYMBOL_FONTS: ReadonlySet<string> = new Set(['Symbol', 'ZapfDingbats']);

/** Families of letters that every program has, or has with the same widths: all draw alike (§9.6.2.2). */
const COMMON_FAMILIES = /^(?:Helvetica|Helv|Arial|Times|TimesNewRoman|Courier|CourierNew)(?:$|[-,]|PS|MT)/;

/** Steps of a pattern, in sizes of its tile, that leave no room for a second tile on a page. */
const WIDE_STEP = 10;

/** Names of a font program in a font's descriptor (Table 124). */
const FONT_FILES = ['FontFile', 'FontFile2', 'FontFile3'] as const;

/**
 * Finds the colours and letters of a dictionary that programs are known to draw differently:
 *
 * - `overprint`: a picture in several inks, which some programs mix by their own rule instead of the file's (§8.6.6.5); a
 *   mask made of the brightness of printing inks, for which there is no one measure (§11.5.3).
 * - `ambiguous`: a font that gives a character two widths, so that words stand in other places (§9.7.4.3); a pattern with
 *   so wide steps that there is one tile, of which some programs also draw what is outside of its box (§8.7.3.1).
 * - `foreign-fonts`: a page, a form or a pattern with a font that is neither in the file nor one that every program has, or
 *   a page or a pattern with a font of symbols that is not in the file.
 */
export function unevenlyDrawnIn(
  document: PdfDocument,
  dictionary: ReadonlyMap<string, PdfValue>,
): readonly UnevenlyDrawn[] {
  const found: UnevenlyDrawn[] = [];
  const value = (key: string): PdfValue => document.resolve(dictionary.get(key));
  if (mixesInks(document, value)) found.push('overprint');
  if (hasTwoWidths(document, value) || hasLoneTile(document, value)) found.push('ambiguous');
  if (usesForeignFonts(document, value)) found.push('foreign-fonts');
  return found;
}

type Lookup = (key: string) => PdfValue;

function mixesInks(document: PdfDocument, value: Lookup): boolean {
  if (nameOf(value('Subtype')) === 'Image') {
    const space = value('ColorSpace');
    if (!Array.isArray(space) || nameOf(document.resolve(space[0])) !== 'DeviceN') return false;
    const inks = document.resolve(space[1]);
    return Array.isArray(inks) && inks.some((ink) => !USUAL_INKS.has(nameOf(document.resolve(ink)) ?? ''));
  }
  if (nameOf(value('S')) !== 'Luminosity') return false;
  const drawing = value('G');
  const group = drawing instanceof PdfStream ? document.resolve(drawing.dictionary.get('Group')) : null;
  return group instanceof Map && isOfInks(document, document.resolve(group.get('CS')));
}

/** True for a colour space of four printing inks, or of inks with names. */
function isOfInks(document: PdfDocument, space: PdfValue): boolean {
  const kind = nameOf(Array.isArray(space) ? document.resolve(space[0]) : space) ?? '';
  if (kind !== 'ICCBased') return ['DeviceCMYK', 'Separation', 'DeviceN'].includes(kind);
  const profile = Array.isArray(space) ? document.resolve(space[1]) : null;
  return profile instanceof PdfStream && numberOf(document.resolve(profile.dictionary.get('N'))) === 4;
}

/** True when the widths of a font (`c [w…]`, or `first last w`) name a character twice. */
function hasTwoWidths(document: PdfDocument, value: Lookup): boolean {
  if (!['CIDFontType0', 'CIDFontType2'].includes(nameOf(value('Subtype')) ?? '')) return false;
  const widths = value('W');
  if (!Array.isArray(widths)) return false;
  const ranges: (readonly [first: number, last: number])[] = [];
  for (let at = 0; at < widths.length;) {
    const first = numberOf(document.resolve(widths[at])) ?? 0;
    const next = document.resolve(widths[at + 1]);
    const last = Array.isArray(next) ? first + next.length - 1 : (numberOf(next) ?? first);
    ranges.push([first, last]);
    at += Array.isArray(next) ? 2 : 3;
  }
  ranges.sort(([one], [other]) => one - other);
  return ranges.some(([first], index) => first <= (ranges[index - 1]?.[1] ?? -1));
}

function hasLoneTile(document: PdfDocument, value: Lookup): boolean {
  const box = value('PatternType') === 1 ? value('BBox') : null;
  if (!Array.isArray(box)) return false;
  const [left = 0, bottom = 0, right = 0, top = 0] = box.map((edge) => numberOf(document.resolve(edge)) ?? 0);
  const isWide = (step: PdfValue, size: number): boolean => Math.abs(numberOf(step) ?? 0) > WIDE_STEP * Math.abs(size);
  return isWide(value('XStep'), right - left) && isWide(value('YStep'), top - bottom);
}

function usesForeignFonts(document: PdfDocument, value: Lookup): boolean {
  const isDrawn = nameOf(value('Type')) === 'Page' || value('PatternType') === 1;
  if (!isDrawn && nameOf(value('Subtype')) !== 'Form') return false;
  const resources = value('Resources');
  const fonts = resources instanceof Map ? document.resolve(resources.get('Font')) : null;
  if (!(fonts instanceof Map)) return false;
  return [...fonts.values()].some((one) => {
    const font = document.resolve(one);
    if (!(font instanceof Map) || isInFile(document, font)) return false;
    const name = (nameOf(document.resolve(font.get('BaseFont'))) ?? '').replaceAll(' ', '');
    // The marks of boxes in forms are of such fonts, and every program draws a cross or a tick.
    if (SYMBOL_FONTS.has(name)) return isDrawn;
    return !COMMON_FAMILIES.test(name);
  });
}

/** True for a font whose letters are in the file: drawn by instructions, or in a font program of it or its descendant. */
function isInFile(document: PdfDocument, font: PdfDictionary): boolean {
  if (nameOf(document.resolve(font.get('Subtype'))) === 'Type3') return true;
  const descendants = document.resolve(font.get('DescendantFonts'));
  const descendant = Array.isArray(descendants) ? document.resolve(descendants[0]) : font;
  const descriptor = descendant instanceof Map ? document.resolve(descendant.get('FontDescriptor')) : null;
  return descriptor instanceof Map && FONT_FILES.some((key) => descriptor.has(key));
}
