import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeWith, type ForeignChange } from '../../../oracles/foreign-writers.ts';
import { buildPdf, emptySignatureField, onePage, withFields } from '../build-pdf.ts';
import type { Objects, PdfShape } from '../build-pdf.ts';
import { Workshop } from '../workshop.ts';
import { append, bodyOf, codesOf, CONTRACT, CONTRACT_SHAPE, edited, factsOf, signatureOf } from './contract.ts';

let workshop: Workshop;
beforeAll(async () => {
  workshop = await Workshop.open();
});
afterAll(() => workshop.close());

const WORD: PdfShape = { ...CONTRACT_SHAPE, kind: 'word', compressed: [15, 16] };
const bases = (): Promise<readonly string[]> =>
  Promise.all([buildPdf(CONTRACT, WORD), buildPdf(onePage())].map((file) => workshop.write(file)));

/** Two changes of the same kind in a row, and the paths of both results. */
function twice(base: string, operation: ForeignChange['operation']): readonly ForeignChange[] {
  const [one, two] = [workshop.newPath(), workshop.newPath()];
  return [
    { operation, input: base, output: one },
    { operation, input: one, output: two },
  ];
}

describe('a PDF saved by Word, and another without a form', () => {
  it.each(['itext', 'pdfbox'] as const)('may be signed twice by %s, invisibly and visibly', async (writer) => {
    const changes = (await bases()).flatMap((base) => [...twice(base, 'sign'), ...twice(base, 'visible')]);
    await writeWith(writer, changes);
    for (const { operation, output } of changes) {
      const { signatures, problems } = await factsOf(output);
      expect(problems).toEqual([]);
      expect(signatures.map(({ problem, changesAllowed }) => problem?.code ?? changesAllowed)).toEqual(
        signatures.map(() => true),
      );
      const codes = signatures.flatMap((signature) => codesOf(signature.changes));
      const added = operation === 'sign' ? 'SIGNATURE_ADDED' : 'VISIBLE_SIGNATURE_ADDED';
      expect(codes.filter((code) => code === added)).toHaveLength(signatures.length - 1);
    }
  });

  it('may be signed twice here, and behind iText', async () => {
    const [word = ''] = await bases();
    const foreign = workshop.newPath();
    await writeWith('itext', [{ operation: 'sign', input: word, output: foreign }]);
    const one = await workshop.sign(foreign, { fieldName: 'approval' });
    const two = await workshop.sign(one.path);
    const { signatures } = await factsOf(two.path);
    expect(signatures.map(({ problem, changesAllowed }) => problem?.code ?? changesAllowed)).toEqual([
      true,
      true,
      true,
    ]);
  });
});

const SIGNATURES_ONLY = (form: string, more: Objects = {}): Objects => ({
  ...withFields({ 6: emptySignatureField('one') }, form),
  ...more,
});
const PICTURE = { dictionary: '/Type /XObject /Subtype /Form /BBox [0 0 9 9]', data: '0 0 9 9 re f' };
const ANOTHER = { ...PICTURE, data: '1 0 0 rg 0 0 9 9 re f' };
const ZIP = { dictionary: '', data: 'PK\x03\x04mimetype' };
const CERTIFICATE = { dictionary: '', data: '0\x82\x01\x00' };
const withSource = (value: string, more = ''): PdfShape => ({ trailer: `/AdditionalStreams [/odt ${value}] ${more}` });
/** An output intent with a profile in the object 6. */
const INTENT = '<</Type /OutputIntent /S /GTS_PDFA1 /DestOutputProfile 6 0 R>>';
const PROFILE = { dictionary: '/N 3', data: 'profile' };
const withIntent = (intent: string): Objects =>
  onePage({ 1: `<</Type /Catalog /Pages 2 0 R /OutputIntents [${intent}]>>`, 6: PROFILE, 7: PROFILE });

/** The catalog with the output intent in the object 40. */
const withIntentMoved = (file: Buffer): Objects => ({
  1: bodyOf(file, 1).replace(/\[\s*<<[^[\]]*>>\s*\]/, '[40 0 R]'),
});

/** A trailer of a program leaving entries out. */
const NO_ENTRIES: PdfShape = { trailer: '' };

type Row = readonly [
  change: string,
  objects: Objects,
  shape: PdfShape,
  make: (file: Buffer) => Buffer,
  /** The changes, and whether these are allowed. */
  codes: readonly string[],
  allowed: boolean,
];

