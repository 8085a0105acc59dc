import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PdfSignatureOptions } from '../../../src/signing/pdf/sign-request.ts';
import { buildPdf, emptySignatureField, onePage, taggedPage } from './build-pdf.ts';
import type { Objects, PdfShape } from './build-pdf.ts';
import { codesOf, factsOf } from './differences/contract.ts';
import { askQpdf, readObjectsWithQpdf } from './oracles.ts';
import { Workshop } from './workshop.ts';

let workshop: Workshop;
beforeAll(async () => {
  workshop = await Workshop.open();
});
afterAll(() => workshop.close());

/** Tagged documents whose tree of parents has each form written by programs. */
const tagged = (changes: Objects = {}): Objects =>
  onePage({
    1: '<</Type /Catalog /Pages 2 0 R /MarkInfo <</Marked true>> /StructTreeRoot 20 0 R>>',
    3: '<</Type /Page /Parent 2 0 R /Contents 4 0 R /StructParents 0 /Resources <</Font <</F1 5 0 R>>>>>>',
    20: '<</Type /StructTreeRoot /K 21 0 R /ParentTree 23 0 R /ParentTreeNextKey 1>>',
    21: '<</Type /StructElem /S /Document /P 20 0 R /K [22 0 R]>>',
    22: '<</Type /StructElem /S /P /P 21 0 R /Pg 3 0 R /K [0]>>',
    23: '<</Nums [0 [22 0 R]]>>',
    ...changes,
  });

const BASES: readonly (readonly [what: string, objects: Objects, shape: PdfShape])[] = [
  ['a plain structure', tagged(), {}],
  ['an object stream', tagged(), { kind: 'stream', compressed: [20, 21, 22, 23] }],
  [
    'a tree of parents with leaves and limits',
    tagged({
      20: '<</Type /StructTreeRoot /K [21 0 R] /ParentTree 23 0 R>>',
      23: '<</Kids [24 0 R 25 0 R]>>',
      24: '<</Limits [0 0] /Nums [0 [22 0 R]]>>',
      25: '<</Limits [7 7] /Nums 26 0 R>>',
      26: '[7 [22 0 R]]',
    }),
    {},
  ],
  [
    'direct parts and no document element',
    tagged({
      20: '<</Type /StructTreeRoot /K 22 0 R /ParentTree <</Nums [0 [22 0 R]]>> /ParentTreeNextKey 5>>',
      22: '<</Type /StructElem /S /P /P 20 0 R /Pg 3 0 R /K [0]>>',
    }),
    {},
  ],
];

interface Element {
  readonly '/S': string;
  readonly '/P': string;
  readonly '/Alt': string;
  readonly '/K': Readonly<Record<string, string>>;
}
type Found = Readonly<Record<string, unknown>>;

/** The dictionaries of a file with this entry, with their references. */
async function having(path: string, key: string): Promise<readonly (readonly [reference: string, value: Found])[]> {
  const found: [string, Found][] = [];
  for (const [name, object] of await readObjectsWithQpdf(path)) {
    const { value } = object as { value?: Found | null };
    if (typeof value === 'object' && value !== null && key in value) found.push([name.replace('obj:', ''), value]);
  }
  return found;
}

const LOOKS: Partial<PdfSignatureOptions> = {
  appearance: { pages: [1], x: 20, y: 20, width: 100, height: 40, text: 'Ana' },
};

