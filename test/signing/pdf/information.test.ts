import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { propertyName, withProperties } from '../../../src/signing/pdf/information/xmp-properties.ts';
import type { PdfSignatureOptions } from '../../../src/signing/pdf/sign-request.ts';
import { runTool } from '../../oracles/run-program.ts';
import { buildPdf, onePage, type Objects, type PdfShape } from './build-pdf.ts';
import { factsOf } from './differences/contract.ts';
import { makeWithQpdf } from './oracles.ts';
import { expectValid, Workshop } from './workshop.ts';

let workshop: Workshop;
beforeAll(async () => {
  workshop = await Workshop.open();
});
afterAll(() => workshop.close());

const build = (objects: Objects, shape?: PdfShape): Promise<string> => workshop.write(buildPdf(objects, shape));
type Information = NonNullable<PdfSignatureOptions['information']>;

const PRESCRIPTION: Information = [
  { name: '2.16.76.1.12.1.1', value: 'Prescrição de medicamento' },
  { name: '2.16.76.1.4.2.2.1', value: '12345' },
  { name: '2.16.76.1.12.1.9' },
];

/** The entries of the information dictionary, read by poppler. */
async function customEntries(path: string, ...words: string[]): Promise<Readonly<Record<string, string>>> {
  const lines = (await runTool('pdfinfo', ['-custom', ...words, path]))
    .split('\n')
    .filter((line) => line.includes(':'));
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
  );
}

const metadataOf = (path: string): Promise<string> => runTool('pdfinfo', ['-meta', path]);

const packet = (properties: string, attributes = ''): string =>
  '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>\n<x:xmpmeta xmlns:x="adobe:ns:meta/">' +
  '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\n' +
  `<rdf:Description rdf:about="uuid:1" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/" ${attributes}>${properties}</rdf:Description>\n` +
  '</rdf:RDF></x:xmpmeta>\n<?xpacket end="w"?>';

const ARCHIVE = '<pdfaid:part>2</pdfaid:part><pdfaid:conformance>B</pdfaid:conformance>';

const withMetadata = (metadata: string | Buffer): Objects =>
  onePage({
    1: '<</Type /Catalog /Pages 2 0 R /Metadata 30 0 R>>',
    30: { dictionary: '/Type /Metadata /Subtype /XML', data: metadata },
  });

