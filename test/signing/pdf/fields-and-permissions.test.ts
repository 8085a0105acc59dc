import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inspectPdf, verifyPdf } from '../../../src/signing/pdf/verification/verify-pdf.ts';
import { buildPdf, emptySignatureField, onePage, withFields } from './build-pdf.ts';
import type { Objects, PdfShape } from './build-pdf.ts';
import { askOpenssl, askPdfsig, askQpdf, makeWithQpdf, readSignaturesWithQpdf } from './oracles.ts';
import { expectValid, Workshop } from './workshop.ts';

let workshop: Workshop;
beforeAll(async () => {
  workshop = await Workshop.open();
});
afterAll(() => workshop.close());

const build = (objects: Objects, shape?: PdfShape): Promise<string> => workshop.write(buildPdf(objects, shape));
const WIDGET = '/Type /Annot /Subtype /Widget /F 4 /Rect [72 72 200 120] /P 3 0 R';

/** `contract.party` with a merged widget, `contract.witness` with a widget of its own, `contract.note` a text. */
const CONTRACT: Objects = {
  ...withFields({ 6: '<</T (contract) /FT /Sig /Kids [7 0 R 8 0 R 10 0 R]>>' }),
  3: '<</Type /Page /Parent 2 0 R /Annots [7 0 R 9 0 R 10 0 R]>>',
  7: `<<${WIDGET} /Parent 6 0 R /T (party)>>`,
  8: '<</Parent 6 0 R /T (witness) /Kids [9 0 R]>>',
  9: `<<${WIDGET} /Parent 8 0 R>>`,
  10: `<<${WIDGET} /Parent 6 0 R /FT /Tx /T (note) /V (text)>>`,
};

describe('signPdf into an empty field', () => {
  it.each([
    ['of the form', withFields({ 6: emptySignatureField('Approval') }), 'Approval'],
    ['with a dotted name and an inherited type', CONTRACT, 'contract.party'],
    ['with a name in UTF-16', withFields({ 6: emptySignatureField('\xfe\xff\x7f\x72\x54\\r') }), '署名'],
    ['whose value is null', withFields({ 6: emptySignatureField('Null', '/V null') }), 'Null'],
  ] as const)('fills a field %s and adds none', async (_, objects, fieldName) => {
    const original = await build(objects);
    const before = await inspectPdf(original);
    expect(before.emptySignatureFields).toContain(fieldName);
    const signed = await workshop.sign(original, { fieldName });
    expect(signed.fieldName).toBe(fieldName);
    await expectValid(signed.path, 1);
    const after = await inspectPdf(signed.path);
    expect(after.signatureCount).toBe(1);
    expect(after.emptySignatureFields).toEqual(before.emptySignatureFields.filter((name) => name !== fieldName));
    const { path: again } = await workshop.sign(signed.path);
    await expectValid(again, 2);
  });

  it.each([
    ['the only empty field', { 6: emptySignatureField('One') }, 'One'],
    ['none of two', { 6: emptySignatureField('One'), 7: emptySignatureField('Two') }, 'Signature1'],
  ] as const)('fills %s on request where no field is named', async (_, fields, expected) => {
    const original = await build(withFields(fields));
    expect((await workshop.sign(original, { fillsOnlyEmptyField: true })).fieldName).toBe(expected);
    expect((await workshop.sign(original)).fieldName).toBe('Signature1');
  });

  it('fills a field with a separate widget', async () => {
    // poppler looks for the value in the widget only: OpenSSL is asked instead.
    const { path } = await workshop.sign(await build(CONTRACT), { fieldName: 'contract.witness' });
    expect(await askOpenssl(path)).toEqual([true]);
    expect(await askQpdf(path)).toMatchObject({ exitCode: 0, complaints: [] });
    expect((await verifyPdf(path)).signatures).toMatchObject([{ fieldName: 'contract.witness', outcome: 'intact' }]);
  });

  it('fills every field of a form in sequence, in an encrypted file with object streams', async () => {
    const plain = await build({
      ...withFields({ 6: emptySignatureField('First'), 7: emptySignatureField('Second') }),
    });
    const encrypted = workshop.newPath();
    await makeWithQpdf(['--object-streams=generate', '--encrypt', '', 'owner', '256', '--', plain, encrypted]);
    const { path: once } = await workshop.sign(encrypted, { fieldName: 'Second' });
    const { path: twice } = await workshop.sign(once, { fieldName: 'First' });
    await expectValid(twice, 2);
    expect(await inspectPdf(twice)).toEqual({
      version: '1.7',
      pageCount: 1,
      encrypted: true,
      signatureCount: 2,
      emptySignatureFields: [],
    });
  });

  it('rewrites neither page nor form nor catalog when the form already announces signatures', async () => {
    const original = await build(withFields({ 6: emptySignatureField('Approval') }, '/SigFlags 3'));
    const { path } = await workshop.sign(original, { fieldName: 'Approval' });
    const appended = (await readFile(path)).subarray((await readFile(original)).length).toString('latin1');
    expect([...appended.matchAll(/^(\d+) 0 obj/gm)].map((match) => match[1])).toEqual(['6', '7']);
  });

  it.each([
    ['Missing', 'The PDF has no signature field "Missing". Empty ones are: "contract.party", "contract.witness".'],
    ['contract', 'The PDF has no signature field "contract". Empty ones are: "contract.party", "contract.witness".'],
    [
      'contract.note',
      'The PDF has no signature field "contract.note". Empty ones are: "contract.party", "contract.witness".',
    ],
  ])('refuses the name "%s" and names the existing fields', async (fieldName, message) => {
    const original = await build(CONTRACT);
    expect(await workshop.refusal(original, { fieldName })).toMatchObject({ code: 'PDF_FIELD_NOT_FOUND', message });
  });

  it.each([
    ['warns of several empty fields that nobody chose', undefined, 'Signature1', ['FIELDS_LEFT_EMPTY']],
    ['warns of nothing where one was chosen', 'contract.party', 'contract.party', []],
  ])('%s', async (_what, fieldName, filled, codes) => {
    const signed = await workshop.sign(await build(CONTRACT), { fieldName, fillsOnlyEmptyField: true });
    expect(signed.fieldName).toBe(filled);
    expect(signed.warnings.map(({ code }) => code)).toEqual(codes);
    for (const { detail } of signed.warnings) expect(detail).toContain('"contract.party", "contract.witness"');
  });

  it('demands a choice among several empty fields for the name "?", and fills the only empty field', async () => {
    expect(await workshop.refusal(await build(CONTRACT), { fieldName: '?' })).toMatchObject({
      code: 'PDF_FIELD_REQUIRED',
      message: expect.stringContaining('"contract.party", "contract.witness"') as string,
    });
    const single = await build(withFields({ 6: emptySignatureField('Approval') }));
    expect((await workshop.sign(single, { fieldName: '?' })).fieldName).toBe('Approval');
    expect((await workshop.sign(await build(onePage()), { fieldName: '?' })).fieldName).toBe('Signature1');
  });

  it('refuses a field already signed', async () => {
    const { path } = await workshop.sign(await build(withFields({ 6: emptySignatureField('Approval') })), {
      fieldName: 'Approval',
    });
    expect(await workshop.refusal(path, { fieldName: 'Approval' })).toMatchObject({
      code: 'PDF_FIELD_NOT_FOUND',
      message: 'The field "Approval" is already signed. It has no empty signature field.',
    });
  });

  it('gives its own field a name without collision', async () => {
    const original = await build(
      withFields({ 6: emptySignatureField('Signature1'), 7: emptySignatureField('Signature2') }),
    );
    expect((await workshop.sign(original)).fieldName).toBe('Signature3');
  });
});

