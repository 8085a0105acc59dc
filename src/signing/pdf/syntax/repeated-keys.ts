import { serialize } from './serialize.ts';
import type { PdfDictionary, PdfValue } from './values.ts';

const ambiguous = new WeakSet<ReadonlyMap<string, PdfValue>>();

/**
 * Records a repeated key of a dictionary. The standard forbids repeated keys (ISO 32000-2 §7.3.7), and programs use
 * different values, so some show another document. Repeating the same value is harmless.
 */
export function noteRepeatedKey(dictionary: PdfDictionary, name: string, value: PdfValue): void {
  const earlier = dictionary.get(name) ?? null;
  if (!serialize(earlier).equals(serialize(value))) ambiguous.add(dictionary);
}

/** True if a dictionary, as read, gave a key two different values. */
export function isAmbiguous(dictionary: ReadonlyMap<string, PdfValue>): boolean {
  return ambiguous.has(dictionary);
}
