import { SigningError } from '../../errors.ts';
import { fillWidgets, placeInitials, placeStamps } from '../appearance/place-stamp.ts';
import type { PlacedStamp } from '../appearance/place-stamp.ts';
import { archiveRulesOf } from '../appearance/archive-rules.ts';
import type { PageInk } from '../appearance/page-ink.ts';
import type { TextSetter } from '../appearance/shape-text.ts';
import { StampPainter } from '../appearance/stamp-painter.ts';
import { readClaimedStandards } from '../reading/claimed-standards.ts';
import { isEmptyField } from '../reading/form-fields.ts';
import type { FormField } from '../reading/form-fields.ts';
import type { IncrementalUpdate } from '../writing/incremental-update.ts';
import { findFirstPage, type Page } from '../reading/page-tree.ts';
import type { PdfDocument } from '../reading/pdf-document.ts';
import { malformed, unsupported } from '../syntax/pdf-error.ts';
import { plainString, realNumber } from '../syntax/serialize.ts';
import type { SignatureAppearance } from '../sign-request.ts';
import { expectStandardsKept, glyphsMissing, standardWarnings, type StandardWarning } from './standard-warnings.ts';
import { TaggedStructure } from './tagged-structure.ts';
import { encodeTextString } from '../syntax/text-string.ts';
import { numberOf, PdfName, PdfReference } from '../syntax/values.ts';
import type { PdfDictionary, PdfValue } from '../syntax/values.ts';

/** Print and Locked (ISO 32000-2 Table 167). */
const WIDGET_FLAGS = 132;
/** Print, ReadOnly, Locked and LockedContents. */
const STAMP_FLAGS = 708;
/** SignaturesExist and AppendOnly (ISO 32000-2 Table 225). */
const SIGNATURE_FLAGS = 3;

/** Descriptions of fields for screen readers, in English because the document's language is not considered. */
const SIGNATURE = 'Signature';
const DOCUMENT_TIMESTAMP = 'Document time stamp';

const quoted = (fields: readonly FormField[]): string => fields.map(({ fullName }) => `"${fullName}"`).join(', ');

/** The empty signature field with this full name. `PDF_FIELD_NOT_FOUND` names the existing fields. */
export function findEmptyField(fields: readonly FormField[], fullName: string): FormField {
  const found = fields.find((field) => field.fullName === fullName && isEmptyField(field));
  if (found !== undefined) return found;
  const empty = fields.filter(isEmptyField);
  const what = fields.some((field) => field.fullName === fullName)
    ? `The field "${fullName}" is already signed.`
    : `The PDF has no signature field "${fullName}".`;
  const remedy = empty.length === 0 ? 'It has no empty signature field.' : `Empty ones are: ${quoted(empty)}.`;
  throw new SigningError('PDF_FIELD_NOT_FOUND', `${what} ${remedy}`);
}

function unusedName(names: ReadonlySet<string>): string {
  let number = 1;
  while (names.has(`Signature${number}`)) number += 1;
  return `Signature${number}`;
}

/** Appends a reference to the array at `key`, inside the object or separate; creates the array if missing. */
function appendTo(
  update: IncrementalUpdate,
  owner: { readonly dictionary: PdfDictionary; readonly holder: number | undefined },
  key: string,
  reference: PdfReference,
): void {
  const { value, holder } = update.locate(owner.dictionary.get(key), owner.holder);
  if (Array.isArray(value)) {
    value.push(reference);
    update.markChanged(holder);
  } else {
    owner.dictionary.set(key, [reference]);
    update.markChanged(owner.holder);
  }
}

/** An empty appearance: PDF/A-1 demands an appearance even for a field without size (ISO 19005-1 §6.9). */
function addEmptyAppearance(update: IncrementalUpdate): PdfReference {
  const number = update.allocate();
  const dictionary: PdfDictionary = new Map<string, PdfValue>([
    ['Type', new PdfName('XObject')],
    ['Subtype', new PdfName('Form')],
    ['BBox', [0, 0, 0, 0]],
    ['Resources', new Map<string, PdfValue>()],
  ]);
  update.addStream(number, dictionary, Buffer.alloc(0));
  return new PdfReference(number, 0);
}