describe('a signature in a tagged PDF', () => {
  it.each(BASES)('is an element of %s, and an earlier signature allows it', async (_, objects, shape) => {
    const one = await workshop.sign(await workshop.write(buildPdf(objects, shape)), LOOKS);
    const two = await workshop.sign(one.path, LOOKS);
    expect(await askQpdf(two.path)).toMatchObject({ exitCode: 0, complaints: [] });

    const widgets = (await having(two.path, '/FT')).map(([reference, value]) => ({ reference, value }));
    expect(widgets).toHaveLength(2);
    const elements = new Map((await having(two.path, '/K')) as unknown as [string, Element][]);
    for (const { reference, value } of widgets) {
      expect(value).toMatchObject({ '/TU': 'u:Signature', '/Contents': 'u:Signature' });
      const own = [...elements].find(([, element]) => element['/K']['/Obj'] === reference);
      expect(own?.[1]).toMatchObject({
        '/S': '/Form',
        '/Alt': 'u:Signature',
        '/K': { '/Type': '/OBJR', '/Pg': '3 0 R' },
      });
      const parent = elements.get(own?.[1]['/P'] ?? '') as unknown as { '/K': readonly string[] };
      expect(parent['/K']).toContain(own?.[0]);
      const listed = (await having(two.path, '/Nums')).flatMap(([, node]) => node['/Nums'] as unknown[]);
      const inRoot = [...elements.values()].flatMap((element) => {
        const tree = (element as unknown as Found)['/ParentTree'] as Found | string | undefined;
        return typeof tree === 'object' ? tree['/Nums'] : [];
      });
      const all = [...listed, ...inRoot];
      expect(all[all.indexOf(value['/StructParent']) + 1]).toBe(own?.[0]);
    }
    expect((await having(two.path, '/Tabs')).map(([, page]) => page['/Tabs'])).toEqual(['/S']);

    const { signatures } = await factsOf(two.path);
    expect(signatures.map(({ changesAllowed }) => changesAllowed)).toEqual([true, true]);
    expect(new Set(codesOf(signatures[0]?.changes ?? []))).toEqual(
      new Set(['VISIBLE_SIGNATURE_ADDED', 'STRUCTURE_UPDATED']),
    );
  });

  it.each([
    ['no language', '', ['u:en', 'u:und']],
    ['a language', '/Lang (pt)', [undefined, undefined]],
  ])('names the language of a field and of a stamp in a document with %s', async (_, language, expected) => {
    const catalog = taggedPage()[1] as string;
    const pages = '<</Type /Pages /Kids [3 0 R 60 0 R] /Count 2 /MediaBox [0 0 595 842]>>';
    const further = '<</Type /Page /Parent 2 0 R /Contents 4 0 R /Resources <</Font <</F1 5 0 R>>>>>>';
    const objects = taggedPage({ 1: catalog.replace('/Lang (en)', language), 2: pages, 60: further });
    const appearance = { pages: [1, 2], x: 20, y: 20, width: 100, height: 40, text: 'Ana' };
    const { path } = await workshop.sign(await workshop.write(buildPdf(objects)), { appearance });
    const elements = await having(path, '/K');
    const languageOf = (kind: string): unknown => elements.find(([, element]) => element['/S'] === kind)?.[1]['/Lang'];
    expect([languageOf('/Form'), languageOf('/Annot')]).toEqual(expected);
  });

  it('gives each stamp on further pages an element', async () => {
    const objects = tagged({
      2: '<</Type /Pages /Kids [3 0 R 6 0 R] /Count 2 /MediaBox [0 0 595 842]>>',
      6: '<</Type /Page /Parent 2 0 R /Contents 4 0 R /Tabs /R /Resources <</Font <</F1 5 0 R>>>>>>',
    });
    const appearance = { pages: [1, 2], x: 20, y: 20, width: 100, height: 40, text: 'Ana' };
    const { path } = await workshop.sign(await workshop.write(buildPdf(objects)), { appearance });
    const kinds = (await having(path, '/Alt')).map(([, element]) => [element['/S'], element['/Alt']]);
    expect(kinds.sort()).toEqual([
      ['/Annot', 'u:Ana'],
      ['/Form', 'u:Signature'],
    ]);
    const tabs = await having(path, '/Tabs');
    expect(new Map(tabs.map(([reference, page]) => [reference, page['/Tabs']]))).toEqual(
      new Map([
        ['3 0 R', '/S'],
        ['6 0 R', '/R'],
      ]),
    );
  });

  it.each([1, 2])(
    'PDF/UA-%i: an invisible widget stays out of the structure; its page has the tab order',
    async (part) => {
      const objects = tagged({
        1: '<</Type /Catalog /Pages 2 0 R /MarkInfo <</Marked true>> /StructTreeRoot 20 0 R /Metadata 30 0 R>>',
        30: { dictionary: '/Type /Metadata /Subtype /XML', data: `<pdfuaid:part>${part}</pdfuaid:part>` },
      });
      const source = await workshop.write(buildPdf(objects));
      const { path, warnings } = await workshop.sign(source, { keepStandard: true });
      expect(warnings).toEqual([]);
      const [widget] = await having(path, '/FT');
      expect(widget?.[1]).not.toHaveProperty('/StructParent');
      expect((await having(path, '/Tabs')).map(([, page]) => page['/Tabs'])).toEqual(['/S']);
      // A visible widget is content in both parts.
      const visible = await workshop.sign(source, LOOKS);
      expect((await having(visible.path, '/FT'))[0]?.[1]).toHaveProperty('/StructParent');
    },
  );

  it.each([
    ['at the origin', '[0 0 595 842]', [0, 0, 0, 0]],
    ['below the origin', '[-100 -50.5 495 742]', [-100, -50.5, -100, -50.5]],
    ['below the origin, written from the other corner', '[495 742 -100 -50.5]', [-100, -50.5, -100, -50.5]],
    ['beside the origin', '[-100 10 495 742]', [0, 0, 0, 0]],
  ])('leaves the structure unchanged, with an invisible widget in the corner of a page %s', async (_, box, corner) => {
    const objects = tagged({ 2: `<</Type /Pages /Kids [3 0 R] /Count 1 /MediaBox ${box}>>` });
    const { path } = await workshop.sign(await workshop.write(buildPdf(objects)));
    const [widget] = await having(path, '/FT');
    expect(widget?.[1]['/Rect']).toEqual(corner);
    expect(await having(path, '/Tabs')).toEqual([]);
    expect((await readFile(path, 'latin1')).match(/\b2[0-3] 0 obj/g)).toHaveLength(4);
  });

  it('leaves an untagged document without a structure, and an existing field unchanged', async () => {
    const plain = await workshop.sign(await workshop.write(buildPdf(onePage())));
    expect(await having(plain.path, '/StructParent')).toEqual([]);
    const field = tagged({
      1: '<</Type /Catalog /Pages 2 0 R /StructTreeRoot 20 0 R /AcroForm <</Fields [6 0 R]>>>>',
      6: emptySignatureField('one'),
    });
    const filled = await workshop.sign(await workshop.write(buildPdf(field)), { fieldName: 'one' });
    expect((await readFile(filled.path, 'latin1')).match(/\/S \/Form/)).toBeNull();
  });
});
