import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { appendRevision, buildPdf } from '../build-pdf.ts';
import type { Objects } from '../build-pdf.ts';
import { colourCurve, colourProfile } from '../colour-profile.ts';
import { LongTermWorkshop } from '../long-term-workshop.ts';
import { makeWithQpdf } from '../oracles.ts';
import type { Workshop } from '../workshop.ts';
import { append, bodyOf, codesOf, CONTRACT, CONTRACT_SHAPE, edited, factsOf, signatureOf } from './contract.ts';

let shop: LongTermWorkshop;
let workshop: Workshop;
beforeAll(async () => {
  shop = await LongTermWorkshop.open();
  workshop = shop.workshop;
});
afterAll(() => shop.close());

const contract = (changes: Objects = {}): Promise<string> =>
  workshop.write(buildPdf({ ...CONTRACT, ...changes }, CONTRACT_SHAPE));

/** Fills the text field as form fillers do: a value, and an appearance in a stream of its own. */
function filled(file: Buffer, field = 6): Buffer {
  const body = bodyOf(file, field).replace('/FT', '/V (Ana) /M (D:20261120) /FT').replace('7 0 R', '70 0 R');
  const looks = { dictionary: '/Type /XObject /Subtype /Form /BBox [0 0 100 20]', data: '/Tx BMC EMC' };
  return append(file, { [field]: body, 70: looks, 17: '<</Title (Contract) /ModDate (D:20261120)>>' });
}

