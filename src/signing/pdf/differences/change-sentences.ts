import type { PdfChangeCode, PdfSignatureFacts } from './pdf-facts.ts';
import type { PdfDocument } from '../reading/pdf-document.ts';
import { decodeTextString, parseDate } from '../syntax/text-string.ts';
import { nameOf, numberOf, PdfString, type PdfDictionary, type PdfValue } from '../syntax/values.ts';

/** A sentence for each change; the report translates by code. */
export const CHANGE_SENTENCES: Readonly<Record<PdfChangeCode, string>> = {
  DOCUMENT_TIMESTAMP_ADDED: 'A document time stamp was added.',
  SECURITY_STORE_UPDATED: 'Material for long-term validation was added.',
  SECURITY_STORE_REMOVED: 'Material for long-term validation was removed.',
  EXTENSIONS_UPDATED: 'The extensions that the file uses were named.',
  OUTPUT_INTENT_ADDED: 'The colours of a screen (sRGB) were named as the colours of the document.',
  METADATA_UPDATED: 'Title, dates or other metadata were changed.',
  SOURCE_FILE_LOST: 'The PDF no longer leads to the OpenDocument file that it was saved with.',
  SOURCE_FILE_RESTORED:
    'The PDF leads again to the OpenDocument file inside, which LibreOffice shows in place of the pages.',
  SIGNATURE_ADDED: 'Another signature was added.',
  SIGNATURE_FIELD_ADDED: 'An empty signature field was added.',
  VISIBLE_SIGNATURE_ADDED: 'A signature that takes up room on a page was added.',
  VISIBLE_FIELD_ADDED: 'An empty signature field that takes up room on a page was added.',
  FIELD_FILLED: 'A form field was filled in.',
  FIELD_APPEARANCE_CHANGED: 'A form field looks different now, though its value is the same.',
  FORM_RESOURCES_ADDED: 'Fonts or other resources were added to the form.',
  USAGE_RIGHTS_REMOVED: 'The rights to fill in and save the document with Adobe Reader were removed.',
  STRUCTURE_UPDATED: 'Fields or annotations were added to the structure that tells how the document is read.',
  ANNOTATION_ADDED: 'An annotation was added.',
  COVERING_ANNOTATION_ADDED: 'An annotation that can cover the page was added.',
  ANNOTATION_CHANGED: 'An annotation was changed.',
  ANNOTATION_REMOVED: 'An annotation was removed.',
  FIELD_VISIBILITY_CHANGED: 'A form field was hidden or shown.',
  FIELD_LOOKS_UNEXPLAINED: 'A form field without a value shows something now.',
  SIGNATURE_REPLACED: 'A signature was changed, removed or exchanged for another one.',
  FIELD_ADDED: 'A form field was added.',
  FIELD_CHANGED: 'A form field is another one now, not merely filled in.',
  FIELD_REMOVED: 'A form field was removed.',
  FORM_CHANGED: 'The form was changed beyond being filled in.',
  CERTIFICATION_CHANGED: 'What certifies the document was changed.',
  CATALOG_CHANGED: 'The structure of the document was changed.',
  OPTIONAL_CONTENT_CHANGED: 'Layers of the document were changed: what they show or hide.',
  PAGES_CHANGED: 'Pages were added, removed or put into another order, or their common properties were changed.',
  PAGE_CHANGED: 'A page was changed.',
  PAGE_CONTENT_CHANGED: 'The content of a page was changed.',
  PAGE_RESOURCES_CHANGED: 'Fonts, images or other resources of a page were changed.',
  ENCRYPTION_CHANGED: 'The encryption of the document was changed.',
  TRAILER_CHANGED: 'The root of the document was changed.',
  OBJECT_CHANGED: 'A part of the document was changed.',
  OBJECT_REMOVED: 'A part of the document that is in use was removed.',
  SHARED_OBJECT_CHANGED: 'A part of the document was changed that is used in more places than the change shows.',
  MISSING_OBJECT_SUPPLIED: 'A part of the document that was missing when it was signed was supplied later.',
  OBJECT_REPOINTED: 'A part of the document was exchanged for bytes that were in the file already.',
  PHANTOM_OBJECT: 'A part of the document that was announced when it was signed was supplied later.',
  OBJECT_STREAM_REPLACED: 'A container with parts of the document was exchanged.',
  HIDDEN_OBJECT_CHANGED: 'Programs read different versions of a part of the document.',
  REVISION_REPLACED: 'The version that was signed is no longer part of the history of the file.',
  CONTENT_OUTSIDE_REVISIONS: 'Data that is no proper version follows the document.',
  NOT_COMPARABLE: 'The versions of the document are too large or too broken to be compared.',
};

type Texts = Pick<PdfSignatureFacts, 'reason' | 'location' | 'contact' | 'name' | 'claimedTime' | 'certification'>;

/** Longer texts are shortened for display. */
const MAX_TEXT = 4096;

/** A text string of a dictionary; undefined for another value, or an empty text. */
export function textOf(document: PdfDocument, value: PdfValue | undefined): string | undefined {
  const found = document.resolve(value);
  if (!(found instanceof PdfString)) return undefined;
  const text = decodeTextString(found.plain).slice(0, MAX_TEXT);
  return text === '' ? undefined : text;
}

/** Transform methods of a signature's references with their parameters (ISO 32000-2 §12.8.2). */
export function transformsOf(
  document: PdfDocument,
  signature: PdfDictionary,
): readonly { readonly method: string; readonly parameters: PdfDictionary }[] {
  const references = document.resolve(signature.get('Reference'));
  const transforms: { method: string; parameters: PdfDictionary }[] = [];
  for (const entry of Array.isArray(references) ? references : []) {
    const reference = document.resolve(entry);
    if (!(reference instanceof Map)) continue;
    const parameters = document.resolve(reference.get('TransformParams'));
    const method = nameOf(document.resolve(reference.get('TransformMethod'))) ?? '';
    transforms.push({ method, parameters: parameters instanceof Map ? parameters : new Map<string, PdfValue>() });
  }
  return transforms;
}

/** `P` of DocMDP: 2 by default (ISO 32000-2 Table 257); an unknown value counts as the strictest. */
export function permissionOf(document: PdfDocument, parameters: PdfDictionary): 1 | 2 | 3 {
  const value = document.resolve(parameters.get('P'));
  if (value === null) return 2;
  const permission = numberOf(value);
  return permission === 2 || permission === 3 ? permission : 1;
}

/** The signature dictionary's texts, and its certification. */
export function signatureTexts(document: PdfDocument, signature: PdfDictionary): Texts {
  const time = textOf(document, signature.get('M'));
  const claimedTime = time === undefined ? undefined : parseDate(time);
  const certifying = transformsOf(document, signature).find(({ method }) => method === 'DocMDP');
  const [reason, location, contact, name] = ['Reason', 'Location', 'ContactInfo', 'Name'].map((key) =>
    textOf(document, signature.get(key)),
  );
  return {
    reason,
    location,
    contact,
    name,
    claimedTime,
    certification: certifying === undefined ? undefined : permissionOf(document, certifying.parameters),
  };
}
