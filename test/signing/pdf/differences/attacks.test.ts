import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Certification } from '../../../../src/signing/pdf/sign-request.ts';
import { buildPdf } from '../build-pdf.ts';
import { Workshop } from '../workshop.ts';
import {
  append,
  appendTable,
  bodyOf,
  codesOf,
  CONTRACT,
  CONTRACT_SHAPE,
  edited,
  offsetsOf,
  signatureOf,
} from './contract.ts';

let workshop: Workshop;
/** The contract with an approval signature, and with certifications of each kind, all in `Signature1`. */
const signed: Partial<Record<Certification | 'approval', Buffer>> = {};
beforeAll(async () => {
  workshop = await Workshop.open();
  const contract = await workshop.write(buildPdf(CONTRACT, CONTRACT_SHAPE));
  signed.approval = await readFile((await workshop.sign(contract)).path);
  for (const certify of ['no-changes', 'form-filling', 'annotations'] as const) {
    signed[certify] = await readFile((await workshop.sign(contract, { certify })).path);
  }
});
afterAll(() => workshop.close());

const FORM = '/Type /XObject /Subtype /Form /BBox [0 0 595 842]';
const EVIL = { dictionary: '', data: 'BT /F1 24 Tf 72 720 Td (Pay 1000 to Mallory) Tj ET' };
const CONTENT = `<</Length 10>>\nstream\n(Mallory!)\nendstream`;
const nextNumber = (file: Buffer): number =>
  Math.max(...[...file.toString('latin1').matchAll(/\/Size (\d+)/g)].map((match) => Number(match[1])));

/** A free annotation or field on the first page, with the wiring. */
function onPage(file: Buffer, body: string, inForm = false): Buffer {
  const number = nextNumber(file);
  const page = edited(file, 3, '/Annots [', `/Annots [${number} 0 R `);
  const form = inForm ? edited(file, 11, '/Fields [', `/Fields [${number} 0 R `) : {};
  return append(file, { ...page, ...form, [number]: body });
}

const freeText = '<</Type /Annot /Subtype /FreeText /Rect [0 0 595 842] /Contents (Pay Mallory) /DA (/Helv 20 Tf)>>';
const stamp = '<</Type /Annot /Subtype /Stamp /Rect [60 700 400 760] /AP <</N 12 0 R>>>>';
const drawn = (kind: string, more: string): string =>
  `<</Type /Annot /Subtype /${kind} /Rect [0 0 595 842] /L [0 421 595 421] /InkList [[0 421 595 421]] ${more}>>`;
const visibleField =
  '<</Type /Annot /Subtype /Widget /FT /Sig /T (sneaky) /F 4 /Rect [60 700 400 760] /AP <</N 12 0 R>> /P 3 0 R>>';

type Row = readonly [attack: string, code: string, make: (file: Buffer) => Buffer];

