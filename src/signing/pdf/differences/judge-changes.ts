/** Decides whether changes are allowed by DocMDP, FieldMDP and field locks (ISO 32000-2 §12.8.2). */
import type { FormField } from '../reading/form-fields.ts';
import type { PdfDocument } from '../reading/pdf-document.ts';
import type { PdfDictionary } from '../syntax/values.ts';
import { nameOf } from '../syntax/values.ts';
import { PDF_CHANGE_LEVELS } from './pdf-facts.ts';
import type { PdfChange, PdfChangeLevel } from './pdf-facts.ts';
import { permissionOf, textOf, transformsOf } from './change-sentences.ts';

/** Locked fields: all, the named fields, or all but the named fields (Table 236, §12.8.2.4). */
interface FieldLock {
  readonly action: 'All' | 'Include' | 'Exclude';
  readonly names: readonly string[];
}

/** Changes permitted by a signature. */
export interface Restriction {
  /** `P` of DocMDP; undefined without DocMDP. */
  readonly permission: 1 | 2 | 3 | undefined;
  readonly locks: readonly FieldLock[];
}

const rank = (level: PdfChangeLevel): number => PDF_CHANGE_LEVELS.indexOf(level);

export const highestLevel = (changes: readonly PdfChange[]): PdfChangeLevel =>
  changes.reduce<PdfChangeLevel>((highest, { level }) => (rank(level) > rank(highest) ? level : highest), 'none');

/** An unknown action locks everything, because the signer wanted some protection. */
function readLock(document: PdfDocument, dictionary: PdfDictionary): FieldLock {
  const action = nameOf(document.resolve(dictionary.get('Action')));
  const listed = document.resolve(dictionary.get('Fields'));
  const names = (Array.isArray(listed) ? listed : [])
    .map((entry) => textOf(document, entry))
    .filter((name) => name !== undefined);
  return { action: action === 'Include' || action === 'Exclude' ? action : 'All', names };
}

/** Reads the restrictions of a signature and its field. */
export function readRestriction(document: PdfDocument, signature: PdfDictionary, field: FormField): Restriction {
  const permissions: (1 | 2 | 3)[] = [];
  const locks: FieldLock[] = [];
  for (const { method, parameters } of transformsOf(document, signature)) {
    if (method === 'DocMDP') permissions.push(permissionOf(document, parameters));
    if (method !== 'FieldMDP') continue;
    locks.push(readLock(document, parameters));
    if (parameters.has('P')) permissions.push(permissionOf(document, parameters));
  }
  const lock = document.resolve(field.dictionary.get('Lock'));
  if (lock instanceof Map) {
    locks.push(readLock(document, lock));
    if (lock.has('P')) permissions.push(permissionOf(document, lock));
  }
  const [permission] = permissions.sort();
  return { permission, locks };
}

function isLocked({ action, names }: FieldLock, field: string): boolean {
  const named = names.some((name) => field === name || field.startsWith(`${name}.`));
  switch (action) {
    case 'All':
      return true;
    case 'Include':
      return named;
    case 'Exclude':
      return !named;
  }
}

const HIGHEST: Readonly<Record<1 | 2 | 3, PdfChangeLevel>> = {
  // Long-term validation material is no change to the document (ISO 32000-2 Table 257).
  1: 'long-term-update',
  2: 'form-filling',
  3: 'annotations',
};

const TAKES_ROOM: ReadonlySet<string> = new Set(['VISIBLE_SIGNATURE_ADDED', 'VISIBLE_FIELD_ADDED']);

/** A field added later cannot be locked. */
const ADDS_FIELD: ReadonlySet<string> = new Set([
  'SIGNATURE_FIELD_ADDED',
  'VISIBLE_SIGNATURE_ADDED',
  'VISIBLE_FIELD_ADDED',
]);

/** A signature or a time stamp in a field. */
const SIGNS: ReadonlySet<string> = new Set(['SIGNATURE_ADDED', 'DOCUMENT_TIMESTAMP_ADDED']);

/** What the changes around a change tell about its field. */
interface FieldHistory {
  /** True for a field that was not there at the time of the signature. */
  readonly isNew: boolean;
  /** True for a field that is signed later. */
  readonly isSignedLater: boolean;
}

function allows({ permission, locks }: Restriction, change: PdfChange, field: FieldHistory): boolean {
  if (rank(change.level) > rank(HIGHEST[permission ?? 3])) return false;
  // On a certified document, a visible field counts as an annotation, because the field may cover certified content.
  if (permission === 2 && TAKES_ROOM.has(change.code)) return false;
  // Form filling includes signing, and no new field that stays empty (ISO 32000-2 Table 257).
  if (permission === 2 && change.code === 'SIGNATURE_FIELD_ADDED' && !field.isSignedLater) return false;
  const { fieldName } = change;
  if (fieldName === undefined || field.isNew) return true;
  return !locks.some((lock) => isLocked(lock, fieldName));
}

/**
 * True when all restrictions allow all changes. Without restrictions, forms may be filled in and annotations made.
 * Changes of the level `other` are never allowed.
 *
 * @param fields full names of the fields at the time of the signature
 */
export function areAllowed(
  restrictions: readonly Restriction[],
  changes: readonly PdfChange[],
  fields: ReadonlySet<string>,
): boolean {
  const signed = new Set(changes.flatMap(({ code, fieldName }) => (SIGNS.has(code) ? [fieldName] : [])));
  return changes.every((change) => {
    if (change.level === 'other') return false;
    const { code, fieldName } = change;
    const isNew = ADDS_FIELD.has(code) || (fieldName !== undefined && !fields.has(fieldName));
    const isSignedLater = fieldName !== undefined && signed.has(fieldName);
    return restrictions.every((restriction) => allows(restriction, change, { isNew, isSignedLater }));
  });
}
