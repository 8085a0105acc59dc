import { nameOf, numberOf, type PdfValue } from '../syntax/values.ts';
import { appearanceOf, fieldLooks, type ViewerDependent } from './field-looks.ts';
import type { PdfDocument } from './pdf-document.ts';

/** Flags of an annotation (ISO 32000-2 Table 167): with either, programs draw nothing on the screen. */
const HIDDEN = 2;
const NO_VIEW = 32;

/** Annotations that no program draws on a page, or that have a kind of content of their own. */
const NEVER_DRAWN: ReadonlySet<string> = new Set([
  'Popup',
  'PrinterMark',
  'TrapNet',
  'FileAttachment',
  'Movie',
  'Sound',
  'Screen',
  '3D',
  'RichMedia',
]);

type Lookup = (key: string) => PdfValue;

/**
 * Finds annotations without a usable appearance (ISO 32000-2 §12.5.5): programs draw notes, lines and the frames of links
 * by themselves, or leave them out. Strokes of a colour and a width that the annotation states look the same in all of
 * them. `fieldLooks` judges the fields of forms.
 */
export function viewerDependentIn(
  document: PdfDocument,
  dictionary: ReadonlyMap<string, PdfValue>,
  needsAppearances: boolean,
): readonly ViewerDependent[] {
  const value: Lookup = (key) => document.resolve(dictionary.get(key));
  const subtype = nameOf(value('Subtype'));
  if (subtype === undefined || !Array.isArray(value('Rect')) || NEVER_DRAWN.has(subtype)) return [];
  const flags = value('F');
  if (typeof flags === 'number' && (flags & (HIDDEN | NO_VIEW)) !== 0) return [];
  if (subtype === 'Widget') return fieldLooks(document, dictionary, needsAppearances);
  if (appearanceOf(document, dictionary) === 'usable' || isPlainStroke(document, value)) return [];
  return subtype !== 'Link' || hasBorder(document, value) ? ['own-look'] : [];
}

/**
 * The frame of a link has a width of 1 unless the link says otherwise (ISO 32000-2 §12.5.4), but programs draw none for a
 * link that says nothing about its frame or colour.
 */
function hasBorder(document: PdfDocument, value: Lookup): boolean {
  if (['BS', 'Border', 'C'].every((key) => value(key) === null)) return false;
  const style = value('BS');
  if (style instanceof Map) return numberOf(document.resolve(style.get('W'))) !== 0;
  const border = value('Border');
  return !Array.isArray(border) || numberOf(document.resolve(border[2])) !== 0;
}

/** Annotations that are strokes, and their keys for points in a row (ISO 32000-2 §12.5.6). */
const STROKES: Readonly<Record<string, string | undefined>> = {
  Line: 'L',
  PolyLine: 'Vertices',
  Ink: 'InkList',
  Square: 'Rect',
  Circle: 'Rect',
};

/** Keys for fillings, clouds, leader lines and margins, which programs draw differently. */
const ORNAMENTS = ['IC', 'BE', 'RD', 'LL', 'LLE', 'LLO', 'Cap'] as const;

/** Points of a page by which a stroke may reach out of the rectangle of its annotation: a difference nobody sees. */
const SMALL_OVERHANG = 2;

/** True for a stroke with a colour and a width, without ornaments, inside of its rectangle. */
function isPlainStroke(document: PdfDocument, value: Lookup): boolean {
  const subtype = nameOf(value('Subtype')) ?? '';
  const key = STROKES[subtype];
  const width = strokeWidth(document, value);
  const colour = value('C');
  if (key === undefined || width === 0 || value('AP') !== null) return false;
  if (!Array.isArray(colour) || (colour.length !== 1 && colour.length !== 3)) return false;
  if (ORNAMENTS.some((ornament) => isSet(value(ornament)))) return false;
  const ends = value('LE');
  if (Array.isArray(ends) && ends.some((end) => nameOf(document.resolve(end)) !== 'None')) return false;
  return isInside(numbersIn(document, value(key)), numbersIn(document, value('Rect')), key === 'Rect' ? 0 : width / 2);
}

const isSet = (value: PdfValue): boolean => value !== null && value !== false && numberOf(value) !== 0;

/** The width that an annotation states for its strokes; 0 without one, or for dashes. */
function strokeWidth(document: PdfDocument, value: Lookup): number {
  const style = value('BS');
  if (style instanceof Map) {
    const kind = nameOf(document.resolve(style.get('S'))) ?? 'S';
    return kind === 'S' ? Math.max(0, numberOf(document.resolve(style.get('W'))) ?? 0) : 0;
  }
  const border = value('Border');
  return Array.isArray(border) && border.length === 3 ? Math.max(0, numberOf(document.resolve(border[2])) ?? 0) : 0;
}

/** All numbers of an array, and of the arrays in the array. */
function numbersIn(document: PdfDocument, value: PdfValue): readonly number[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((one) => {
    const part = document.resolve(one);
    return Array.isArray(part)
      ? part.map((inner) => numberOf(document.resolve(inner)) ?? NaN)
      : (numberOf(part) ?? NaN);
  });
}

/** True when points in a row (`x y x y`) are inside of a rectangle, with a margin. */
function isInside(points: readonly number[], rectangle: readonly number[], margin: number): boolean {
  if (points.length < 4 || points.length % 2 === 1 || rectangle.length !== 4) return false;
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = rectangle;
  const reach = Math.max(0, margin - SMALL_OVERHANG);
  const isBetween = (at: number, one: number, other: number): boolean =>
    at >= Math.min(one, other) + reach && at <= Math.max(one, other) - reach;
  return points.every((at, index) => (index % 2 === 0 ? isBetween(at, x1, x2) : isBetween(at, y1, y2)));
}
