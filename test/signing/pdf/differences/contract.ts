/** A document with everything needed by attacks, and ways to append the revisions of an attacker or a form filler. */
import { withPdfFacts } from '../../../../src/signing/pdf/differences/with-pdf-facts.ts';
import type { PdfChange, PdfFacts, PdfSignatureFacts } from '../../../../src/signing/pdf/differences/pdf-facts.ts';
import { appendRevision } from '../build-pdf.ts';
import type { Objects, PdfShape } from '../build-pdf.ts';

const stream = (data: string, dictionary = ''): Objects[number] => ({ dictionary, data });
const formXObject = '/Type /XObject /Subtype /Form /BBox [0 0 100 20]';

/**
 * Object numbers: 1 catalog, 3 and 13 pages, 4 and 14 their contents, 5 font, 6 text field with the appearance 7, 8
 * empty signature field, 9 note with the appearance 10, 11 form, 12 overlay of the first page, 15 properties of the
 * layers, 16 layer, 17 Info, 18 the list of annotations of the second page. The first page refers to 90, a missing
 * object.
 */
export const CONTRACT: Objects = {
  1: '<</Type /Catalog /Pages 2 0 R /AcroForm 11 0 R /OCProperties 15 0 R>>',
  2: '<</Type /Pages /Kids [3 0 R 13 0 R] /Count 2 /MediaBox [0 0 595 842]>>',
  3: `<</Type /Page /Parent 2 0 R /Contents 4 0 R /Annots [6 0 R 8 0 R 9 0 R]
    /Resources <</Font <</F1 5 0 R>> /XObject <</Over 12 0 R /Later 90 0 R>> /Properties <</Layer 16 0 R>>>>>>`,
  4: stream('BT /F1 24 Tf 72 720 Td (Pay 10 to Alice) Tj ET /Over Do /Later Do'),
  5: '<</Type /Font /Subtype /Type1 /BaseFont /Helvetica>>',
  6: `<</Type /Annot /Subtype /Widget /FT /Tx /T (name) /F 4 /Rect [72 600 300 620] /P 3 0 R /AP <</N 7 0 R>>>>`,
  7: stream('', formXObject),
  8: '<</Type /Annot /Subtype /Widget /FT /Sig /T (approval) /F 4 /Rect [72 72 200 120] /P 3 0 R>>',
  9: '<</Type /Annot /Subtype /Text /Rect [400 700 420 720] /Contents (note) /AP <</N 10 0 R>>>>',
  10: stream('', formXObject),
  11: '<</Fields [6 0 R 8 0 R] /DR <</Font <</Helv 5 0 R>>>> /DA (/Helv 0 Tf)>>',
  12: stream('1 g 0 0 595 842 re f', '/Type /XObject /Subtype /Form /BBox [0 0 595 842]'),
  13: '<</Type /Page /Parent 2 0 R /Contents 14 0 R /Resources <</Font <</F1 5 0 R>>>> /Annots 18 0 R>>',
  14: stream('BT /F1 24 Tf 72 720 Td (Second page) Tj ET'),
  15: '<</OCGs [16 0 R] /D <</ON [16 0 R] /OFF []>>>>',
  16: '<</Type /OCG /Name (Layer)>>',
  17: '<</Title (Contract)>>',
  18: '[]',
};

export const CONTRACT_SHAPE: PdfShape = { trailer: '/Info 17 0 R' };

/** The newest body of an object written as such. */
export function bodyOf(file: Buffer, number: number): string {
  const bodies = [
    ...file.toString('latin1').matchAll(new RegExp(`(?<!\\d)${number} 0 obj\\s([\\s\\S]*?)\\sendobj`, 'g')),
  ];
  const body = bodies.at(-1)?.[1];
  if (body === undefined) throw new Error(`There is no object ${number}.`);
  return body;
}

/** An object with a single text replaced. */
export function edited(file: Buffer, number: number, from: string, to: string): Objects {
  const body = bodyOf(file, number);
  if (!body.includes(from)) throw new Error(`Object ${number} does not say ${from}.`);
  return { [number]: body.replace(from, to) };
}

/** Appends a revision leading to these objects. */
export const append = (file: Buffer, objects: Objects, shape: PdfShape = {}): Buffer =>
  appendRevision(file, objects, { ...CONTRACT_SHAPE, ...shape });

/**
 * Appends bytes and a cross-reference table written by hand; without `previous` the table begins a history of its own.
 */
export function appendTable(
  file: Buffer,
  body: string,
  entries: Readonly<Record<number, number | 'free'>>,
  previous: string | undefined = /startxref\s+(\d+)\s+%%EOF\s*$/.exec(file.toString('latin1'))?.[1],
): Buffer {
  let table = 'xref\n';
  for (const [number, offset] of Object.entries(entries)) {
    const entry = offset === 'free' ? '0000000000 00001 f' : `${String(offset).padStart(10, '0')} 00000 n`;
    table += `${number} 1\n${entry} \n`;
  }
  const start = file.length + body.length;
  const chain = previous === undefined ? '' : `/Prev ${previous}`;
  const end = `${table}trailer\n<</Root 1 0 R /Info 17 0 R /Size 200 ${chain}>>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.concat([file, Buffer.from(body, 'latin1'), Buffer.from(end, 'latin1')]);
}

/** Where the newest version of each object stands. */
export function offsetsOf(file: Buffer): Record<number, number> {
  const offsets: Record<number, number> = {};
  for (const match of file.toString('latin1').matchAll(/(?<![\d])(\d+) 0 obj\s/g))
    offsets[Number(match[1])] = match.index;
  return offsets;
}

/** The facts, without the parts needing an open file. */
export const factsOf = (path: string, password?: string): Promise<PdfFacts> =>
  withPdfFacts(path, { password }, (facts) => Promise.resolve(facts));

export async function signatureOf(path: string, fieldName: string): Promise<PdfSignatureFacts> {
  const { signatures } = await factsOf(path);
  const found = signatures.find((signature) => signature.fieldName === fieldName);
  if (found === undefined) throw new Error(`There is no signature in ${fieldName}.`);
  return found;
}

export const codesOf = (changes: readonly PdfChange[]): readonly string[] => changes.map(({ code }) => code);
