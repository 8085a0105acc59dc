import type { PdfDocument } from '../reading/pdf-document.ts';
import { decodeTextString, parseDate } from '../syntax/text-string.ts';
import { nameOf, numberOf, PdfString } from '../syntax/values.ts';
import type { PdfDictionary, PdfValue } from '../syntax/values.ts';
import type { PdfSignatureFacts } from './pdf-facts.ts';

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
    ...(reason === undefined ? {} : { reason }),
    ...(location === undefined ? {} : { location }),
    ...(contact === undefined ? {} : { contact }),
    ...(name === undefined ? {} : { name }),
    ...(claimedTime === undefined ? {} : { claimedTime }),
    ...(certifying === undefined ? {} : { certification: permissionOf(document, certifying.parameters) }),
  };
}