/** Later revisions changing the signed content: never allowed, under any signature. */
const CHANGES: readonly Row[] = [
  // Incremental saving.
  ['replaces the content of a page', 'PAGE_CONTENT_CHANGED', (file) => append(file, { 4: EVIL })],
  [
    'gives a page other content',
    'PAGE_CONTENT_CHANGED',
    (file) => {
      const number = nextNumber(file);
      return append(file, { ...edited(file, 3, '/Contents 4 0 R', `/Contents ${number} 0 R`), [number]: EVIL });
    },
  ],
  [
    'appends objects without a cross-reference',
    'CONTENT_OUTSIDE_REVISIONS',
    (file) => Buffer.concat([file, Buffer.from(`4 0 obj\n${CONTENT}\nendobj\n`)]),
  ],
  [
    'appends objects and repeats the old startxref',
    'CONTENT_OUTSIDE_REVISIONS',
    (file) => {
      const start = /startxref\s+\d+\s+%%EOF\s*$/.exec(file.toString('latin1'))![0];
      return Buffer.concat([file, Buffer.from(`4 0 obj\n${CONTENT}\nendobj\n${start}`)]);
    },
  ],
  [
    'adds a page',
    'PAGES_CHANGED',
    (file) => {
      const number = nextNumber(file);
      return append(file, { ...edited(file, 2, '/Kids [', `/Kids [${number} 0 R `), [number]: bodyOf(file, 3) });
    },
  ],
  ['removes a page', 'PAGES_CHANGED', (file) => append(file, edited(file, 2, '3 0 R ', ''))],
  [
    'adds an action that runs when the document opens',
    'CATALOG_CHANGED',
    (file) => append(file, edited(file, 1, '/Pages', '/OpenAction <</S /JavaScript /JS (app.alert)>> /Pages')),
  ],
  [
    'adds actions to the catalog',
    'CATALOG_CHANGED',
    (file) => append(file, edited(file, 1, '/Pages', '/AA <</WS <</S /JavaScript /JS (1)>>>> /Pages')),
  ],
  ['gives the page tree another size', 'PAGES_CHANGED', (file) => append(file, edited(file, 2, '595 842', '595 100'))],
  // Shadow attacks: hide.
  ['takes the overlay away that was seen', 'OBJECT_REMOVED', (file) => appendTable(file, '', { 12: 'free' })],
  ['makes the overlay empty', 'PAGE_RESOURCES_CHANGED', (file) => append(file, { 12: { dictionary: FORM, data: '' } })],
  [
    'switches a layer off',
    'OPTIONAL_CONTENT_CHANGED',
    (file) => append(file, edited(file, 15, '/OFF []', '/OFF [16 0 R]')),
  ],
  [
    'gives the catalog other layers',
    'OPTIONAL_CONTENT_CHANGED',
    (file) => append(file, edited(file, 1, '/OCProperties 15 0 R', '/OCProperties <</OCGs [] /D <<>>>>')),
  ],
  // Shadow attacks: replace.
  ['exchanges a font', 'PAGE_RESOURCES_CHANGED', (file) => append(file, edited(file, 5, 'Helvetica', 'Swapped'))],
  [
    'exchanges the font in the resources of the page',
    'PAGE_RESOURCES_CHANGED',
    (file) => append(file, edited(file, 3, '/F1 5 0 R', '/F1 <</Type /Font /Subtype /Type3>>')),
  ],
  [
    'maps a font of the form to another one',
    'FORM_CHANGED',
    (file) => append(file, edited(file, 11, '/Helv 5 0 R', '/Helv <</Type /Font /Subtype /Type3>>')),
  ],
  // Shadow attacks: hide and replace.
  [
    'points to a new catalog with other layers',
    'OPTIONAL_CONTENT_CHANGED',
    (file) => {
      const number = nextNumber(file);
      const catalog = bodyOf(file, 1).replace('/OCProperties 15 0 R', '/OCProperties <</OCGs [] /D <<>>>>');
      return append(file, { [number]: catalog }, { trailer: `/Root ${number} 0 R` });
    },
  ],
  [
    'points a content to other bytes that were in the file',
    'OBJECT_REPOINTED',
    (file) => {
      const other = file.toString('latin1').indexOf('14 0 obj') + 1;
      return appendTable(file, '', { 4: other });
    },
  ],
  [
    'supplies an object that was missing',
    'MISSING_OBJECT_SUPPLIED',
    (file) => append(file, { 90: { dictionary: FORM, data: '(evil)' } }),
  ],
  [
    'supplies an object that was missing, in an object that nothing seems to use',
    'MISSING_OBJECT_SUPPLIED',
    (file) => appendTable(file, '90 0 obj\n(new)\nendobj\n', { 90: file.length }),
  ],
  // Dictionaries swapped.
  [
    'changes how the signature looks',
    'SIGNATURE_REPLACED',
    (file) => {
      const [field] = /(\d+) 0 obj\s<<\/Type \/Annot\n\/Subtype \/Widget\n\/FT \/Sig/
        .exec(file.toString('latin1'))!
        .slice(1);
      return append(file, {
        [Number(field)]: bodyOf(file, Number(field)).replace(/\/AP <<[^>]*>>/, '/AP <</N 12 0 R>>'),
      });
    },
  ],
  // Objects used twice.
  [
    'fills a field whose looks the page uses',
    'PAGE_RESOURCES_CHANGED',
    (file) => append(append(file, edited(file, 6, '7 0 R', '12 0 R')), { 12: { dictionary: FORM, data: '(evil)' } }),
  ],
  [
    'puts the content of a page into the security store',
    'PAGE_CONTENT_CHANGED',
    (file) => append(file, { ...edited(file, 1, '/Pages', '/DSS <</Certs [4 0 R]>> /Pages'), 4: EVIL }),
  ],
  [
    'puts the resources of a page into the security store',
    'PAGE_RESOURCES_CHANGED',
    (file) =>
      append(file, {
        ...edited(file, 1, '/Pages', '/DSS <</VRI <</A 5 0 R>>>> /Pages'),
        ...edited(file, 5, 'Helvetica', 'X'),
      }),
  ],
  [
    'names the content of a page as Info',
    'PAGE_CONTENT_CHANGED',
    (file) => append(file, { 4: EVIL }, { trailer: '/Info 4 0 R' }),
  ],
  // Fields that become others.
  ['removes a field', 'FIELD_REMOVED', (file) => append(file, edited(file, 11, '6 0 R ', ''))],
  ['adds a text field', 'FIELD_ADDED', (file) => onPage(file, visibleField.replace('/Sig', '/Tx'), true)],
  ['renames a field', 'FIELD_CHANGED', (file) => append(file, edited(file, 6, '(name)', '(other)'))],
  ['moves a field', 'FIELD_CHANGED', (file) => append(file, edited(file, 6, '[72 600', '[0 0'))],
  [
    'gives a field an action',
    'FIELD_CHANGED',
    (file) => append(file, edited(file, 6, '/FT', '/AA <</F <</S /JavaScript /JS (1)>>>> /FT')),
  ],
  ['gives the form an XFA', 'FORM_CHANGED', (file) => append(file, edited(file, 11, '/Fields', '/XFA (x) /Fields'))],
  [
    'certifies what is signed',
    'CERTIFICATION_CHANGED',
    (file) => append(file, edited(file, 1, '/Pages', '/Perms <</UR3 8 0 R>> /Pages')),
  ],
  // Hybrid files and object streams.
  [
    'changes a content in the stream of a hybrid file',
    'PAGE_CONTENT_CHANGED',
    (file) => append(file, { 14: '<</Producer (hidden)>>' }, { kind: 'hybrid', compressed: [14] }),
  ],
  [
    'changes a font in the stream of a hybrid file',
    'PAGE_RESOURCES_CHANGED',
    (file) => append(file, edited(file, 5, 'Helvetica', 'Swapped'), { kind: 'hybrid', compressed: [5] }),
  ],
  [
    'shows programs different contents of a page',
    'HIDDEN_OBJECT_CHANGED',
    (file) => append(file, { 5: bodyOf(file, 5) }, { kind: 'hybrid', hiddenAt: { 5: offsetsOf(file)[17]! } }),
  ],
];

