import { nameOf, numberOf, PdfStream, PdfString, type PdfValue } from '../syntax/values.ts';
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

/** Fields whose value a program writes itself. */
const WRITTEN_FIELDS: ReadonlySet<string> = new Set(['Tx', 'Ch']);

/** Limit on the fields above a field. */
const MOST_PARENTS = 64;

/** Content that each program draws by rules of its own. */
export type ViewerDependent = 'own-look' | 'field-values';

/**
 * - `usable`: every program finds the same appearance, or the same state without one.
 * - `unclear`: there are appearances for states, but no such state is named.
 */
type Look = 'usable' | 'unclear' | 'missing';

type Lookup = (key: string) => PdfValue;

/**
 * Finds annotations without a usable appearance (ISO 32000-2 §12.5.5): programs draw notes, lines and the frames of links
 * by themselves, or leave them out. A field of a form without an appearance shows its value by the program's own rules;
 * so does every field of a form that asks for new appearances (§12.7.3, `NeedAppearances`).
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
  const look = lookOf(document, value, subtype);
  if (subtype === 'Widget')
    return isWrittenByViewer(document, dictionary, look, needsAppearances) ? ['field-values'] : [];
  if (look === 'usable') return [];
  return subtype !== 'Link' || hasBorder(document, value) ? ['own-look'] : [];
}

function lookOf(document: PdfDocument, value: Lookup, subtype: string): Look {
  const appearances = value('AP');
  const normal = appearances instanceof Map ? document.resolve(appearances.get('N')) : null;
  if (normal instanceof PdfStream) return normal.dictionary.has('BBox') ? 'usable' : 'unclear';
  if (!(normal instanceof Map)) return 'missing';
  const state = nameOf(value('AS'));
  if (state === undefined) return 'unclear';
  // A button that is off has no appearance for this state.
  return subtype === 'Widget' || document.resolve(normal.get(state)) instanceof PdfStream ? 'usable' : 'unclear';
}

function isWrittenByViewer(
  document: PdfDocument,
  field: ReadonlyMap<string, PdfValue>,
  look: Look,
  needsAppearances: boolean,
): boolean {
  const kind = nameOf(inherited(document, field, 'FT')) ?? '';
  if (kind === 'Sig') return false;
  const hasContent = hasText(document, inherited(document, field, 'V')) || isFramed(document, field);
  if (needsAppearances && WRITTEN_FIELDS.has(kind)) return hasContent || look !== 'missing';
  return look === 'unclear' || (look === 'missing' && hasContent);
}

/** A value of a field that it may have from a field above (ISO 32000-2 §12.7.4.1). */
function inherited(document: PdfDocument, field: ReadonlyMap<string, PdfValue>, key: string): PdfValue {
  let at: PdfValue = field as Map<string, PdfValue>;
  for (let step = 0; at instanceof Map && step < MOST_PARENTS; step += 1) {
    const own = document.resolve(at.get(key));
    if (own !== null) return own;
    at = document.resolve(at.get('Parent'));
  }
  return null;
}

function hasText(document: PdfDocument, value: PdfValue): boolean {
  if (value instanceof PdfString) return value.plain.length > 0;
  if (Array.isArray(value)) return value.some((part) => hasText(document, document.resolve(part)));
  return value instanceof PdfStream;
}

/** True for a field with a border, a background or a caption (ISO 32000-2 Table 192). */
function isFramed(document: PdfDocument, field: ReadonlyMap<string, PdfValue>): boolean {
  const frame = document.resolve(field.get('MK'));
  return frame instanceof Map && ['BC', 'BG', 'CA'].some((key) => isFilled(document.resolve(frame.get(key))));
}

const isFilled = (value: PdfValue): boolean => value instanceof PdfString || (Array.isArray(value) && value.length > 0);

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
