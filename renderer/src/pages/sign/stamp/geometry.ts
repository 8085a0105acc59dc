import type { Box, Size } from '../../../components/pdf/page-size.ts';
import type { CallInput } from '../../../../../src/ui-contract/ui-contract.ts';

/** The place of a stamp in the core's form: points inwards from a corner of the page as displayed. */
export interface Position extends Size {
  readonly corner: NonNullable<NonNullable<CallInput<'sign.create'>['visible']>['corner']>;
  readonly x: number;
  readonly y: number;
  /** True while nobody has placed the stamp: the stamp moves to the nearest empty part of each page. */
  readonly clear?: boolean;
}

/** The smallest stamp with readable words. */
export const smallest: Size = { width: 48, height: 24 };

const between = (least: number, value: number, most: number): number => Math.max(least, Math.min(value, most));
/** Rounds to tenths of a point, which is finer than any printer. */
const rounded = (value: number): number => Math.round(value * 10) / 10;

/** Moves a box into the page; every page is large enough for a stamp. */
export function inside(box: Box, page: Size): Box {
  const width = between(Math.min(smallest.width, page.width), box.width, page.width);
  const height = between(Math.min(smallest.height, page.height), box.height, page.height);
  return {
    width,
    height,
    left: between(0, box.left, page.width - width),
    top: between(0, box.top, page.height - height),
  };
}

export function boxOf({ corner, x, y, width, height }: Position, page: Size): Box {
  return {
    left: corner.endsWith('left') ? x : page.width - x - width,
    top: corner.startsWith('top') ? y : page.height - y - height,
    width,
    height,
  };
}

/**
 * The position relative to the corner nearest to the middle of the box, so that a stamp at the bottom of a page stays
 * at the bottom on pages of other sizes.
 */
export function positionOf(box: Box, page: Size): Position {
  const { left, top, width, height } = box;
  const isLeft = left + width / 2 <= page.width / 2;
  const isTop = top + height / 2 <= page.height / 2;
  return {
    corner: `${isTop ? 'top' : 'bottom'}-${isLeft ? 'left' : 'right'}`,
    x: rounded(Math.max(0, isLeft ? left : page.width - left - width)),
    y: rounded(Math.max(0, isTop ? top : page.height - top - height)),
    width: rounded(width),
    height: rounded(height),
  };
}

/** Moves a box, but not beyond the edges of the page. */
export function moved(box: Box, right: number, down: number, page: Size): Box {
  return inside({ ...box, left: box.left + right, top: box.top + down }, page);
}

/** Enlarges a box to the right and downwards, up to the edges of the page; its upper left corner stays. */
export function resized(box: Box, wider: number, taller: number, page: Size): Box {
  return inside(
    {
      ...box,
      width: between(smallest.width, box.width + wider, page.width - box.left),
      height: between(smallest.height, box.height + taller, page.height - box.top),
    },
    page,
  );
}

/** The effect of an arrow key: moves, or with Shift resizes; with Ctrl by a single point. Null for other keys. */
export function afterKey(
  box: Box,
  { key, shiftKey, ctrlKey }: Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey'>,
  page: Size,
): Box | null {
  const step = ctrlKey ? 1 : 8;
  const [right, down] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key] ?? [];
  if (right === undefined || down === undefined) return null;
  return (shiftKey ? resized : moved)(box, right * step, down * step, page);
}

/** Millimetres, the usual unit of paper. */
export const millimetres = (points: number): number => Math.round((points * 25.4) / 72);
