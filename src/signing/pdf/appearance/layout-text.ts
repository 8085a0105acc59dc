import type { TrueTypeFont } from './true-type-font.ts';

/** Text broken into fitting lines. */
export interface TextLayout {
  /** Points. */
  readonly size: number;
  readonly lines: readonly string[];
}

/**
 * Distance between base lines, and from the top to the first base line, in font sizes; room for accents on capitals.
 */
export const LINE_PITCH = 1.25;
export const FIRST_BASE_LINE = 0.98;

const LARGEST = 12;
const SMALLEST = 1;
const STEP = 0.25;
/** Words are broken only when too long for a line in this size. */
const READABLE = 6;

/** Width of a text in font sizes. */
export function widthOf(font: TrueTypeFont, text: string): number {
  let width = 0;
  for (const character of text) width += font.advanceOf(font.glyphOf(character.codePointAt(0) ?? 0) ?? 0);
  return width / font.unitsPerEm;
}

/** Cuts a word wider than the line. */
function cutWord(font: TrueTypeFont, word: string, limit: number): readonly string[] {
  const pieces: string[] = [];
  let piece = '';
  for (const character of word) {
    if (piece !== '' && widthOf(font, piece + character) > limit) {
      pieces.push(piece);
      piece = '';
    }
    piece += character;
  }
  return [...pieces, piece];
}

/** Breaks a line at spaces, and inside words longer than any line. `limit` is in font sizes. */
export function wrap(font: TrueTypeFont, line: string, limit: number): readonly string[] {
  const lines: string[] = [];
  let current = '';
  for (const word of line.split(' ').filter((part) => part !== '')) {
    const longer = current === '' ? word : `${current} ${word}`;
    if (widthOf(font, longer) <= limit) {
      current = longer;
      continue;
    }
    if (current !== '') lines.push(current);
    const pieces = cutWord(font, word, limit);
    lines.push(...pieces.slice(0, -1));
    current = pieces.at(-1) ?? '';
  }
  return [...lines, current];
}

/**
 * Breaks the text for the given room in the largest fitting size, up to 12 points. Words stay whole down to 6 points.
 * In a room too small for 1 point, the edge of the stamp cuts the text.
 */
export function layoutText(
  font: TrueTypeFont,
  lines: readonly string[],
  room: { readonly width: number; readonly height: number },
): TextLayout {
  const widest = Math.max(0, ...lines.flatMap((line) => line.split(' ')).map((word) => widthOf(font, word)));
  for (let size = LARGEST; ; size -= STEP) {
    if (widest * size > room.width && size > READABLE) continue;
    const wrapped = lines.flatMap((line) => wrap(font, line, room.width / size));
    const fits = wrapped.length * LINE_PITCH * size <= room.height;
    if (fits || size <= SMALLEST) return { size, lines: wrapped };
  }
}
