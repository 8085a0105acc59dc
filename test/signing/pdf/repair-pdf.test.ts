import { readFile, stat } from 'node:fs/promises';
import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repairPdf } from '../../../src/signing/pdf/repair/repair-pdf.ts';
import { WorkerPool } from '../../../src/signing/workers/worker-pool.ts';
import { appendRevision, buildPdf, onePage } from './build-pdf.ts';
import { askQpdf, makeWithQpdf } from './oracles.ts';
import { showPage } from './pictures.ts';
import { readerExtended, USAGE_RIGHTS_METHOD } from './reader-extended.ts';
import { expectValid, Workshop } from './workshop.ts';

let workshop: Workshop;
beforeAll(async () => {
  workshop = await Workshop.open();
});
/** Shared: to start a thread takes longer than most of the repairs. */
const pool = new WorkerPool({ threads: 1 });
afterAll(async () => {
  await pool.close();
  await workshop.close();
});

const sound = buildPdf(onePage());
const soundStream = buildPdf(onePage(), { kind: 'stream', compressed: [1, 2, 3, 5] });

/** Replaces bytes; the text must be there. */
function change(file: Buffer, what: string | RegExp, by: string): Buffer {
  const text = file.toString('latin1');
  const changed = text.replace(what, by);
  expect(changed).not.toBe(text);
  return Buffer.from(changed, 'latin1');
}
const cut = (file: Buffer, word: string): Buffer => file.subarray(0, file.lastIndexOf(word));

async function repair(content: Buffer, password?: string): Promise<{ path: string; repairs: readonly string[] }> {
  const inputPath = await workshop.write(content);
  const path = workshop.newPath();
  const { repairs } = await repairPdf({ inputPath, outputPath: path, password });
  return { path, repairs };
}

const REBUILT = 'Rebuilt the cross-reference from the objects in the file.';
const FOUND = 'Found the document catalog, which the trailer did not name.';

describe('the pages of a repaired document', () => {
  const page = '<</Type /Page /Parent 2 0 R /Contents 4 0 R /Resources <</Font <</F1 5 0 R>>>>>>';
  const two = { 2: '<</Type /Pages /Kids [3 0 R 6 0 R] /Count 2 /MediaBox [0 0 595 842]>>', 6: page };

  it('are told as before and now when the last version was cut off', async () => {
    const whole = appendRevision(sound, two);
    const { repairs, path } = await repair(cut(whole, 'xref'));
    expect(repairs).toContain('The document showed 1 page before the repair, and shows 2 pages now.');
    expect((await askQpdf(path)).exitCode).toBe(0);
  });

  it('are told as lost when the document announces more', async () => {
    const damaged = cut(buildPdf(onePage({ ...two, 2: two[2].replace('/Count 2', '/Count 7') })), 'startxref');
    const { repairs } = await repair(damaged);
    expect(repairs).toContain('The document announces 7 pages, but only 2 pages could be found.');
  });
});

