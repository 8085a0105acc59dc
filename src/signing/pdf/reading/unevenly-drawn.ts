import { nameOf, numberOf, PdfStream, type PdfDictionary, type PdfValue } from '../syntax/values.ts';
import type { PdfDocument } from './pdf-document.ts';

/** Colours and letters that programs draw by rules of their own. */
export type UnevenlyDrawn = 'ambiguous' | 'overprint' | 'own-symbols';

/** Inks of every printer, and the names that stand for all inks or none (ISO 32000-2 §8.6.6.4). */
const USUAL_INKS: ReadonlySet<string> = new Set(['Cyan', 'Magenta', 'Yellow', 'Black', 'All', 'None']);

/** Fonts of symbols that every program has, each with shapes of its own (§9.6.2.2). */
const SYMBOL_FONTS: ReadonlySet<string> = new Set(['Symbol', 'ZapfDingbats']);

/** Names of a font program in a font's descriptor (Table 124). */
const FONT_FILES = ['FontFile', 'FontFile2', 'FontFile3'] as const;

/**
 * Finds the colours and letters of a dictionary that programs are known to draw differently:
 *
 * - `overprint`: a picture in several inks, which some programs mix by their own rule instead of the file's (§8.6.6.5); a
 *   mask made of the brightness of printing inks, for which there is no one measure (§11.5.3).
 * - `ambiguous`: a font that gives a character two widths, so that words stand in other places (§9.7.4.3).
 * - `own-symbols`: a page, or a pattern, with a font of symbols that is not in the file.
 */
export function unevenlyDrawnIn(
  document: PdfDocument,
  dictionary: ReadonlyMap<string, PdfValue>,
): readonly UnevenlyDrawn[] {
  const found: UnevenlyDrawn[] = [];
  const value = (key: string): PdfValue => document.resolve(dictionary.get(key));
  if (mixesInks(document, value)) found.push('overprint');
  if (hasTwoWidths(document, value)) found.push('ambiguous');
  if (drawsOwnSymbols(document, value)) found.push('own-symbols');
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

function drawsOwnSymbols(document: PdfDocument, value: Lookup): boolean {
  if (nameOf(value('Type')) !== 'Page' && value('PatternType') !== 1) return false;
  const resources = value('Resources');
  const fonts = resources instanceof Map ? document.resolve(resources.get('Font')) : null;
  if (!(fonts instanceof Map)) return false;
  return [...fonts.values()].some((one) => {
    const font = document.resolve(one);
    return font instanceof Map && SYMBOL_FONTS.has(nameOf(document.resolve(font.get('BaseFont'))) ?? '') && !isInFile(document, font); // prettier-ignore
  });
}

function isInFile(document: PdfDocument, font: PdfDictionary): boolean {
  const descriptor = document.resolve(font.get('FontDescriptor'));
  return descriptor instanceof Map && FONT_FILES.some((key) => descriptor.has(key));
}
