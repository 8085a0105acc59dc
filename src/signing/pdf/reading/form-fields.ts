import { malformed } from '../syntax/pdf-error.ts';
import type { Located, PdfDocument } from './pdf-document.ts';
import { decodeTextString } from '../syntax/text-string.ts';
import { nameOf, PdfReference, PdfString } from '../syntax/values.ts';
import type { PdfDictionary, PdfValue } from '../syntax/values.ts';

const MAX_DEPTH = 128;

/** A field of the interactive form, terminal or not (ISO 32000-2 §12.7.4). */
export interface FormField {
  /** Partial names from the root, joined with dots; empty for a field without any. */
  readonly fullName: string;
  /** `Tx`, `Btn`, `Ch` or `Sig`, possibly inherited; undefined without a type. */
  readonly type: string | undefined;
  readonly dictionary: PdfDictionary;
  /** The field's object number; undefined for a field inside another object. */
  readonly number: number | undefined;
  /** The field's own value. */
  readonly value: Located;
  /** True for a field with fields below. */
  readonly hasChildFields: boolean;
}

/** The interactive form (ISO 32000-2 §12.7.3), or undefined when there is none. */
export function findForm(
  document: PdfDocument,
): { readonly value: PdfDictionary; readonly holder: number } | undefined {
  const catalog = document.catalog;
  const { value, holder } = document.locate(catalog.value.get('AcroForm'), catalog.holder);
  return value instanceof Map && holder !== undefined ? { value, holder } : undefined;
}

function partialName(document: PdfDocument, dictionary: PdfDictionary): string {
  const value = document.resolve(dictionary.get('T'));
  return value instanceof PdfString ? decodeTextString(value.plain) : '';
}

interface Node {
  readonly value: PdfValue;
  readonly holder: number | undefined;
  readonly parentName: string;
  readonly parentType: string | undefined;
  readonly depth: number;
}

/** Widgets have no name of their own; everything else below a field is a field. */
function isFieldNode(document: PdfDocument, kid: PdfValue): boolean {
  const value = document.resolve(kid);
  return value instanceof Map && (value.has('T') || value.has('Kids'));
}

/** All fields, parents before children, in the order of the file. Circles and dead references are passed over. */
export function* walkFields(document: PdfDocument): Generator<FormField> {
  const form = findForm(document);
  if (form === undefined) return;
  const seen = new Set<number>();
  const roots = document.locate(form.value.get('Fields'), form.holder);
  if (!Array.isArray(roots.value)) return;
  const stack: Node[] = [];
  const push = (values: readonly PdfValue[], node: Omit<Node, 'value'>): void => {
    for (const value of values.toReversed()) stack.push({ ...node, value });
  };
  push(roots.value, { holder: roots.holder, parentName: '', parentType: undefined, depth: 0 });
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node.depth > MAX_DEPTH) malformed(`its form fields are nested deeper than ${MAX_DEPTH} levels`);
    const { value, holder } = document.locate(node.value, node.holder);
    const own = node.value instanceof PdfReference;
    if (!(value instanceof Map) || (own && holder !== undefined && seen.has(holder))) continue;
    if (own && holder !== undefined) seen.add(holder);
    const partial = partialName(document, value);
    const fullName = [node.parentName, partial].filter((part) => part !== '').join('.');
    const type = nameOf(document.resolve(value.get('FT'))) ?? node.parentType;
    const kids = document.locate(value.get('Kids'), holder);
    const childFields = Array.isArray(kids.value) ? kids.value.filter((kid) => isFieldNode(document, kid)) : [];
    yield {
      fullName,
      type,
      dictionary: value,
      number: own ? holder : undefined,
      value: document.locate(value.get('V'), holder),
      hasChildFields: childFields.length > 0,
    };
    push(childFields, { holder: kids.holder, parentName: fullName, parentType: type, depth: node.depth + 1 });
  }
}

/** True for a signature field: a terminal field, or any field with a value. */
export function isSignatureField(field: FormField): boolean {
  return field.type === 'Sig' && (!field.hasChildFields || field.value.value !== null);
}

/** True for a signature field without a signature. */
export function isEmptyField(field: FormField): boolean {
  return field.value.value === null;
}
