import type { VisibleSignature } from './signature-setting.ts';

/** Where a stamp goes when nobody says: the lower left corner of the last page, smaller where that has no room. */
export const usualPlace = {
  pages: [-1],
  x: 36,
  y: 36,
  width: 230,
  height: 80,
  fit: true,
} as const satisfies VisibleSignature;
