import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withSignaturesKept } from '../../../src/signing/pdf/keep-signatures.ts';
import { appendRevision, buildPdf, onePage, withFields, type Objects, type PdfShape } from './build-pdf.ts';
import { codesOf, factsOf } from './differences/contract.ts';
import { Workshop } from './workshop.ts';

let workshop: Workshop;
beforeAll(async () => {
  workshop = await Workshop.open();
});
afterAll(() => workshop.close());

const page = (entries: string): string => `<</Type /Page /Parent 2 0 R ${entries}>>`;

/** Documents referring to missing objects, at or above `Size`. */
const DANGLING: readonly (readonly [where: string, objects: Objects, shape: PdfShape])[] = [
  ['the content of a page', onePage({ 3: page('/Contents [4 0 R 7 0 R]') }), {}],
  ['an annotation of a page', onePage({ 3: page('/Contents 4 0 R /Annots [8 0 R]') }), {}],
  ['a reference over two lines', onePage({ 3: page('/Contents 4 0 R /Thumb 6\n0\nR') }), {}],
  ['a field far away', withFields({ 6: '<</T (a) /FT /Tx /Kids [12 0 R]>>' }), {}],
  ['an object stream', onePage({ 3: page('/Contents [4 0 R 9 0 R]') }), { kind: 'stream', compressed: [3, 5] }],
  ['a hybrid file', onePage({ 3: page('/Contents [4 0 R 10 0 R]') }), { kind: 'hybrid', compressed: [3, 5] }],
  [
    'a file of large streams',
    onePage({ 3: page('/Contents [4 0 R 8 0 R]'), 6: { dictionary: '', data: Buffer.alloc(200_000, 0x41) } }),
    {},
  ],
  ['the trailer', onePage(), { trailer: '/AdditionalStreams [/odt 7 0 R]' }],
];

describe('a document with a reference to nowhere', () => {
  it.each(DANGLING)('in %s keeps its signatures valid under another signature', async (_, objects, shape) => {
    let path = await workshop.write(buildPdf(objects, shape));
    for (let count = 0; count < 3; count += 1) ({ path } = await workshop.sign(path));
    const { signatures } = await factsOf(path);
    const codes = signatures.flatMap(({ problem, changes }) => problem?.code ?? codesOf(changes));
    expect(codes).toEqual(['SIGNATURE_ADDED', 'SIGNATURE_ADDED', 'SIGNATURE_ADDED']);
    expect(signatures.map(({ changesAllowed }) => changesAllowed)).toEqual([true, true, true]);
  });
});

describe('a trailer with a name lost in rewriting', () => {
  it('is signed behind a program keeping the name', async () => {
    const odd = { trailer: '/Odd#00Name 1' };
    const { path } = await workshop.sign(await workshop.write(buildPdf(onePage(), odd)));
    const kept = await workshop.write(appendRevision(await readFile(path), { 40: '(nobody)' }, odd));
    const again = await workshop.sign(kept);
    const { signatures } = await factsOf(again.path);
    expect(signatures.map(({ problem, changesAllowed }) => problem?.code ?? changesAllowed)).toEqual([true, true]);
    expect((await readFile(again.path)).subarray((await readFile(kept)).length).includes('#00')).toBe(false);
  });
});

describe('withSignaturesKept', () => {
  /** Writes a revision with this object behind the signed file, as a faulty writer would. */
  function write(inputPath: string, change: Objects): { outputPath: string; done: Promise<string> } {
    const outputPath = workshop.newPath();
    const done = withSignaturesKept({ inputPath, outputPath }, async () => {
      await writeFile(outputPath, appendRevision(await readFile(inputPath), change));
      return 'written';
    });
    return { outputPath, done };
  }

  it('hands out a file with all signatures still good', async () => {
    const { path } = await workshop.sign(await workshop.write(buildPdf(onePage())));
    const { done, outputPath } = write(path, { 40: '(nobody)' });
    expect(await done).toBe('written');
    expect((await readFile(outputPath)).length).toBeGreaterThan(0);
  });

  it('refuses and removes a file harming an earlier signature', async () => {
    const { path } = await workshop.sign(await workshop.write(buildPdf(onePage())));
    const { done, outputPath } = write(path, { 4: { dictionary: '', data: '(other)' } });
    await expect(done).rejects.toMatchObject({ code: 'PDF_CHANGE_FORBIDDEN' });
    await expect(done).rejects.toThrow(/"Signature1" would not be valid any more. The content of a page was changed/);
    await expect(readFile(outputPath)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('hands out a file with a signature already broken', async () => {
    const { path } = await workshop.sign(await workshop.write(buildPdf(onePage())));
    const broken = await workshop.write(
      appendRevision(await readFile(path), { 4: { dictionary: '', data: '(other)' } }),
    );
    const { done } = write(broken, { 40: '(nobody)' });
    expect(await done).toBe('written');
  });

  it('says the program failed when the new signature covers too little', async () => {
    const plain = await workshop.write(buildPdf(onePage()));
    const { path } = await workshop.sign(plain);
    const cut = (await readFile(path)).subarray(0, -1);
    const outputPath = workshop.newPath();
    const done = withSignaturesKept({ inputPath: plain, outputPath }, () => writeFile(outputPath, cut));
    await expect(done).rejects.toThrow(/^The new signature in the field "Signature1" .* The program failed\.$/);
    await expect(readFile(outputPath)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('refuses a file with its last version cut off, as a validation does, and writes nothing', async () => {
    const whole = appendRevision(buildPdf(onePage()), { 4: { dictionary: '', data: '(second)' } });
    const inputPath = await workshop.write(whole.subarray(0, whole.lastIndexOf('startxref')));
    expect((await factsOf(inputPath)).problems).toMatchObject([{ code: 'LAST_VERSION_CUT_OFF' }]);
    const outputPath = workshop.newPath();
    const done = withSignaturesKept({ inputPath, outputPath }, () => writeFile(outputPath, whole));
    await expect(done).rejects.toMatchObject({ code: 'PDF_MALFORMED' });
    await expect(done).rejects.toThrow('its last version was cut off');
    await expect(readFile(outputPath)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('removes nothing but the output of the failed writer', async () => {
    const outputPath = await workshop.write(Buffer.from('of others'));
    const inputPath = await workshop.write(buildPdf(onePage()));
    const failing = withSignaturesKept({ inputPath, outputPath }, async () => {
      await copyFile(outputPath, workshop.newPath());
      throw new Error('no space');
    });
    await expect(failing).rejects.toThrow('no space');
    expect(await readFile(outputPath, 'utf8')).toBe('of others');
  });
});
