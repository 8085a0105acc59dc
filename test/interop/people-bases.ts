/** Documents as people bring documents: pages of Chrome, tags of PDFMaker and Excel, forms of pdfcpu, and so on. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fetchGoProgram } from '../oracles/fetched.ts';
import { runCompiled } from '../oracles/run-program.ts';
import { appendRevision, buildPdf, onePage, taggedPage, type Objects } from '../signing/pdf/build-pdf.ts';
import { readerExtended } from '../signing/pdf/reader-extended.ts';

const utf16 = (text: string): string => `<FEFF${Buffer.from(text, 'utf16le').swap16().toString('hex').toUpperCase()}>`;

/** Nine pages in nodes of at most eight pages, as Chrome writes pages. */
function nestedPages(): Objects {
  const numbers = Array.from({ length: 9 }, (_, index) => 40 + index);
  const kids = (some: readonly number[]): string => some.map((number) => `${number} 0 R`).join(' ');
  const pages = numbers.map((number, index): [number, string] => [
    number,
    `<</Type /Page /Parent ${index < 8 ? 30 : 31} 0 R /Contents 4 0 R /Resources <</Font <</F1 5 0 R>>>>>>`,
  ]);
  return onePage({
    2: '<</Type /Pages /Kids [30 0 R 31 0 R] /Count 9 /MediaBox [0 0 595 842]>>',
    3: '(unused)',
    30: `<</Type /Pages /Parent 2 0 R /Kids [${kids(numbers.slice(0, 8))}] /Count 8>>`,
    31: `<</Type /Pages /Parent 2 0 R /Kids [${kids(numbers.slice(8))}] /Count 1>>`,
    ...Object.fromEntries(pages),
  });
}

const PAGE = '<</Type /Page /Parent 2 0 R /Contents 4 0 R /StructParents 0 /Resources <</Font <</F1 5 0 R>>>> @>>';

/** Texts in UTF-16, private data of a program, labels, identifiers and roles. */
const PDF_MAKER: Objects = taggedPage({
  1: `<</Type /Catalog /Pages 2 0 R /MarkInfo <</Marked true>> /StructTreeRoot 20 0 R /Lang ${utf16('EN-GB')}
    /PageLabels 30 0 R /Names <</Dests 31 0 R>> /ViewerPreferences <</DisplayDocTitle true>>>>`,
  3: PAGE.replace('@', `/PieceInfo <</App <</LastModified (D:2026) /Private <</Name ${utf16('Título')}>>>>>> /Tabs /S`),
  20: `<</Type /StructTreeRoot /K 21 0 R /ParentTree 23 0 R /ParentTreeNextKey 1 /IDTree 32 0 R /ClassMap 33 0 R
    /RoleMap <</Titulo /H1>>>>`,
  22: '<</Type /StructElem /S /Titulo /P 21 0 R /Pg 3 0 R /K [0] /ID (t1) /C /Center>>',
  30: '<</Nums [0 <</S /D>>]>>',
  31: '<</Kids [34 0 R]>>',
  32: '<</Names [(t1) 22 0 R]>>',
  33: '<</Center <</O /Layout /TextAlign /Center>>>>',
  34: '<</Limits [(one) (one)] /Names [(one) [3 0 R /Fit]]>>',
});

/** The document element of Excel has a type of its own. */
const EXCEL: Objects = taggedPage({
  20: `<</Type /StructTreeRoot /K [21 0 R] /ParentTree 23 0 R /ParentTreeNextKey 1
    /RoleMap <</Workbook /Document /Worksheet /Part>>>>`,
  21: '<</Type /StructElem /S /Workbook /P 20 0 R /K [24 0 R]>>',
  22: '<</Type /StructElem /S /P /P 24 0 R /Pg 3 0 R /K [0]>>',
  24: '<</Type /StructElem /S /Worksheet /P 21 0 R /K [22 0 R]>>',
});

/** A structure without a document element. */
const LOOSE_TAGS: Objects = taggedPage({
  20: '<</Type /StructTreeRoot /K [21 0 R 22 0 R] /ParentTree 23 0 R /ParentTreeNextKey 1>>',
  21: '<</Type /StructElem /S /H1 /P 20 0 R /Pg 3 0 R /K [1]>>',
  22: '<</Type /StructElem /S /P /P 20 0 R /Pg 3 0 R /K [0]>>',
  23: '<</Nums [0 [22 0 R 21 0 R]]>>',
});

