import { join } from 'node:path';
import { writeTextPdf } from '../../../src/app/demo/write-text-pdf.ts';
import { buildPdf, emptySignatureField, onePage, withFields } from '../../signing/pdf/build-pdf.ts';
import { makePng } from '../../signing/pdf/pictures.ts';
import { askForContent, askForFiles } from '../asking.ts';
import type { RealCore } from '../real-core.ts';

/** A contract with a page. */
export const contract = writeTextPdf(
  {
    title: 'Contrato de prestação de serviços',
    paragraphs: ['As partes resolvem celebrar o presente contrato, que se rege pelas cláusulas seguintes.'],
    footer: 'Página',
  },
  new Date('2026-11-20T10:20:30Z'),
);

const script = '/OpenAction <</S /JavaScript /JS (app.alert\\(1\\))>>';

/** A page with a script at its opening. */
export const withScript = buildPdf(onePage({ 1: `<</Type /Catalog /Pages 2 0 R ${script}>>` }));

/** Two pages with a script, an attached file and a hidden layer; the first has a signature field with a value. */
const signedContract = buildPdf({
  ...withFields({ 6: emptySignatureField('Diretoria', '/V <</Type /Sig /Filter /Adobe.PPKLite>>') }),
  1: `<</Type /Catalog /Pages 2 0 R ${script} /AcroForm <</Fields [6 0 R]>> /Names <</EmbeddedFiles <</Names [(a) 9 0 R]>>>> /OCProperties <</OCGs [11 0 R] /D <</OFF [11 0 R]>>>>>>`,
  2: '<</Type /Pages /Kids [3 0 R 7 0 R] /Count 2 /MediaBox [0 0 595 842]>>',
  7: '<</Type /Page /Parent 2 0 R /Contents 8 0 R /Resources <</Font <</F1 5 0 R>>>>>>',
  8: { dictionary: '', data: 'BT /F1 24 Tf 72 720 Td (The second page) Tj ET' },
  9: '<</Type /Filespec /F (a.txt) /EF <</F 10 0 R>>>>',
  10: { dictionary: '/Type /EmbeddedFile', data: 'attached' },
  11: '<</Type /OCG /Name (Hidden)>>',
});

/** A picture of 64 × 48 pixels in two colours. */
const picture = makePng({
  width: 64,
  height: 48,
  depth: 8,
  colourType: 2,
  pixel: (x, y) => (x + y < 56 ? [11, 110, 99] : [240, 192, 96]),
});

/** A program wants a signed PDF with a script signed again, under another name and into a hidden file. */
export async function asksForHostilePdf(
  core: RealCore,
  request: Readonly<Record<string, unknown>> = {},
): Promise<unknown> {
  const asked = {
    content: signedContract,
    claimedName: 'Convite para a festa.pdf',
    destination: join(core.folder, '.xx9'),
  };
  const more = { documents_destination: 'FILE_PATH', ...request };
  return askForFiles(core, { 'Diretoria/contrato.pdf': asked }, more);
}

/** A site gives a text under a name that turns round, with unseen characters in the text too. */
export async function asksForTurnedText(core: RealCore): Promise<unknown> {
  const text = 'Pague 100 reais a Ana.\n\u202Eodacovnoc\u202C está o comprador.\nPague\u200B 900 reais a Rui.\n';
  return askForContent(core, 'nota-\u202Efdp.exe', text);
}

/** A site gives a picture. */
export const asksForPicture = async (core: RealCore): Promise<unknown> =>
  askForContent(core, 'comprovante.png', picture);

/** A program names a document of an office program. */
export const asksForOfficeDocument = async (core: RealCore): Promise<unknown> =>
  askForFiles(core, { 'minuta.docx': Buffer.from('PK\u0003\u0004\u0000') }, { type: 'CAdES-detached' });

/** A program names 500 files, among them a file with a script. */
export async function asksForBatch(core: RealCore): Promise<unknown> {
  const names = Array.from({ length: 500 }, (_, index) => `Contrato ${String(index + 1).padStart(3, '0')}.pdf`);
  const files = names.map((name) => [`Lote/${name}`, name === 'Contrato 137.pdf' ? withScript : contract]);
  return askForFiles(core, Object.fromEntries(files) as Record<string, Buffer>);
}
