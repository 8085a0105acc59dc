/** The words of a page as drawn: hidden text, and text with other letters than its words, does not count. */
import type { OPS as Operators, PDFPageProxy } from 'pdfjs-dist';
import { judgeLetter, type LetterJudgement } from './letter-shapes.ts';

/** Stands for drawn letters of unknown meaning. */
export const UNREADABLE = '\uFFFD';

type Context = CanvasRenderingContext2D;

/** A letter in the instructions of a page, with the members of pdfjs in use here. */
interface Letter {
  /** The meaning of the letter in the file. */
  readonly unicode: string;
  /** The character of the letter in the font of the browser. */
  readonly fontChar: string;
  /** The way to the next letter, in thousandths of an em. */
  readonly width: number;
  /** Present for a letter drawn by instructions in place of a font. */
  readonly operatorListId?: string;
}

/** A drawn letter. */
interface DrawnLetter {
  readonly letter: Letter;
  /** The font of CSS. */
  readonly font: string;
  /** Thickness of the outline, in units of the letter; 0 for none. */
  outline: number;
  /** From the origin of the letter to pixels of the canvas. */
  readonly matrix: DOMMatrix;
  /** The width of the letter, and its box around the origin. */
  readonly metrics: TextMetrics;
}

/** Letters by their number in the order of drawing. */
type Letters = Map<number, DrawnLetter>;

/** The letters on each canvas: parts of a page may be drawn on a canvas of their own first. */
const lettersOn = new WeakMap<HTMLCanvasElement, Letters>();

/** The record of the drawing in progress. */
let current: WordRecord | null = null;

/** Canvases of pdfjs with a record of their letters. */
export class WatchedCanvases {
  create(width: number, height: number): { canvas: HTMLCanvasElement | null; context: Context | null } {
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [width, height];
    return { canvas, context: watched(canvas) };
  }

  reset({ canvas }: { readonly canvas: HTMLCanvasElement }, width: number, height: number): void {
    [canvas.width, canvas.height] = [width, height];
  }

  destroy(held: ReturnType<WatchedCanvases['create']>): void {
    if (held.canvas !== null) [held.canvas.width, held.canvas.height] = [0, 0];
    [held.canvas, held.context] = [null, null];
  }

  getNoAlphaContext(canvas: HTMLCanvasElement): Context | null {
    return canvas.getContext('2d', { alpha: false, willReadFrequently: true });
  }
}

function watched(canvas: HTMLCanvasElement): Context | null {
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (context === null) return null;
  for (const method of ['fillText', 'strokeText'] as const) {
    const paint = context[method].bind(context);
    context[method] = (text, x, y, ...more) => {
      paint(text, x, y, ...more);
      current?.addLetter(context, text, x, y, method === 'strokeText');
    };
  }
  const copy = context.drawImage.bind(context) as (...values: unknown[]) => void;
  context.drawImage = (source: CanvasImageSource, ...place: number[]) => {
    copy(source, ...place);
    if (source instanceof HTMLCanvasElement) moveLetters(source, context, place);
  };
  return context;
}

/** The letters of a canvas go along when the canvas is drawn into another one. */
function moveLetters(source: HTMLCanvasElement, context: Context, place: readonly number[]): void {
  const letters = lettersOn.get(source);
  if (letters === undefined) return;
  const isPart = place.length === 8;
  const [left = 0, top = 0, fromWidth = 1, fromHeight = 1] = isPart ? place : [0, 0, source.width, source.height];
  const [x = 0, y = 0, width = fromWidth, height = fromHeight] = isPart ? place.slice(4) : place;
  const moved = context.getTransform().translate(x, y).scale(width / fromWidth, height / fromHeight).translate(-left, -top); // prettier-ignore
  const own = lettersOf(context.canvas);
  for (const [number, letter] of letters) {
    if (!own.has(number)) own.set(number, { ...letter, matrix: moved.multiply(letter.matrix) });
  }
}

function lettersOf(canvas: HTMLCanvasElement): Letters {
  const letters = lettersOn.get(canvas) ?? new Map<number, DrawnLetter>();
  lettersOn.set(canvas, letters);
  return letters;
}

/** The instructions of a page, as `operationsFilter` of pdfjs tells them. */
interface Instructions {
  readonly fnArray: readonly number[];
  readonly argsArray: readonly (readonly unknown[] | null)[];
}

