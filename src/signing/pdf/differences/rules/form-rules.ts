/** Rules for the interactive form: the permitted changes by filling in and signing (ISO 32000-2 §12.7). */
import { findForm } from '../../reading/form-fields.ts';
import type { FormField } from '../../reading/form-fields.ts';
import type { PdfDocument } from '../../reading/pdf-document.ts';
import { nameOf, PdfReference, PdfString } from '../../syntax/values.ts';
import type { PdfDictionary, PdfValue } from '../../syntax/values.ts';
import { differentKeys, documentsOf, flagsOf, sameThrough, sameValue } from '../same-value.ts';
import { changeableEntry } from './changeable-entries.ts';
import { isVisible, widgetsOf } from '../page-numbers.ts';
import type { PdfChangeCode } from '../pdf-facts.ts';
import { drawsUnnamedObject, gainsUnexplainedLooks } from './field-looks.ts';
import { StepLedger, type ChangeDetails, type Step } from '../step-ledger.ts';

/** Entries of a field or widget for its value and its appearance. */
const VALUE_KEYS = new Set(['V', 'RV', 'I', 'TI']);
const LOOKS_KEYS = new Set(['AP', 'AS', 'DA', 'DS', 'Q', 'M', 'Ff']);

/** Entries that a widget may get later: its type, its page, its field, and its place in the structure. */
const FIRST_KEYS = new Set(['Type', 'P', 'Parent', 'StructParent']);

/** The dictionary of a field or widget in both revisions. */
interface Pair {
  readonly before: PdfDictionary;
  readonly after: PdfDictionary;
  readonly number: number | undefined;
}

/** The form's own entries and its fields. */
export function compareForms(step: Step): void {
  const { before, after, ledger } = step;
  const [then, now] = [findForm(before.document), findForm(after.document)];
  const catalog = after.document.catalog.holder;
  if (now === undefined) {
    if (then !== undefined) ledger.add('FORM_CHANGED');
    return;
  }
  for (const form of [then, now]) {
    if (form === undefined || form.holder === catalog) continue;
    ledger.settle(form.holder);
    ledger.anchor(form.holder);
  }
  const empty: PdfDictionary = new Map<string, PdfValue>();
  for (const key of differentKeys(then?.value ?? empty, now.value))
    compareFormEntry(step, key, then?.value ?? empty, now.value);
  for (const { document } of [before, after]) claimEntry(step, document, 'Fields');
  if (claimEntry(step, after.document, 'DR')) checkResources(step);
  compareFields(step);
}

function claimEntry({ ledger }: Step, document: PdfDocument, key: string): boolean {
  const form = findForm(document);
  const value = form?.value.get(key);
  if (form === undefined || value === undefined) return false;
  // The form is an object of its own, or a dictionary inside the catalog.
  const path = document.catalog.value.get('AcroForm') instanceof Map ? `/AcroForm/${key}` : `/${key}`;
  const site = { holder: form.holder, path };
  // Only the list of fields is explained here, because fields have their own rules.
  return key === 'Fields' ? ledger.claimList(document, value, site) : ledger.claim(document, value, site);
}

function compareFormEntry(step: Step, key: string, then: PdfDictionary, now: PdfDictionary): void {
  const { before, after, ledger } = step;
  const entry = changeableEntry('form', key);
  switch (entry) {
    case undefined:
      // XFA, CO and other entries decide the display.
      if (!sameThrough(documentsOf(step), then.get(key), now.get(key), key)) ledger.add('FORM_CHANGED');
      return;
    case 'Fields':
    case 'NeedAppearances':
      return;
    case 'SigFlags': {
      const [old, flags] = [flagsOf(before.document, then.get(key)), flagsOf(after.document, now.get(key))];
      // Flags announce signatures; no flag may be cleared.
      if ((old & ~flags) !== 0) ledger.add('FORM_CHANGED');
      return;
    }
    case 'DR': {
      checkResources(step);
      return;
    }
    case 'DA':
      if (!isBlankText(before.document, then.get(key)) && hasInheritingField(step)) ledger.add('FORM_CHANGED');
      return;
    case 'Q':
      if (then.has(key) && hasInheritingField(step)) ledger.add('FORM_CHANGED');
  }
}

const isBlankText = (document: PdfDocument, value: PdfValue | undefined): boolean => {
  const text = document.resolve(value);
  return text === null || (text instanceof PdfString && text.plain.toString('latin1').trim() === '');
};