interface FieldTexts {
  readonly signature: PdfReference;
  readonly fullName: string;
  /** Description of the field for screen readers (ISO 14289-1 §7.18.1). */
  readonly description: string;
  /** The structure tree of a tagged document. */
  readonly structure: TaggedStructure | undefined;
  /**
   * True for a widget outside of the structure: a widget without a size in the corner of its page. Other programs do not
   * allow a document time stamp to change the structure. PDF/UA-2 demands an artifact (ISO 14289-2 §8.9.2.4.13), and for
   * PDF/UA-1 the widget lies outside of the page (ISO 14289-1 §7.18.1).
   */
  readonly isArtifact: boolean;
  /** True where a page with annotations has to have the tab order of the structure (ISO 14289-1 §7.18.3). */
  readonly needsTabOrder: boolean;
}

/**
 * A rectangle without a size in the lower left corner of a page, which counts as outside of the page. The corner is
 * mostly the origin.
 */
function cornerOf({ attributes }: Page): PdfValue {
  const box = attributes.get('CropBox') ?? attributes.get('MediaBox') ?? null;
  const [left = 0, bottom = 0, right = 0, top = 0] = Array.isArray(box) ? box.map((edge) => numberOf(edge) ?? 0) : [];
  const [x, y] = [Math.min(left, right), Math.min(bottom, top)];
  const isOriginOutside = x >= 0 || y >= 0;
  return isOriginOutside ? [0, 0, 0, 0] : [x, y, x, y].map(realNumber);
}

/** A field and its widget in a single dictionary (ISO 32000-2 §12.5.6.19); invisible without a size. */
function addField(
  update: IncrementalUpdate,
  { page, rectangle, form }: Omit<PlacedStamp, 'form'> & { readonly form: PlacedStamp['form'] | undefined },
  { signature, fullName, description, structure, isArtifact, needsTabOrder }: FieldTexts,
): PdfReference {
  const number = update.allocate();
  const field: PdfDictionary = new Map<string, PdfValue>([
    ['Type', new PdfName('Annot')],
    ['Subtype', new PdfName('Widget')],
    ['FT', new PdfName('Sig')],
    ['T', plainString(encodeTextString(fullName))],
    ['F', WIDGET_FLAGS],
    ['Rect', rectangle],
    ['V', signature],
    ['TU', plainString(encodeTextString(description))],
    ['Contents', plainString(encodeTextString(description))],
  ]);
  if (form !== undefined) field.set('AP', new Map<string, PdfValue>([['N', form]]));
  if (page.reference !== undefined) field.set('P', page.reference);
  if (isArtifact && needsTabOrder) structure?.orderByStructure(page);
  const key = isArtifact ? undefined : structure?.tag('Form', new PdfReference(number, 0), page, description);
  if (key !== undefined) field.set('StructParent', key);
  update.add(number, field);
  return new PdfReference(number, 0);
}

/** The same appearance as an annotation outside of the form (ISO 32000-2 §12.5.6.12), on this page or another. */
function addStampAnnotation(
  update: IncrementalUpdate,
  stamp: PlacedStamp,
  text: string,
  structure: TaggedStructure | undefined,
): void {
  const number = update.allocate();
  const annotation: PdfDictionary = new Map<string, PdfValue>([
    ['Type', new PdfName('Annot')],
    ['Subtype', new PdfName('Stamp')],
    ['F', STAMP_FLAGS],
    ['Rect', stamp.rectangle],
    ['AP', new Map<string, PdfValue>([['N', stamp.form]])],
    ['Contents', plainString(encodeTextString(text))],
  ]);
  if (stamp.page.reference !== undefined) annotation.set('P', stamp.page.reference);
  const key = structure?.tag('Annot', new PdfReference(number, 0), stamp.page, text === '' ? SIGNATURE : text);
  if (key !== undefined) annotation.set('StructParent', key);
  update.add(number, annotation);
  appendTo(update, stamp.page, 'Annots', new PdfReference(number, 0));
}

/** An appearance, the setter opened for its texts, and what is drawn on the pages already. */
interface DrawnAppearance {
  readonly appearance: SignatureAppearance;
  readonly setter: TextSetter;
  readonly ink?: PageInk;
}