describe('a later revision of a signed PDF', () => {
  it.each(CHANGES)('is not allowed when it %s', async (_, code, make) => {
    const signature = await signatureOf(await workshop.write(make(signed.approval!)), 'Signature1');
    expect(codesOf(signature.changes)).toContain(code);
    expect(signature).toMatchObject({ changeLevel: 'other', changesAllowed: false, coversWholeFile: false });
    expect(signature.problem).toBeUndefined();
  });

  it.each([
    ['a new stream of contents', '14 0 R', '12 0 R'],
    ['other resources', '/Resources <<', '/Resources <</XObject <</X 12 0 R>>'],
    ['a list of annotations', '/Annots [13 0 R', '/Annots [9 0 R 13 0 R'],
    ['the entries of a note', '/Contents 14 0 R /Resources <<>> /Annots [13 0 R]', '/Contents (note)'],
  ])('is not allowed giving %s to a page that is an annotation too', async (_, from, to) => {
    // Programs show the page without its right Type; as an annotation its entries might change.
    const page = `<</Type /Annot /Subtype /Text /Rect [0 0 1 1] /Parent 2 0 R /Contents 14 0 R /Resources <<>> /Annots [13 0 R]>>`;
    const first = (CONTRACT[3] as string).replace('9 0 R]', '9 0 R 13 0 R]');
    const { path } = await workshop.sign(
      await workshop.write(buildPdf({ ...CONTRACT, 3: first, 13: page }, CONTRACT_SHAPE)),
    );
    const file = await readFile(path);
    const signature = await signatureOf(await workshop.write(append(file, edited(file, 13, from, to))), 'Signature1');
    expect(signature).toMatchObject({ changeLevel: 'other', changesAllowed: false });
  });

  it('is not allowed replacing a signed object stream', async () => {
    const compressed = { ...CONTRACT_SHAPE, kind: 'stream', compressed: [5, 15, 16] } as const;
    const { path } = await workshop.sign(await workshop.write(buildPdf(CONTRACT, compressed)));
    const file = await readFile(path);
    const evil = { dictionary: '/Type /ObjStm /N 1 /First 4', data: '5 0 <</Type /Font /Subtype /Type3>>' };
    const signature = await signatureOf(
      await workshop.write(append(file, { 19: evil }, { kind: 'stream' })),
      'Signature1',
    );
    expect(codesOf(signature.changes)).toContain('OBJECT_STREAM_REPLACED');
    expect(signature.changesAllowed).toBe(false);
  });

  it('is not allowed overriding an object of an object stream', async () => {
    const compressed = { ...CONTRACT_SHAPE, kind: 'stream', compressed: [5, 15, 16] } as const;
    const { path } = await workshop.sign(await workshop.write(buildPdf(CONTRACT, compressed)));
    const evil = { 5: '<</Type /Font /Subtype /Type3>>' };
    const changed = append(await readFile(path), evil, { kind: 'stream', compressed: [5] });
    const signature = await signatureOf(await workshop.write(changed), 'Signature1');
    expect(codesOf(signature.changes)).toContain('PAGE_RESOURCES_CHANGED');
  });

  it('is not allowed when the signed revision announced bytes coming later', async () => {
    const plain = buildPdf(CONTRACT, CONTRACT_SHAPE);
    const announced = 40_000;
    const { path } = await workshop.sign(await workshop.write(appendTable(plain, '', { 90: announced })));
    const file = await readFile(path);
    expect(file.length).toBeLessThan(announced);
    const body = `${'%'.padEnd(announced - file.length - 1)}\n90 0 obj (evil) endobj\n`;
    const signature = await signatureOf(await workshop.write(appendTable(file, body, {})), 'Signature1');
    expect(codesOf(signature.changes)).toContain('PHANTOM_OBJECT');
    expect(signature.changesAllowed).toBe(false);
  });

  it.each<[string, Readonly<Record<number, number>>]>([
    ['the same objects', {}],
    ['another content', { 4: 20 }],
  ])('is not allowed beginning a history of its own with %s', async (_, changes) => {
    const file = signed.approval!;
    const rewritten = appendTable(file, '', { ...offsetsOf(file), ...changes }, '');
    const alone = Buffer.from(rewritten.toString('latin1').replace(/\/Prev >>/, '>>'), 'latin1');
    const signature = await signatureOf(await workshop.write(alone), 'Signature1');
    expect(signature).toMatchObject({ changesAllowed: false, changeLevel: 'other' });
    expect(codesOf(signature.changes)).toEqual(['REVISION_REPLACED']);
  });
});

