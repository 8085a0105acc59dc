/** The place of document time stamps in the structure of tagged PDFs. */
import type { PdfDocument } from '../../reading/pdf-document.ts';
import { nameOf, PdfReference } from '../../syntax/values.ts';
import type { PdfDictionary, PdfValue } from '../../syntax/values.ts';
import { readObject } from '../reference-index.ts';
import { sameValue } from '../same-value.ts';
import type { Step } from '../step-ledger.ts';
import { listOf, mapOf, rootOf, SPOKEN } from './structure-rules.ts';

/** True for the widget of a document time stamp. */
function isTimestampWidget(document: PdfDocument, value: PdfValue | undefined): boolean {
  const widget = mapOf(document.resolve(value));
  const field = widget?.has('V') === true ? widget : mapOf(document.resolve(widget?.get('Parent')));
  const signature = mapOf(document.resolve(field?.get('V')));
  return nameOf(document.resolve(signature?.get('SubFilter'))) === 'ETSI.RFC3161';
}

/** The objects that an element, an object reference or a list of kids itself leads to (ISO 32000-2 §14.7.5.3). */
function targetsIn(document: PdfDocument, value: PdfValue | undefined): readonly (PdfValue | undefined)[] {
  const objectOf = (kid: PdfValue | undefined): PdfDictionary | undefined =>
    kid instanceof Map && nameOf(document.resolve(kid.get('Type'))) === 'OBJR' ? kid : undefined;
  const own = objectOf(value);
  const kids = Array.isArray(value) ? value : listOf(document, mapOf(value)?.get('K'));
  return [own, ...kids.map(objectOf)].flatMap((object) => (object === undefined ? [] : [object.get('Obj')]));
}

/** True when a moved object brings nothing into the structure but added time stamps. */
function bringsTimestampsOnly({ before, after, moved }: Step, number: number): boolean {
  const [then, now] = [readObject(before.document, number), readObject(after.document, number)];
  if (then === null && now instanceof Map && now.has('S') && SPOKEN.some((key) => now.has(key))) return false;
  const known = targetsIn(before.document, then);
  return targetsIn(after.document, now).every(
    (target) =>
      known.some((one) => sameValue(one, target)) ||
      (target instanceof PdfReference && moved.added.has(target.number) && isTimestampWidget(after.document, target)),
  );
}

/**
 * Leaves the growth of the structure to the time stamps of the revision where it serves nothing else: programs such as
 * iText give the widget of each document time stamp an element, and a document time stamp is allowed where all other
 * changes are forbidden (ISO 32000-2 Table 257).
 */
export function leaveStructureToTimestamps(step: Step): void {
  const { ledger, moved } = step;
  if (!ledger.changes.some(({ code }) => code === 'DOCUMENT_TIMESTAMP_ADDED')) return;
  const all = [...moved.added, ...moved.touched];
  const isInCatalog = rootOf(step.after.document) === step.after.document.catalog.value.get('StructTreeRoot');
  if (!isInCatalog && all.every((number) => bringsTimestampsOnly(step, number))) ledger.withdraw('STRUCTURE_UPDATED');
}