/** The interactive form's working copy; created and added to the catalog if missing. */
function ensureForm(
  update: IncrementalUpdate,
  catalog: PdfDictionary,
  catalogHolder: number | undefined,
): { readonly dictionary: PdfDictionary; readonly holder: number | undefined } {
  const { value, holder } = update.locate(catalog.get('AcroForm'), catalogHolder);
  if (value instanceof Map) return { dictionary: value, holder };
  const form: PdfDictionary = new Map<string, PdfValue>([['Fields', []]]);
  const reference = update.create(form);
  catalog.set('AcroForm', reference);
  update.markChanged(catalogHolder);
  return { dictionary: form, holder: reference.number };
}

function setSignatureFlags(update: IncrementalUpdate, form: ReturnType<typeof ensureForm>): void {
  const flags = numberOf(update.locate(form.dictionary.get('SigFlags')).value) ?? 0;
  if ((flags & SIGNATURE_FLAGS) !== SIGNATURE_FLAGS) {
    form.dictionary.set('SigFlags', flags | SIGNATURE_FLAGS);
    update.markChanged(form.holder);
  }
}

export interface SignatureFieldRequest {
  readonly signature: PdfReference;
  /** The empty field to fill; absent: a new field, invisible on the first page without an appearance. */
  readonly target: FormField | undefined;
  /** True without another signature that an annotation could disturb. */
  readonly isFirst: boolean;
  /** Full names in use. */
  readonly names: ReadonlySet<string>;
  readonly drawn?: DrawnAppearance;
  /** A document time stamp: its field shows nothing (ISO 32000-2 §12.8.5). */
  readonly isTimestamp?: boolean;
  /** Refuse when a claimed standard would be lost. */
  readonly keepStandard?: boolean;
}

/** The field of a new signature. */
export interface SignatureFieldResult {
  readonly fullName: string;
  /** A sentence for each page into which the stamp was moved, and for page numbers that the PDF does not have. */
  readonly adjustments: readonly string[];
  /** Effects of the signature on the standards claimed by the file. */
  readonly warnings: readonly StandardWarning[];
}

/**
 * Adds the signature with its field and widget to the document. Throws `PDF_STANDARD_LOST` when `keepStandard` is set
 * and a claimed standard would be lost.
 */
export function addSignatureField(
  document: PdfDocument,
  update: IncrementalUpdate,
  { signature, target, names, drawn, isFirst, isTimestamp = false, keepStandard = false }: SignatureFieldRequest,
): SignatureFieldResult {
  const { value: catalog, holder } = update.locate(document.trailer.get('Root'));
  if (!(catalog instanceof Map)) malformed('its document catalog is missing');
  const form = ensureForm(update, catalog, holder);
  setSignatureFlags(update, form);
  // Viewers that rebuild all appearances of the form cannot draw a signature, and leave its widget empty.
  const hidesWidgets = isFirst && update.locate(form.dictionary.get('NeedAppearances')).value === true;
  const claimed = readClaimedStandards(document);
  const rules = archiveRulesOf(document, claimed);
  const opened = TaggedStructure.open(document, update);
  const structure = opened instanceof TaggedStructure ? opened : undefined;
  const appearance = drawn?.appearance;
  const text = appearance?.text ?? '';
  const painter = drawn === undefined ? undefined : new StampPainter(update, rules, drawn.appearance, drawn.setter);
  const warningsOf = (addsAnnotation: boolean): readonly StandardWarning[] => {
    const flattened = painter?.hasFlattened ?? false;
    const warnings = standardWarnings(claimed, { flattened, untagged: whyUntagged(opened, addsAnnotation) });
    if (keepStandard) expectStandardsKept(warnings);
    const missing = painter?.missing ?? '';
    return missing === '' ? warnings : [...warnings, glyphsMissing(missing)];
  };
  const addInitials = (placed: readonly PlacedStamp[]): AddedInitials =>
    addInitialsTo(update, catalog, { placed, drawn, isFirst, rules, structure });
  if (target !== undefined) {
    const dictionary = fillField(update, target, signature);
    const filled =
      painter === undefined ? [] : fillWidgets(catalog, update, painter, { dictionary, number: target.number });
    if (hidesWidgets) for (const stamp of filled) addStampAnnotation(update, stamp, text, structure);
    const marks = addInitials(filled);
    // The existing field keeps the author's tags, so only new annotations can be untagged.
    const isUntagged = (hidesWidgets && filled.length > 0) || marks.added > 0;
    return { fullName: target.fullName, adjustments: marks.adjustments, warnings: warningsOf(isUntagged) };
  }
  const locate: IncrementalUpdate['locate'] = (value, parent) => update.locate(value, parent);
  const stamps = drawn === undefined || painter === undefined ? [] : placeStamps(catalog, locate, painter, drawn);
  const [first, ...others] = stamps;
  // An appearance counts as a change of looks, which a certification without changes does not allow.
  const hasAppearance = !isTimestamp || rules.part === 1;
  const place = first ?? invisiblePlace(update, findFirstPage(catalog, locate), hasAppearance);
  if (hidesWidgets && first !== undefined) addStampAnnotation(update, first, text, structure);
  const fullName = unusedName(names);
  const description = isTimestamp ? DOCUMENT_TIMESTAMP : SIGNATURE;
  const isArtifact = first === undefined;
  const isUntagged = !isArtifact || (structure === undefined && !place.page.dictionary.has('Tabs'));
  const needsTabOrder = claimed.accessibilityPart !== undefined;
  const texts = { signature, fullName, description, structure, isArtifact, needsTabOrder };
  const field = addField(update, place, texts);
  appendTo(update, place.page, 'Annots', field);
  appendTo(update, form, 'Fields', field);
  for (const stamp of others) addStampAnnotation(update, stamp, text, structure);
  const marks = addInitials(stamps);
  const adjustments = [...stamps.flatMap(({ adjustment }) => adjustment ?? []), ...marks.adjustments];
  return { fullName, adjustments, warnings: warningsOf(isUntagged) };
}

