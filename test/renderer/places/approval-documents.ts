import { writeTextPdf } from '../../../src/app/demo/write-text-pdf.ts';
import { buildPdf, emptySignatureField, withFields } from '../../signing/pdf/build-pdf.ts';
import { makePng } from '../../signing/pdf/pictures.ts';
import type { FakeCore } from '../fake-core.ts';
import { programTransaction, waitingDocument } from '../fake-data.ts';
import type { UiDocument, UiTransaction } from '../../../src/ui-contract/ui-contract.ts';

/** A contract of a single page. */
export const contract = writeTextPdf(
  {
    title: 'Contrato de prestação de serviços',
    paragraphs: ['As partes resolvem celebrar o presente contrato, que se rege pelas cláusulas seguintes.'],
    footer: 'Página',
  },
  new Date('2026-11-20T10:20:30Z'),
);

/** Two pages; the first has a signature field with a value. */
export const signedContract = buildPdf({
  ...withFields({ 6: emptySignatureField('Diretoria', '/V <</Type /Sig /Filter /Adobe.PPKLite>>') }),
  2: '<</Type /Pages /Kids [3 0 R 7 0 R] /Count 2 /MediaBox [0 0 595 842]>>',
  7: '<</Type /Page /Parent 2 0 R /Contents 8 0 R /Resources <</Font <</F1 5 0 R>>>>>>',
  8: { dictionary: '', data: 'BT /F1 24 Tf 72 720 Td (The second page) Tj ET' },
});

/** A picture of 64 × 48 pixels in two colours. */
export const picture = makePng({
  width: 64,
  height: 48,
  depth: 8,
  colourType: 2,
  pixel: (x, y) => (x + y < 56 ? [11, 110, 99] : [240, 192, 96]),
});

/** A document waiting, with its bytes known to the core. */
export function holding(
  core: FakeCore,
  content: Uint8Array | string,
  change: Partial<UiDocument> & { readonly name: string },
): UiDocument {
  const bytes = Buffer.from(content);
  core.originals.set(change.name, bytes);
  return { ...waitingDocument('0', change.name, bytes.length), ...change };
}

/** A site asking for signatures of these documents. */
export function siteAsks(core: FakeCore, documents: readonly UiDocument[]): void {
  const requester = { requesterKind: 'site', requester: 'https://portal.tribunal.jus.br' } as const;
  core.transactions = [{ ...programTransaction('p1', []), ...requester, documents: [...documents] }];
}

/** A program asking for signatures of these documents. */
export function programAsks(
  core: FakeCore,
  documents: readonly UiDocument[],
  change: Partial<UiTransaction> = {},
): void {
  core.transactions = [{ ...programTransaction('p1', []), documents: [...documents], ...change }];
}

/** A program wants a signed PDF with a script signed again, under another name and into a hidden file. */
export function asksForHostilePdf(core: FakeCore): void {
  const name = 'contrato.pdf';
  core.examinations.set(name, {
    state: 'examined',
    pageCount: 2,
    activeContent: ['javascript', 'attachment', 'hidden-layer'],
    signedFields: ['Diretoria'],
    standards: ['PDF/A-2b'],
    complete: true,
  });
  programAsks(core, [
    holding(core, signedContract, {
      name,
      claimedName: 'Convite para a festa.pdf',
      sourcePath: '/home/maria/Documentos/Diretoria/contrato.pdf',
      destination: '/home/maria/.xx9',
    }),
  ]);
}

/** A site gives a text under a name turning round, with unseen characters in the text too. */
export function asksForTurnedText(core: FakeCore): void {
  const name = 'nota-‹U+202E›fdp.exe';
  const text = 'Pague 100 reais a Ana.\n\u202Eodacovnoc\u202C está o comprador.\nPague\u200B 900 reais a Rui.\n';
  siteAsks(core, [holding(core, text, { name, claimedName: name })]);
}

/** A site gives a picture. */
export function asksForPicture(core: FakeCore): void {
  siteAsks(core, [holding(core, picture, { name: 'comprovante.png', claimedName: 'comprovante.png' })]);
}

/** A program names a document of an office program. */
export function asksForOfficeDocument(core: FakeCore): void {
  const sourcePath = '/home/maria/Documentos/minuta.docx';
  programAsks(
    core,
    [holding(core, 'PK\u0003\u0004\u0000', { name: 'minuta.docx', sourcePath, destination: `${sourcePath}.p7s` })],
    {
      type: 'CAdES-detached',
    },
  );
}

/** A program names 500 files; one of them has a script, another changed since. */
export function asksForBatch(core: FakeCore): void {
  const documents = Array.from({ length: 500 }, (_, index) => {
    const name = `Contrato ${String(index + 1).padStart(3, '0')}.pdf`;
    const sourcePath = `/home/maria/Lote/${name}`;
    return holding(core, contract, {
      id: String(index),
      name,
      sourcePath,
      destination: sourcePath.replace('.pdf', '-signed.pdf'),
    });
  });
  core.examinations.set('Contrato 137.pdf', {
    state: 'examined',
    pageCount: 1,
    signedFields: [],
    standards: [],
    complete: true,
    activeContent: ['javascript'],
  });
  programAsks(core, documents);
}
