/** Examines the drawing in field appearances, for the rules of forms (ISO 32000-2 §12.5.5, §8.2 table 50). */
import { SigningError } from '../../../errors.ts';
import type { FormField } from '../../reading/form-fields.ts';
import type { PdfDocument } from '../../reading/pdf-document.ts';
import { nameOf, PdfStream, PdfString } from '../../syntax/values.ts';
import type { PdfDictionary, PdfValue } from '../../syntax/values.ts';
import { widgetsOf } from '../page-numbers.ts';
import type { RevisionView } from '../revisions.ts';

/** Maximum number of bytes of an appearance to search. */
const MAX_LOOKS = 1024 * 1024;

const operators = (names: string): RegExp => new RegExp(`(?:^|[\\s\\0\\])>}])(?:${names})(?=$|[\\s\\0/[(<{%])`);
const DRAWS_OBJECT = operators('Do');
const DRAWS_TEXT_OR_PICTURE = operators(`Tj|TJ|'|"|Do|BI|sh`);
const PAINTS_PATH = operators('[fBb]\\*?|[FSs]');
const LEAVES_RECTANGLE = operators('[mlcvy]');
/** Programs show an empty text for an empty value. */
const EMPTY_TEXT = /(?:\(\)|<\s*>)\s*Tj/g;

/** The content of an appearance; undefined when it cannot be read. */
function contentOf(document: PdfDocument, value: PdfValue): string | undefined {
  try {
    const data = document.readStream(value);
    return data === undefined || data.length > MAX_LOOKS ? undefined : data.toString('latin1');
  } catch (error) {
    if (!(error instanceof SigningError) || document.file.budget.exhausted) throw error;
    return undefined;
  }
}

/** True when an appearance below `value`, or a state of a button's appearance, meets the condition. */
function someLooks(
  document: PdfDocument,
  value: PdfValue,
  condition: (stream: PdfStream, content: string | undefined) => boolean,
  depth = 0,
): boolean {
  const looks = document.resolve(value);
  if (looks instanceof Map) {
    // Below the appearances are their states, and nothing deeper.
    return depth < 2 && [...looks.values()].some((state) => someLooks(document, state, condition, depth + 1));
  }
  return looks instanceof PdfStream && condition(looks, contentOf(document, value));
}

/** True when an appearance without its own resources draws an external object, or cannot be read. */
export const drawsUnnamedObject = (document: PdfDocument, appearances: PdfValue): boolean =>
  someLooks(document, appearances, (stream, content) => {
    return !stream.dictionary.has('Resources') && (content === undefined || DRAWS_OBJECT.test(content));
  });

/**
 * True when an appearance puts ink on the page. A box requested by the widget does not count (ISO 32000-2 Table 192).
 */
function drawsSomething(document: PdfDocument, widget: PdfDictionary): boolean {
  const characteristics = document.resolve(widget.get('MK'));
  const hasBox = characteristics instanceof Map && (characteristics.has('BG') || characteristics.has('BC'));
  return someLooks(document, widget.get('AP') ?? null, (_, content) => {
    if (content === undefined) return true;
    const rest = content.replaceAll(EMPTY_TEXT, '');
    if (DRAWS_TEXT_OR_PICTURE.test(rest)) return true;
    return PAINTS_PATH.test(rest) && !(hasBox && !LEAVES_RECTANGLE.test(rest));
  });
}

/** Deepest chain of parents with a value. */
const MAX_PARENTS = 16;

/** True when the field has a value to show: its own, or an inherited value (§12.7.4.1). */
function hasValue(document: PdfDocument, field: FormField): boolean {
  let dictionary: PdfDictionary | undefined = field.dictionary;
  for (let depth = 0; dictionary !== undefined && depth < MAX_PARENTS; depth += 1) {
    const value = document.resolve(dictionary.get('V'));
    if (value instanceof PdfString) return value.plain.length > 0;
    if (Array.isArray(value)) return value.length > 0;
    if (value !== null) return nameOf(value) !== 'Off';
    const parent = document.resolve(dictionary.get('Parent'));
    dictionary = parent instanceof Map ? parent : undefined;
  }
  return false;
}

/** True for a button with a caption or an icon. */
function hasCaption(document: PdfDocument, { type }: FormField, widget: PdfDictionary): boolean {
  const characteristics = document.resolve(widget.get('MK'));
  return type === 'Btn' && characteristics instanceof Map && ['CA', 'I'].some((key) => characteristics.has(key));
}

/**
 * True when a previously blank field now draws something without a value or a caption, such as a picture over the page.
 */
export function gainsUnexplainedLooks(before: RevisionView, after: RevisionView, field: FormField): boolean {
  if (hasValue(after.document, field)) return false;
  const earlier = before.fields.find(({ number, fullName }) => number === field.number && fullName === field.fullName);
  const drew = (number: number | undefined): boolean =>
    earlier !== undefined &&
    [earlier, ...widgetsOf(before.document, earlier)].some(
      (widget) => widget.number === number && drawsSomething(before.document, widget.dictionary),
    );
  return [field, ...widgetsOf(after.document, field)].some(
    ({ dictionary, number }) =>
      drawsSomething(after.document, dictionary) && !hasCaption(after.document, field, dictionary) && !drew(number),
  );
}
