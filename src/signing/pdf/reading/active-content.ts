import { SigningError } from '../../errors.ts';
import type { PdfKeys } from '../encryption/standard-security.ts';
import { isAmbiguous } from '../syntax/repeated-keys.ts';
import { nameOf, PdfReference, PdfStream, PdfString } from '../syntax/values.ts';
import type { PdfValue } from '../syntax/values.ts';
import { DrawnContent } from './drawn-content.ts';
import { hasHiddenLayers, hiddenIn } from './hidden-content.ts';
import { findForm, isEmptyField, isSignatureField, walkFields } from './form-fields.ts';
import { unevenlyDrawnIn } from './unevenly-drawn.ts';
import { viewerDependentIn } from './viewer-dependent.ts';
import { walkPages } from './page-tree.ts';
import { readClaimedStandards } from './claimed-standards.ts';
import { PdfDocument } from './pdf-document.ts';
import { isRareJbig2 } from './rare-pictures.ts';

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
 * - `broken-drawing`: instructions of a page with errors, from which programs recover in different ways (§7.8.2).
 * - `own-look`: annotations without an appearance (§12.5.5). `field-values`: fields that programs write by themselves
 *   (§12.7.3).
 * - `overprint`: inks that cover others on a press, and not on every screen (§8.6.7), or that each program mixes by rules
 *   of its own.
 * - `portfolio`: files that some programs show in place of the pages (§12.3.5).
 * - `opens-other`: an action at opening that leads to a site or to another document, and links into other documents
 *   (§12.6.4.3, §12.6.4.8).
 * - `foreign-fonts`: a font that is not in the file, so that each program draws letters or symbols of its own (§9.6.2.2,
 *   §9.9).
 * - `rare-picture`: a picture coded in a way that only some programs decode (§7.4.7).
 */
