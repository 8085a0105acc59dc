import { describe, expect, it } from 'vitest';
import { compareDrawings, type Drawing } from '../../renderer/src/components/pdf/compare-drawings.ts';

type Box = readonly [left: number, top: number, width: number, height: number];
type Colour = readonly [red: number, green: number, blue: number];

const BLACK: Colour = [0, 0, 0];

/** A white drawing with coloured boxes. */
function drawing(...boxes: readonly (readonly [box: Box, colour?: Colour])[]): Drawing {
  const [width, height] = [200, 100];
  const pixels = new Uint8ClampedArray(width * height * 4).fill(255);
  for (const [[left, top, wide, high], colour = BLACK] of boxes) {
    for (let y = top; y < top + high; y += 1) {
      for (let x = left; x < left + wide; x += 1) pixels.set(colour, (y * width + x) * 4);
    }
  }
  return { width, height, pixels };
}

const LETTER: Box = [40, 40, 12, 20];
const ACROSS: Box = [0, 50, 200, 1];
const DOWN: Box = [45, 0, 1, 100];

/** Upright strokes as high as small print. */
const STROKES = [40, 44, 48, 52].map((left): readonly [Box] => [[left, 40, 1, 20]]);

describe('compareDrawings', () => {
  it.each([
    ['the same drawing', drawing([LETTER]), drawing([LETTER])],
    ['an edge that is two pixels away', drawing([LETTER]), drawing([[42, 42, 12, 20]])],
    [
      'an edge that is smoothed',
      drawing([LETTER]),
      drawing(
        [
          [39, 39, 14, 22],
          [128, 128, 128],
        ],
        [LETTER],
      ),
    ],
    ['a colour that is converted by another table', drawing([LETTER, [0, 174, 239]]), drawing([LETTER, [0, 190, 255]])],
    ['a speck', drawing(), drawing([[40, 40, 3, 3]])],
    ['a hairline across, black and faint', drawing([ACROSS]), drawing([ACROSS, [225, 225, 225]])],
    ['a hairline down, black and faint', drawing([DOWN]), drawing([DOWN, [225, 225, 225]])],
  ])('finds no difference in %s', (_, one, other) => {
    expect(compareDrawings(one, other).areas).toEqual([]);
    expect(compareDrawings(other, one).areas).toEqual([]);
  });

  it.each([
    ['a letter that only one shows', drawing([LETTER]), drawing()],
    ['a line that only one shows', drawing([ACROSS]), drawing()],
    [
      'a line whose faint twin is a stripe',
      drawing([[20, 48, 160, 8]]),
      drawing([
        [20, 48, 160, 8],
        [225, 225, 225],
      ]),
    ],
    [
      'black strokes that are faint in the other',
      drawing(...STROKES),
      drawing(...STROKES.map(([box]) => [box, [225, 225, 225]] as const)),
    ],
    ['a letter at another place', drawing([LETTER]), drawing([[60, 40, 12, 20]])],
    ['grey letters', drawing([LETTER, [200, 200, 200]]), drawing()],
    ['another colour of the same brightness', drawing([LETTER, [220, 0, 0]]), drawing([LETTER, [0, 112, 0]])],
    [
      'a box over a letter',
      drawing([LETTER]),
      drawing(
        [LETTER],
        [
          [30, 30, 40, 40],
          [255, 255, 255],
        ],
      ),
    ],
  ])('finds %s at its place', (_, one, other) => {
    for (const { areas } of [compareDrawings(one, other), compareDrawings(other, one)]) {
      expect(areas.length).toBeGreaterThan(0);
      const { left, top, width, height } = areas[0]!;
      expect(left).toBeLessThanOrEqual(52);
      expect(left + width).toBeGreaterThanOrEqual(40);
      expect(top).toBeLessThanOrEqual(60);
      expect(top + height).toBeGreaterThanOrEqual(40);
    }
  });

  it('finds two places apart', () => {
    const { areas } = compareDrawings(drawing([[10, 10, 12, 12]], [[150, 70, 12, 12]]), drawing());
    expect(areas).toHaveLength(2);
  });
});
