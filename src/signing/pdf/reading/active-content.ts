import { SigningError } from '../../errors.ts';
import type { PdfKeys } from '../encryption/standard-security.ts';
import { isAmbiguous } from '../syntax/repeated-keys.ts';
import { nameOf, PdfReference, PdfStream, PdfString } from '../syntax/values.ts';
import type { PdfValue } from '../syntax/values.ts';
import { hasHiddenLayers, hiddenIn } from './hidden-content.ts';
import { isEmptyField, isSignatureField, walkFields } from './form-fields.ts';
import { walkPages } from './page-tree.ts';
import { readClaimedStandards } from './claimed-standards.ts';
import { PdfDocument } from './pdf-document.ts';

/**
 * Content of a PDF that can act, or that can differ from the printed pages:
 *
 * - `javascript`, `launch`, `submit` (also import): actions (ISO 32000-2 §12.6.4).
 * - `attachment`: an embedded file (§7.11.4). `media`: sound, film, 3D or rich media (§13).
 * - `xfa`: a form that replaces the pages in some viewers (§12.7.8).
 * - `hidden-layer`: layers, annotations and pictures that are hidden at first, or differ between screen and paper (§8.11,
 *   §12.5.3).
 * - `external`: content that is taken from other files (§7.3.8.2, §8.10.4).
 * - `ambiguous`: a structure that programs read in different ways, so that they may show different pages.
 */
export type ActiveContent =
  'javascript' | 'launch' | 'submit' | 'attachment' | 'media' | 'xfa' | 'hidden-layer' | 'external' | 'ambiguous';

/** The contents of a PDF that a signer should know of. */
export interface PdfExamination {
  readonly pageCount: number;
  /** Each kind once. */
  readonly activeContent: readonly ActiveContent[];
  /** Full names of the fields with a signature. */
  readonly signedFields: readonly string[];
  /** The standards that the file claims: `PDF/A-2b`, `PDF/UA-1`. The claims are not checked. */
  readonly standards: readonly string[];
  /** False when a part could not be read: there may be more than is listed. */
  readonly complete: boolean;
}

/** Limit on visited values; even a PDF of a hundred thousand pages has fewer. */
const MAX_VALUES = 20_000_000;

const ACTIONS: Readonly<Record<string, ActiveContent>> = {
  JavaScript: 'javascript',
  Launch: 'launch',
  SubmitForm: 'submit',
  ImportData: 'submit',
  Hide: 'hidden-layer',
  SetOCGState: 'hidden-layer',
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
    for (const { dictionary, isStream } of reachable(document, catalog.value, attempt)) {
      const kind = attempt(() => [...activeIn(document, dictionary), ...hiddenIn(document, dictionary, isStream)], undefined); // prettier-ignore
      for (const one of kind ?? []) found.add(one);
    }
    if (attempt(() => hasHiddenLayers(document), false)) found.add('hidden-layer');
    const pageCount = attempt(() => countPages(document), 0);
    if (attempt(() => isCountWrong(document, pageCount) || hasAmbiguousSections(document), false)) {
      found.add('ambiguous');
    }
    const signedFields = attempt(() => {
      const fields = [...walkFields(document)].filter((field) => isSignatureField(field) && !isEmptyField(field));
      return fields.map(({ fullName }) => fullName);
    }, []);
    const standards = attempt(() => readClaimedStandards(document).names, []);
    return { pageCount, activeContent: [...found].sort(), signedFields, standards, complete };
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

/**
 * True when the page count of the root is wrong. Viewers trust this count (ISO 32000-2 §7.7.3.2), and some do not show
 * further pages.
 */
function isCountWrong(document: PdfDocument, pageCount: number): boolean {
  const root = document.resolve(document.catalog.value.get('Pages'));
  return root instanceof Map && root.has('Kids') && document.resolve(root.get('Count')) !== pageCount;
}

/**
 * True when a trailer names two catalogs, or a section of a hybrid file gives an object two places: viewers differ
 * (§7.5.8.4).
 */
function hasAmbiguousSections({ crossReference, file }: PdfDocument): boolean {
  return crossReference.sections.some((section) => {
    const { hidden } = section;
    if (isAmbiguous(section.trailer)) return true;
    for (const [first, count] of hidden?.listed() ?? []) {
      for (let number = first; number < first + count && !file.budget.exhausted; number += 1) {
        file.budget.spend(section.runs + 8);
        const [one, other] = [section.findVisible?.(number), hidden?.find(number)];
        if (one?.kind === 'offset' && other?.kind === 'offset' && one.offset !== other.offset) return true;
      }
    }
    return false;
  });
}

/**
 * True for a page whose contents are partly missing or not streams: some viewers show the rest, others nothing
 * (§7.7.3.3).
 */
function hasBrokenContents(document: PdfDocument, dictionary: ReadonlyMap<string, PdfValue>): boolean {
  if (!dictionary.has('Contents') || nameOf(document.resolve(dictionary.get('Type'))) !== 'Page') return false;
  const contents = document.resolve(dictionary.get('Contents'));
  const parts = Array.isArray(contents) ? contents.map((part) => document.resolve(part)) : [contents];
  return !parts.every((part) => part instanceof PdfStream);
}

type Attempt = <Value>(read: () => Value, otherwise: Value) => Value;

/** Every dictionary below a value, each indirect object once. Stops at the document's limit of work. */
function* reachable(
  document: PdfDocument,
  root: ReadonlyMap<string, PdfValue>,
  attempt: Attempt,
): Generator<{ readonly dictionary: ReadonlyMap<string, PdfValue>; readonly isStream: boolean }> {
  const seen = new Set<number>();
  const stack: PdfValue[] = [...root.values()];
  yield { dictionary: root, isStream: false };
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
    if (inner instanceof Map) yield { dictionary: inner, isStream: value instanceof PdfStream };
    if (inner instanceof Map || Array.isArray(inner)) {
      for (const child of inner.values()) if (typeof child === 'object' && child !== null) stack.push(child);
    }
  }
}

function activeIn(document: PdfDocument, dictionary: ReadonlyMap<string, PdfValue>): ActiveContent[] {
  const name = (key: string): string => nameOf(document.resolve(dictionary.get(key))) ?? '';
  const has = (key: string, isKind: (value: PdfValue) => boolean): boolean =>
    dictionary.has(key) && isKind(document.resolve(dictionary.get(key)));
  const kinds = [ACTIONS[name('S')], ANNOTATIONS[name('Subtype')]].filter((kind) => kind !== undefined);
  // `JS` is the script of actions, renditions and others; a resource of this name is a dictionary.
  if (has('JS', (value) => value instanceof PdfString || value instanceof PdfStream)) kinds.push('javascript');
  if (has('EF', (value) => value instanceof Map && value.size > 0)) kinds.push('attachment');
  if (has('XFA', (value) => value instanceof PdfStream || (Array.isArray(value) && value.length > 0)))
    kinds.push('xfa');
  if (isAmbiguous(dictionary) || hasBrokenContents(document, dictionary)) kinds.push('ambiguous');
  return kinds;
}
