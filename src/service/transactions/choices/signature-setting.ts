import type { VisibleSignature } from '../../../request/signature-request.ts';

export type { SignatureSetting, VisibleSignature } from '../../../request/signature-request.ts';

/** The default place of a stamp: the lower left corner of the last page, smaller on a page that is too small. */
export const usualPlace = {
  pages: [-1],
  x: 36,
  y: 36,
  width: 230,
  height: 80,
  fit: true,
} as const satisfies VisibleSignature;