/** The reason for an annotation without an element in the structure. */
function whyUntagged(
  opened: ReturnType<typeof TaggedStructure.open>,
  addsAnnotation: boolean,
): 'certified' | 'no-structure' | undefined {
  if (!addsAnnotation) return undefined;
  if (!(opened instanceof TaggedStructure)) return opened;
  return opened.hasUntagged ? 'no-structure' : undefined;
}

/** The place of a widget that shows nothing. */
const invisiblePlace = (
  update: IncrementalUpdate,
  page: Page,
  hasAppearance: boolean,
): Omit<PlacedStamp, 'form'> & { readonly form: PlacedStamp['form'] | undefined } => ({
  page,
  rectangle: cornerOf(page),
  form: hasAppearance ? addEmptyAppearance(update) : undefined,
});

interface InitialsRequest {
  /** The stamps of the signature. */
  readonly placed: readonly PlacedStamp[];
  readonly drawn: DrawnAppearance | undefined;
  readonly isFirst: boolean;
  readonly rules: ReturnType<typeof archiveRulesOf>;
  readonly structure: TaggedStructure | undefined;
}

/** The number of pages with initials, and a sentence if the initials were left out. */
interface AddedInitials {
  readonly added: number;
  readonly adjustments: readonly string[];
}

/** Puts initials on the pages without a stamp, where no earlier signature would count them as a change. */
function addInitialsTo(
  update: IncrementalUpdate,
  catalog: PdfDictionary,
  { placed, drawn, isFirst, rules, structure }: InitialsRequest,
): AddedInitials {
  const initials = drawn?.appearance.initials;
  if (drawn === undefined || initials === undefined) return { added: 0, adjustments: [] };
  if (!isFirst) {
    const why = 'The pages got no initials, because they would count as a change after the earlier signature.';
    return { added: 0, adjustments: [why] };
  }
  const locate: IncrementalUpdate['locate'] = (value, parent) => update.locate(value, parent);
  const painter = new StampPainter(update, rules, initials, drawn.setter);
  const marks = placeInitials(catalog, locate, painter, { initials, stamps: placed, ink: drawn.ink });
  for (const mark of marks) addStampAnnotation(update, mark, initials.text ?? '', structure);
  return { added: marks.length, adjustments: [] };
}

/** Puts the signature into the field and answers the field's working copy. */
function fillField(update: IncrementalUpdate, target: FormField, signature: PdfReference): PdfDictionary {
  if (target.number === undefined) unsupported(`The field "${target.fullName}" is not an object of its own.`);
  const { value, holder } = update.locate(update.referenceTo(target.number));
  if (!(value instanceof Map)) malformed(`the field "${target.fullName}" cannot be read`);
  value.set('V', signature);
  update.markChanged(holder);
  return value;
}
