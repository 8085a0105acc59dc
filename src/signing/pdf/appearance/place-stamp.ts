import type { FormField } from '../reading/form-fields.ts';
import type { IncrementalUpdate } from '../writing/incremental-update.ts';
import { walkPages } from '../reading/page-tree.ts';
import type { Page } from '../reading/page-tree.ts';
import { realNumber } from '../syntax/serialize.ts';
import type { PageCorner, SignatureAppearance, StampLook } from '../sign-request.ts';
import { PdfReference } from '../syntax/values.ts';
import type { PdfDictionary, PdfValue } from '../syntax/values.ts';
import {
  unusableAppearance,
  readGeometry,
  readRectangle,
  fromUserSpace,
  shownSize,
  toUserSpace,
  type PageGeometry,
  type Placement,
} from './page-geometry.ts';
import type { PageInk } from './page-ink.ts';
import type { StampPainter } from './stamp-painter.ts';

/** A stamp on a page: the annotation's rectangle and its appearance. */
export interface PlacedStamp {
  readonly page: Page;
  readonly rectangle: PdfValue;
  readonly form: PdfReference;
  /** Sentences for the user when the stamp has another page than requested, or was moved into its page. */
  readonly adjustment?: string;
}

type Locate = IncrementalUpdate['locate'];

const TOLERANCE = 0.01;
const describe = (value: number): string => String(Math.round(value * 10) / 10);

/** Existing clients name every page by this number. */
const EVERY_PAGE = -100;
const LAST_PAGE = -1;

interface FoundPage {
  readonly number: number;
  readonly page: Page;
  /** A sentence for the user when the requested number was read as this page. */
  readonly adjustment?: string;
}

/**
 * The pages with these numbers, each once; 1 is the first, −1 the last. −100 means every page; other numbers below 1,
 * and numbers beyond the end, mean the last page.
 */
function findPages(
  catalog: ReadonlyMap<string, PdfValue>,
  locate: Locate,
  numbers: readonly number[],
): readonly FoundPage[] {
  const wanted = new Set(numbers);
  if (wanted.size === 0 || ![...wanted].every(Number.isSafeInteger)) {
    unusableAppearance('The pages of a visible signature are whole numbers from 1, or −1 for the last page.');
  }
  if (wanted.has(EVERY_PAGE)) return everyPage(catalog, locate);
  const found: FoundPage[] = [];
  const furthest = Math.max(0, ...wanted);
  let number = 0;
  for (const page of furthest === 0 ? [] : walkPages(catalog, locate, 'forward')) {
    number += 1;
    if (wanted.delete(number)) found.push({ number, page });
    if (number >= furthest) break;
  }
  if (wanted.size > 0) found.push(...lastPage(catalog, locate, [...wanted]));
  const isNew = ({ page }: FoundPage, index: number): boolean =>
    found.findIndex((other) => other.page.dictionary === page.dictionary) === index;
  const moved = found.flatMap(({ adjustment }) => adjustment ?? []).join(' ');
  // A page that two numbers mean gets one stamp; the sentence about the second number stays.
  return found.filter(isNew).map(({ number: own, page }, index) => ({
    number: own,
    page,
    ...(index === 0 && moved !== '' ? { adjustment: moved } : {}),
  }));
}

function everyPage(catalog: ReadonlyMap<string, PdfValue>, locate: Locate): readonly FoundPage[] {
  const pages = [...walkPages(catalog, locate, 'forward')].map((page, index) => ({ number: index + 1, page }));
  const adjustment = `The visible signature is on every page (${pages.length}), as the page ${EVERY_PAGE} means.`;
  return pages.map((one, index) => (index === 0 ? { ...one, adjustment } : one));
}

/** The last page, with a sentence about the numbers of missing pages. */
function lastPage(
  catalog: ReadonlyMap<string, PdfValue>,
  locate: Locate,
  numbers: readonly number[],
): readonly FoundPage[] {
  const [page] = walkPages(catalog, locate, 'backward');
  if (page === undefined) unusableAppearance('The PDF has no page for the visible signature.');
  const missing = numbers.filter((number) => number !== LAST_PAGE);
  if (missing.length === 0) return [{ number: LAST_PAGE, page }];
  const adjustment = `The PDF has no page ${missing.join(', ')}: the visible signature is on the last page.`;
  return [{ number: LAST_PAGE, page, adjustment }];
}

