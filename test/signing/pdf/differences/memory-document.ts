/** Documents of objects in memory, for the rules that read values and no bytes of a file. */
import type { PdfDocument } from '../../../../src/signing/pdf/reading/pdf-document.ts';
import { SyntaxReader } from '../../../../src/signing/pdf/syntax/syntax-reader.ts';
import { PdfReference, type PdfValue } from '../../../../src/signing/pdf/syntax/values.ts';

export const read = (text: string): PdfValue => new SyntaxReader(Buffer.from(text, 'latin1')).readValue();

/** Units of work since the last document was made. */
let units = 0;
export const spent = (): number => units;

/** A document with these objects, and with data for streams. */
export function documentWith(objects: Readonly<Record<number, PdfValue>> = {}, data = ''): PdfDocument {
  units = 0;
  const resolve = (value: PdfValue | undefined): PdfValue =>
    value instanceof PdfReference ? resolve(objects[value.number]) : (value ?? null);
  const file = {
    budget: { spend: (more: number) => void (units += more) },
    read: (position: number, length: number) => Buffer.from(data, 'latin1').subarray(position, position + length),
  };
  return { resolve, file, generationOf: () => 0 } as unknown as PdfDocument;
}

export const objectsOf = (texts: Readonly<Record<number, string>>): Readonly<Record<number, PdfValue>> =>
  Object.fromEntries(Object.entries(texts).map(([number, text]) => [number, read(text)]));
