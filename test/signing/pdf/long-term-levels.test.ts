import { readdir, readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { raisePdf } from '../../../src/signing/pdf/long-term/raise-pdf.ts';
import { signPdfAtLevel } from '../../../src/signing/pdf/long-term/sign-pdf-at-level.ts';
import { verifyPdf } from '../../../src/signing/pdf/verification/verify-pdf.ts';
import { verifyWithPdfBox } from '../../oracles/pdf-box.ts';
import { appendRevision, buildPdf, emptySignatureField, onePage, withFields } from './build-pdf.ts';
import { QpdfView, verifyTimestampsWithOpenssl } from './long-term-oracles.ts';
import { LongTermWorkshop } from './long-term-workshop.ts';
import { askPdfsig, askQpdf, makeWithQpdf } from './oracles.ts';

let bench: LongTermWorkshop;
beforeAll(async () => {
  bench = await LongTermWorkshop.open();
});
afterAll(() => bench.close());

const encrypted =
  (...parameters: string[]) =>
  async (): Promise<string> => {
    const path = bench.workshop.newPath();
    const input = await bench.workshop.write(buildPdf(onePage()));
    await makeWithQpdf(['--allow-weak-crypto', '--encrypt', '', 'owner', ...parameters, '--', input, path]);
    return path;
  };
const write = (content: Buffer) => (): Promise<string> => bench.workshop.write(content);

const FILES: readonly (readonly [string, () => Promise<string>])[] = [
  ['a table in PDF 1.4', write(buildPdf(onePage(), { version: '1.4' }))],
  ['a table in PDF 2.0', write(buildPdf(onePage(), { version: '2.0' }))],
  ['no line end at the end', write(buildPdf(onePage(), { end: '' }))],
  ['text in front of the header', write(buildPdf(onePage(), { junk: 'HTTP/1.1 200 OK\r\n\r\n' }))],
  ['object streams', write(buildPdf(onePage(), { kind: 'stream', compressed: [1, 2, 3, 5] }))],
  ['a hybrid cross-reference', write(buildPdf(onePage(), { kind: 'hybrid', compressed: [5] }))],
  ['an earlier update', write(appendRevision(buildPdf(onePage()), { 4: { dictionary: '', data: 'q Q' } }))],
  ['a form of its own', write(buildPdf(withFields({ 6: emptySignatureField('Later') })))],
  [
    'extensions of another developer',
    write(
      buildPdf(
        onePage({
          1: '<</Type /Catalog /Pages 2 0 R /Extensions 6 0 R>>',
          6: '<</ADBE <</BaseVersion /1.7 /ExtensionLevel 3>>>>',
        }),
      ),
    ),
  ],
  ['RC4 of 128 bits', encrypted('128', '--use-aes=n')],
  ['AES of 128 bits', encrypted('128', '--use-aes=y')],
  ['AES of 256 bits', encrypted('256')],
];

/** The store has an entry for each key, and its lists hold all data named by the entries. */
async function expectStore(path: string, expected: readonly string[]): Promise<void> {
  const view = await QpdfView.open(path);
  const { store, entries } = view;
  expect(Object.keys(entries).sort()).toEqual([...expected].sort());
  const [certificates, responses] = [view.streams(store, '/Certs'), view.streams(store, '/OCSPs')];
  const { person, services } = bench.authority;
  for (const wanted of [person.certificate, ...person.chain, services.timestampAuthority.certificate]) {
    expect(certificates.filter((stored) => stored.equals(wanted))).toHaveLength(1);
  }
  for (const entry of Object.values(entries)) {
    const [named, proofs] = [view.streams(entry, '/Cert'), view.streams(entry, '/OCSP')];
    expect(named.length).toBeGreaterThanOrEqual(3);
    expect(proofs.length).toBeGreaterThanOrEqual(2);
    expect(named.every((one) => certificates.some((stored) => stored.equals(one)))).toBe(true);
    expect(proofs.every((one) => responses.some((stored) => stored.equals(one)))).toBe(true);
    expect(entry).toMatchObject({ '/Type': '/VRI', '/TU': expect.stringMatching(/^u:D:\d{14}\+00'00'$/) as string });
  }
}

async function expectIntact(path: string, original: Buffer, count: number): Promise<void> {
  const file = await readFile(path);
  expect(file.subarray(0, original.length).equals(original)).toBe(true);
  expect(await askQpdf(path)).toMatchObject({ exitCode: 0, complaints: [] });
  const { signatures } = await verifyPdf(path);
  expect(signatures.map(({ outcome, problem }) => problem ?? outcome)).toEqual(Array(count).fill('intact'));
  expect(signatures.at(-1)?.coversWholeFile).toBe(true);
}

describe('signPdfAtLevel B-LTA, and raisePdf to B-LTA again', () => {
  it.each(FILES)('makes and renews the evidence in a file with %s', async (_, make) => {
    const original = await make();
    const originalBytes = await readFile(original);
    const first = await bench.sign(original, 'B-LTA');
    await expectIntact(first.path, originalBytes, 2);
    const [signature, timestamp] = (await QpdfView.open(first.path)).signatures;
    expect(timestamp?.dictionary).toMatchObject({ '/Type': '/DocTimeStamp', '/SubFilter': '/ETSI.RFC3161', '/V': 0 });
    await expectStore(first.path, [signature?.key ?? '']);

    const renewed = await bench.raise(first.path, 'B-LTA');
    expect(renewed.added).toEqual(['validation-material', 'document-timestamp']);
    expect((await readFile(renewed.path)).length).toBe(renewed.size);
    await expectIntact(renewed.path, await readFile(first.path), 3);
    await expectStore(renewed.path, [signature?.key ?? '', timestamp?.key ?? '']);

    const { root, issuing } = bench.authority.services.authority;
    const verdicts = await verifyTimestampsWithOpenssl(renewed.path, root.certificate, issuing.certificate);
    expect(verdicts).toEqual(['OK', 'OK']);
    expect((await askPdfsig(renewed.path))?.map(({ valid }) => valid)).toEqual([true, false, false]);
  });

  it('declares the extension of ETSI before PDF 2.0, beside the existing ones, and not in PDF 2.0', async () => {
    const extensionsOf = async (name: string) => {
      const make = FILES.find(([each]) => each === name)?.[1];
      if (make === undefined) throw new Error(`There is no file with ${name}.`);
      return (await QpdfView.open((await bench.sign(await make(), 'B-LTA')).path)).extensions;
    };
    const declared = { '/BaseVersion': '/1.7', '/ExtensionLevel': 5 };
    expect(await extensionsOf('a table in PDF 1.4')).toEqual({ '/ESIC': declared });
    expect(await extensionsOf('a table in PDF 2.0')).toEqual({});
    expect(await extensionsOf('extensions of another developer')).toEqual({
      '/ADBE': { '/BaseVersion': '/1.7', '/ExtensionLevel': 3 },
      '/ESIC': declared,
    });
  });
});

describe('signPdfAtLevel', () => {
  it('makes each level with all parts verified by PDFBox and Bouncy Castle, and leaves nothing beside the file', async () => {
    const input = await bench.workshop.write(buildPdf(onePage()));
    const levels = ['B-T', 'B-LT', 'B-LTA'] as const;
    const paths: string[] = [];
    for (const level of levels) paths.push((await bench.sign(input, level)).path);
    expect(await verifyWithPdfBox(paths)).toEqual([
      'stamped certs=0 ocsps=0 crls=0',
      'stamped certs=6 ocsps=4 crls=0',
      'stamped timestamp certs=6 ocsps=4 crls=0',
    ]);
    expect((await readdir(bench.workshop.folder)).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  it('answers the byte range of the signature and the size of the whole output', async () => {
    const { path, byteRange, size, fieldName } = await bench.sign(
      await bench.workshop.write(buildPdf(onePage())),
      'B-LTA',
    );
    const { signatures, size: actual } = await verifyPdf(path);
    expect(size).toBe(actual);
    expect(signatures[0]).toMatchObject({ fieldName, byteRange });
  });

  it('signs and raises a file opened only by a password', async () => {
    const input = bench.workshop.newPath();
    await makeWithQpdf(['--encrypt', 'user', 'owner', '256', '--', await bench.plain(), input]);
    const password = 'user';
    const request = { ...bench.request(input), password };
    await signPdfAtLevel(request, bench.options('B-LT'));
    const outputPath = bench.workshop.newPath();
    const raising = { inputPath: request.outputPath, outputPath, ...bench.options('B-LTA') };
    await expect(raisePdf(raising)).rejects.toMatchObject({ code: 'PDF_ENCRYPTED' });
    await raisePdf({ ...raising, password });
    const { signatures } = await verifyPdf(outputPath, { password });
    expect(signatures.map(({ outcome }) => outcome)).toEqual(['intact', 'intact']);
  });

  it('leaves the material of earlier signatures to their owners', async () => {
    const { path } = await bench.workshop.sign(await bench.workshop.write(buildPdf(onePage())));
    const signed = await bench.sign(path, 'B-LT');
    const view = await QpdfView.open(signed.path);
    expect(Object.keys(view.entries)).toEqual([view.signatures[1]?.key]);
    expect((await askPdfsig(signed.path))?.map(({ valid }) => valid)).toEqual([true, true]);
  });
});
