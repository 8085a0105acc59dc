import { numberOf, PdfString } from '../syntax/values.ts';
import type { PdfDictionary, PdfValue } from '../syntax/values.ts';

/** The signed bytes of a PDF signature: two ranges with the hexadecimal `Contents` in between. */
export interface ByteRange {
  /** The numbers in the file, unchanged. */
  readonly numbers: readonly number[];
  /** The problem of the range; undefined for a sound range. */
  readonly problem: string | undefined;
}

/**
 * Reads a signature's byte range and checks the range against known forgeries (universal forgery, wrapping): a sound
 * range begins at 0, stays inside the file, and leaves out exactly the `Contents` of this very dictionary, brackets
 * included (ISO 32000-2 §12.8.1).
 */
export function readByteRange(
  signature: PdfDictionary,
  resolve: (value: PdfValue | undefined) => PdfValue,
  fileSize: number,
): ByteRange {
  const value = resolve(signature.get('ByteRange'));
  const numbers = Array.isArray(value) ? value.map((entry) => numberOf(resolve(entry)) ?? NaN) : [];
  if (numbers.length === 0 || !numbers.every(Number.isSafeInteger)) {
    return { numbers: [], problem: 'The signature does not say which part of the file it covers.' };
  }
  return { numbers, problem: findProblem(numbers, resolve(signature.get('Contents')), fileSize) };
}

function findProblem(numbers: readonly number[], contents: PdfValue, fileSize: number): string | undefined {
  const [start, firstLength, secondStart, secondLength] = numbers;
  if (firstLength === undefined || secondStart === undefined || secondLength === undefined || numbers.length !== 4) {
    return 'The signature does not cover the file in two parts, as it must.';
  }
  if (start !== 0) return 'The signature does not cover the beginning of the file.';
  if (secondStart < firstLength || secondLength < 0 || secondStart + secondLength > fileSize) {
    return 'The signature says that it covers what the file does not have; perhaps the file was cut off.';
  }
  if (!(contents instanceof PdfString)) return 'The signature is empty.';
  const { position, token } = contents;
  if (token[0] !== 0x3c || position !== firstLength || position + token.length !== secondStart) {
    return 'The signature leaves out more of the file than itself.';
  }
  return undefined;
}