/** Each habit of another program, and the attack using the same hole. */
const HABITS: readonly Row[] = [
  [
    'puts the picture of its signature in the place of an earlier one',
    SIGNATURES_ONLY('/DR <</XObject <</FRM 7 0 R>>>>', { 7: PICTURE }),
    {},
    (file) => append(file, { 1: bodyOf(file, 1).replace('/FRM 7 0 R', '/FRM 40 0 R'), 40: PICTURE }, NO_ENTRIES),
    ['FORM_RESOURCES_ADDED'],
    true,
  ],
  [
    'exchanges a picture that an appearance without resources draws',
    SIGNATURES_ONLY('/DR <</XObject <</FRM 7 0 R>>>>', {
      6: emptySignatureField('one', '/AP <</N 8 0 R>>'),
      7: PICTURE,
      8: { dictionary: '/Type /XObject /Subtype /Form /BBox [0 0 9 9]', data: 'q /FRM Do Q' },
    }),
    {},
    (file) => append(file, { 1: bodyOf(file, 1).replace('/FRM 7 0 R', '/FRM 40 0 R'), 40: ANOTHER }, NO_ENTRIES),
    ['FORM_CHANGED'],
    false,
  ],
  [
    'exchanges a picture that the page names in the same dictionary',
    SIGNATURES_ONLY('/DR <</XObject 8 0 R>>', {
      3: '<</Type /Page /Parent 2 0 R /Contents 4 0 R /Annots [6 0 R] /Resources <</XObject 8 0 R>>>>',
      7: PICTURE,
      8: '<</FRM 7 0 R>>',
    }),
    {},
    (file) => append(file, { 8: '<</FRM 40 0 R>>', 40: PICTURE }, NO_ENTRIES),
    ['FORM_RESOURCES_ADDED', 'PAGE_RESOURCES_CHANGED'],
    false,
  ],
  [
    'writes another default appearance into a form of signatures only',
    SIGNATURES_ONLY('/DA (/Helv 0 Tf)'),
    {},
    (file) => append(file, { 1: bodyOf(file, 1).replace('/Helv 0 Tf', '/sylfaen 0 Tf 0 g') }, NO_ENTRIES),
    [],
    true,
  ],
  [
    'writes another default appearance that a text field draws with',
    CONTRACT,
    CONTRACT_SHAPE,
    (file) => append(file, edited(file, 11, '/Helv 0 Tf', '/Helv 0 Tf 1 g')),
    ['FORM_CHANGED'],
    false,
  ],
  [
    'writes the catalog under another number',
    CONTRACT,
    CONTRACT_SHAPE,
    (file) => append(file, { 40: bodyOf(file, 1) }, { trailer: '/Root 40 0 R /Info 17 0 R' }),
    [],
    true,
  ],
  [
    'writes a changed catalog under another number',
    CONTRACT,
    CONTRACT_SHAPE,
    (file) =>
      append(file, { 40: bodyOf(file, 1).replace('/Pages 2', '/AA <<>> /Pages 2') }, { trailer: '/Root 40 0 R' }),
    ['CATALOG_CHANGED', 'METADATA_UPDATED'],
    false,
  ],
  [
    'takes a catalog that was in the file before',
    { ...CONTRACT, 40: CONTRACT[1]! },
    CONTRACT_SHAPE,
    (file) => append(file, {}, { trailer: '/Root 40 0 R /Info 17 0 R' }),
    ['TRAILER_CHANGED'],
    false,
  ],
  [
    'maps a font to another one in a dictionary of its own below the form',
    { ...CONTRACT, 11: '<</Fields [6 0 R 8 0 R] /DR <</Font 40 0 R>> /DA (/Helv 0 Tf)>>', 40: '<</Helv 5 0 R>>' },
    CONTRACT_SHAPE,
    (file) => append(file, { 40: '<</Helv <</Type /Font /Subtype /Type3>>>>' }),
    ['FORM_CHANGED'],
    false,
  ],
  [
    'copies the resources of a page into an object of another number',
    CONTRACT,
    CONTRACT_SHAPE,
    (file) =>
      append(file, {
        13: bodyOf(file, 13).replace('<</Font <</F1 5 0 R>>>>', '40 0 R'),
        40: '<</Font 41 0 R>>',
        41: '<</F1 5 0 R>>',
      }),
    [],
    true,
  ],
  [
    'copies the resources of a page with another font',
    CONTRACT,
    CONTRACT_SHAPE,
    (file) =>
      append(file, {
        13: bodyOf(file, 13).replace('<</Font <</F1 5 0 R>>>>', '40 0 R'),
        40: '<</Font <</F1 41 0 R>>>>',
        41: '<</Type /Font /Subtype /Type1 /BaseFont /Courier>>',
      }),
    ['PAGE_RESOURCES_CHANGED'],
    false,
  ],
  [
    'writes what a page inherits into the page',
    CONTRACT,
    CONTRACT_SHAPE,
    (file) => append(file, edited(file, 13, '/Parent 2 0 R', '/Parent 2 0 R /MediaBox [0 0 595 842]')),
    [],
    true,
  ],
  [
    'writes another size than it inherits into a page',
    CONTRACT,
    CONTRACT_SHAPE,
    (file) => append(file, edited(file, 13, '/Parent 2 0 R', '/Parent 2 0 R /MediaBox [0 0 595 84]')),
    ['PAGE_CHANGED'],
    false,
  ],
  [
    'names a version in the catalog that is older than the one of the header',
    CONTRACT,
    CONTRACT_SHAPE,
    (file) => append(file, edited(file, 1, '/Pages', '/Version /1.4 /Pages')),
    [],
    true,
  ],
  [
    'writes its version into the page tree',
    CONTRACT,
    CONTRACT_SHAPE,
    (file) => append(file, edited(file, 2, '/Count', '/ITXT (5.0.0) /Count')),
    [],
    true,
  ],
  [
    'writes its version into the page tree, and removes a page',
    CONTRACT,
    CONTRACT_SHAPE,
    (file) => append(file, { 2: bodyOf(file, 2).replace('3 0 R ', '').replace('/Count', '/ITXT (5.0.0) /Count') }),
    ['PAGES_CHANGED'],
    false,
  ],
  [
    'breaks the reference to the OpenDocument file, and supplies a certificate under that number',
    { ...onePage(), 6: ZIP },
    withSource('6 0 R'),
    (file) => {
      const broken = append(file, {}, withSource('40 0 R'));
      return append(
        broken,
        { ...edited(broken, 1, '/Pages', '/DSS <</Certs [40 0 R]>> /Pages'), 40: CERTIFICATE },
        withSource('40 0 R'),
      );
    },
    ['SOURCE_FILE_LOST', 'SECURITY_STORE_UPDATED'],
    true,
  ],
  [
    'leads to another OpenDocument file',
    { ...onePage(), 6: ZIP },
    withSource('6 0 R'),
    (file) => append(file, { 40: ZIP }, withSource('40 0 R')),
    ['TRAILER_CHANGED'],
    false,
  ],
  [
    'breaks the reference to the OpenDocument file, and supplies another one later',
    { ...onePage(), 6: ZIP },
    withSource('6 0 R'),
    (file) => append(append(file, {}, withSource('40 0 R')), { 40: ZIP }, withSource('40 0 R')),
    ['SOURCE_FILE_LOST', 'TRAILER_CHANGED'],
    false,
  ],
  [
    'leaves the trailer entries of LibreOffice out, and another one brings them back',
    { ...onePage(), 6: ZIP },
    withSource('6 0 R', '/DocChecksum /0AB1'),
    (file) => append(append(file, {}, NO_ENTRIES), {}, withSource('6 0 R', '/DocChecksum /0AB1')),
    ['SOURCE_FILE_LOST', 'SOURCE_FILE_RESTORED'],
    true,
  ],
  [
    'leaves the trailer entries of LibreOffice out, and another one names another OpenDocument file',
    { ...onePage(), 6: ZIP, 7: ZIP },
    withSource('6 0 R'),
    (file) => append(append(file, {}, NO_ENTRIES), {}, withSource('7 0 R')),
    ['SOURCE_FILE_LOST', 'TRAILER_CHANGED'],
    false,
  ],
  [
    'leaves the reference to the OpenDocument file out, exchanges the file, and brings the reference back',
    { ...onePage(), 6: ZIP },
    withSource('6 0 R'),
    (file) => {
      const other = { 6: { ...ZIP, data: 'PK\x03\x04another' } };
      return append(append(append(file, {}, NO_ENTRIES), other, NO_ENTRIES), {}, withSource('6 0 R'));
    },
    ['SOURCE_FILE_LOST', 'TRAILER_CHANGED'],
    false,
  ],
  [
    'gives the output intent an object of its own',
    withIntent(INTENT),
    {},
    (file) => append(file, { ...withIntentMoved(file), 40: INTENT }, NO_ENTRIES),
    [],
    true,
  ],
  [
    'gives the output intent an object of its own, and another profile',
    withIntent(INTENT),
    {},
    (file) =>
      append(
        file,
        {
          ...withIntentMoved(file),
          40: INTENT.replace('6 0 R', '41 0 R'),
          41: { ...PROFILE, data: 'another' },
        },
        NO_ENTRIES,
      ),
    ['CATALOG_CHANGED'],
    false,
  ],
  [
    'leaves an entry of the trailer out, and another one brings it back',
    { ...onePage(), 6: '(kept)' },
    { trailer: '/Private 6 0 R' },
    (file) => append(append(file, {}, NO_ENTRIES), {}, { trailer: '/Private 6 0 R' }),
    [],
    true,
  ],
  [
    'gives an entry of the trailer another value',
    onePage(),
    { trailer: '/Private 1' },
    (file) => append(append(file, {}, NO_ENTRIES), {}, { trailer: '/Private 2' }),
    ['TRAILER_CHANGED'],
    false,
  ],
  [
    'exchanges the OpenDocument file',
    { ...onePage(), 6: ZIP },
    withSource('6 0 R'),
    (file) => append(file, { 6: { ...ZIP, data: 'PK\x03\x04another' } }, withSource('6 0 R')),
    ['TRAILER_CHANGED'],
    false,
  ],
];

describe('a later revision by another program', () => {
  it.each(HABITS)('that %s', async (_, objects, shape, make, codes, allowed) => {
    const { path } = await workshop.sign(await workshop.write(buildPdf(objects, shape)));
    const signature = await signatureOf(await workshop.write(make(await readFile(path))), 'Signature1');
    expect(new Set(codesOf(signature.changes))).toEqual(new Set(codes));
    expect(signature.changesAllowed).toBe(allowed);
  });
});
