import { PdfName, PdfNumber } from '../syntax/values.ts';
import type { PdfValue } from '../syntax/values.ts';

const numbers = (...values: readonly number[]): PdfValue[] =>
  values.map((value) => (Number.isInteger(value) ? value : new PdfNumber(String(value))));
const WHITE = ['WhitePoint', numbers(0.9505, 1, 1.089)] as const;

/**
 * Grey and colour of sRGB in CIE-based spaces (ISO 32000-2 §8.6.5.2, §8.6.5.3). Both are device independent, so a PDF/A
 * keeps its conformance with any output intent and without.
 */
export const calibratedGrey = (): PdfValue => [
  new PdfName('CalGray'),
  new Map<string, PdfValue>([[...WHITE], ['Gamma', new PdfNumber('2.2')]]),
];

export const calibratedColour = (): PdfValue => [
  new PdfName('CalRGB'),
  new Map<string, PdfValue>([
    [...WHITE],
    ['Gamma', numbers(2.2, 2.2, 2.2)],
    ['Matrix', numbers(0.4124, 0.2126, 0.0193, 0.3576, 0.7152, 0.1192, 0.1805, 0.0722, 0.9505)],
  ]),
];