describe('the information of a signature', () => {
  it.each<[string, Objects, PdfShape | undefined]>([
    ['without an information dictionary', onePage(), undefined],
    ['with cross-reference streams', onePage(), { kind: 'stream' }],
    [
      'with a dictionary in an object stream',
      onePage({ 6: '<</Title (Old)>>' }),
      { kind: 'stream', compressed: [6], trailer: '/Info 6 0 R' },
    ],
    ['with a dictionary', onePage({ 6: '<</Title (Old)>>' }), { trailer: '/Info 6 0 R' }],
    ['with a dictionary inside the trailer', onePage(), { trailer: '/Info <</Title (Old)>>' }],
  ])('comes back from poppler, of a PDF %s', async (_, objects, shape) => {
    const { path, warnings } = await workshop.sign(await build(objects, shape), { information: PRESCRIPTION });
    expect(warnings).toEqual([]);
    expect(await customEntries(path)).toMatchObject({
      '2.16.76.1.12.1.1': 'Prescrição de medicamento',
      '2.16.76.1.4.2.2.1': '12345',
      '2.16.76.1.12.1.9': '',
    });
    if (JSON.stringify([objects, shape]).includes('Old'))
      expect(await runTool('pdfinfo', [path])).toMatch(/^Title: +Old$/m);
    await expectValid(path, 1);
  });

  it('comes back from an encrypted PDF, with unchanged metadata', async () => {
    const encrypted = workshop.newPath();
    const plain = await build(withMetadata(packet('')));
    await makeWithQpdf(['--encrypt', '', 'owner', '256', '--', plain, encrypted]);
    const { path } = await workshop.sign(encrypted, { information: PRESCRIPTION });
    expect(await customEntries(path)).toMatchObject({ '2.16.76.1.12.1.1': 'Prescrição de medicamento' });
    expect(await metadataOf(path)).not.toContain('pdfx');
  });

  it('keeps an earlier signature valid, and replaces the earlier entry of the same name', async () => {
    const first = await workshop.sign(await build(withMetadata(packet(''))), { information: PRESCRIPTION });
    const second = await workshop.sign(first.path, { information: [{ name: '2.16.76.1.4.2.2.1', value: '67890' }] });
    await expectValid(second.path, 2);
    const { signatures } = await factsOf(second.path);
    const [changed] = signatures.map(({ changes }) => changes.filter(({ code }) => code !== 'SIGNATURE_ADDED'));
    expect(changed?.map(({ code, level }) => [code, level])).toEqual([['METADATA_UPDATED', 'long-term-update']]);
    expect(await customEntries(second.path)).toMatchObject({
      '2.16.76.1.12.1.1': 'Prescrição de medicamento',
      '2.16.76.1.4.2.2.1': '67890',
    });
    const metadata = await metadataOf(second.path);
    expect(metadata).toContain('>67890<');
    expect(metadata).not.toContain('>12345<');
  });

  it('is written under a certification with permission for signatures', async () => {
    const certified = await workshop.sign(await build(onePage()), { certify: 'form-filling' });
    const { path } = await workshop.sign(certified.path, { information: PRESCRIPTION });
    await expectValid(path, 2);
    expect(await customEntries(path)).toHaveProperty(['2.16.76.1.4.2.2.1'], '12345');
  });

  it('writes nothing where the file says the same already', async () => {
    const first = await workshop.sign(await build(onePage()), { information: PRESCRIPTION });
    const second = await workshop.sign(first.path, { information: PRESCRIPTION });
    const added = (await readFile(second.path)).subarray(first.size).toString('latin1');
    expect(added).not.toContain('2.16.76');
  });

  it('leaves out dates, and a title beside metadata, with a warning', async () => {
    const asked = [
      { name: 'CreationDate', value: 'today' },
      { name: 'Title', value: 'Receita' },
    ];
    const plain = await workshop.sign(await build(onePage()), { information: asked });
    expect(await runTool('pdfinfo', [plain.path])).toMatch(/^Title: +Receita$/m);
    expect(plain.warnings).toMatchObject([{ code: 'INFORMATION_LEFT_OUT', kept: true }]);
    const described = await workshop.sign(await build(withMetadata(packet(''))), { information: asked });
    expect(described.warnings[0]?.detail).toContain('"CreationDate", "Title"');
    expect(await runTool('pdfinfo', [described.path])).not.toContain('Receita');
  });
});

describe('the information of a PDF with the claim of PDF/A', () => {
  it('is in the dictionary, and in the XMP with a schema for each property', async () => {
    const { path } = await workshop.sign(await build(withMetadata(packet(ARCHIVE))), { information: PRESCRIPTION });
    const metadata = await metadataOf(path);
    expect(metadata).toContain('<pdfx:ↂ0032.16.76.1.4.2.2.1>12345</pdfx:ↂ0032.16.76.1.4.2.2.1>');
    expect(metadata).toContain('<pdfaProperty:name>ↂ0032.16.76.1.4.2.2.1</pdfaProperty:name>');
    expect(metadata.match(/rdf:about="uuid:1"/g)).toHaveLength(3);
    expect(await customEntries(path)).toHaveProperty(['2.16.76.1.4.2.2.1'], '12345');
  });

  it('is in the XMP alone in a PDF/A-4', async () => {
    const fourth = packet('<pdfaid:part>4</pdfaid:part>');
    const { path, warnings } = await workshop.sign(await build(withMetadata(fourth)), { information: PRESCRIPTION });
    expect(warnings).toEqual([]);
    expect(await metadataOf(path)).toContain('>12345<');
    expect(await customEntries(path)).not.toHaveProperty(['2.16.76.1.4.2.2.1']);
  });

  it.each([
    ['1', true],
    ['4', false],
  ])('leaves an XMP in UTF-16 unchanged, in PDF/A-%s', async (part, isInDictionary) => {
    const metadata = Buffer.from(`\ufeff${packet(`<pdfaid:part>${part}</pdfaid:part>`)}`, 'utf16le');
    const { path, warnings } = await workshop.sign(await build(withMetadata(metadata)), { information: PRESCRIPTION });
    expect(warnings.map(({ code }) => code)).toEqual(isInDictionary ? [] : ['INFORMATION_LEFT_OUT']);
    expect('2.16.76.1.4.2.2.1' in (await customEntries(path))).toBe(isInDictionary);
    expect((await readFile(path)).toString('latin1')).not.toContain('pdfx');
  });
});