describe('repairPdf', () => {
  it.each([
    ['whose offset of the table is wrong', change(sound, /startxref\n\d+/, 'startxref\n7'), [REBUILT]],
    ['that is cut off at "startxref"', cut(sound, 'startxref'), [REBUILT]],
    ['that is cut off in front of its table', cut(sound, 'xref\n0'), [REBUILT, FOUND]],
    ['whose table points nowhere', change(sound, /\n\d{10} 00000 n/g, '\n0000000003 00000 n'), [REBUILT]],
    ['whose objects stand in an object stream', cut(soundStream, 'startxref'), [REBUILT]],
    [
      'whose object stream has a wrong length',
      change(soundStream, /(\/ObjStm.*?)\/Length \d+/, '$1/Length 3'),
      undefined,
    ],
    [
      'with junk in front and no table',
      Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\n\r\n'), cut(sound, 'xref\n0')]),
      ['Removed what stood in front of the header.', REBUILT, FOUND],
    ],
    [
      'behind more bytes than readers skip',
      Buffer.concat([Buffer.alloc(5000, 'not yet\n'), sound]),
      ['Removed what stood in front of the header.', REBUILT],
    ],
    ['without a header', sound.subarray(sound.indexOf('1 0 obj')), ['Added the missing header.', REBUILT]],
    [
      'without a table, with a wrong length',
      change(cut(sound, 'xref\n0'), /\/Length \d+/, '/Length 9999'),
      [REBUILT, FOUND, 'Corrected the length of 1 streams.'],
    ],
    [
      'whose catalog is lost',
      change(cut(sound, 'xref\n0'), '/Type /Catalog /Pages', '/Type /Nothing /Paged'),
      [REBUILT, 'Found the page tree again.'],
    ],
    [
      'whose page tree is lost',
      change(cut(sound, 'xref\n0'), '/Type /Pages /Kids', '/Type /Pagex /Kidx'),
      [REBUILT, 'Made a page tree of the pages that were left.'],
    ],
  ])('saves a file %s, so that it looks as before and can be signed', async (_, damaged, expected) => {
    const before = await workshop.write(damaged);
    expect(await workshop.refusal(before).catch(() => ({ code: 'signed' }))).not.toMatchObject({ code: 'signed' });
    const { path, repairs } = await repair(damaged);
    if (expected !== undefined) expect(repairs).toEqual(expected);
    expect(await askQpdf(path)).toMatchObject({ exitCode: 0, complaints: [] });
    const shown = await showPage(path);
    if (!repairs.join().includes('page tree of the pages')) {
      expect(shown.ink()).toEqual((await showPage(await workshop.write(sound))).ink());
    }
    const { path: signed } = await workshop.sign(path);
    await expectValid(signed, 1);
  });

  it('keeps every byte of the original, and the newest version of each object', async () => {
    const updated = appendRevision(sound, { 4: { dictionary: '', data: 'BT /F1 24 Tf 72 72 Td (Second) Tj ET' } });
    const damaged = cut(updated, 'xref\n');
    const { path } = await repair(damaged);
    expect((await readFile(path)).subarray(0, damaged.length).equals(damaged)).toBe(true);
    expect((await showPage(path)).ink()).toEqual((await showPage(await workshop.write(updated))).ink());
  });

  it.each([
    ['RC4', ['128', '--use-aes=n'], ''],
    ['AES', ['256'], ''],
    ['AES and a password', ['256'], 'senha'],
  ])('saves a file encrypted with %s', async (_, bits, password) => {
    const encrypted = workshop.newPath();
    const plain = await workshop.write(sound);
    const options = ['--allow-weak-crypto', '--object-streams=generate', '--encrypt', password, 'owner', ...bits, '--'];
    await makeWithQpdf([...options, plain, encrypted]);
    const damaged = cut(await readFile(encrypted), 'startxref');
    const { path } = await repair(damaged, password);
    await expect(workshop.sign(path, {}, password)).resolves.toBeDefined();
    await makeWithQpdf([`--password=${password}`, '--decrypt', path, workshop.newPath()]);
  });

  it('copies a file that is sound', async () => {
    const { path, repairs } = await repair(sound);
    expect(repairs).toEqual([]);
    expect((await readFile(path)).equals(sound)).toBe(true);
  });

  it('refuses a damaged file carrying a signature, and writes nothing', async () => {
    const { path: signed } = await workshop.sign(await workshop.write(sound));
    const inputPath = await workshop.write(cut(await readFile(signed), 'startxref'));
    const outputPath = workshop.newPath();
    await expect(repairPdf({ inputPath, outputPath })).rejects.toMatchObject({ code: 'PDF_CHANGE_FORBIDDEN' });
    await expect(stat(outputPath)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('repairs a file with more objects than a call has arguments', async () => {
    const many = Array.from({ length: 200_000 }, (_, index) => `${index + 100} 0 obj null endobj\n`).join('');
    const damaged = Buffer.concat([cut(sound, 'xref\n0'), Buffer.from(many)]);
    expect((await repair(damaged)).repairs).toContain(REBUILT);
  });

  it('repairs a file with usage rights, which are no signature', async () => {
    expect((await repair(cut(readerExtended(), 'startxref'))).repairs).toContain(REBUILT);
  });

  it('refuses a damaged file whose signature gives usage rights and certifies', async () => {
    const both = USAGE_RIGHTS_METHOD.replace(']', '<</Type /SigRef /TransformMethod /DocMDP>>]');
    const inputPath = await workshop.write(cut(readerExtended({ method: both }), 'startxref'));
    const repairing = repairPdf({ inputPath, outputPath: workshop.newPath() });
    await expect(repairing).rejects.toMatchObject({ code: 'PDF_CHANGE_FORBIDDEN' });
  });

  it.each([
    ['a text', Buffer.from('This is no PDF at all.')],
    ['an empty file', Buffer.alloc(0)],
    ['a million words "1 0 obj"', Buffer.from('1 0 obj '.repeat(1_000_000))],
    ['streams without end', Buffer.from('1 0 obj <</Length 5>> stream\n'.repeat(100_000))],
    ['deep nesting', Buffer.from(`%PDF-1.4\n1 0 obj ${'[ '.repeat(100_000)}`)],
    [
      'an object stream that inflates without end',
      buildPdf({
        1: '<</Type /Catalog /Pages 2 0 R>>',
        3: { dictionary: '/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode', data: deflateSync(Buffer.alloc(1e8)) },
      }),
    ],
  ])('gives up %s in bounded time, in a worker', async (_, content) => {
    const inputPath = await workshop.write(content);
    const outputPath = workshop.newPath();
    const refusal = await pool.repairPdf({ inputPath, outputPath }).catch((error: unknown) => error);
    expect(['PDF_MALFORMED', 'LIMIT_EXCEEDED']).toContain((refusal as { code: string }).code);
    await expect(stat(outputPath)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('repairs in a worker', async () => {
    const inputPath = await workshop.write(cut(sound, 'startxref'));
    const outputPath = workshop.newPath();
    expect(await pool.repairPdf({ inputPath, outputPath })).toEqual({ repairs: [REBUILT] });
  });

  it('says truly that a PDF without pages has none', async () => {
    const objects = { 1: '<</Type /Catalog /Pages 2 0 R>>', 2: '<</Type /Pages /Kids [] /Count 0>>' };
    const path = await workshop.write(buildPdf(objects));
    expect((await workshop.refusal(path)).message).toMatch(/^The PDF has no pages/);
    const repairing = repairPdf({ inputPath: path, outputPath: workshop.newPath() });
    await expect(repairing).rejects.toMatchObject({ code: 'PDF_MALFORMED' });
    await expect(repairing).rejects.toThrow(/^No page is found in the PDF/);
  });
});
