/** Finds a part of a drawn page on which nothing is drawn. The core and the window find the same parts. */

/** A drawing of a page: RGBA, rows from the top. */
export interface PageDrawing {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array | Uint8ClampedArray;
}

/** A rectangle on a page as displayed: points from its top left corner. */
export interface PageBox {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** The page as displayed, and the parts that are taken although nothing is drawn there, such as empty fields. */
export interface PageInk {
  /** Points. */
  readonly width: number;
  readonly height: number;
  readonly drawing: PageDrawing;
  readonly taken: readonly PageBox[];
}

/** Points of white around a stamp, and from a stamp to the edge of the page. */
const DISTANCE = 4;
const EDGE = 14;
/** Points between two tried places. */
const STEP = 2;
/** Sizes that are tried, as shares of the wanted size. */
const SHARES = [1, 0.88, 0.76, 0.64];
/** Least difference of a colour from that of the paper that counts as ink: first any ink, then the noise of a scan is paper. */
const DIFFERENCES = [10, 56];

/** The most frequent colour of a drawing, each part in 16 steps; the paper of a page with a ground or of a scan. */
function paperOf({ pixels }: PageDrawing): readonly [number, number, number] {
  const counts = new Map<number, number>();
  const sums = new Map<number, [number, number, number]>();
  for (let at = 0; at + 3 < pixels.length; at += 4 * 7) {
    const [red = 0, green = 0, blue = 0] = [pixels[at], pixels[at + 1], pixels[at + 2]];
    const key = ((red >> 4) << 8) | ((green >> 4) << 4) | (blue >> 4);
    const sum = sums.get(key) ?? [0, 0, 0];
    sums.set(key, [sum[0] + red, sum[1] + green, sum[2] + blue]);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const [key, count] = [...counts].reduce<readonly [number, number]>(
    (most, one) => (one[1] > most[1] ? one : most),
    [0, 1],
  );
  const [red, green, blue] = sums.get(key) ?? [255, 255, 255];
  return [red / count, green / count, blue / count];
}

/** Counts of inked pixels above and left of each pixel, in a table with one row and one column more. */
function countInk({ width, height, drawing, taken }: PageInk, difference: number): Int32Array {
  const paper = paperOf(drawing);
  const { pixels, width: columns, height: rows } = drawing;
  const inked = new Uint8Array(columns * rows);
  for (let index = 0; index < inked.length; index += 1) {
    const away = Math.max(
      Math.abs((pixels[index * 4] ?? 0) - paper[0]),
      Math.abs((pixels[index * 4 + 1] ?? 0) - paper[1]),
      Math.abs((pixels[index * 4 + 2] ?? 0) - paper[2]),
    );
    if (away > difference) inked[index] = 1;
  }
  const [across, down] = [columns / width, rows / height];
  for (const box of taken) {
    const last = Math.min(columns, Math.ceil((box.left + box.width) * across));
    for (
      let row = Math.max(0, Math.floor(box.top * down));
      row < Math.min(rows, (box.top + box.height) * down);
      row += 1
    ) {
      inked.fill(1, row * columns + Math.max(0, Math.floor(box.left * across)), row * columns + Math.max(0, last));
    }
  }
  const table = new Int32Array((columns + 1) * (rows + 1));
  for (let row = 0; row < rows; row += 1) {
    let line = 0;
    for (let column = 0; column < columns; column += 1) {
      line += inked[row * columns + column] ?? 0;
      const above = table[row * (columns + 1) + column + 1] ?? 0;
      table[(row + 1) * (columns + 1) + column + 1] = above + line;
    }
  }
  return table;
}

/** Tells whether a rectangle of the page has ink. */
function inkTest(ink: PageInk, difference: number): (box: PageBox) => boolean {
  const table = countInk(ink, difference);
  const { width: columns, height: rows } = ink.drawing;
  const [across, down] = [columns / ink.width, rows / ink.height];
  const at = (row: number, column: number): number => table[row * (columns + 1) + column] ?? 0;
  return ({ left, top, width, height }) => {
    const first = Math.max(0, Math.floor(left * across));
    const last = Math.min(columns, Math.ceil((left + width) * across));
    const highest = Math.max(0, Math.floor(top * down));
    const lowest = Math.min(rows, Math.ceil((top + height) * down));
    return at(lowest, last) - at(highest, last) - at(lowest, first) + at(highest, first) > 0;
  };
}

const widened = ({ left, top, width, height }: PageBox): PageBox => ({
  left: left - DISTANCE,
  top: top - DISTANCE,
  width: width + 2 * DISTANCE,
  height: height + 2 * DISTANCE,
});

/** Positions from `least` to `most`, those nearest to `wanted` first. */
function positions(wanted: number, least: number, most: number): readonly number[] {
  if (most < least) return [];
  const start = Math.min(most, Math.max(least, wanted));
  const found = [start];
  for (let away = STEP; start - away >= least || start + away <= most; away += STEP) {
    if (start - away >= least) found.push(start - away);
    if (start + away <= most) found.push(start + away);
  }
  return found;
}

/** The nearest empty box of this size. Places far above or below cost more than places beside. */
function nearest(hasInk: (box: PageBox) => boolean, page: PageInk, wanted: PageBox): PageBox | undefined {
  const { width, height } = wanted;
  let best: { readonly box: PageBox; readonly cost: number } | undefined;
  for (const top of positions(wanted.top, EDGE, page.height - EDGE - height)) {
    const down = Math.abs(top - wanted.top);
    if (best !== undefined && down >= best.cost) continue;
    for (const left of positions(wanted.left, EDGE, page.width - EDGE - width)) {
      const cost = Math.hypot(left - wanted.left, down);
      if (best !== undefined && cost >= best.cost) break;
      const box = { left, top, width, height };
      if (!hasInk(widened(box))) best = { box, cost };
    }
  }
  return best?.box;
}

/**
 * The empty part of a page nearest to the wanted box: of the same size, or smaller in proportion on a full page.
 * Undefined where the page has no empty part. A wanted box over nothing is the answer itself.
 */
export function emptyPlace(page: PageInk, wanted: PageBox): PageBox | undefined {
  for (const difference of DIFFERENCES) {
    const hasInk = inkTest(page, difference);
    if (!hasInk(widened(wanted))) return wanted;
    for (const share of SHARES) {
      const [width, height] = [wanted.width * share, wanted.height * share];
      // A smaller box keeps the lower left corner of the wanted box.
      const box = nearest(hasInk, page, { left: wanted.left, top: wanted.top + wanted.height - height, width, height });
      if (box !== undefined) return box;
    }
  }
  return undefined;
}