describe('properties of an XMP packet', () => {
  const entries = [['CRM', '1 < 2 & 3']] as const;
  const PDFX = 'xmlns:pdfx="http://ns.adobe.com/pdfx/1.3/"';

  it.each([
    ['an element', packet('<pdfx:CRM>old</pdfx:CRM><pdfx:CRMV>stays</pdfx:CRMV>', PDFX)],
    ['an empty element', packet('<pdfx:CRM/><pdfx:CRMV>stays</pdfx:CRMV>', PDFX)],
    ['an attribute', packet('<pdfx:CRMV>stays</pdfx:CRMV>', `${PDFX} pdfx:CRM="old"`)],
    ['another prefix', packet('<own:CRM>old</own:CRM><own:CRMV>stays</own:CRMV>', PDFX.replace('pdfx=', 'own='))],
  ])('replace an earlier value in %s, and no property with a longer name', (_, text) => {
    const changed = withProperties(text, entries, false) ?? '';
    expect(changed.match(/:CRM[\s=>/]/g)).toHaveLength(2);
    expect(changed).toContain('<pdfx:CRM>1 &lt; 2 &amp; 3</pdfx:CRM>');
    expect(changed).toContain('>stays<');
    expect(changed).not.toContain('old');
  });

  it('add to existing extension schemas, and describe each property once', () => {
    const once = withProperties(packet(ARCHIVE), entries, true) ?? '';
    const twice = withProperties(once, [...entries, ['UF', 'PE']], true) ?? '';
    expect(twice.match(/<pdfaExtension:schemas>/g)).toHaveLength(1);
    expect(twice.match(/<pdfaSchema:schema>/g)).toHaveLength(1);
    expect(twice.match(/<pdfaProperty:name>/g)).toHaveLength(2);
    const foreign = once.replaceAll('pdfx/1.3/', 'other/').replaceAll('pdfx', 'other');
    const beside = withProperties(foreign, entries, true) ?? '';
    expect(beside.match(/<pdfaExtension:schemas>/g)).toHaveLength(1);
    expect(beside.match(/<pdfaSchema:schema>/g)).toHaveLength(2);
  });

  it.each([
    ['is no XMP', '<x/>', false],
    ['does not end', packet('').replace('</rdf:RDF>', ''), false],
    ['has an element that does not end', packet('<pdfx:CRM>', PDFX), false],
    ['has extension schemas in another form', packet('', 'xmlns:e="http://www.aiim.org/pdfa/ns/extension/"'), true],
  ])('are not added to a packet when it %s', (_, text, needsSchema) => {
    expect(withProperties(text, entries, needsSchema)).toBeUndefined();
  });

  it('have valid names of XML elements', () => {
    expect(propertyName('2.16')).toBe('ↂ0032.16');
    expect(propertyName('Órgão (UF)')).toBe('Órgãoↂ0020ↂ0028UFↂ0029');
    expect(propertyName('😀')).toBe('ↂD83DↂDE00');
  });
});
