import { SigningError } from '../../errors.ts';
import type { Page } from '../reading/page-tree.ts';
import { numberOf, type PdfValue } from '../syntax/values.ts';

/** The stamp cannot be drawn as requested; `sentence` ends with a full stop and names the remedy. */
export function unusableAppearance(sentence: string, cause?: unknown): never {
  throw new SigningError('PDF_APPEARANCE_INVALID', sentence, cause === undefined ? undefined : { cause });
}

/** Left, bottom, right, top. */
export type Rectangle = readonly [left: number, bottom: number, right: number, top: number];

/** Rotation of a page for display in degrees, clockwise (ISO 32000-2 Table 31). */
export type Rotation = 0 | 90 | 180 | 270;

/** How a page is shown. */
export interface PageGeometry {
  /** The displayed part, in user space. */
  readonly visible: Rectangle;
  readonly rotation: Rotation;
  /** Size of a user space unit in points. */
  readonly unit: number;
}

/** A rectangle on the displayed page: points from its bottom left corner. */
export interface Placement {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const LETTER: Rectangle = [0, 0, 612, 792];

type Resolve = (value: PdfValue | undefined) => PdfValue;

/** Any two opposite corners make a rectangle (ISO 32000-2 §7.9.5). Undefined when these are not four numbers. */
export function readRectangle(value: PdfValue | undefined, resolve: Resolve): Rectangle | undefined {
  const found = resolve(value);
  if (!Array.isArray(found)) return undefined;
  const [first, second, third, fourth] = found.map((entry) => numberOf(resolve(entry)));
  if (first === undefined || second === undefined || third === undefined || fourth === undefined) return undefined;
  return [Math.min(first, third), Math.min(second, fourth), Math.max(first, third), Math.max(second, fourth)];
}

/** The crop box inside the media box (ISO 32000-2 §14.11.2.1). */
function visiblePart(page: Page, resolve: Resolve): Rectangle {
  const media = readRectangle(page.attributes.get('MediaBox'), resolve) ?? LETTER;
  const crop = readRectangle(page.attributes.get('CropBox'), resolve) ?? media;
  const common: Rectangle = [
    Math.max(media[0], crop[0]),
    Math.max(media[1], crop[1]),
    Math.min(media[2], crop[2]),
    Math.min(media[3], crop[3]),
  ];
  return common[2] > common[0] && common[3] > common[1] ? common : media;
}

function rotationOf(value: number): Rotation {
  switch ((((Math.round(value / 90) * 90) % 360) + 360) % 360) {
    case 90:
      return 90;
    case 180:
      return 180;
    case 270:
      return 270;
    default:
      return 0;
  }
}

export function readGeometry(page: Page, resolve: Resolve): PageGeometry {
  const unit = numberOf(resolve(page.dictionary.get('UserUnit'))) ?? 1;
  return {
    visible: visiblePart(page, resolve),
    rotation: rotationOf(numberOf(resolve(page.attributes.get('Rotate'))) ?? 0),
    unit: unit > 0 ? unit : 1,
  };
}

/** Width and height of the displayed page, in points. */
export function shownSize({ visible, rotation, unit }: PageGeometry): { width: number; height: number } {
  const [width, height] = [(visible[2] - visible[0]) * unit, (visible[3] - visible[1]) * unit];
  return rotation % 180 === 0 ? { width, height } : { width: height, height: width };
}

/** Converts a place on the displayed page to user space. */
export function toUserSpace(geometry: PageGeometry, placement: Placement): Rectangle {
  const { visible, rotation, unit } = geometry;
  const [left, bottom, right, top] = visible;
  const [x, y] = [placement.x / unit, placement.y / unit];
  const [farX, farY] = [x + placement.width / unit, y + placement.height / unit];
  switch (rotation) {
    case 0:
      return [left + x, bottom + y, left + farX, bottom + farY];
    case 90:
      return [right - farY, bottom + x, right - y, bottom + farX];
    case 180:
      return [right - farX, top - farY, right - x, top - y];
    case 270:
      return [left + y, top - farX, left + farY, top - x];
  }
}

/** Converts a rectangle of user space to a place on the displayed page. */
export function fromUserSpace(geometry: PageGeometry, [left, bottom, right, top]: Rectangle): Placement {
  const { visible, rotation, unit } = geometry;
  const sides = { width: (right - left) * unit, height: (top - bottom) * unit };
  const [across, up] = [(left - visible[0]) * unit, (bottom - visible[1]) * unit];
  const [fromRight, fromTop] = [(visible[2] - right) * unit, (visible[3] - top) * unit];
  const turned = { width: sides.height, height: sides.width };
  switch (rotation) {
    case 0:
      return { x: across, y: up, ...sides };
    case 90:
      return { x: up, y: fromRight, ...turned };
    case 180:
      return { x: fromRight, y: fromTop, ...sides };
    case 270:
      return { x: fromTop, y: across, ...turned };
  }
}

/**
 * The `Matrix` of an upright form of this size on a rotated page, with the rotated box at the origin (ISO 32000-2
 * §12.5.5): readers then only move the form to the annotation's rectangle.
 */
export function uprightMatrix(rotation: Rotation, width: number, height: number): readonly number[] {
  switch (rotation) {
    case 0:
      return [1, 0, 0, 1, 0, 0];
    case 90:
      return [0, 1, -1, 0, height, 0];
    case 180:
      return [-1, 0, 0, -1, width, height];
    case 270:
      return [0, -1, 1, 0, 0, width];
  }
}
