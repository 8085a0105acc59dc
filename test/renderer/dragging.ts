import type { Locator, Page } from 'playwright-core';

/** A part of a sheet, as shares of its width and height from its top left corner. */
export interface Shares {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** The place of an element on its parent, in a person's view. */
export async function placeOnSheet(stamp: Locator): Promise<Shares> {
  return stamp.evaluate((element) => {
    const [box, sheet] = [element.getBoundingClientRect(), element.parentElement!.getBoundingClientRect()];
    return {
      left: (box.left - sheet.left) / sheet.width,
      top: (box.top - sheet.top) / sheet.height,
      width: box.width / sheet.width,
      height: box.height / sheet.height,
    };
  });
}

/** Drags an element by its middle, in CSS pixels, and drops the element. */
export async function drag(page: Page, from: Locator, right: number, down: number): Promise<void> {
  await grab(page, from, right, down);
  await page.mouse.up();
}

/** Drags and holds an element. */
export async function grab(page: Page, from: Locator, right: number, down: number): Promise<void> {
  await from.scrollIntoViewIfNeeded();
  const box = (await from.boundingBox())!;
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + right / 2, y + down / 2);
  await page.mouse.move(x + right, y + down);
}

/**
 * The expected place of a picture three times as wide as high: left, bottom, right, top in points of the page as shown.
 * The picture fills the stamp but for a margin of 3 points, or 5 % of a small stamp, in its middle.
 */
export function expectedInk(shares: Shares, page: { readonly width: number; readonly height: number }): number[] {
  const [width, height] = [shares.width * page.width, shares.height * page.height];
  const margin = Math.min(3, Math.min(width, height) * 0.05);
  const scale = Math.min((width - 2 * margin) / 3, height - 2 * margin);
  const x = (shares.left + shares.width / 2) * page.width;
  const y = (1 - shares.top - shares.height / 2) * page.height;
  return [x - 1.5 * scale, y - 0.5 * scale, x + 1.5 * scale, y + 0.5 * scale];
}