function expectOnPage(geometry: PageGeometry, { x, y, width, height }: Placement, number: number): void {
  if (![x, y, width, height].every(Number.isFinite) || width <= 0 || height <= 0) {
    unusableAppearance('A visible signature needs a width and a height above 0.');
  }
  const page = shownSize(geometry);
  const isInside =
    Math.min(x, y) >= -TOLERANCE && x + width <= page.width + TOLERANCE && y + height <= page.height + TOLERANCE;
  if (!isInside) {
    const size = `${describe(page.width)} × ${describe(page.height)} points`;
    unusableAppearance(`The visible signature does not lie on page ${number}, which is ${size} large.`);
  }
}

/** A rectangle given from one corner of the page, seen from the opposite corner or from the same. */
function turned(geometry: PageGeometry, corner: PageCorner, { x, y, width, height }: Placement): Placement {
  const page = shownSize(geometry);
  const left = corner.endsWith('left') ? x : page.width - x - width;
  const bottom = corner.startsWith('bottom') ? y : page.height - y - height;
  return { x: left, y: bottom, width, height };
}

/** The place from the bottom left of this page, given from any corner. */
function fromBottomLeft(geometry: PageGeometry, appearance: StampLook): Placement {
  const { x, y, corner = 'bottom-left', fit = false } = appearance;
  const page = shownSize(geometry);
  const scale = fit ? Math.min(1, page.width / appearance.width, page.height / appearance.height) : 1;
  const [width, height] = [appearance.width * scale, appearance.height * scale];
  const place = turned(geometry, corner, { x, y, width, height });
  if (!fit) return place;
  return { x: within(place.x, page.width - width), y: within(place.y, page.height - height), width, height };
}

/** A sentence about a moved stamp; undefined when the stamp is at the requested place. */
function adjustmentOf(
  geometry: PageGeometry,
  appearance: StampLook,
  place: Placement,
  number: number,
): string | undefined {
  const { corner = 'bottom-left' } = appearance;
  const now = turned(geometry, corner, place);
  const isSame = (['x', 'y', 'width', 'height'] as const).every(
    (name) => Math.abs(now[name] - appearance[name]) <= TOLERANCE,
  );
  if (isSame) return undefined;
  const page = number === LAST_PAGE ? 'the last page' : `page ${number}`;
  const size = `${describe(now.width)} × ${describe(now.height)} points`;
  const where = `${describe(now.x)}, ${describe(now.y)} from the ${corner.replace('-', ' ')} corner`;
  return `The visible signature reached over the edge of ${page} and was moved into it: ${size} at ${where}.`;
}

const within = (value: number, most: number): number => Math.max(0, Math.min(value, most));

/** Draws the stamp on each requested page: first the numbered pages, then the last page. */
export function placeStamps(
  catalog: ReadonlyMap<string, PdfValue>,
  locate: Locate,
  painter: StampPainter,
  { appearance, ink }: { readonly appearance: SignatureAppearance; readonly ink?: PageInk },
): readonly PlacedStamp[] {
  const pages = findPages(catalog, locate, appearance.pages);
  return pages.map(({ number, page, adjustment }) => {
    const placed = placeOn(page, number, { locate, painter, look: appearance, ink });
    const sentences = [adjustment, placed.adjustment].filter((sentence) => sentence !== undefined);
    return { ...placed, adjustment: sentences.length === 0 ? undefined : sentences.join(' ') };
  });
}

interface Drawing {
  readonly locate: Locate;
  readonly painter: StampPainter;
  readonly look: StampLook;
  /** For a stamp that must be clear of what is drawn. */
  readonly ink?: PageInk;
}

/** The rectangles of the annotations of a page, on the page as displayed: a field is taken although it is empty. */
function annotationsOf(page: Page, geometry: PageGeometry, locate: Locate): readonly Placement[] {
  const list = locate(page.dictionary.get('Annots'));
  if (!Array.isArray(list.value)) return [];
  return list.value.flatMap((entry) => {
    const { value } = locate(entry, list.holder);
    if (!(value instanceof Map)) return [];
    const rectangle = readRectangle(value.get('Rect'), (one) => locate(one).value);
    if (rectangle === undefined || rectangle[0] === rectangle[2] || rectangle[1] === rectangle[3]) return [];
    return [fromUserSpace(geometry, rectangle)];
  });
}