/** Fields whose text programs draw with the form's own default appearance (ISO 32000-2 §12.7.4.3). */
const hasInheritingField = ({ before, after }: Step): boolean =>
  [...before.fields, ...after.fields].some(
    ({ type, hasChildFields, dictionary }) => type !== 'Sig' && !hasChildFields && !dictionary.has('DA'),
  );

/**
 * True when external objects of the form's resources may be replaced. Programs keep the picture of a signature there,
 * and replace the picture later. No page can name these resources, and only an appearance without its own resources
 * could use the objects.
 */
const mayExchangeObjects = ({ before: { document, fields } }: Step): boolean =>
  !fields.some((field) =>
    [field, ...widgetsOf(document, field)].some(({ dictionary }) =>
      drawsUnnamedObject(document, dictionary.get('AP') ?? null),
    ),
  );

/** Resources may be added; existing resources stay the same. */
function checkResources(step: Step): void {
  const { before, after, ledger, moved } = step;
  /** The form's resources by category, references to the categories followed. */
  const categoriesOf = (document: PdfDocument): ReadonlyMap<string, PdfValue> => {
    const value = document.resolve(findForm(document)?.value.get('DR'));
    return new Map(
      [...(value instanceof Map ? value : [])].map(([category, list]) => [category, document.resolve(list)]),
    );
  };
  const [then, now] = [categoriesOf(before.document), categoriesOf(after.document)];
  // The same object may say something else now.
  const isWritten = (value: PdfValue | undefined): boolean =>
    new StepLedger(after.revision.number, moved).claim(after.document, value, { holder: 0, path: '' });
  const changed = [...new Set([...then.keys(), ...now.keys()])].filter(
    (category) => !sameValue(then.get(category), now.get(category)) || isWritten(now.get(category)),
  );
  if (changed.length === 0) return;
  const grew = changed.every((category) => {
    const [old, current] = [then.get(category), now.get(category)];
    if (old === undefined || (category === 'XObject' && mayExchangeObjects(step))) return true;
    if (!(old instanceof Map) || !(current instanceof Map)) return false;
    return [...old].every(
      ([name, resource]) =>
        sameThrough(documentsOf(step), resource, current.get(name)) && !isWritten(current.get(name)),
    );
  });
  ledger.add(grew ? 'FORM_RESOURCES_ADDED' : 'FORM_CHANGED');
}

/** Entries of a field that lead to other fields, its page or its signature: the same object has to stay there. */
const IDENTITIES = new Set(['V', 'P', 'Parent']);

/**
 * Dictionaries whose entries are all optional (Tables 192 and 197). An empty dictionary means the same as an absent one,
 * and programs leave the empty one out.
 */
const OPTIONAL_DICTIONARIES = new Set(['MK', 'AA']);

function isAbsentOrEmpty(document: PdfDocument, value: PdfValue | undefined): boolean {
  const found = document.resolve(value);
  return found === null || (found instanceof Map && found.size === 0);
}

/** Entries of a field or widget with another meaning than before. */
const changedKeys = (step: Step, pair: Pair): readonly string[] =>
  [...differentKeys(pair.before, pair.after)].filter((key) => {
    const [then, now] = [pair.before.get(key), pair.after.get(key)];
    const isOptional = OPTIONAL_DICTIONARIES.has(key);
    if (isOptional && isAbsentOrEmpty(step.before.document, then) && isAbsentOrEmpty(step.after.document, now)) {
      return false;
    }
    // The list of kids may be an object of its own.
    if (key === 'Kids') return !sameValue(step.before.document.resolve(then), step.after.document.resolve(now));
    return IDENTITIES.has(key) || !sameThrough(documentsOf(step), then, now, key);
  });

const identityOf = ({ number, fullName }: FormField): number | string => number ?? fullName;

function compareFields(step: Step): void {
  const { before, after, ledger } = step;
  const earlier = new Map(before.fields.map((field) => [identityOf(field), field]));
  for (const field of after.fields) {
    const then = earlier.get(identityOf(field));
    earlier.delete(identityOf(field));
    if (then === undefined) compareAddedField(step, field);
    else compareField(step, then, field);
  }
  for (const field of earlier.values()) ledger.add('FIELD_REMOVED', detailsOf(step, field));
}

