import { hash } from 'node:crypto';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { itNeeding } from '../../setup/needs.ts';
import { transactionForUi } from '../../../src/app/calls/views.ts';
import { SigningError } from '../../../src/signing/index.ts';
import { personWith } from '../../pki/identities.ts';
import { buildPdf, onePage } from '../../signing/pdf/build-pdf.ts';
import {
  createRequest,
  dataUrl,
  finished,
  incoming,
  keptIn,
  openWorld,
  requester,
  type World,
} from './transaction-world.ts';

let world: World;
beforeEach(async () => {
  world = await openWorld({ approve: 'ask' });
  await world.addKey(await personWith());
});
afterEach(() => world.end());

const sha256 = (content: string | Buffer): string => hash('sha256', content, 'hex');

/** A transaction of a document waiting for approval. */
async function waiting(request: Parameters<typeof createRequest>[0]): Promise<string> {
  return (await world.transactions.create(createRequest(request), requester)).tcn;
}

const fromPath = (path: string, more: object = {}): Parameters<typeof createRequest>[0] => ({
  documentsSource: 'FILE_PATH',
  destination: 'FILE_PATH',
  documents: [{ data: path, ...more }],
});

/** Every byte of the document as the window gets it. */
async function shownBytes(tcn: string, parts: number): Promise<Buffer> {
  const numbers = Array.from({ length: parts }, (_, number) => number);
  return Buffer.concat(await Promise.all(numbers.map((part) => world.transactions.readOriginalPart(tcn, '0', part))));
}

const scripted = buildPdf(
  onePage({ 1: '<</Type /Catalog /Pages 2 0 R /OpenAction <</S /JavaScript /JS (app.alert\\(1\\))>>>>' }),
);

describe('a document waiting for approval', () => {
  it.each([
    ['in the body', false],
    ['by upload', true],
  ])('is shown when it came %s and only its hash is signed', async (_way, byUpload) => {
    const request = byUpload ? {} : { documentsSource: 'DATA_URL' as const, documents: [{ data: dataUrl('olá') }] };
    const tcn = await waiting(request);
    if (byUpload) await world.transactions.upload(tcn, { endOfTransaction: true }, incoming(['a.txt', 'olá']));
    const inspection = await world.transactions.inspectOriginal(tcn, '0');
    expect(inspection).toMatchObject({ kind: 'text', encoding: 'utf-8', size: 4, checksum: sha256('olá'), pdf: null });
    expect((await shownBytes(tcn, 1)).toString()).toBe('olá');
  });

  itNeeding('Linux')('has its real path and destination, and the name of the request as a claim', async () => {
    const secret = join(world.home, 'id_rsa');
    writeFileSync(secret, 'PRIVATE KEY');
    const link = join(world.home, 'contract.txt');
    symlinkSync(secret, link);
    const tcn = await waiting(
      fromPath(link, { originalFileName: 'invoice-\u202Efdp.txt', destinationFileName: join(world.home, '.xx9') }),
    );
    const [document] = (await transactionForUi(await world.transactions.query(tcn))).documents;
    expect(document).toMatchObject({
      name: 'id_rsa',
      sourcePath: secret,
      claimedName: 'invoice-‹U+202E›fdp.txt',
      destination: join(world.home, '.xx9'),
    });
  });

  it('shows a PDF in parts, with its script', async () => {
    const action = '<</Type /Catalog /Pages 2 0 R /OpenAction <</S /JavaScript /JS (x)>>>>';
    const long = buildPdf(onePage({ 1: action, 6: { dictionary: '', data: Buffer.alloc(300_000, 'x') } }));
    const path = join(world.home, 'contract.pdf');
    writeFileSync(path, long);
    const tcn = await waiting({ ...fromPath(path), type: 'PAdES' });
    const { kind, pdf, partSize, checksum } = await world.transactions.inspectOriginal(tcn, '0');
    expect({ kind, pdf, checksum }).toMatchObject({
      kind: 'pdf',
      pdf: { state: 'examined', pageCount: 1, activeContent: ['javascript'] },
      checksum: sha256(long),
    });
    expect(await shownBytes(tcn, Math.ceil(long.length / partSize))).toEqual(long);
    await expect(world.transactions.readOriginalPart(tcn, '0', 2)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('examines a PDF that rests in the database, and leaves no copy', async () => {
    const tcn = await waiting({ documentsSource: 'DATA_URL', documents: [{ data: dataUrl(scripted) }] });
    const { pdf } = await world.transactions.inspectOriginal(tcn, '0');
    expect(pdf).toMatchObject({ activeContent: ['javascript'] });
    expect((await keptIn(world)).originals).toHaveLength(1);
  });

  it('is not shown when its file changed after the request', async () => {
    const path = join(world.home, 'contract.txt');
    writeFileSync(path, 'pay 100');
    const tcn = await waiting(fromPath(path));
    writeFileSync(path, 'pay 999');
    await expect(world.transactions.inspectOriginal(tcn, '0')).rejects.toMatchObject({ code: 'DOCUMENT_UNREADABLE' });
    await expect(world.transactions.readOriginalPart(tcn, '0', 0)).rejects.toMatchObject({
      code: 'DOCUMENT_UNREADABLE',
    });
  });

  it('gives no uninspected byte', async () => {
    const path = join(world.home, 'contract.txt');
    writeFileSync(path, 'pay 100');
    const tcn = await waiting(fromPath(path));
    await world.transactions.inspectOriginal(tcn, '0');
    writeFileSync(path, 'pay 999');
    await expect(world.transactions.readOriginalPart(tcn, '0', 0)).rejects.toMatchObject({
      code: 'DOCUMENT_UNREADABLE',
    });
  });

  it('is not shown when its file was other while its PDF was examined', async () => {
    const path = join(world.home, 'contract.pdf');
    writeFileSync(path, scripted);
    world = await world.restart({
      approve: 'ask',
      examinePdf: () => {
        writeFileSync(path, buildPdf(onePage()));
        return Promise.resolve({ pageCount: 1, activeContent: [], signedFields: [], standards: [], complete: true });
      },
    });
    const tcn = await waiting({ ...fromPath(path), type: 'PAdES' });
    await expect(world.transactions.inspectOriginal(tcn, '0')).rejects.toMatchObject({ code: 'DOCUMENT_UNREADABLE' });
  });

  it.each([
    ['PDF_ENCRYPTED', 'encrypted'],
    ['PDF_MALFORMED', 'unreadable'],
    ['LIMIT_EXCEEDED', 'unreadable'],
  ] as const)('tells of a PDF that could not be examined: %s', async (code, state) => {
    world = await world.restart({ approve: 'ask', examinePdf: () => Promise.reject(new SigningError(code, 'No.')) });
    const tcn = await waiting({ documentsSource: 'DATA_URL', documents: [{ data: dataUrl(scripted) }] });
    expect((await world.transactions.inspectOriginal(tcn, '0')).pdf).toEqual({ state });
  });

  it('is not shown any more when it is signed', async () => {
    const tcn = await waiting({ documentsSource: 'DATA_URL', documents: [{ data: dataUrl('olá') }] });
    await world.transactions.decide(tcn, 'approve');
    await finished(world.transactions, tcn);
    await expect(world.transactions.inspectOriginal(tcn, '0')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(world.transactions.inspectOriginal(tcn, '9')).rejects.toMatchObject({ code: 'DOCUMENT_NOT_FOUND' });
  });
});