describe('an honest later revision', () => {
  it.each(['form-filling', 'annotations'] as const)('may fill in a form certified for %s', async (certify) => {
    const { path } = await workshop.sign(await contract(), { certify });
    const changed = await workshop.write(filled(await readFile(path)));
    const certified = await signatureOf(changed, 'Signature1');
    expect(certified).toMatchObject({ changeLevel: 'form-filling', changesAllowed: true });
    expect(codesOf(certified.changes)).toEqual(['METADATA_UPDATED', 'FIELD_FILLED']);
    expect(certified.changes[1]).toMatchObject({ fieldName: 'name', objectNumber: 6, page: 1 });
  });

  it('may write the looks of a field in place, when nothing else uses the looks', async () => {
    const named = { 6: (CONTRACT[6] as string).replace('/FT', '/V (Ana) /FT') };
    const { path } = await workshop.sign(await contract(named), { certify: 'form-filling' });
    const looks = { dictionary: '/Type /XObject /Subtype /Form /BBox [0 0 100 20]', data: '(Ana) Tj' };
    const changed = append(await readFile(path), { 7: looks });
    const { changes, changesAllowed } = await signatureOf(await workshop.write(changed), 'Signature1');
    expect(codesOf(changes)).toEqual(['FIELD_APPEARANCE_CHANGED']);
    expect(changesAllowed).toBe(true);
  });

  it.each([
    ['may', 'an empty text', '/Tx BMC BT /Helv 12 Tf () Tj ET EMC', ''],
    ['may', 'nothing', '/Tx BMC q 0 0 100 20 re W n Q EMC', ''],
    ['may', 'the box that the field asks for', '1 g 0 0 100 20 re f 0 0 100 20 re s', '/MK <</BG [1] /BC [0]>>'],
    ['may not', 'more than this box', '0 0 100 20 re f 0 0 m 9 9 l 9 0 l f', '/MK <</BG [1] /BC [0]>>'],
  ])('%s give a field without a value looks drawing %s', async (may, _, data, more) => {
    const empty = { 6: (CONTRACT[6] as string).replace('/AP <</N 7 0 R>>', more) };
    const { path } = await workshop.sign(await contract(empty), { certify: 'form-filling' });
    const file = await readFile(path);
    const looks = { dictionary: '/Type /XObject /Subtype /Form /BBox [0 0 100 20]', data };
    const changed = append(file, { 6: bodyOf(file, 6).replace('/FT', '/AP <</N 70 0 R>> /FT'), 70: looks });
    const { changes, changesAllowed } = await signatureOf(await workshop.write(changed), 'Signature1');
    expect({ codes: codesOf(changes), changesAllowed }).toEqual({
      codes: [may === 'may' ? 'FIELD_APPEARANCE_CHANGED' : 'FIELD_LOOKS_UNEXPLAINED'],
      changesAllowed: may === 'may',
    });
  });

  it('may write objects again unchanged, and leave unused objects behind', async () => {
    const { path } = await workshop.sign(await contract(), { certify: 'no-changes' });
    const file = await readFile(path);
    const again = append(file, { 5: bodyOf(file, 5), 3: bodyOf(file, 3), 71: '(nobody)' });
    const { changes, changesAllowed } = await signatureOf(await workshop.write(again), 'Signature1');
    expect({ codes: codesOf(changes), changesAllowed }).toEqual({ codes: [], changesAllowed: true });
  });

  it('may sign again and again: in the empty field, invisibly, and visibly where nothing is certified', async () => {
    const one = await workshop.sign(await contract());
    const two = await workshop.sign(one.path, { fieldName: 'approval' });
    const appearance = { pages: [2], x: 10, y: 10, width: 100, height: 40, text: 'Ana' };
    const three = await workshop.sign(two.path, { appearance });
    const { signatures } = await factsOf(three.path);
    expect(signatures.map(({ changeLevel }) => changeLevel)).toEqual(['form-filling', 'form-filling', 'none']);
    expect(signatures.every(({ changesAllowed, problem }) => changesAllowed && problem === undefined)).toBe(true);
    expect(codesOf(signatures[0]?.changes ?? [])).toEqual(['SIGNATURE_ADDED', 'VISIBLE_SIGNATURE_ADDED']);
    expect(signatures.map(({ page }) => page)).toEqual([undefined, 1, 2]);
  });

  it('may sign a document certified for filling in', async () => {
    const one = await workshop.sign(await contract(), { certify: 'form-filling' });
    const two = await workshop.sign(one.path, { fieldName: 'approval' });
    const three = await workshop.sign(two.path);
    const { signatures } = await factsOf(three.path);
    expect(signatures.map(({ certification }) => certification)).toEqual([2, undefined, undefined]);
    expect(signatures.map(({ changesAllowed }) => changesAllowed)).toEqual([true, true, true]);
  });

  const TAGGED: Objects = {
    1: (CONTRACT[1] as string).replace('/Pages', '/StructTreeRoot 60 0 R /Pages'),
    60: '<</Type /StructTreeRoot /K [61 0 R] /ParentTree 62 0 R /ParentTreeNextKey 0>>',
    61: '<</Type /StructElem /S /Document /P 60 0 R /K []>>',
    62: '<</Nums []>>',
  };
  it.each([
    ['no-changes', 'a document', {}],
    ['no-changes', 'a tagged document', TAGGED],
    ['form-filling', 'a document', {}],
  ] as const)('may make a signature with the certification %s last %s', async (certify, _, changes) => {
    const request = shop.request(await contract(changes));
    const { signPdfAtLevel } = await import('../../../../src/signing/pdf/long-term/sign-pdf-at-level.ts');
    await signPdfAtLevel({ ...request, options: { ...request.options, certify } }, shop.options('B-T'));
    const raised = await shop.raise(request.outputPath, 'B-LTA');
    const { signatures, securityStore } = await factsOf(raised.path);
    expect(signatures[0]).toMatchObject({ changeLevel: 'long-term-update', changesAllowed: true });
    expect(new Set(codesOf(signatures[0]?.changes ?? []))).toEqual(
      new Set(['SECURITY_STORE_UPDATED', 'EXTENSIONS_UPDATED', 'DOCUMENT_TIMESTAMP_ADDED']),
    );
    expect(signatures.at(-1)).toMatchObject({ isDocumentTimestamp: true, subFilter: 'ETSI.RFC3161' });
    expect(securityStore?.certificates.length).toBeGreaterThan(0);
  });

  it.each([
    ['object streams', ['--object-streams=generate']],
    ['a linearized file', ['--linearize']],
    ['a linearized file with object streams', ['--linearize', '--object-streams=generate']],
    ['qpdf’s plain form', ['--qdf']],
    ['an encrypted file', ['--encrypt', '', 'owner', '256', '--']],
    [
      'an encrypted file with object streams',
      ['--object-streams=generate', '--encrypt', '', 'owner', '128', '--use-aes=y', '--'],
    ],
  ])('may sign %s three times and make the signature last', async (_, parameters) => {
    const normal = workshop.newPath();
    const encrypts = parameters.includes('--encrypt');
    await makeWithQpdf(
      encrypts ? [...parameters, await contract(), normal] : [...parameters, await contract(), normal],
    );
    const one = await workshop.sign(normal, { fieldName: 'approval' });
    const two = await workshop.sign(one.path);
    const three = await shop.sign(two.path, 'B-LTA');
    const { signatures } = await factsOf(three.path);
    const problems = signatures.flatMap(({ problem, changes }) => [
      problem,
      ...changes.filter(({ level }) => level === 'other'),
    ]);
    expect(problems.filter((problem) => problem !== undefined)).toEqual([]);
    expect(signatures.map(({ changesAllowed }) => changesAllowed)).toEqual(signatures.map(() => true));
    expect(signatures.length).toBe(4);
  });

  it('may add an annotation where nothing is certified, and is told', async () => {
    const { path } = await workshop.sign(await contract());
    const file = await readFile(path);
    const note = '<</Type /Annot /Subtype /Text /Rect [10 10 30 30] /Contents (hi) /P 13 0 R>>';
    const changed = await workshop.write(append(file, { 18: '[70 0 R]', 70: note }));
    const signature = await signatureOf(changed, 'Signature1');
    expect(signature).toMatchObject({ changeLevel: 'annotations', changesAllowed: true });
    expect(signature.changes).toMatchObject([{ code: 'ANNOTATION_ADDED', page: 2, revision: 3 }]);
  });

  it('counts a signature’s own changes only: the earlier ones are covered', async () => {
    const one = await workshop.sign(await contract());
    const evil = append(await readFile(one.path), edited(await readFile(one.path), 5, 'Helvetica', 'Courier'));
    const two = await workshop.sign(await workshop.write(evil));
    const { signatures } = await factsOf(two.path);
    expect(signatures.map(({ changesAllowed }) => changesAllowed)).toEqual([false, true]);
  });
});

