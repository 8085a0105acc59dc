import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { appendRevision, buildPdf, onePage } from '../build-pdf.ts';
import { askPdfsig } from '../oracles.ts';
import { Workshop } from '../workshop.ts';
import { factsOf } from './contract.ts';

let workshop: Workshop;
beforeAll(async () => {
  workshop = await Workshop.open();
});
afterAll(() => workshop.close());

const sound = buildPdf(onePage());
const cutAfter = (file: Buffer, word: string): Buffer => file.subarray(0, file.lastIndexOf(word) + word.length);
/** The file up to its last `startxref` and number. */
const withoutMark = (file: Buffer): Buffer => file.subarray(0, file.lastIndexOf('%%EOF'));

const good = async (path: string): Promise<readonly unknown[]> =>
  (await factsOf(path)).signatures.map(({ problem, changesAllowed }) => problem?.code ?? changesAllowed);

describe('a document without its last %%EOF', () => {
  it.each([
    ['no mark', withoutMark(sound)],
    ['no mark and no line end', withoutMark(sound).subarray(0, -1)],
    ['a part of the mark', cutAfter(sound, '%%EO')],
    ['one character of the mark', cutAfter(sound, '%')],
  ])('is signed twice without a repair, and both signatures are valid, with %s', async (_, file) => {
    const path = await workshop.write(file);
    expect((await factsOf(path)).problems).toEqual([]);
    const one = await workshop.sign(path);
    const two = await workshop.sign(one.path);
    expect(await good(two.path)).toEqual([true, true]);
    expect((await askPdfsig(two.path))?.map(({ valid }) => valid)).toEqual([true, true]);
  });

  it('may have a signature over the whole file, and is signed again', async () => {
    const { path } = await workshop.sign(await workshop.write(sound));
    const file = await readFile(path);
    // The signature leaves the mark out, and the file has none.
    const text = withoutMark(file).toString('latin1');
    const [range = ''] = /\/ByteRange \[[^\]]*\]/.exec(text) ?? [];
    const numbers = range.match(/\d+/g)?.map(Number) ?? [];
    const shorter = `/ByteRange [0 ${numbers[1]} ${numbers[2]} ${(numbers[3] ?? 0) - (file.length - text.length)}]`;
    const cut = Buffer.from(text.replace(range, shorter.padEnd(range.length)), 'latin1');
    expect(await good(await workshop.write(cut))).toEqual([true]);
    const two = await workshop.sign(await workshop.write(cut));
    expect(await good(two.path)).toEqual([true, true]);
    const hostile = appendRevision(await readFile(two.path), { 4: { dictionary: '', data: '(other)' } });
    expect(await good(await workshop.write(hostile))).toEqual([false, false]);
  });
});

describe('two cross-reference sections above one end', () => {
  /** The base without an end: its section belongs to the end of the later revision. */
  const joined = (): Buffer => {
    const file = appendRevision(sound, { 30: '(later)' });
    const at = file.indexOf('startxref');
    const end = file.indexOf('%%EOF') + '%%EOF'.length;
    return Buffer.concat([file.subarray(0, at), Buffer.alloc(end - at, ' '), file.subarray(end)]);
  };

  it('are a single revision, and a signature there is valid', async () => {
    const path = await workshop.write(joined());
    expect((await factsOf(path)).revisions).toBe(1);
    const { path: signed } = await workshop.sign(path);
    expect((await factsOf(signed)).revisions).toBe(2);
    expect(await good(signed)).toEqual([true]);
  });
});

describe('the revisions as files of their own', () => {
  it('end where the signatures of the revisions end, and are valid', async () => {
    const one = await workshop.sign(await workshop.write(sound));
    const two = await workshop.sign(one.path);
    const changed = appendRevision(await readFile(two.path), { 40: '(nobody)' });
    const { revisionEnds } = await factsOf(await workshop.write(changed));
    const lengths = await Promise.all([one.path, two.path].map(async (path) => (await readFile(path)).length));
    expect(revisionEnds).toEqual([sound.length, ...lengths, changed.length]);
    for (const end of revisionEnds.slice(1)) {
      const extracted = await workshop.write(changed.subarray(0, end ?? 0));
      expect((await good(extracted)).every((is) => is === true)).toBe(true);
      expect((await askPdfsig(extracted))?.every(({ valid }) => valid)).toBe(true);
    }
  });

  it.each([
    ['\r\n', 2],
    ['\r', 1],
    ['', 0],
  ])('have the line end %j behind the mark', async (end, length) => {
    const file = buildPdf(onePage(), { end });
    const { revisionEnds } = await factsOf(await workshop.write(file));
    expect(revisionEnds).toEqual([file.lastIndexOf('%%EOF') + 5 + length]);
  });
});