/** Follows the text of one drawing. */
class WordRecord {
  readonly #operators: typeof Operators;
  /** Letters of the present instruction, still to be drawn. */
  #expected: Letter[] = [];
  #count = 0;
  /** The last letter: a filled and outlined letter is drawn twice. */
  #last: DrawnLetter | null = null;
  /** Numbers of letters drawn by other means than a font. */
  readonly unknown: number[] = [];

  constructor(operators: typeof Operators) {
    this.#operators = operators;
  }

  /** Called before each instruction. */
  readonly follow = (index: number, { fnArray, argsArray }: Instructions): boolean => {
    const [parts] = argsArray[index] ?? [];
    const isText = fnArray[index] === this.#operators.showText && Array.isArray(parts);
    this.#expected = isText ? (parts as (Letter | number | null)[]).filter((part) => isLetter(part)) : [];
    if (this.#expected.some(({ operatorListId }) => operatorListId !== undefined))
      this.unknown.push((this.#count += 1));
    // Drawings of other pages go on after this part of the instructions.
    current = this; // eslint-disable-line @typescript-eslint/no-this-alias -- one drawing at a time is followed
    queueMicrotask(() => (current = null));
    return true;
  };

  addLetter(context: Context, text: string, x: number, y: number, isOutline: boolean): void {
    const matrix = context.getTransform().translate(x, y);
    const outline = isOutline ? context.lineWidth : 0;
    const { letter: last } = this.#last ?? {};
    if (this.#last !== null && last?.fontChar === text && isSamePlace(this.#last.matrix, matrix)) {
      this.#last.outline = outline;
      return;
    }
    if (this.#count >= mostLetters) {
      if (this.unknown.at(-1) !== this.#count) this.unknown.push(this.#count);
      return;
    }
    const at = this.#expected.findIndex(({ fontChar }) => fontChar === text);
    const letter = this.#expected[at];
    if (letter === undefined) return;
    this.#expected.splice(0, at + 1);
    this.#last = { letter, font: context.font, outline, matrix, metrics: context.measureText(text) };
    lettersOf(context.canvas).set((this.#count += 1), this.#last);
  }
}

const isSamePlace = (one: DOMMatrix, other: DOMMatrix): boolean => one.e === other.e && one.f === other.f;

const isLetter = (part: Letter | number | null): part is Letter => typeof part === 'object' && part !== null;

/** Pixels of the drawing that is read, and its pixels per point at most. */
const mostPixels = 4_000_000;
const finest = 3;

/** More letters of a page are not read: a page of small print has about ten thousand. */
const mostLetters = 20_000;

/**
 * Draws a page and reads the words from the letters that can be seen, in the order of drawing. `UNREADABLE` stands for
 * letters with another shape than their meaning, or with a shape beyond comparison. Rejects when the page cannot be
 * drawn.
 */
export async function drawnWords(page: PDFPageProxy): Promise<string> {
  const { OPS } = await import('pdfjs-dist');
  const { width, height } = page.getViewport({ scale: 1 });
  const viewport = page.getViewport({ scale: Math.min(finest, Math.sqrt(mostPixels / (width * height))) });
  const { canvas, context } = emptySheet(Math.round(viewport.width), Math.round(viewport.height));
  const record = new WordRecord(OPS);
  const operationsFilter = record.follow as unknown as (index: number) => boolean;
  const canvasContext = watched(canvas) ?? context;
  await page.render({ canvas: null, canvasContext, viewport, background: '#ffffff', operationsFilter }).promise;
  const letters = lettersOf(canvas);
  const look = compareLook(context, [...letters.values()]);
  const judged = new Map<string, LetterJudgement>();
  const judge = ({ letter, font }: DrawnLetter): LetterJudgement => {
    const key = JSON.stringify([font.replace(/[\d.]+px/, ''), letter.fontChar, letter.unicode]);
    const known = judged.get(key) ?? judgeLetter(font, letter.fontChar, letter.unicode);
    judged.set(key, known);
    return known;
  };
  return composeWords(letters, record.unknown, (letter) => {
    const judgement = judge(letter);
    if (judgement === 'blank') return letter.letter.unicode.trim() === '' ? ' ' : '';
    const looks = look(letter);
    if (looks === 'hidden') return '';
    return looks === 'as drawn' && judgement === 'fits' ? letter.letter.unicode : UNREADABLE;
  });
}

function emptySheet(width: number, height: number): { canvas: HTMLCanvasElement; context: Context } {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [Math.max(1, width), Math.max(1, height)];
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (context === null) throw new Error('The browser gives no drawing context.');
  return { canvas, context };
}

/**
 * - `as drawn`: the finished page has the letter. `hidden`: the page is empty at this place.
 * - `mixed`: something else is there too, or in place of the letter.
 */
type Look = 'as drawn' | 'hidden' | 'mixed';

/** The correlation of a letter with its picture on the page; that of two different letters is lower. */
const ALIKE = 0.75;

/** Steps of brightness (of 255) by which ink and paper differ at least, as a standard deviation. */
const VISIBLE = 6;

/** Compares the finished page with a sheet of nothing but the letters, all of them visible. */
function compareLook(page: Context, letters: readonly DrawnLetter[]): (letter: DrawnLetter) => Look {
  const { width, height } = page.canvas;
  const seen = page.getImageData(0, 0, width, height);
  const { context: sheet } = emptySheet(width, height);
  for (const letter of letters) paint(sheet, letter);
  const all: Part = { image: sheet.getImageData(0, 0, width, height), left: 0, top: 0 };
  const overlapping = overlappingLetters(letters);
  const inkOf = (letter: DrawnLetter, { left, top, right, bottom }: Box): Part => {
    if (!overlapping.has(letter)) return all;
    const { context } = emptySheet(right - left, bottom - top);
    paint(context, letter, new DOMMatrix().translate(-left, -top));
    return { image: context.getImageData(0, 0, right - left, bottom - top), left, top };
  };
  return (letter) => {
    const box = boxOf(letter);
    if (box.left < 1 || box.top < 1 || box.right >= width || box.bottom >= height) return 'hidden';
    const ink = inkOf(letter, box);
    const { contrast, likeness } = correlate(ink, seen, box, 0, 0);
    if (contrast < VISIBLE) return 'hidden';
    if (likeness >= ALIKE) return 'as drawn';
    // Thin strokes lie a pixel beside, where the drawing rounds their place.
    const isBeside = neighbours.some(([x, y]) => correlate(ink, seen, box, x, y).likeness >= ALIKE);
    return isBeside ? 'as drawn' : 'mixed';
  };
}

function paint(sheet: Context, { letter: { fontChar }, font, outline, matrix }: DrawnLetter, moved?: DOMMatrix): void {
  sheet.setTransform(moved?.multiply(matrix) ?? matrix);
  sheet.font = font;
  sheet.fillText(fontChar, 0, 0);
  if (outline === 0) return;
  sheet.lineWidth = outline;
  sheet.strokeText(fontChar, 0, 0);
}

/** Letters with most of their box inside another letter's: each is looked for alone. */
function overlappingLetters(letters: readonly DrawnLetter[]): ReadonlySet<DrawnLetter> {
  const found = new Set<DrawnLetter>();
  const fields = new Map<string, (readonly [DrawnLetter, Box])[]>();
  for (const letter of letters) {
    const box = boxOf(letter);
    const field = `${Math.floor((box.left + box.right) / 64)} ${Math.floor((box.top + box.bottom) / 64)}`;
    const near = neighbours.flatMap(([x, y]) => {
      const [column = 0, row = 0] = field.split(' ').map(Number);
      return fields.get(`${column + x} ${row + y}`) ?? [];
    });
    for (const [other, place] of near) {
      if (sharedPart(box, place) < MOSTLY) continue;
      found.add(letter);
      found.add(other);
    }
    fields.set(field, [...(fields.get(field) ?? []), [letter, box]]);
  }
  return found;
}

/** The common part of two boxes, as a share of the smaller box. */
function sharedPart(one: Box, other: Box): number {
  const area = ({ left, top, right, bottom }: Box): number => Math.max(0, right - left) * Math.max(0, bottom - top);
  const common = {
    left: Math.max(one.left, other.left),
    top: Math.max(one.top, other.top),
    right: Math.min(one.right, other.right),
    bottom: Math.min(one.bottom, other.bottom),
  };
  return area(common) / Math.max(1, Math.min(area(one), area(other)));
}

const MOSTLY = 0.4;

const neighbours = [-1, 0, 1].flatMap((x) => [-1, 0, 1].map((y) => [x, y] as const));

interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** A part of a sheet, by the place of its corner. */
interface Part {
  readonly image: ImageData;
  readonly left: number;
  readonly top: number;
}

/** The correlation of ink with the best of the three colours, which lie `dx` and `dy` beside. */
function correlate(
  ink: Part,
  { data, width }: ImageData,
  { left, top, right, bottom }: Box,
  dx: number,
  dy: number,
): { readonly contrast: number; readonly likeness: number } {
  let [contrast, likeness] = [0, 0];
  const count = (right - left) * (bottom - top);
  for (let channel = 0; channel < 3; channel += 1) {
    let [sumInk, sum, squaresInk, squares, products] = [0, 0, 0, 0, 0];
    for (let y = top; y < bottom; y += 1) {
      for (let x = left; x < right; x += 1) {
        const dark = ink.image.data[((y - ink.top) * ink.image.width + x - ink.left) * 4 + 3] ?? 0;
        const colour = data[((y + dy) * width + x + dx) * 4 + channel] ?? 0;
        sumInk += dark;
        sum += colour;
        squaresInk += dark * dark;
        squares += colour * colour;
        products += dark * colour;
      }
    }
    const spreadInk = Math.sqrt(Math.max(0, squaresInk / count - (sumInk / count) ** 2));
    const spread = Math.sqrt(Math.max(0, squares / count - (sum / count) ** 2));
    contrast = Math.max(contrast, spread);
    if (spreadInk === 0 || spread < VISIBLE) continue;
    likeness = Math.max(likeness, Math.abs(products / count - (sumInk / count) * (sum / count)) / (spreadInk * spread));
  }
  return { contrast, likeness };
}

/** The pixels around a letter, with a little paper on each side. */
function boxOf({ matrix, metrics }: DrawnLetter): Box {
  const { actualBoundingBoxLeft, actualBoundingBoxRight, actualBoundingBoxAscent, actualBoundingBoxDescent } = metrics;
  const corners = [-actualBoundingBoxLeft, actualBoundingBoxRight].flatMap((x) =>
    [-actualBoundingBoxAscent, actualBoundingBoxDescent].map((y) => matrix.transformPoint({ x, y })),
  );
  const [xs, ys] = [corners.map(({ x }) => x), corners.map(({ y }) => y)];
  return {
    left: Math.floor(Math.min(...xs)) - 1,
    top: Math.floor(Math.min(...ys)) - 1,
    right: Math.ceil(Math.max(...xs)) + 1,
    bottom: Math.ceil(Math.max(...ys)) + 1,
  };
}

/** Ems between letters of two words, and of two lines. */
const WORD = 0.16;
const LINE = 0.5;

function composeWords(letters: Letters, unknown: readonly number[], read: (letter: DrawnLetter) => string): string {
  const all = [...letters, ...unknown.map((number) => [number, null] as const)].sort(([one], [other]) => one - other);
  let text = '';
  let last: DrawnLetter | null = null;
  const add = (part: string): void => {
    if (part !== UNREADABLE || !text.endsWith(UNREADABLE)) text += part;
  };
  for (const [, letter] of all) {
    const part = letter === null ? UNREADABLE : read(letter);
    if (part === '') continue;
    if (letter !== null && last !== null) add(gapBetween(last, letter));
    add(part);
    last = letter ?? last;
  }
  return text.replace(/ {2,}/g, ' ').trim();
}

function gapBetween(one: DrawnLetter, { matrix }: DrawnLetter): string {
  const { a, b } = one.matrix;
  const length = Math.hypot(a, b);
  if (length === 0) return ' ';
  const em = length * Number.parseFloat(/([\d.]+)px/.exec(one.font)?.[1] ?? '1');
  const [dx, dy] = [matrix.e - one.matrix.e, matrix.f - one.matrix.f];
  const along = (dx * a + dy * b) / length - (one.letter.width / 1000) * em;
  const across = Math.abs(dy * a - dx * b) / length;
  if (across > LINE * em) return '\n';
  return along > WORD * em || along < -em ? ' ' : '';
}
