/** A picture: opaque pixels, four bytes (red, green, blue, alpha) each. */
export interface Drawing {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8ClampedArray | Uint8Array;
}

/** A rectangle of a drawing, in pixels. */
export interface Area {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Differences of two drawings that edges, rounding and colour management do not explain. */
export interface Comparison {
  /** Pixels of either drawing without their like in the other one nearby. */
  readonly unlike: number;
  /** The places where drawings differ as a reader would notice. Empty for the same drawing. */
  readonly areas: readonly Area[];
}

/** Engines place edges up to this number of pixels apart. */
const NEARBY = 2;

/** Steps of brightness (of 255) that smoothing of edges, and the colours of printing inks, explain. */
const BRIGHTNESS = 40;

/** The same for each of the three colours: engines convert inks by different tables. */
const COLOUR = 120;

/** A line thinner than a pixel is black in one engine and grey in the next: so many times as strong as here at most. */
const CONTRAST = 2;

/** Pixels of a straight line on one side of a place: more than the strokes of small print have. */
const SIDE_OF_LINE = 32;

/** A line of one or two pixels has paper at this distance on both sides. */
const BESIDE = 3;

/** Steps of brightness between paper and the faintest line that an engine draws. */
const FAINT = 12;

/** The share of a line's places with paper on both sides; other lines cross the rest. */
const MOST_OF_LINE = 0.75;

/** Pixels of a side of a tile: unlike pixels are counted by tiles, so that a speck is not a word. */
const TILE = 16;

/** Unlike pixels in a tile that are a part of a letter, not a speck. */
const MOST_IN_TILE = 12;

/** The same for a tile and the eight around it: thin letters leave a few in each. */
const MOST_AROUND = 24;

/**
 * Compares two drawings of the same size. A pixel is unlike when its brightness, or one of its colours, is clearly
 * outside of the range in the other drawing's neighbourhood: this forgives edges that are placed or smoothed
 * differently, and nothing larger. Both ways, so that what only one shows is found in either. A straight hairline may be
 * much fainter in one drawing: some engines draw a whole black pixel, others spread the little ink over two.
 */
export function compareDrawings(one: Drawing, other: Drawing): Comparison {
  const { width, height } = one;
  const columns = Math.ceil(width / TILE);
  const rows = Math.ceil(height / TILE);
  const tiles = new Uint16Array(columns * rows);
  let unlike = 0;
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = (y * width + x) * 4;
      if (isNear(one.pixels, at, other.pixels, at)) continue;
      if (!isUnlike(one, other, x, y) && !isUnlike(other, one, x, y)) continue;
      unlike += 1;
      const tile = Math.floor(y / TILE) * columns + Math.floor(x / TILE);
      tiles[tile] = (tiles[tile] ?? 0) + 1;
    }
  }
  return { unlike, areas: areasOf(tiles, columns, rows, one) };
}

const brightness = (pixels: Drawing['pixels'], at: number): number =>
  ((pixels[at] ?? 0) * 77 + (pixels[at + 1] ?? 0) * 151 + (pixels[at + 2] ?? 0) * 28) >> 8;

function isNear(one: Drawing['pixels'], at: number, other: Drawing['pixels'], place: number): boolean {
  for (let channel = 0; channel < 3; channel += 1) {
    if (Math.abs((one[at + channel] ?? 0) - (other[place + channel] ?? 0)) > BRIGHTNESS) return false;
  }
  return true;
}

/** True if the pixel of a drawing has no like in the other one nearby, and belongs to no hairline of both. */
function isUnlike(of: Drawing, other: Drawing, x: number, y: number): boolean {
  if (!isOutside(of, (y * of.width + x) * 4, other, x, y)) return false;
  return !isOnHairline(of, other, x, y, 'across') && !isOnHairline(of, other, x, y, 'down');
}

/** True if a straight line of one or two pixels goes through a place in both drawings. */
function isOnHairline(of: Drawing, other: Drawing, x: number, y: number, way: 'across' | 'down'): boolean {
  const [length, depth] = way === 'across' ? [of.width, of.height] : [of.height, of.width];
  const [along, beside] = way === 'across' ? [x, y] : [y, x];
  if (beside < BESIDE || beside >= depth - BESIDE) return false;
  const at = (drawing: Drawing, place: number, side: number): number => {
    const [column, row] = way === 'across' ? [place, side] : [side, place];
    return brightness(drawing.pixels, (row * of.width + column) * 4);
  };
  const own = at(of, along, beside);
  const isLine = (place: number): boolean =>
    place >= 0 &&
    place < length &&
    Math.abs(at(of, place, beside) - own) <= BRIGHTNESS &&
    [-BESIDE, BESIDE].every((step) => at(of, place, beside + step) - own > BRIGHTNESS) &&
    hasFaintLine((side) => at(other, place, side), beside);
  return [-1, 1].some((step) => {
    let lines = 0;
    for (let moved = 1; moved <= SIDE_OF_LINE; moved += 1) if (isLine(along + moved * step)) lines += 1;
    return lines >= SIDE_OF_LINE * MOST_OF_LINE;
  });
}