describe('signPdf and the permissions of earlier signatures', () => {
  const certified = (permission: string): Objects => ({
    ...onePage(),
    1: '<</Type /Catalog /Pages 2 0 R /Perms <</DocMDP 6 0 R>>>>',
    6: `<</Type /Sig /Filter /Adobe.PPKLite /SubFilter /adbe.pkcs7.detached /Contents <00> /ByteRange [0 1 2 3]
      /Reference [<</Type /SigRef /TransformMethod /DocMDP
      /TransformParams <</Type /TransformParams /V /1.2 ${permission}>>>>]>>`,
  });

  it('refuses a file certified by its author without any change (P 1)', async () => {
    const original = await build(certified('/P 1'));
    expect(await workshop.refusal(original)).toMatchObject({ code: 'PDF_CHANGE_FORBIDDEN' });
  });

  it.each([['/P 2'], ['/P 3'], ['']])('signs a file certified for filling in (%s)', async (permission) => {
    const { path } = await workshop.sign(await build(certified(permission)));
    await expectValid(path, 1);
  });

  it('writes the lock requested by a field, and then refuses to fill a locked field', async () => {
    const lock = '/Lock <</Type /SigFieldLock /Action /Include /Fields [(contract)]>>';
    const original = await build({
      ...CONTRACT,
      1: '<</Type /Catalog /Pages 2 0 R /AcroForm <</Fields [6 0 R 11 0 R]>>>>',
      3: '<</Type /Page /Parent 2 0 R /Annots [7 0 R 9 0 R 10 0 R 11 0 R]>>',
      11: emptySignatureField('Board', lock),
    });
    const { path } = await workshop.sign(original, { fieldName: 'Board' });
    const [signature] = await readSignaturesWithQpdf(path);
    expect(signature).toMatchObject({
      '/Reference': [
        {
          '/TransformMethod': '/FieldMDP',
          '/TransformParams': { '/Action': '/Include', '/Fields': ['u:contract'], '/V': '/1.2' },
        },
      ],
    });
    expect(await workshop.refusal(path, { fieldName: 'contract.party' })).toMatchObject({
      code: 'PDF_CHANGE_FORBIDDEN',
    });
    const { path: again } = await workshop.sign(path);
    expect((await askPdfsig(again))?.map(({ valid }) => valid)).toEqual([true, true]);
  });

  it('refuses a file locked by an approval signature (P 1 in its lock)', async () => {
    const field = emptySignatureField('Last', '/Lock <</Type /SigFieldLock /Action /All /P 1>>');
    const { path } = await workshop.sign(await build(withFields({ 6: field })), { fieldName: 'Last' });
    expect(await workshop.refusal(path)).toMatchObject({ code: 'PDF_CHANGE_FORBIDDEN' });
  });
});
