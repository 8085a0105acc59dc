/**
 * The signed documents of the table of later changes. `ChangeWithIText9.java` names objects by the numbers here, so a
 * number keeps its meaning.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildPdf, emptySignatureField, onePage, taggedPage, type Objects } from '../signing/pdf/build-pdf.ts';
import type { Writers } from './writers.ts';

const TEXT =
  '<</Type /Annot /Subtype /Widget /FT /Tx /T (name) /TU (Your name) /F 4 /Rect [72 600 300 620] /P 3 0 R /DA (/Helv 12 Tf)>>';
const FACE = '/Type /XObject /Subtype /Form /BBox [0 0 20 20]';
const PAGE = '/Type /Page /Parent 2 0 R /Contents 4 0 R /Resources <</Font <</F1 5 0 R>>>>';

/** Two pages, a form, a note, an outline, a named destination, an extension, metadata and an unused object. */
const RICH: Objects = onePage({
  1: `<</Type /Catalog /Pages 2 0 R /Lang (en) /Outlines 12 0 R /Names 19 0 R /Metadata 31 0 R
    /AcroForm 18 0 R /Extensions <</ADBE <</BaseVersion /1.7 /ExtensionLevel 3>>>>>>`,
  2: '<</Type /Pages /Kids [3 0 R 15 0 R] /Count 2 /MediaBox [0 0 595 842]>>',
  3: `<<${PAGE} /Annots [6 0 R 7 0 R 8 0 R 9 0 R 10 0 R]>>`,
  6: TEXT,
  7: `<</Type /Annot /Subtype /Widget /FT /Btn /T (agree) /F 4 /Rect [72 560 92 580] /P 3 0 R /V /Off /AS /Off
    /AP <</N <</Yes 16 0 R /Off 17 0 R>>>>>>`,
  8: `<</Type /Annot /Subtype /Widget /FT /Ch /Ff 131072 /T (colour) /F 4 /Rect [72 520 200 540] /P 3 0 R
    /Opt [(red) (blue)] /DA (/Helv 12 Tf)>>`,
  9: emptySignatureField('later'),
  10: '<</Type /Annot /Subtype /Text /F 4 /Rect [400 700 420 720] /P 3 0 R /Contents (A note)>>',
  12: '<</Type /Outlines /First 13 0 R /Last 13 0 R /Count 1>>',
  13: '<</Title (First) /Parent 12 0 R /Dest [3 0 R /Fit]>>',
  14: '<</Names [(one) [3 0 R /Fit]]>>',
  15: `<<${PAGE} /Tabs /R>>`,
  16: { dictionary: FACE, data: '4 4 12 12 re f' },
  17: { dictionary: FACE, data: '' },
  18: '<</Fields [6 0 R 7 0 R 8 0 R 9 0 R] /DA (/Helv 0 Tf) /DR <</Font <</Helv 5 0 R>>>>>>',
  19: '<</Dests 14 0 R>>',
  30: '<</Unused true>>',
  31: { dictionary: '/Type /Metadata /Subtype /XML', data: '<x:xmpmeta xmlns:x="adobe:ns:meta/"/>' },
});

const DOCUMENTS = {
  plain: onePage(),
  tagged: taggedPage(),
  ordered: onePage({ 3: `<<${PAGE} /Tabs /R>>` }),
  form: RICH,
} as const;

/** A document before it is signed. */
export type LaterBase = keyof typeof DOCUMENTS;

/** The signature: an approval, a certification by its permission, or an approval at B-LTA. */
export type LaterSignature = 'approval' | 'p1' | 'p2' | 'p3' | 'B-LTA';

/** Writes and signs the document; answers the path. */
export async function writeLaterBase(
  folder: string,
  base: LaterBase,
  signature: LaterSignature,
  writers: Writers,
): Promise<string> {
  const name = `${base}-${signature}`;
  const [input, signed] = [join(folder, `${base}.pdf`), join(folder, `${name}.pdf`)];
  await writeFile(input, buildPdf(DOCUMENTS[base]));
  const operation = signature === 'approval' || signature === 'B-LTA' ? 'sign' : signature;
  await writers.write({ writer: 'sinete', operation, input, output: signed });
  if (signature !== 'B-LTA') return signed;
  const extended = join(folder, `${name}-extended.pdf`);
  await writers.write({ writer: 'sinete', operation: 'extend', input: signed, output: extended });
  return extended;
}