export function detailsOf({ pages }: Step, field: FormField): ChangeDetails {
  const page = pages.ofField(field);
  return {
    fieldName: field.fullName,
    objectNumber: field.number,
    page,
  };
}

/** Only signature fields may be added later, with new objects as dictionaries. */
function compareAddedField(step: Step, field: FormField): void {
  const { after, ledger, moved } = step;
  const details = detailsOf(step, field);
  const widgets = widgetsOf(after.document, field);
  const isNew = (number: number | undefined): boolean => number !== undefined && moved.added.has(number);
  const all = [{ dictionary: field.dictionary, number: field.number }, ...widgets];
  if (field.type !== 'Sig' || field.hasChildFields || !all.every(({ number }) => isNew(number))) {
    ledger.add('FIELD_ADDED', details);
    return;
  }
  if (all.some(({ dictionary }) => dictionary.has('AA') || dictionary.has('A'))) {
    ledger.add('FIELD_ADDED', details);
    return;
  }
  claimField(step, field, ['AP', 'MK', 'Lock', 'SV', 'Kids']);
  if (widgets.some(({ dictionary }) => isVisible(after.document, dictionary))) {
    ledger.add(field.value.value === null ? 'VISIBLE_FIELD_ADDED' : 'VISIBLE_SIGNATURE_ADDED', details);
    return;
  }
  addSignature(step, field, details, 'SIGNATURE_FIELD_ADDED');
}

/** Reports the signature in a previously empty field. */
function addSignature(
  { after, ledger, moved }: Step,
  field: FormField,
  details: ChangeDetails,
  otherwise: 'SIGNATURE_FIELD_ADDED' | undefined,
): void {
  const { value, holder } = field.value;
  if (value === null) {
    if (otherwise !== undefined) ledger.add(otherwise, details);
    return;
  }
  const isNew = holder !== undefined && (moved.added.has(holder) || holder === field.number);
  if (!(value instanceof Map) || !isNew) {
    ledger.add('SIGNATURE_REPLACED', details);
    return;
  }
  const subFilter = nameOf(after.document.resolve(value.get('SubFilter')));
  ledger.claim(after.document, field.dictionary.get('V'), { holder: field.number ?? -1, path: '/V' });
  ledger.add(subFilter === 'ETSI.RFC3161' ? 'DOCUMENT_TIMESTAMP_ADDED' : 'SIGNATURE_ADDED', details);
}

/** Explains, in both revisions, the objects below these entries of a field and its widgets. */
export function claimField(step: Step, field: FormField, keys: readonly string[]): boolean {
  const { before, after, ledger } = step;
  let moved = false;
  for (const { number } of [field, ...widgetsOf(after.document, field)]) {
    if (number === undefined) continue;
    for (const { document } of [before, after]) {
      const value = document.resolve(new PdfReference(number, document.generationOf(number)));
      if (!(value instanceof Map)) continue;
      for (const key of keys) {
        if (ledger.claim(document, value.get(key), { holder: number, path: `/${key}` })) moved = true;
      }
    }
    if (moved) ledger.anchor(number);
  }
  return moved;
}

function compareField(step: Step, then: FormField, now: FormField): void {
  const { ledger, moved, before, after } = step;
  if (then.fullName !== now.fullName || then.type !== now.type) {
    ledger.add('FIELD_CHANGED', detailsOf(step, now));
    return;
  }
  const pairs: Pair[] = [{ before: then.dictionary, after: now.dictionary, number: now.number }];
  compareKids(step, then, now);
  const isTouched = (number: number | undefined): number is number => number !== undefined && moved.touched.has(number);
  for (const { number, dictionary } of widgetsOf(after.document, now)) {
    // Fields below have their own comparison.
    const isField = dictionary.has('T') || dictionary.has('Kids');
    if (!isTouched(number) || number === now.number || isField) continue;
    const earlier = before.document.resolve(new PdfReference(number, before.document.generationOf(number)));
    if (earlier instanceof Map) pairs.push({ before: earlier, after: dictionary, number });
  }
  const changed = pairs.filter((pair) => changedKeys(step, pair).length > 0);
  for (const { number } of pairs) {
    if (isTouched(number)) ledger.settle(number);
  }
  if (changed.length > 0) judgeField(step, then, now, changed);
}