type Certified = readonly [
  attack: string,
  certify: Certification,
  code: string,
  allowed: boolean,
  make: (file: Buffer) => Buffer,
];

/** Rules of certifications about annotations, forms and signatures. */
const CERTIFIED: readonly Certified[] = [
  ['a free text over the page', 'annotations', 'COVERING_ANNOTATION_ADDED', true, (file) => onPage(file, freeText)],
  ['a stamp over the page', 'annotations', 'COVERING_ANNOTATION_ADDED', true, (file) => onPage(file, stamp)],
  ['a free text over the page', 'form-filling', 'COVERING_ANNOTATION_ADDED', false, (file) => onPage(file, freeText)],
  ['a stamp over the page', 'no-changes', 'COVERING_ANNOTATION_ADDED', false, (file) => onPage(file, stamp)],
  ...(
    [
      ['a stamp on paper only', stamp.replace('/Rect', '/F 36 /Rect'), 'COVERING_ANNOTATION_ADDED'],
      [
        'a stamp on paper, and on the screen after a click',
        stamp.replace('/Rect', '/F 288 /Rect'),
        'COVERING_ANNOTATION_ADDED',
      ],
      ['a stamp that is shown nowhere', stamp.replace('/Rect', '/F 32 /Rect'), 'ANNOTATION_ADDED'],
      ['a filled square', drawn('Square', '/F 4 /IC [1 1 1]'), 'COVERING_ANNOTATION_ADDED'],
      ['a line as thick as the page', drawn('Line', '/F 4 /C [1 1 1] /BS <</W 300>>'), 'COVERING_ANNOTATION_ADDED'],
      ['ink as thick as the page', drawn('Ink', '/F 4 /C [1 1 1] /Border [0 0 300]'), 'COVERING_ANNOTATION_ADDED'],
      ['a thin line', drawn('Line', '/F 4 /C [1 0 0] /BS <</W 2>>'), 'ANNOTATION_ADDED'],
      ['an empty square', drawn('Square', '/F 4 /C [1 0 0]'), 'ANNOTATION_ADDED'],
    ] as const
  ).map(([attack, annotation, code]): Certified => [
    attack,
    'annotations',
    code,
    true,
    (file) => onPage(file, annotation),
  ]),
  [
    'a visible signature field',
    'form-filling',
    'VISIBLE_FIELD_ADDED',
    false,
    (file) => onPage(file, visibleField, true),
  ],
  ['a visible signature field', 'no-changes', 'VISIBLE_FIELD_ADDED', false, (file) => onPage(file, visibleField, true)],
  ['a visible signature field', 'annotations', 'VISIBLE_FIELD_ADDED', true, (file) => onPage(file, visibleField, true)],
  [
    'a value of a field',
    'no-changes',
    'FIELD_FILLED',
    false,
    (file) => append(file, edited(file, 6, '/FT', '/V (x) /FT')),
  ],
  [
    'a value of a field',
    'form-filling',
    'FIELD_FILLED',
    true,
    (file) => append(file, edited(file, 6, '/FT', '/V (x) /FT')),
  ],
  [
    'another note',
    'form-filling',
    'ANNOTATION_CHANGED',
    false,
    (file) => append(file, edited(file, 9, '(note)', '(x)')),
  ],
  ['another note', 'annotations', 'ANNOTATION_CHANGED', true, (file) => append(file, edited(file, 9, '(note)', '(x)'))],
  ...[
    ['text', 'BT /Helv 20 Tf (Pay 999999) Tj ET', 8],
    ['a drawn path', '0 0 m 10 10 l 20 0 l f', 8],
    ['a picture', 'q /Im Do Q', 8],
    ['text in a field of text', 'BT /Helv 20 Tf [(Pay 999999)] TJ ET', 6],
  ].flatMap(([looks, data, number]): readonly Certified[] =>
    (['form-filling', 'annotations'] as const).map((certify) => [
      `${looks} in a field without a value`,
      certify,
      'FIELD_LOOKS_UNEXPLAINED',
      certify === 'annotations',
      (file) => {
        const bare = bodyOf(file, Number(number)).replace('/AP <</N 7 0 R>>', '');
        const drawn = bare.replace('/FT', '/AP <</N 70 0 R>> /FT');
        return append(file, { [Number(number)]: drawn, 70: { dictionary: FORM, data: String(data) } });
      },
    ]),
  ),
  ['no note', 'form-filling', 'ANNOTATION_REMOVED', false, (file) => append(file, edited(file, 3, ' 9 0 R', ''))],
  [
    'a note that looks otherwise',
    'form-filling',
    'ANNOTATION_CHANGED',
    false,
    (file) => append(file, { 10: { dictionary: FORM, data: '(x)' } }),
  ],
];

describe('a certified PDF', () => {
  it.each(CERTIFIED)(
    'that later has %s, being certified for %s: %s, allowed: %s',
    async (_, certify, code, allowed, make) => {
      const signature = await signatureOf(await workshop.write(make(signed[certify]!)), 'Signature1');
      expect(codesOf(signature.changes)).toContain(code);
      expect(signature.changesAllowed).toBe(allowed);
      expect(signature.changeLevel).not.toBe('other');
      expect(signature.changes.find((change) => change.code === code)?.page).toBe(1);
    },
  );
});