function placeOn(page: Page, number: number, { locate, painter, look, ink }: Drawing): PlacedStamp {
  const geometry = readGeometry(page, (value) => locate(value).value);
  const wanted = fromBottomLeft(geometry, look);
  expectOnPage(geometry, wanted, number);
  if (look.clear === true && ink !== undefined) {
    const place = ink.emptyPlace(number, geometry, wanted, annotationsOf(page, geometry, locate)) ?? wanted;
    return paintAt(page, geometry, place, painter);
  }
  const adjustment = adjustmentOf(geometry, look, wanted, number);
  return { ...paintAt(page, geometry, wanted, painter), adjustment };
}

function paintAt(page: Page, geometry: PageGeometry, place: Placement, painter: StampPainter): PlacedStamp {
  const rectangle = toUserSpace(geometry, place).map(realNumber);
  const { width, height } = place;
  const form = painter.draw(width / geometry.unit, height / geometry.unit, geometry.rotation);
  return { page, rectangle, form };
}

/** Draws the initials on each page without a stamp, in reading order; the initials shrink to fit a small page. */
export function placeInitials(
  catalog: ReadonlyMap<string, PdfValue>,
  locate: Locate,
  painter: StampPainter,
  {
    initials,
    stamps,
    ink,
  }: { readonly initials: StampLook; readonly stamps: readonly PlacedStamp[]; readonly ink?: PageInk },
): readonly PlacedStamp[] {
  const done = new Set(stamps.map(({ page }) => page.dictionary));
  const placed: PlacedStamp[] = [];
  let number = 0;
  for (const page of walkPages(catalog, locate)) {
    number += 1;
    if (done.has(page.dictionary)) continue;
    done.add(page.dictionary);
    placed.push(placeOn(page, number, { locate, painter, look: { ...initials, fit: true }, ink }));
  }
  return placed;
}

/** A field's widgets: the field itself, or its kids without a field of their own (ISO 32000-2 §12.7.4.1). */
function* widgetsOf(
  update: IncrementalUpdate,
  field: PdfDictionary,
  holder: number | undefined,
): Generator<{ readonly dictionary: PdfDictionary; readonly holder: number | undefined }> {
  if (field.has('Rect')) yield { dictionary: field, holder };
  const kids = update.locate(field.get('Kids'), holder);
  if (!Array.isArray(kids.value)) return;
  for (const kid of kids.value) {
    const located = update.locate(kid, kids.holder);
    if (located.value instanceof Map && located.value.has('Rect') && !located.value.has('T')) {
      yield { dictionary: located.value, holder: located.holder };
    }
  }
}

/** The page named by a widget, or the page with the widget in its list. */
function pageOf(
  catalog: ReadonlyMap<string, PdfValue>,
  locate: Locate,
  widget: PdfDictionary,
  holder: number | undefined,
): Page | undefined {
  const named = widget.get('P');
  for (const page of walkPages(catalog, locate)) {
    if (named instanceof PdfReference && page.reference?.number === named.number) return page;
    const annotations = named instanceof PdfReference ? null : locate(page.dictionary.get('Annots')).value;
    if (!Array.isArray(annotations)) continue;
    if (annotations.some((entry) => entry instanceof PdfReference && entry.number === holder)) return page;
  }
  return undefined;
}

/**
 * Draws the stamp into the rectangles of an existing field. Widgets without size stay invisible. Answers the drawn
 * stamps on known pages.
 */
export function fillWidgets(
  catalog: ReadonlyMap<string, PdfValue>,
  update: IncrementalUpdate,
  painter: StampPainter,
  target: Pick<FormField, 'number'> & { readonly dictionary: PdfDictionary },
): readonly PlacedStamp[] {
  const drawn: PlacedStamp[] = [];
  const locate: Locate = (value, holder) => update.locate(value, holder);
  const resolve = (value: PdfValue | undefined): PdfValue => locate(value).value;
  for (const { dictionary, holder } of widgetsOf(update, target.dictionary, target.number)) {
    const [left, bottom, right, top] = readRectangle(dictionary.get('Rect'), resolve) ?? [0, 0, 0, 0];
    if (right - left <= 0 || top - bottom <= 0) continue;
    const page = pageOf(catalog, locate, dictionary, holder);
    const rotation = page === undefined ? 0 : readGeometry(page, resolve).rotation;
    const [width, height] = rotation % 180 === 0 ? [right - left, top - bottom] : [top - bottom, right - left];
    const form = painter.draw(width, height, rotation);
    dictionary.set('AP', new Map([['N', form]]));
    update.markChanged(holder);
    if (page !== undefined) drawn.push({ page, rectangle: [left, bottom, right, top].map(realNumber), form });
  }
  return drawn;
}
