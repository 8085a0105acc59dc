/** The pixels of a drawing: four bytes each, red, green, blue and opacity. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8ClampedArray;
}

/** Largest difference of a colour that counts as equal, because edges are smoothed. */
const tolerance = 48;

/** The colour over a changed pixel: red, half transparent. */
const mark = [214, 40, 40, 150] as const;

/**
 * Marks the pixels of `now` that differ from `before`; pixels outside of `before` count as different. Transparent
 * pixels count as white paper. Answers the marks and their number.
 */
export function markDifferences(before: Pixels, now: Pixels): { readonly marks: Pixels; readonly count: number } {
  const data = new Uint8ClampedArray(now.width * now.height * 4);
  let count = 0;
  for (let y = 0; y < now.height; y += 1) {
    for (let x = 0; x < now.width; x += 1) {
      const isThere = x < before.width && y < before.height;
      if (isThere && isAlike(before, (y * before.width + x) * 4, now, (y * now.width + x) * 4)) continue;
      data.set(mark, (y * now.width + x) * 4);
      count += 1;
    }
  }
  return { marks: { width: now.width, height: now.height, data }, count };
}

function isAlike(one: Pixels, atOne: number, other: Pixels, atOther: number): boolean {
  for (let channel = 0; channel < 3; channel += 1) {
    if (Math.abs(onPaper(one, atOne, channel) - onPaper(other, atOther, channel)) > tolerance) return false;
  }
  return true;
}

/** A colour as it looks on white paper. */
function onPaper({ data }: Pixels, at: number, channel: number): number {
  const opacity = (data[at + 3] ?? 0) / 255;
  return 255 - opacity * (255 - (data[at + channel] ?? 0));
}