describe('a lock of fields', () => {
  const lock = (entries: string): Objects => ({
    8: (CONTRACT[8] as string).replace('/FT', `/Lock <</Type /SigFieldLock ${entries}>> /FT`),
  });

  it.each([
    ['all fields', '/Action /All', false],
    ['this field', '/Action /Include /Fields [(name)]', false],
    ['another field', '/Action /Include /Fields [(other)]', true],
    ['all but this field', '/Action /Exclude /Fields [(name)]', true],
    ['all but another field', '/Action /Exclude /Fields [(other)]', false],
    ['no field, but the document', '/Action /Include /Fields [] /P 1', false],
  ])('of %s decides whether a field may be filled in', async (_, entries, allowed) => {
    const { path } = await workshop.sign(await contract(lock(entries)), { fieldName: 'approval' });
    const signature = await signatureOf(await workshop.write(filled(await readFile(path))), 'approval');
    expect(codesOf(signature.changes)).toContain('FIELD_FILLED');
    expect(signature.changesAllowed).toBe(allowed);
  });

  it('binds later signatures too', async () => {
    const { path } = await workshop.sign(await contract(lock('/Action /All')), { fieldName: 'approval' });
    const two = await workshop.sign(path);
    const { signatures } = await factsOf(await workshop.write(filled(await readFile(two.path))));
    expect(signatures.map(({ changesAllowed }) => changesAllowed)).toEqual([false, false]);
    expect((await factsOf(two.path)).signatures[0]?.changesAllowed).toBe(true);
  });
});

describe('an output intent in a file without any before', () => {
  const whiteBlack = colourCurve([65_535, 65_535]);
  const intent = (more: string): string => `/OutputIntents [<</Type /OutputIntent /S /GTS_PDFA1 ${more}>>]`;
  const inside = intent('/DestOutputProfile 70 0 R');

  it.each([
    ['an sRGB profile', colourProfile(), inside, 'OUTPUT_INTENT_ADDED'],
    ['curves that make all white', colourProfile({ rTRC: whiteBlack }), inside, 'CATALOG_CHANGED'],
    ['tables before the matrix', colourProfile({ A2B0: Buffer.alloc(64) }), inside, 'CATALOG_CHANGED'],
    ['other colorants', colourProfile({ gXYZ: Buffer.alloc(20) }), inside, 'CATALOG_CHANGED'],
    ['a profile that ends too early', colourProfile().subarray(0, 140), inside, 'CATALOG_CHANGED'],
    ['no profile', colourProfile(), intent(''), 'CATALOG_CHANGED'],
  ])('with %s is judged by its colours', async (_, profile, entry, code) => {
    const { path } = await workshop.sign(await contract());
    const file = await readFile(path);
    const catalog = bodyOf(file, 1).replace('/Type', `${entry} /Type`);
    const changed = append(file, { 1: catalog, 70: { dictionary: '/N 3', data: profile } });
    const { changes, changesAllowed } = await signatureOf(await workshop.write(changed), 'Signature1');
    expect(codesOf(changes)).toEqual(expect.arrayContaining([code]));
    expect(changesAllowed).toBe(code === 'OUTPUT_INTENT_ADDED');
  });

  it('is a change where the file had another before', async () => {
    const before = { 1: `<</Type /Catalog /Pages 2 0 R ${intent('')}>>` };
    const { path } = await workshop.sign(await contract(before));
    const file = await readFile(path);
    const catalog = bodyOf(file, 1).replace('/GTS_PDFA1', '/GTS_PDFA1 /DestOutputProfile 70 0 R');
    const changed = append(file, { 1: catalog, 70: { dictionary: '/N 3', data: colourProfile() } });
    const { changesAllowed } = await signatureOf(await workshop.write(changed), 'Signature1');
    expect(changesAllowed).toBe(false);
  });
});

describe("LibreOffice's checksum in the trailer", () => {
  it.each([
    ['may be left out', '/DocChecksum /0AB1', '', true],
    ['may come back', '', '/DocChecksum /0AB1', true],
    ['may not come beside an OpenDocument file', '', '/DocChecksum /0AB1 /AdditionalStreams [4 0 R]', false],
    ['may not become another one', '/DocChecksum /0AB1', '/DocChecksum /0CD2', false],
  ])('%s', async (_, before, entry, changesAllowed) => {
    const trailer = `/Info 17 0 R ${before}`;
    const { path } = await workshop.sign(await workshop.write(buildPdf(CONTRACT, { trailer })));
    const info = { 17: '<</Title (Contract) /ModDate (D:20261120)>>' };
    const changed = appendRevision(await readFile(path), info, { trailer: `/Info 17 0 R ${entry}` });
    expect(await signatureOf(await workshop.write(changed), 'Signature1')).toMatchObject({ changesAllowed });
  });
});