/** Compares the list below a field: sub-fields may change by the rules of fields, and widgets may not change. */
function compareKids({ before, after, ledger, moved, pages }: Step, then: FormField, now: FormField): void {
  const [old, current] = [then.dictionary.get('Kids'), now.dictionary.get('Kids')];
  if (old === undefined && current === undefined) return;
  if (now.number !== undefined) {
    for (const [{ document }, value] of [
      [before, old],
      [after, current],
    ] as const) {
      ledger.claimList(document, value, { holder: now.number, path: '/Kids' });
    }
  }
  const list = (document: PdfDocument, value: PdfValue | undefined): readonly PdfValue[] => {
    const kids = document.resolve(value);
    return Array.isArray(kids) ? kids : [];
  };
  const [kids, added] = [list(before.document, old), list(after.document, current)];
  if (sameValue([...kids], [...added])) return;
  const fields = new Set([...before.fields, ...after.fields].map(({ number }) => number));
  const isField = (kid: PdfValue): boolean => kid instanceof PdfReference && fields.has(kid.number);
  const others = (values: readonly PdfValue[]): PdfValue[] => values.filter((kid) => !isField(kid));
  const [widgets, rest] = [others(kids), others(added)];
  if (!sameValue(widgets, rest)) {
    // A widget may go, which hides a part of the field.
    const isShortened = rest.every((kid) => widgets.some((widget) => sameValue(widget, kid)));
    const isSigned = now.type === 'Sig' && now.value.value !== null;
    const code = isShortened && !isSigned ? 'FIELD_VISIBILITY_CHANGED' : 'FIELD_CHANGED';
    ledger.add(code, detailsOf({ pages } as Step, now));
  }
  if (now.number !== undefined && moved.touched.has(now.number)) ledger.settle(now.number);
}

/** The change of a field that looks different with the same value. */
export const changeOfLooks = ({ before, after }: Step, field: FormField): PdfChangeCode =>
  gainsUnexplainedLooks(before, after, field) ? 'FIELD_LOOKS_UNEXPLAINED' : 'FIELD_APPEARANCE_CHANGED';

/** True for an entry that a widget got for the first time; the field has to be its own. */
function isFirstEntry(key: string, { before, after }: Pair, field: FormField): boolean {
  if (!FIRST_KEYS.has(key) || before.has(key)) return false;
  const value = after.get(key);
  if (key === 'Type') return nameOf(value) === 'Annot';
  return key !== 'Parent' || (value instanceof PdfReference && value.number === field.number);
}

function judgeField(step: Step, then: FormField, field: FormField, pairs: readonly Pair[]): void {
  const { before, after, ledger } = step;
  const details = detailsOf(step, field);
  const keys = new Set<string>();
  for (const pair of pairs) {
    for (const key of changedKeys(step, pair)) if (!isFirstEntry(key, pair, field)) keys.add(key);
  }
  // The list below the field was compared already.
  if (keys.delete('Kids') && keys.size === 0) return;
  const isSignature = field.type === 'Sig';
  const isSigned = isSignature && keys.has('V');
  // An existing signature must not change at all, including its appearance.
  if (isSignature && then.value.value !== null) {
    if (keys.size > 0) ledger.add('SIGNATURE_REPLACED', details);
    return;
  }
  claimField(step, field, [...LOOKS_KEYS, ...(isSignature ? [] : VALUE_KEYS)]);
  const isShown = (dictionary: PdfDictionary, document: PdfDocument): boolean => isVisible(document, dictionary);
  const changesVisibility = pairs.some(
    (pair) => isShown(pair.before, before.document) !== isShown(pair.after, after.document),
  );
  const unexpected = [...keys].filter((key) => !VALUE_KEYS.has(key) && !LOOKS_KEYS.has(key) && key !== 'F');
  if (unexpected.length > 0) {
    ledger.add('FIELD_CHANGED', details);
    return;
  }
  if (changesVisibility) ledger.add('FIELD_VISIBILITY_CHANGED', details);
  if (isSigned) {
    addSignature(step, field, details, undefined);
    return;
  }
  const isFilled = [...keys].some((key) => VALUE_KEYS.has(key));
  if (isFilled) ledger.add('FIELD_FILLED', details);
  else if (keys.has('AP') || keys.has('AS')) ledger.add(changeOfLooks(step, field), details);
  else ledger.add('FIELD_FILLED', details);
}