/** True if something near the place is darker than the paper on both sides. */
function hasFaintLine(brightnessAt: (side: number) => number, beside: number): boolean {
  const paper = Math.min(brightnessAt(beside - BESIDE), brightnessAt(beside + BESIDE));
  for (let side = beside - NEARBY; side <= beside + NEARBY; side += 1) {
    if (paper - brightnessAt(side) >= FAINT) return true;
  }
  return false;
}

/** True if the pixel is outside of the range of its neighbourhood in the other drawing. */
function isOutside(of: Drawing, at: number, other: Drawing, x: number, y: number): boolean {
  const { width, height, pixels } = other;
  const lowest = [255, 255, 255, 255];
  const highest = [0, 0, 0, 0];
  for (let row = Math.max(0, y - NEARBY); row <= Math.min(height - 1, y + NEARBY); row += 1) {
    for (let column = Math.max(0, x - NEARBY); column <= Math.min(width - 1, x + NEARBY); column += 1) {
      const place = (row * width + column) * 4;
      for (let channel = 0; channel < 4; channel += 1) {
        const value = channel === 3 ? brightness(pixels, place) : (pixels[place + channel] ?? 0);
        if (value < (lowest[channel] ?? 0)) lowest[channel] = value;
        if (value > (highest[channel] ?? 0)) highest[channel] = value;
      }
    }
  }
  const contrast = (highest[3] ?? 0) - (lowest[3] ?? 0);
  for (let channel = 0; channel < 4; channel += 1) {
    const value = channel === 3 ? brightness(of.pixels, at) : (of.pixels[at + channel] ?? 0);
    const allowed = Math.max(channel === 3 ? BRIGHTNESS : COLOUR, CONTRAST * contrast);
    if (value < (lowest[channel] ?? 0) - allowed || value > (highest[channel] ?? 0) + allowed) return true;
  }
  return false;
}

/** The rectangles around groups of tiles that differ. */
function areasOf(tiles: Uint16Array, columns: number, rows: number, { width, height }: Drawing): readonly Area[] {
  const differs = (column: number, row: number): boolean => {
    const own = tiles[row * columns + column] ?? 0;
    if (own === 0) return false;
    if (own > MOST_IN_TILE) return true;
    let around = 0;
    for (let y = Math.max(0, row - 1); y <= Math.min(rows - 1, row + 1); y += 1) {
      for (let x = Math.max(0, column - 1); x <= Math.min(columns - 1, column + 1); x += 1) {
        around += tiles[y * columns + x] ?? 0;
      }
    }
    return around > MOST_AROUND;
  };
  const seen = new Set<number>();
  const areas: Area[] = [];
  for (let start = 0; start < tiles.length; start += 1) {
    if (seen.has(start) || !differs(start % columns, Math.floor(start / columns))) continue;
    const group = [start];
    let [left, top, right, bottom] = [columns, rows, 0, 0];
    seen.add(start);
    for (let tile = group.pop(); tile !== undefined; tile = group.pop()) {
      const [column, row] = [tile % columns, Math.floor(tile / columns)];
      [left, top] = [Math.min(left, column), Math.min(top, row)];
      [right, bottom] = [Math.max(right, column + 1), Math.max(bottom, row + 1)];
      for (let y = Math.max(0, row - 1); y <= Math.min(rows - 1, row + 1); y += 1) {
        for (let x = Math.max(0, column - 1); x <= Math.min(columns - 1, column + 1); x += 1) {
          const next = y * columns + x;
          if (seen.has(next) || !differs(x, y)) continue;
          seen.add(next);
          group.push(next);
        }
      }
    }
    const [x, y] = [left * TILE, top * TILE];
    areas.push({
      left: x,
      top: y,
      width: Math.min(right * TILE, width) - x,
      height: Math.min(bottom * TILE, height) - y,
    });
  }
  return areas;
}
