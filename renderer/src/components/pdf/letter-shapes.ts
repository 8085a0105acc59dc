/**
 * Compares the shape of a drawn letter with its character in the file. Fonts of a file may draw any shape for any
 * character, so the file's word for a letter counts only when a usual font draws the character alike.
 */

/** A drawn letter, stretched to a square. */
interface Shape {
  /** The share of ink in each field of the square, row by row. */
  readonly ink: Float32Array;
  /** Logarithm of width to height. */
  readonly slimness: number;
}

/** Fields of a side of the square. */
const SIDE = 16;

/** Pixels of an em, and of the canvas around a letter. */
const EM = 48;
const CANVAS = 4 * EM;

const families = ['sans-serif', 'serif', 'monospace', '"Liberation Sans"', 'Georgia', 'Arial'];
const styles = ['', 'bold ', 'italic '];
const usualFonts = families.flatMap((family) => styles.map((style) => `${style}${EM}px ${family}`));

const DIGITS = '0123456789';
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz€$%';
const candidates = Array.from(`${DIGITS}${LETTERS}`);

/** Characters of one shape in many fonts. */
const twins = ['0Oo', '1Il|i!', '-–—−_', ".,'`’‘", '"“”'];

/** Distances of one character in two fonts: always, and at most times. */
const SURE = 0.08;
const LIKELY = 0.12;

/** A doubt needs another character this many times nearer. Between two digits the nearest counts. */
const MUCH_NEARER = 0.6;
const NEARER = 0.9;

const areTwins = (one: string, other: string): boolean =>
  one.normalize('NFKC').toLowerCase() === other.normalize('NFKC').toLowerCase() ||
  twins.some((group) => group.includes(one) && group.includes(other));

const usualShapes = new Map<string, readonly Shape[]>();

/** The shapes of a character in the usual fonts. */
function shapesOf(character: string): readonly Shape[] {
  const known = usualShapes.get(character);
  if (known !== undefined) return known;
  const shapes = usualFonts.map((font) => drawShape(font, character)).filter((shape) => shape !== null);
  usualShapes.set(character, shapes);
  return shapes;
}

/** Draws a letter in a font of CSS; null when nothing is drawn. */
function drawShape(font: string, character: string): Shape | null {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [CANVAS, CANVAS];
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (context === null) return null;
  context.font = font;
  context.fillText(character, EM, 2.5 * EM);
  const { data } = context.getImageData(0, 0, CANVAS, CANVAS);
  const inkAt = (x: number, y: number): number => (data[(y * CANVAS + x) * 4 + 3] ?? 0) / 255;
  let [left, top, right, bottom] = [CANVAS, CANVAS, 0, 0];
  for (let y = 0; y < CANVAS; y += 1) {
    for (let x = 0; x < CANVAS; x += 1) {
      if (inkAt(x, y) < 0.5) continue;
      [left, top] = [Math.min(left, x), Math.min(top, y)];
      [right, bottom] = [Math.max(right, x + 1), Math.max(bottom, y + 1)];
    }
  }
  if (right <= left) return null;
  const [width, height] = [right - left, bottom - top];
  const ink = new Float32Array(SIDE * SIDE);
  // Four samples a field: smooth enough for strokes of different thickness.
  for (let field = 0; field < ink.length; field += 1) {
    for (const [dx, dy] of [
      [0.25, 0.25],
      [0.75, 0.25],
      [0.25, 0.75],
      [0.75, 0.75],
    ] as const) {
      // prettier-ignore
      const x = left + Math.floor((((field % SIDE) + dx) * width) / SIDE);
      const y = top + Math.floor(((Math.floor(field / SIDE) + dy) * height) / SIDE);
      ink[field] = (ink[field] ?? 0) + inkAt(x, y) / 4;
    }
  }
  return { ink: blurred(ink), slimness: Math.log(width / height) };
}

/** Mixes each field with its neighbours: strokes a little apart still meet. */
function blurred(ink: Float32Array): Float32Array {
  const at = (x: number, y: number): number => ink[y * SIDE + x] ?? 0;
  return ink.map((_, field) => {
    const [x, y] = [field % SIDE, Math.floor(field / SIDE)];
    let [sum, count] = [0, 0];
    for (let row = Math.max(0, y - 1); row <= Math.min(SIDE - 1, y + 1); row += 1) {
      for (let column = Math.max(0, x - 1); column <= Math.min(SIDE - 1, x + 1); column += 1) {
        sum += at(column, row);
        count += 1;
      }
    }
    return sum / count;
  });
}

function distanceBetween(one: Shape, other: Shape): number {
  let sum = 0;
  for (let field = 0; field < one.ink.length; field += 1) {
    sum += Math.abs((one.ink[field] ?? 0) - (other.ink[field] ?? 0));
  }
  return sum / one.ink.length + 0.15 * Math.min(2, Math.abs(one.slimness - other.slimness));
}

/** The distance of a shape to the nearest drawing of a character in the usual fonts. */
const distanceTo = (character: string, shape: Shape): number =>
  Math.min(...shapesOf(character).map((usual) => distanceBetween(usual, shape)), Infinity);

/**
 * - `fits`: the shape may be the character.
 * - `blank`: the font draws nothing.
 * - `other`: the shape is rather another character's.
 */
export type LetterJudgement = 'fits' | 'blank' | 'other';

/** Judges a letter of a font by its character in the file. `font` is a font of CSS. */
export function judgeLetter(font: string, letter: string, character: string): LetterJudgement {
  const shape = drawShape(font.replace(/[\d.]+px/, `${EM}px`), letter);
  if (shape === null) return 'blank';
  if (/^[\s\p{C}]*$/u.test(character)) return 'other';
  // Accents may be drawn apart from their letter.
  const own = Math.min(distanceTo(character, shape), distanceTo(character.normalize('NFD').slice(0, 1), shape));
  for (const candidate of candidates) {
    if (areTwins(candidate, character)) continue;
    const distance = distanceTo(candidate, shape);
    if (distance < own * shareFor(candidate, character, own, distance)) return 'other';
  }
  return 'fits';
}

/** A candidate below this share of the character's own distance is rather the drawn letter. */
function shareFor(candidate: string, character: string, own: number, distance: number): number {
  const isDigit = DIGITS.includes(candidate);
  if (isDigit && /\p{N}/u.test(character)) return NEARER;
  const isClear = distance < SURE ? isDigit || own > LIKELY : distance < LIKELY && own > 2 * LIKELY;
  return isClear ? MUCH_NEARER : 0;
}