const FIELD =
  '<</Type /Annot /Subtype /Widget /FT /Tx /T (name) /F 4 /Rect [72 600 300 620] /P 3 0 R /DA (/Helv 12 Tf)>>';
/** A form inside the catalog with an object for the list of fields. */
const DIRECT_FORM: Objects = onePage({
  1: '<</Type /Catalog /Pages 2 0 R /AcroForm <</Fields 7 0 R /DA (/Helv 0 Tf) /DR 8 0 R>>>>',
  3: PAGE.replace('/StructParents 0', '').replace('@', '/Annots [6 0 R]'),
  6: FIELD,
  7: '[6 0 R]',
  8: '<</Font <</Helv 5 0 R>>>>',
});

const PORTFOLIO: Objects = onePage({
  1: `<</Type /Catalog /Pages 2 0 R /Collection <</Type /Collection /View /D>>
    /Names <</EmbeddedFiles <</Names [(a.txt) 6 0 R]>>>>>>`,
  6: '<</Type /Filespec /F (a.txt) /UF (a.txt) /EF <</F 7 0 R>>>>',
  7: { dictionary: '/Type /EmbeddedFile', data: 'enclosed' },
});

const sound = buildPdf(onePage());

/** Two cross-reference sections above a single end. */
function withOneEnd(): Buffer {
  const file = appendRevision(sound, { 30: '(later)' });
  const [from, to] = [file.indexOf('startxref'), file.indexOf('%%EOF') + '%%EOF'.length];
  return Buffer.concat([file.subarray(0, from), Buffer.alloc(to - from, ' '), file.subarray(to)]);
}

/** A page with a text field, described for pdfcpu. */
const PDFCPU_FORM = {
  pages: {
    1: {
      content: {
        text: [{ value: 'Name', pos: [50, 700], font: { name: 'Helvetica', size: 12 } }],
        textfield: [{ id: 'name', value: '', pos: [120, 700], width: 150, font: { name: 'Helvetica', size: 12 } }],
      },
    },
  },
};

async function writePdfcpuForm(folder: string, path: string): Promise<void> {
  const source = join(folder, 'pdfcpu.json');
  await writeFile(source, JSON.stringify(PDFCPU_FORM));
  const program = await fetchGoProgram('github.com/pdfcpu/pdfcpu/cmd/pdfcpu', 'v0.11.1');
  await runCompiled(program, ['create', '-conf', 'disable', source, path]);
}

/** A base with or without a text field. */
export interface PeopleBase {
  readonly name: string;
  readonly path: string;
  readonly hasTextField: boolean;
}

/** The documents made by code. */
export const peopleFiles = (): readonly (readonly [name: string, file: Buffer, hasTextField?: boolean])[] => [
  ['nested pages of Chrome', buildPdf(nestedPages())],
  ['tags of PDFMaker', buildPdf(PDF_MAKER)],
  ['tags of Excel', buildPdf(EXCEL)],
  ['tags without a document', buildPdf(LOOSE_TAGS)],
  ['form inside the catalog', buildPdf(DIRECT_FORM), true],
  ['usage rights', readerExtended()],
  ['no %%EOF', sound.subarray(0, sound.lastIndexOf('%%EOF'))],
  ['two sections, one end', withOneEnd()],
  ['portfolio', buildPdf(PORTFOLIO)],
];

/** Writes the bases into a folder. */
export async function writePeopleBases(folder: string): Promise<readonly PeopleBase[]> {
  const bases: PeopleBase[] = [];
  for (const [index, [name, file, hasTextField = false]] of peopleFiles().entries()) {
    const path = join(folder, `people-${index}.pdf`);
    await writeFile(path, file);
    bases.push({ name, path, hasTextField });
  }
  const path = join(folder, 'people-pdfcpu.pdf');
  await writePdfcpuForm(folder, path);
  return [...bases, { name: 'form of pdfcpu', path, hasTextField: true }];
}
