/** Signatures found by their byte ranges alone, in files written by hand. */
import { describe, expect, it } from 'vitest';
import { readRevisions } from '../../../../src/signing/pdf/differences/revisions.ts';
import {
  expectLastVersionWhole,
  findUnreachableSignatures,
  grantsUsageRights,
  hasObjectsBehind,
  isUsageRights,
} from '../../../../src/signing/pdf/differences/unreachable-signatures.ts';
import { appendRevision, buildPdf, onePage } from '../build-pdf.ts';
import { readerExtended } from '../reader-extended.ts';
import { openedFiles } from './opened-files.ts';

const open = openedFiles();

const BASE = buildPdf(onePage());
const ROOM = '1111111 2222222 333';
const CONTENTS = '<3003020101>';
const bytes = (text: string): Buffer => Buffer.from(text, 'latin1');

/**
 * The file with an object behind its end. `ROOM` in the text becomes the range around `CONTENTS`, moved by `start` and
 * `end` bytes.
 */
function withObject(text: string, { file = BASE, start = 0, end = 0, length = 300 } = {}): Buffer {
  const at = file.length + text.indexOf('<30');
  const behind = file.length + text.indexOf('>', text.indexOf('<30')) + 1;
  const numbers = `${String(at + start).padStart(7)} ${String(behind + end).padStart(7)} ${length}`;
  return Buffer.concat([file, bytes(text.replace(ROOM, numbers))]);
}

const SIGNATURE = `60 0 obj\n<</Type /Sig /ByteRange [0 ${ROOM}] /Contents ${CONTENTS}>>\nendobj\n`;

/** The number of signatures without a version, and the objects of odd ranges. */
const foundIn = (file: Buffer, known: readonly string[] = []): Promise<readonly [number, readonly number[]]> =>
  open(file, (document) => {
    const { signatures, oddObjects } = findUnreachableSignatures(document, new Set(known));
    return [signatures.length, [...oddObjects]];
  });

const rangeIn = (file: Buffer): string =>
  /\/ByteRange\s*\[\s*([\d\s]+?)\s*\]/.exec(file.toString('latin1'))![1]!.replaceAll(/\s+/g, ' ');

describe('a signature in the bytes of a file', () => {
  it.each([
    ['with one blank between the words', SIGNATURE],
    ['without blanks around the numbers', SIGNATURE.replace('/ByteRange [', '/ByteRange[')],
    ['with many blanks around the numbers', SIGNATURE.replace(`[0 ${ROOM}]`, `  [  0  ${ROOM}  ]`)],
    ['with a line for each number', SIGNATURE.replace(ROOM, `\n${ROOM}`)],
    ['with many blanks in its object number', SIGNATURE.replace('60 0 obj', '60  \n 0  \n obj')],
    ['with a generation of several digits', SIGNATURE.replace('60 0 obj', '60 00123 obj')],
    ['with its contents in front of its range', `60 0 obj\n<</Contents ${CONTENTS} /ByteRange [0 ${ROOM}]>>\nendobj\n`],
    ['with long contents in front of its range', `60 0 obj\n<</Contents <${'30'.repeat(9000)}> /ByteRange [0 ${ROOM}]>>\nendobj\n`], // prettier-ignore
    ['with the text of another object between range and contents', SIGNATURE.replace('/Contents', '/Reason (see 7 0 obj) /Contents')], // prettier-ignore
    ['behind much other data', `%${'x'.repeat(20_000)}\n${SIGNATURE}`],
    ['in front of other objects', `%${'x'.repeat(9000)}\n${SIGNATURE}61 0 obj\n<<>>\nendobj\n${'%\n'.repeat(9000)}`],
    ['at the end of a file that lost the rest', SIGNATURE.slice(0, SIGNATURE.indexOf('endobj'))],
  ])('is found %s', async (_, text) => {
    expect(await foundIn(withObject(text))).toEqual([1, []]);
  });

  it.each<[string, Buffer]>([
    ['whose hole begins too early', withObject(SIGNATURE, { start: -1 })],
    ['whose hole begins too late', withObject(SIGNATURE, { start: 1 })],
    ['whose hole ends too early', withObject(SIGNATURE, { end: -1 })],
    ['whose hole ends too late', withObject(SIGNATURE, { end: 1 })],
    ['whose hole ends behind the file', withObject(SIGNATURE, { end: 100_000 })],
    ['whose space is empty', withObject(SIGNATURE.replace('3003020101', '0000000000'))],
    ['whose contents are a name', withObject(SIGNATURE.replace(CONTENTS, '/N    %<30>'))],
    ['whose object is a list', withObject(SIGNATURE.replace('<</Type /Sig', '[').replace('>>\nendobj', ']\nendobj'))],
    ['whose object is cut off', withObject(SIGNATURE.replace('>>\nendobj', ''))],
    ['in front of the first object', buildPdf(onePage(), { junk: '%/ByteRange [0 1 2 3]\n' })],
  ])('is none %s', async (_, file) => {
    expect(await foundIn(file)).toEqual([0, []]);
  });

  it('is found once when the bytes repeat its range, and not when known', async () => {
    const file = withObject(SIGNATURE);
    const twice = Buffer.concat([file, bytes(`%/ByteRange [0 ${rangeIn(file).slice(2)}]\n`)]);
    expect(await foundIn(twice)).toEqual([1, []]);
    expect(await foundIn(twice, [rangeIn(file)])).toEqual([0, []]);
  });

  it('is found among 4096 places, and not behind as many', async () => {
    const places = (count: number): Buffer => Buffer.concat([BASE, bytes('/ByteRa\n'.repeat(count))]);
    expect((await foundIn(withObject(SIGNATURE, { file: places(4095) })))[0]).toBe(1);
    expect((await foundIn(withObject(SIGNATURE, { file: places(4096) })))[0]).toBe(0);
  });
});

