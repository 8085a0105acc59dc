import { SigningError } from '../../errors.ts';
import { decodeTextString } from '../syntax/text-string.ts';
import { nameOf, numberOf, PdfStream, PdfString, type PdfValue } from '../syntax/values.ts';
import { readDrawingSyntax } from './drawing-syntax.ts';
import type { PdfDocument } from './pdf-document.ts';

/**
 * Content that each program draws by rules of its own: annotations (`own-look`), and the values of fields
 * (`field-values`).
 */
export type ViewerDependent = 'own-look' | 'field-values';

/**
 * - `usable`: every program finds the same appearance, or the same state without one.
 * - `unclear`: there are appearances for states, but no such state is named.
 */
export type Appearance = 'usable' | 'unclear' | 'missing';

type Dictionary = ReadonlyMap<string, PdfValue>;

/** Limit on the fields above a field. */
const MOST_PARENTS = 64;

/** Flag of a text field with a box for each character (Table 231). */
const COMB = 1 << 24;

/** The appearance of an annotation (ISO 32000-2 §12.5.5). */
export function appearanceOf(document: PdfDocument, annotation: Dictionary): Appearance {
  const normal = document.resolve(normalAppearance(document, annotation));
  if (normal instanceof PdfStream) return normal.dictionary.has('BBox') ? 'usable' : 'unclear';
  if (!(normal instanceof Map)) return 'missing';
  const state = nameOf(document.resolve(annotation.get('AS')));
  if (state === undefined) return 'unclear';
  // A button that is off has no appearance for this state.
  const isButton = nameOf(document.resolve(annotation.get('Subtype'))) === 'Widget';
  return isButton || document.resolve(normal.get(state)) instanceof PdfStream ? 'usable' : 'unclear';
}

/** The normal appearance, or a reference to the appearance; null for none. */
function normalAppearance(document: PdfDocument, annotation: Dictionary): PdfValue {
  const appearances = document.resolve(annotation.get('AP'));
  return appearances instanceof Map ? (appearances.get('N') ?? null) : null;
}

/**
 * Finds a field of a form (ISO 32000-2 §12.7) that programs draw differently:
 *
 * - Some leave out a widget without a type of field, of its own or from a field above.
 * - A field without an appearance shows its value, or its frame, by the program's own rules. So does every field of a form
 *   that asks for new appearances (§12.7.3, `NeedAppearances`).
 * - Some replace the appearance of an unsigned signature field by a prompt of their own.
 */
export function fieldLooks(
  document: PdfDocument,
  field: Dictionary,
  needsAppearances: boolean,
): readonly ViewerDependent[] {
  const appearance = appearanceOf(document, field);
  switch (nameOf(inherited(document, field, 'FT'))) {
    case undefined:
      return appearance === 'missing' ? [] : ['own-look'];
    case 'Sig':
      return signatureLooks(document, field, needsAppearances);
    case 'Tx':
      if (needsAppearances) return isAlikeWhenWritten(document, field, appearance) ? [] : ['field-values'];
      break;
    case 'Ch':
      if (needsAppearances && (appearance !== 'missing' || hasContent(document, field))) return ['field-values'];
      break;
    default:
  }
  const isWritten = appearance === 'unclear' || (appearance === 'missing' && hasContent(document, field));
  return isWritten ? ['field-values'] : [];
}

function signatureLooks(
  document: PdfDocument,
  field: Dictionary,
  needsAppearances: boolean,
): readonly ViewerDependent[] {
  const frame = frameOf(document, field);
  if (frame !== 'none' && appearanceOf(document, field) === 'missing') return ['own-look'];
  if (!paints(document, field)) return [];
  if (inherited(document, field, 'V') === null) return ['own-look'];
  return needsAppearances ? ['field-values'] : [];
}

/** True for a text field that looks the same with each program's new appearance: an empty one with a plain frame or none. */
function isAlikeWhenWritten(document: PdfDocument, field: Dictionary, appearance: Appearance): boolean {
  if (hasText(document, inherited(document, field, 'V'))) return false;
  const frame = frameOf(document, field);
  if (appearance === 'missing') return frame !== 'styled';
  return appearance === 'usable' && frame === 'none' && !paints(document, field);
}

/** True when the appearance of an annotation paints something, or cannot be read. */
function paints(document: PdfDocument, annotation: Dictionary): boolean {
  try {
    const data = document.readStream(normalAppearance(document, annotation));
    return data !== undefined && readDrawingSyntax(data).paints;
  } catch (error) {
    if (error instanceof SigningError) return true;
    throw error;
  }
}

const hasContent = (document: PdfDocument, field: Dictionary): boolean =>
  hasText(document, inherited(document, field, 'V')) || frameOf(document, field) !== 'none';

/** A value of a field that it may have from a field above (ISO 32000-2 §12.7.4.1). */
function inherited(document: PdfDocument, field: Dictionary, key: string): PdfValue {
  let at: PdfValue = field as Map<string, PdfValue>;
  for (let step = 0; at instanceof Map && step < MOST_PARENTS; step += 1) {
    const own = document.resolve(at.get(key));
    if (own !== null) return own;
    at = document.resolve(at.get('Parent'));
  }
  return null;
}

function hasText(document: PdfDocument, value: PdfValue): boolean {
  if (value instanceof PdfString) return decodeTextString(value.plain) !== '';
  if (Array.isArray(value)) return value.some((part) => hasText(document, document.resolve(part)));
  return value instanceof PdfStream;
}

/**
 * The border, background and caption of a field (ISO 32000-2 Table 192). `plain`: a background, or a solid border of a
 * stated width (Table 168). Programs draw other borders, and captions, differently.
 */
function frameOf(document: PdfDocument, field: Dictionary): 'none' | 'plain' | 'styled' {
  const frame = document.resolve(field.get('MK'));
  const has = (key: string): boolean => frame instanceof Map && isFilled(document.resolve(frame.get(key)));
  if (has('CA')) return 'styled';
  if (!has('BC')) return has('BG') ? 'plain' : 'none';
  const style = document.resolve(field.get('BS'));
  const flags = numberOf(inherited(document, field, 'Ff')) ?? 0;
  if (!(style instanceof Map) || (flags & COMB) !== 0) return 'styled';
  const kind = nameOf(document.resolve(style.get('S')));
  const isPlain = kind === 'S' && numberOf(document.resolve(style.get('W'))) !== undefined;
  return isPlain ? 'plain' : 'styled';
}

const isFilled = (value: PdfValue): boolean => value instanceof PdfString || (Array.isArray(value) && value.length > 0);
