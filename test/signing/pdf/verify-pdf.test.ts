import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyPdf, type PdfSignatureVerification } from '../../../src/signing/pdf/verification/verify-pdf.ts';
import { appendRevision, buildPdf, emptySignatureField, onePage, withFields } from './build-pdf.ts';
import { Workshop } from './workshop.ts';

let workshop: Workshop;
/** A file with two signatures, and the byte range of the second. */
let signed: Buffer;
let range: readonly [number, number, number, number];
beforeAll(async () => {
  workshop = await Workshop.open();
  const first = await workshop.sign(await workshop.write(buildPdf(onePage())));
  const second = await workshop.sign(first.path, { subFilter: 'adbe.pkcs7.detached' });
  signed = await readFile(second.path);
  range = second.byteRange;
});
afterAll(() => workshop.close());

async function verify(content: Buffer): Promise<readonly PdfSignatureVerification[]> {
  return (await verifyPdf(await workshop.write(content))).signatures;
}
const outcomes = async (content: Buffer): Promise<readonly string[]> =>
  (await verify(content)).map(({ outcome }) => outcome);

/** A copy of the signed file with some bytes replaced by as many others. */
function patch(position: number, replacement: string | Buffer): Buffer {
  const copy = Buffer.from(signed);
  copy.set(Buffer.from(replacement as string, 'latin1'), position);
  return copy;
}
const find = (text: string): number => {
  const position = signed.lastIndexOf(text, undefined, 'latin1');
  expect(position).toBeGreaterThan(0);
  return position;
};

describe('verifyPdf', () => {
  it('lists signatures in the order of signing, each with its covered bytes', async () => {
    const [first, second] = await verify(signed);
    expect(first).toMatchObject({
      fieldName: 'Signature1',
      subFilter: 'ETSI.CAdES.detached',
      outcome: 'intact',
      coversWholeFile: false,
    });
    expect(second).toMatchObject({
      fieldName: 'Signature2',
      subFilter: 'adbe.pkcs7.detached',
      outcome: 'intact',
      coversWholeFile: true,
      byteRange: range,
    });
    expect(second?.cms?.signers[0]?.certificate?.commonName).toBe('Signer of PDFs');
  });

  it('finds no signature in a file with an empty field', async () => {
    expect(await verify(buildPdf(withFields({ 6: emptySignatureField('Later') })))).toEqual([]);
  });

  it('calls both signatures broken when the original is changed', async () => {
    expect(await outcomes(patch(find('A document'), 'B'))).toEqual(['broken', 'broken']);
  });

  it('calls only the second signature broken when its own revision is changed', async () => {
    expect(await outcomes(patch(find('/Rect [0') + '/Rect ['.length, '9'))).toEqual(['intact', 'broken']);
  });

  it('calls the signature broken when its own bytes are changed', async () => {
    // SEQUENCE with a length of two bytes; the signature value comes last.
    const head = Buffer.from(signed.toString('latin1', range[1] + 1, range[1] + 9), 'hex');
    const end = range[1] + 1 + 2 * (head.readUInt16BE(2) + 4);
    expect(await outcomes(patch(end - 20, '0011223344556677'))).toEqual(['intact', 'broken']);
  });

  it('calls the signature broken when its bytes are no signature', async () => {
    const results = await verify(patch(range[1] + 1, 'ffff'));
    expect(results[1]).toMatchObject({ outcome: 'broken', problem: expect.stringContaining('.') as string });
    expect(results[1]?.cms).toBeUndefined();
  });

  it('says a signature does not cover bytes appended later', async () => {
    const appended = appendRevision(signed, { 4: { dictionary: '', data: 'BT (Something else) Tj ET' } });
    const results = await verify(appended);
    expect(results.map(({ outcome }) => outcome)).toEqual(['intact', 'intact']);
    expect(results.map(({ coversWholeFile }) => coversWholeFile)).toEqual([false, false]);
  });

  it('sees the first signature alone when the file is cut where the second begins', async () => {
    const [first] = await verify(signed);
    const end = (first?.byteRange[2] ?? 0) + (first?.byteRange[3] ?? 0);
    expect(await verify(signed.subarray(0, end))).toMatchObject([{ outcome: 'intact', coversWholeFile: true }]);
  });

  it('sees the first signature, and the remains of another, when the file is cut inside the second', async () => {
    const results = await verify(signed.subarray(0, range[1] + 100));
    expect(results).toMatchObject([{ outcome: 'intact', coversWholeFile: false }]);
  });

  it('refuses a file cut before any end', async () => {
    await expect(verify(signed.subarray(0, 300))).rejects.toMatchObject({ code: 'PDF_MALFORMED' });
  });

  it.each([
    ['does not begin at the beginning', [1, 0, 0, 0]],
    ['ends outside the file', [0, 0, 0, 1]],
    ['leaves out less than the signature', [0, 1, 0, 0]],
    ['leaves out more than the signature', [0, -1, 0, 0]],
    ['begins again too late', [0, 0, 1, -1]],
    ['overlaps itself', [0, 0, -6000, 6000]],
  ] as const)('calls a signature broken when its byte range %s', async (_, change) => {
    const forged = range.map((number, index) => number + (change[index] ?? 0));
    const position = find('/ByteRange [') + '/ByteRange '.length;
    const results = await verify(patch(position, `[${forged.join(' ')}]`.padEnd(`[${range.join(' ')}]`.length)));
    expect(results.at(-1)?.outcome).toBe('broken');
    expect(results.find(({ fieldName }) => fieldName === 'Signature2')?.cms).toBeUndefined();
  });

  it.each([
    ['without a byte range', '/Contents <30>'],
    ['without contents', '/ByteRange [0 10 20 30]'],
    ['with a byte range of words', '/ByteRange [/a /b /c /d] /Contents <30>'],
    ['with one part only', '/ByteRange [0 100] /Contents <30>'],
    ['with contents that are empty', '/ByteRange [0 10 12 30] /Contents <>'],
  ])('calls a signature broken %s', async (_, entries) => {
    const value = `<</Type /Sig /Filter /Adobe.PPKLite /SubFilter /adbe.pkcs7.detached ${entries}>>`;
    const objects = { ...withFields({ 6: emptySignatureField('Forged', '/V 7 0 R') }), 7: value };
    expect(await outcomes(buildPdf(objects))).toEqual(['broken']);
  });

  it('calls a signature broken with contents in an object stream, where no byte range can leave a hole', async () => {
    const value = '<</Type /Sig /SubFilter /adbe.pkcs7.detached /ByteRange [0 10 14 30] /Contents <30>>>';
    const objects = { ...withFields({ 6: emptySignatureField('Forged', '/V 7 0 R') }), 7: value };
    expect(await outcomes(buildPdf(objects, { kind: 'stream', compressed: [7] }))).toEqual(['broken']);
  });

  it('calls a field broken when its value is no dictionary', async () => {
    expect(await outcomes(buildPdf(withFields({ 6: emptySignatureField('Odd', '/V (signed)') })))).toEqual(['broken']);
  });
});
