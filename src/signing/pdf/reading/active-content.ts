import { SigningError } from '../../errors.ts';
import type { PdfKeys } from '../encryption/standard-security.ts';
import { nameOf, PdfReference, PdfStream, PdfString } from '../syntax/values.ts';
import type { PdfDictionary, PdfValue } from '../syntax/values.ts';
import { isEmptyField, isSignatureField, walkFields } from './form-fields.ts';
import { walkPages } from './page-tree.ts';
import { PdfDocument } from './pdf-document.ts';

/**
 * Content of a PDF that can act, or that can differ from the printed pages:
 *
 * - `javascript`, `launch`, `submit` (also import): actions (ISO 32000-2 §12.6.4).
 * - `attachment`: an embedded file (§7.11.4). `media`: sound, film, 3D or rich media (§13).
 * - `xfa`: a form that replaces the pages in some viewers (§12.7.8).
 * - `hidden-layer`: optional content that is hidden at first, or differs between screen and paper (§8.11).
 */
export type ActiveContent = 'javascript' | 'launch' | 'submit' | 'attachment' | 'media' | 'xfa' | 'hidden-layer';

/** The contents of a PDF that a signer should know of. */
export interface PdfExamination {
  readonly pageCount: number;
  /** Each kind once. */
  readonly activeContent: readonly ActiveContent[];
  /** Full names of the fields with a signature. */
  readonly signedFields: readonly string[];
  /** False when a part could not be read: there may be more than is listed. */
  readonly complete: boolean;
}

/** More values than a PDF of a hundred thousand pages holds. */
const MAX_VALUES = 20_000_000;

const ACTIONS: Readonly<Record<string, ActiveContent>> = {
  JavaScript: 'javascript',
  Launch: 'launch',
  SubmitForm: 'submit',
  ImportData: 'submit',
};

const ANNOTATIONS: Readonly<Record<string, ActiveContent>> = {
  FileAttachment: 'attachment',
  Sound: 'media',
  Movie: 'media',
  Screen: 'media',
  '3D': 'media',
  RichMedia: 'media',
};

/**
 * Walks every object that the catalog reaches, so that no kind of reference hides a script. Data of streams are not
 * read: scripts in them are named by the dictionary that refers to them. Rejects like `inspectPdf` for a file that
 * cannot be opened.
 */
export async function examinePdf(path: string, keys: PdfKeys = {}): Promise<PdfExamination> {
  const document = await PdfDocument.open(path, keys);
  try {
    const found = new Set<ActiveContent>();
    let complete = true;
    const attempt = <Value>(read: () => Value, otherwise: Value): Value => {
      try {
        return read();
      } catch (error) {
        if (!(error instanceof SigningError)) throw error;
        complete = false;
        return otherwise;
      }
    };
    const catalog = document.catalog;
    for (const value of reachable(document, catalog.value, attempt)) {
      const kind = attempt(() => activeIn(document, value), undefined);
      for (const one of kind ?? []) found.add(one);
    }
    if (attempt(() => hasHiddenLayers(document), false)) found.add('hidden-layer');
    const pageCount = attempt(() => countPages(document), 0);
    const signedFields = attempt(() => {
      const fields = [...walkFields(document)].filter((field) => isSignatureField(field) && !isEmptyField(field));
      return fields.map(({ fullName }) => fullName);
    }, []);
    return { pageCount, activeContent: [...found].sort(), signedFields, complete };
  } finally {
    await document.close();
  }
}

function countPages(document: PdfDocument): number {
  const pages = walkPages(document.catalog.value, (value, holder) => document.locate(value, holder));
  let count = 0;
  while (pages.next().done !== true) count += 1;
  return count;
}

type Attempt = <Value>(read: () => Value, otherwise: Value) => Value;

/** Every dictionary below a value, each indirect object once. Stops at the document's limit of work. */
function* reachable(
  document: PdfDocument,
  root: ReadonlyMap<string, PdfValue>,
  attempt: Attempt,
): Generator<PdfDictionary> {
  const seen = new Set<number>();
  const stack: PdfValue[] = [...root.values()];
  yield new Map(root);
  for (let left = MAX_VALUES; stack.length > 0; left -= 1) {
    if (left === 0 || document.file.budget.exhausted) {
      attempt<undefined>(() => {
        throw new SigningError('PDF_MALFORMED', 'The PDF has more objects than any real document needs.');
      }, undefined);
      return;
    }
    let value = stack.pop() ?? null;
    if (value instanceof PdfReference) {
      const { number } = value;
      if (seen.has(number)) continue;
      seen.add(number);
      const reference = value;
      value = attempt(() => document.resolve(reference), null);
    }
    const inner = value instanceof PdfStream ? value.dictionary : value;
    if (inner instanceof Map) yield inner;
    if (inner instanceof Map || Array.isArray(inner)) {
      for (const child of inner.values()) if (typeof child === 'object' && child !== null) stack.push(child);
    }
  }
}

function activeIn(document: PdfDocument, dictionary: PdfDictionary): ActiveContent[] {
  const name = (key: string): string => nameOf(document.resolve(dictionary.get(key))) ?? '';
  const has = (key: string, isKind: (value: PdfValue) => boolean): boolean =>
    dictionary.has(key) && isKind(document.resolve(dictionary.get(key)));
  const kinds = [ACTIONS[name('S')], ANNOTATIONS[name('Subtype')]].filter((kind) => kind !== undefined);
  // `JS` is the script of actions, renditions and others; a resource of this name is a dictionary.
  if (has('JS', (value) => value instanceof PdfString || value instanceof PdfStream)) kinds.push('javascript');
  if (has('EF', (value) => value instanceof Map && value.size > 0)) kinds.push('attachment');
  if (has('XFA', (value) => value instanceof PdfStream || (Array.isArray(value) && value.length > 0)))
    kinds.push('xfa');
  return kinds;
}

/** Whether the default configuration hides a layer (ISO 32000-2 Table 99), or a layer's usage does (Table 100). */
function hasHiddenLayers(document: PdfDocument): boolean {
  const dictionary = (value: PdfValue | undefined): PdfDictionary | undefined => {
    const found = document.resolve(value);
    return found instanceof Map ? found : undefined;
  };
  const list = (value: PdfValue | undefined): readonly PdfValue[] => {
    const found = document.resolve(value);
    return Array.isArray(found) ? found : [];
  };
  const properties = dictionary(document.catalog.value.get('OCProperties'));
  if (properties === undefined) return false;
  const usual = dictionary(properties.get('D'));
  const layers = list(properties.get('OCGs'));
  if (list(usual?.get('OFF')).length > 0) return true;
  const base = nameOf(document.resolve(usual?.get('BaseState')));
  if ((base === 'OFF' || base === 'Unchanged') && layers.length > list(usual?.get('ON')).length) return true;
  if (list(usual?.get('AS')).length === 0) return false;
  return layers.some((layer) => {
    const usage = dictionary(dictionary(layer)?.get('Usage'));
    const isOff = (purpose: string, state: string): boolean =>
      nameOf(document.resolve(dictionary(usage?.get(purpose))?.get(state))) === 'OFF';
    return isOff('View', 'ViewState') || isOff('Print', 'PrintState');
  });
}