export type ActiveContent =
  | 'javascript'
  | 'launch'
  | 'submit'
  | 'attachment'
  | 'media'
  | 'xfa'
  | 'hidden-layer'
  | 'external'
  | 'ambiguous'
  | 'broken-drawing'
  | 'own-look'
  | 'field-values'
  | 'overprint'
  | 'portfolio'
  | 'opens-other'
  | 'foreign-fonts'
  | 'rare-picture';

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
  GoToR: 'opens-other',
  GoToE: 'opens-other',
  Thread: 'opens-other',
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
 * Walks every object that the catalog reaches, so that no kind of reference hides a script. Of the data of streams only
 * drawing instructions are read: scripts are named by the dictionary that refers to them. Rejects like `inspectPdf` for a
 * file that cannot be opened.
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
    const drawn = new DrawnContent(document);
    const form = attempt(() => findForm(document)?.value, undefined);
    const needsAppearances = attempt(() => document.resolve(form?.get('NeedAppearances')) === true, false);
    for (const place of reachable(document, catalog.value, attempt)) {
      for (const kind of attempt(() => kindsIn(document, place, needsAppearances), [])) found.add(kind);
      if (isBrokenOrUnread(drawn, place, attempt)) found.add('broken-drawing');
      if (attempt(() => isRarePicture(document, place), false)) found.add('rare-picture');
    }
    if (drawn.overprints) found.add('overprint');
    complete &&= !drawn.isTooLong;
    for (const kind of attempt(() => kindsOfCatalog(document), [])) found.add(kind);
    if (attempt(() => hasHiddenLayers(document), false)) found.add('hidden-layer');
    const pageCount = attempt(() => countPages(document), 0);
    if (attempt(() => isTreeAmbiguous(document, pageCount) || hasAmbiguousSections(document), false)) {
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

/** The kinds of content in one dictionary. */
function kindsIn(document: PdfDocument, { dictionary, isStream }: Place, needsAppearances: boolean): ActiveContent[] {
  return [
    ...activeIn(document, dictionary),
    ...hiddenIn(document, dictionary, isStream),
    ...viewerDependentIn(document, dictionary, needsAppearances),
    ...unevenlyDrawnIn(document, dictionary),
  ];
}

/** Damaged data are broken instructions as well; data that only this reader cannot decode leave the list incomplete. */
function isBrokenOrUnread(drawn: DrawnContent, place: Place, attempt: Attempt): boolean {
  return attempt(() => {
    try {
      return drawn.isBroken(place);
    } catch (error) {
      if (error instanceof SigningError && error.code === 'PDF_MALFORMED') return true;
      throw error;
    }
  }, false);
}

/** True for a picture whose only filter is JBIG2, coded as few programs do. */
function isRarePicture(document: PdfDocument, { dictionary, stream }: Place): boolean {
  const filter = document.resolve(dictionary.get('Filter'));
  const filters = Array.isArray(filter) ? filter.map((one) => document.resolve(one)) : [filter];
  if (stream === undefined || nameOf(filters.at(-1)) !== 'JBIG2Decode') return false;
  const data = document.readStored(stream);
  return filters.length > 1 || data === undefined || isRareJbig2(data);
}

/** The kinds of content that the catalog itself names. */
function kindsOfCatalog(document: PdfDocument): ActiveContent[] {
  const value = (key: string): PdfValue => document.resolve(document.catalog.value.get(key));
  const opening = value('OpenAction');
  const action = opening instanceof Map ? nameOf(document.resolve(opening.get('S'))) : undefined;
  return [
    ...(value('Collection') instanceof Map ? (['portfolio'] as const) : []),
    ...(action === 'URI' ? (['opens-other'] as const) : []),
  ];
}

function countPages(document: PdfDocument): number {
  const pages = walkPages(document.catalog.value, (value, holder) => document.locate(value, holder));
  let count = 0;
  while (pages.next().done !== true) count += 1;
  return count;
}

/**
 * True when the root of the pages is no list, so that some programs open nothing, or when its count is wrong. Viewers
 * trust this count (ISO 32000-2 §7.7.3.2), and some do not show further pages.
 */
function isTreeAmbiguous(document: PdfDocument, pageCount: number): boolean {
  const root = document.resolve(document.catalog.value.get('Pages'));
  if (!(root instanceof Map) || !Array.isArray(document.resolve(root.get('Kids')))) return true;
  return document.resolve(root.get('Count')) !== pageCount || hasDirectPage(document);
}

/** True for a page that is no object of its own (§7.7.3.2): some programs draw nothing for it. */
function hasDirectPage(document: PdfDocument): boolean {
  const pages = walkPages(document.catalog.value, (value, holder) => document.locate(value, holder));
  for (const { reference } of pages) if (reference === undefined) return true;
  return false;
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

/** A dictionary of the document. */
interface Place {
  readonly dictionary: ReadonlyMap<string, PdfValue>;
  readonly isStream: boolean;
  /** The reference to a stream. */
  readonly stream: PdfReference | undefined;
}

/** Every dictionary below a value, each indirect object once. Stops at the document's limit of work. */
function* reachable(document: PdfDocument, root: ReadonlyMap<string, PdfValue>, attempt: Attempt): Generator<Place> {
  const seen = new Set<number>();
  const stack: PdfValue[] = [...root.values()];
  yield { dictionary: root, isStream: false, stream: undefined };
  for (let left = MAX_VALUES; stack.length > 0; left -= 1) {
    if (left === 0 || document.file.budget.exhausted) {
      attempt<undefined>(() => {
        throw new SigningError('PDF_MALFORMED', 'The PDF has more objects than any real document needs.');
      }, undefined);
      return;
    }
    let value = stack.pop() ?? null;
    let stream: PdfReference | undefined;
    if (value instanceof PdfReference) {
      const { number } = value;
      if (seen.has(number)) continue;
      seen.add(number);
      const reference = value;
      value = attempt(() => document.resolve(reference), null);
      stream = value instanceof PdfStream ? reference : undefined;
    }
    const inner = value instanceof PdfStream ? value.dictionary : value;
    if (inner instanceof Map) yield { dictionary: inner, isStream: value instanceof PdfStream, stream };
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
