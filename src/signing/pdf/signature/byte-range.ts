import { numberOf, PdfString } from '../syntax/values.ts';
import type { PdfDictionary, PdfValue } from '../syntax/values.ts';

/** The signed octets of a PDF signature: two stretches with the hexadecimal `Contents` between them. */
export interface ByteRange {
  /** The numbers as they stand in the file. */
  readonly numbers: readonly number[];
  /** Why the range is not sound; undefined when it is. */
  readonly problem: string | undefined;
}

/**
 * Reads a signature's byte range and checks it against the forgeries that are known (universal forgery, wrapping): it
 * begins at 0, stays inside the file, and leaves out exactly the `Contents` of this very dictionary, brackets included
 * (ISO 32000-2 §12.8.1).
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