describe('an object with an odd byte range', () => {
  const odd = '<</ByteRange 9 0 R>>';

  it('is found in the last version, behind much other data and in front of other objects', async () => {
    const objects = { 60: { dictionary: '', data: 'x'.repeat(140_000) }, 61: odd, 62: '<</ByteRange [1 2]>>', 63: '1' };
    expect(await foundIn(buildPdf(onePage(objects)))).toEqual([0, [61, 62]]);
  });

  it('is found beside a known signature that follows closely', async () => {
    const file = withObject(SIGNATURE, { file: appendRevision(BASE, { 61: odd }) });
    const known = rangeIn(file);
    expect(await foundIn(file, [known])).toEqual([0, [61]]);
  });

  it('counts for nothing when a later version has another', async () => {
    const file = appendRevision(buildPdf(onePage({ 61: odd })), { 61: '<<>>' });
    expect(await foundIn(file)).toEqual([0, []]);
  });

  it('counts for nothing when no version has the object', async () => {
    expect(await foundIn(Buffer.concat([BASE, bytes(`77 0 obj\n${odd}\nendobj\n`)]))).toEqual([0, []]);
  });

  it('is one of 64 at most', async () => {
    const objects = Object.fromEntries(Array.from({ length: 70 }, (_, index) => [100 + index, odd]));
    const [, found] = await foundIn(buildPdf(onePage(objects)));
    expect(found.length).toBe(64);
  });
});

describe('usage rights', () => {
  const judged = (file: Buffer): Promise<boolean> =>
    open(file, (document) => {
      const [one] = findUnreachableSignatures(document, new Set()).signatures;
      return isUsageRights(document, readRevisions(document), one!);
    });
  const method = (...names: readonly string[]): string =>
    `/Reference [${names.map((name) => `<</TransformMethod /${name}>>`).join(' ')}]`;

  it.each([
    ['by the method UR3', { method: method('UR3'), permissions: '' }],
    ['by two methods of usage rights', { method: method('UR', 'UR3'), permissions: '' }],
    ['by the permissions that the signature covers', { method: '' }],
    ['by the old key of the permissions', { method: '', permissions: '/Perms <</UR 60 0 R>>' }],
  ])('are given %s', async (_, options) => {
    expect(await judged(readerExtended(options))).toBe(true);
  });

  it.each([
    ['with a method of a person as well', { method: method('UR3', 'DocMDP'), permissions: '' }],
    ['by permissions for another object', { method: '', permissions: '/Perms <</UR3 3 0 R>>' }],
    ['by permissions that are no dictionary', { method: '', permissions: '/Perms 5' }],
    ['by permissions that name no signature', { method: '', permissions: '/Perms <</UR3 5>>' }],
    ['by permissions to certify', { method: '', permissions: '/Perms <</DocMDP 60 0 R>>' }],
  ])('are not given %s', async (_, options) => {
    expect(await judged(readerExtended(options))).toBe(false);
  });

  it('are given by the permissions when the signature ends with the last byte of its version', async () => {
    const file = readerExtended({ method: '' });
    const [length] = rangeIn(file).split(' ').slice(3);
    const end = file.lastIndexOf('%%EOF') + '%%EOF'.length;
    const shorter = String(Number(length) - (file.length - end)).padStart(length!.length);
    const cut = bytes(file.toString('latin1').replace(`${length}]`, `${shorter}]`));
    expect(await judged(cut)).toBe(true);
  });

  it('are not given by a version that cannot be read', async () => {
    const file = readerExtended({ method: '' });
    const isGiven = await open(file, (document) => {
      const [one] = findUnreachableSignatures(document, new Set()).signatures;
      const revisions = readRevisions(document).map((revision) => ({
        ...revision,
        structure: { ...revision.structure, sections: [] },
      }));
      return isUsageRights(document, revisions, one!);
    });
    expect(isGiven).toBe(false);
  });

  it.each([
    ['/Perms <</UR3 60 0 R>>', true],
    ['/Perms <</UR 60 0 R>>', true],
    ['/Perms <</DocMDP 60 0 R>>', false],
    ['/Perms 5', false],
    ['', false],
  ])('granted by the catalog with %s: %s', async (permissions, expected) => {
    expect(await open(readerExtended({ permissions }), grantsUsageRights)).toBe(expected);
  });
});

describe('the end of the last version', () => {
  const isMore = (rest: string): Promise<boolean> =>
    open(Buffer.concat([BASE, bytes(rest)]), (document) =>
      hasObjectsBehind(document, readRevisions(document).at(-1)!.end!),
    );

  it.each(['7 0 obj', '7  0  obj', '7\n0\nobj<<', '70 0 obj\n', '70 00010 obj\n', 'text\n7 0 obj'])(
    'has objects behind when %j follows',
    async (rest) => {
      expect(await isMore(rest)).toBe(true);
    },
  );

  it.each(['', '\n', 'text', '7 0 object', 'a.7 0 obj', 'x7 0 obj'])(
    'has no objects behind when %j follows',
    async (rest) => {
      expect(await isMore(rest)).toBe(false);
    },
  );

  it('is expected to be that of the file', async () => {
    const ask = (file: Buffer): Promise<string> =>
      open(file, (document) => {
        try {
          expectLastVersionWhole(document);
          return 'whole';
        } catch (error) {
          return (error as Error).message;
        }
      });
    const twice = appendRevision(BASE, { 4: { dictionary: '', data: 'BT ET' } });
    expect(await ask(twice)).toBe('whole');
    expect(await ask(twice.subarray(0, -30))).toContain('its last version was cut off');
  });
});
