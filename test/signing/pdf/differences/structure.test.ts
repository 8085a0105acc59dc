import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildPdf, emptySignatureField, onePage, withFields } from '../build-pdf.ts';
import { Workshop } from '../workshop.ts';
import { append, bodyOf, factsOf, signatureOf } from './contract.ts';

let workshop: Workshop;
/** A file with two signatures, and the byte ranges of both. */
let signed: Buffer;
let first: readonly [number, number, number, number];
let range: readonly [number, number, number, number];
beforeAll(async () => {
  workshop = await Workshop.open();
  const one = await workshop.sign(await workshop.write(buildPdf(onePage())));
  const two = await workshop.sign(one.path, { reason: 'Agreed', location: 'Recife', contact: 'me', name: 'Ana' });
  [first, range] = [one.byteRange, two.byteRange];
  signed = await readFile(two.path);
});
afterAll(() => workshop.close());

/** Replaces a text of the second signature's dictionary by another of equal length. */
function patched(from: string, to: string): Buffer {
  const at = signed.lastIndexOf(from, undefined, 'latin1');
  expect(at).toBeGreaterThan(first[2]);
  const copy = Buffer.from(signed);
  copy.write(to.padEnd(from.length), at, 'latin1');
  return copy;
}
const ranged = (...numbers: (number | string)[]): Buffer => patched(`[${range.join(' ')}]`, `[${numbers.join(' ')}]`);
const [A, B, C] = [1, 2, 3] as const;

type Row = readonly [defect: string, code: string, make: () => Buffer];

const ROWS: readonly Row[] = [
  // Universal signature forgery.
  ['has no byte range', 'BYTE_RANGE_MISSING', () => patched('/ByteRange', '/Nothing')],
  ['has a byte range of nothing', 'BYTE_RANGE_MISSING', () => ranged()],
  ['has a byte range of words', 'BYTE_RANGE_MISSING', () => ranged('/a', '/b')],
  ['has a byte range that is null', 'BYTE_RANGE_MISSING', () => patched(`[${range.join(' ')}]`, 'null')],
  ['has a byte range with fractions', 'BYTE_RANGE_MISSING', () => ranged(0, '9.5', 9, 9)],
  ['has a byte range of three numbers', 'BYTE_RANGE_MALFORMED', () => ranged(0, range[A], range[B])],
  ['has a byte range with a negative length', 'BYTE_RANGE_MALFORMED', () => ranged(0, range[A], range[B], -9)],
  ['has a byte range that begins behind the start', 'BYTE_RANGE_START', () => ranged(1, range[A], range[B], range[C])],
  ['has no contents', 'CONTENTS_MISSING', () => patched('/Contents <', '/Nothing  <')],
  [
    'has contents that are null',
    'CONTENTS_MISSING',
    () => {
      const copy = Buffer.from(signed);
      copy.write('null'.padEnd(range[B] - range[A]), range[A], 'latin1');
      return copy;
    },
  ],
  [
    'has contents in another object',
    'CONTENTS_INDIRECT',
    () => {
      const copy = Buffer.from(signed);
      copy.write('5 0 R'.padEnd(range[B] - range[A]), range[A], 'latin1');
      return copy;
    },
  ],
  // Signature wrapping.
  ['leaves out more in front of itself', 'HOLE_NOT_CONTENTS', () => ranged(0, range[A] - 20, range[B], range[C])],
  ['leaves out more behind itself', 'HOLE_NOT_CONTENTS', () => ranged(0, range[A], range[B] + 20, range[C] - 20)],
  ['leaves out less than itself', 'HOLE_NOT_CONTENTS', () => ranged(0, range[A] + 2, range[B], range[C])],
  ['covers two parts that overlap', 'BYTE_RANGE_OVERLAP', () => ranged(0, range[B], range[A], range[C])],
  ['covers two parts that touch', 'BYTE_RANGE_OVERLAP', () => ranged(0, range[A], range[A], range[C])],
  ['covers what is not there', 'BYTE_RANGE_OUTSIDE', () => ranged(0, range[A], range[B], range[C] + 1)],
  [
    'has content injected where its padding was',
    'HOLE_NOT_CONTENTS',
    () => {
      const moved = Buffer.from(signed);
      moved.write('> %(injected)', range[B] - 40, 'latin1');
      return moved;
    },
  ],
  [
    'has something between the digits of its padding that readers pass over',
    'HOLE_NOT_CONTENTS',
    () => {
      const moved = Buffer.from(signed);
      moved[range[B] - 40] = 0xb0;
      return moved;
    },
  ],
  // Ends and places.
  ['ends in the middle of a revision', 'END_NOT_REVISION', () => ranged(0, range[A], range[B], range[C] - 40)],
  ['ends in front of the last line', 'END_NOT_REVISION', () => ranged(0, range[A], range[B], range[C] - 7)],
  ['says everything twice', 'DUPLICATE_KEYS', () => patched('/Location', '/Reason')],
  ['is of another type', 'TYPE_WRONG', () => patched('/Type /Sig\n/Filter', '/Type /Xyz\n/Filter')],
];

describe('the structure of a signature', () => {
  it.each(ROWS)('is not sound when the signature %s', async (_, code, make) => {
    const { signatures } = await factsOf(await workshop.write(make()));
    const found = signatures.find(({ fieldName }) => fieldName === 'Signature2');
    expect(found).toMatchObject({ problem: { code }, coversWholeFile: false, changesAllowed: false });
    await expect(found?.digestOf('sha256')).rejects.toMatchObject({ code: 'PDF_MALFORMED' });
    // The broken signature is no reason to doubt the other signature.
    const other = signatures.find(({ fieldName }) => fieldName === 'Signature1');
    expect(other?.problem).toBeUndefined();
    expect(other?.revision).toBe(2);
  });

  it('is sound in a file with two signatures, and tells the content of their dictionaries', async () => {
    const { signatures, revisions, size, problems, securityStore } = await factsOf(await workshop.write(signed));
    expect({ revisions, size, problems, securityStore }).toEqual({ revisions: 3, size: signed.length, problems: [] });
    expect(signatures.map(({ revision, coversWholeFile }) => [revision, coversWholeFile])).toEqual([
      [2, false],
      [3, true],
    ]);
    expect(signatures[1]).toMatchObject({ reason: 'Agreed', location: 'Recife', contact: 'me', name: 'Ana' });
    expect(signatures[1]?.claimedTime).toEqual(new Date('2026-11-20T10:20:30Z'));
    expect(signatures[1]?.byteRange).toEqual(range);
  });

  it('gives digests of exactly the covered bytes, whichever is asked for first', async () => {
    const path = await workshop.write(signed);
    const covered = ([, length, start, rest]: readonly number[]): Buffer =>
      Buffer.concat([signed.subarray(0, length), signed.subarray(start, start! + rest!)]);
    const { withPdfFacts } = await import('../../../../src/signing/pdf/differences/with-pdf-facts.ts');
    await withPdfFacts(path, {}, async ({ signatures: [one, two] }) => {
      expect(await two?.digestOf('sha512')).toEqual(hash('sha512', covered(range), 'buffer'));
      expect(await one?.digestOf('sha512')).toEqual(hash('sha512', covered(first), 'buffer'));
      expect(await one?.digestOf('sha256')).toEqual(hash('sha256', covered(first), 'buffer'));
    });
  });

  it('is not sound when two fields claim the same signature', async () => {
    const [, field] = /(\d+) 0 obj\s<<\/Type \/Annot/.exec(signed.toString('latin1'))!;
    const twin = bodyOf(signed, Number(field)).replace('Signature1', 'Signature9');
    const form = /(\d+) 0 obj\s<<\/Fields/.exec(signed.toString('latin1'))![1];
    const body = bodyOf(signed, Number(form)).replace('/Fields [', '/Fields [60 0 R ');
    const { signatures } = await factsOf(await workshop.write(append(signed, { 60: twin, [Number(form)]: body })));
    const codes = new Map(signatures.map(({ fieldName, problem }) => [fieldName, problem?.code]));
    expect(codes.get('Signature9')).toBe('CONTENTS_SHARED');
    expect(codes.get('Signature2')).toBeUndefined();
  });

  it('is not sound with the dictionary in another revision than the covered one', async () => {
    const number = Number(
      /\/V (\d+) 0 R/.exec(
        bodyOf(signed, Number(/(\d+) 0 obj\s<<\/Type \/Annot/.exec(signed.toString('latin1'))![1])),
      )![1],
    );
    const { signatures } = await factsOf(await workshop.write(append(signed, { [number]: bodyOf(signed, number) })));
    expect(signatures.find(({ fieldName }) => fieldName === 'Signature1')?.problem?.code).toBe('HOLE_NOT_CONTENTS');
  });

  it.each([
    ['is sound when only the stream of a hybrid file lists the field', {}, undefined],
    ['is not sound when the stream of a hybrid file gives it another place', { 7: 15 }, 'SIGNATURE_AMBIGUOUS'],
  ])('%s', async (_, hiddenAt, code) => {
    const objects = withFields({ 6: emptySignatureField('Hidden', '/V 7 0 R') });
    const gap = (text: string): readonly number[] => [text.indexOf('<00'), text.indexOf('00>') + 3];
    const value = (numbers: string): string =>
      `<</Type /Sig /SubFilter /adbe.pkcs7.detached /ByteRange [${numbers}] /Contents <0000>>>`;
    const shape = { kind: 'hybrid', compressed: [6], hiddenAt } as const;
    const draft = buildPdf({ ...objects, 7: value(' '.repeat(40)) }, shape);
    const [from, to] = gap(draft.toString('latin1'));
    const numbers = `0 ${from} ${to} ${draft.length - to!}`.padEnd(40);
    const path = await workshop.write(buildPdf({ ...objects, 7: value(numbers) }, shape));
    expect((await signatureOf(path, 'Hidden')).problem?.code).toBe(code);
  });

  it.each([
    ['in front of the header', 'CONTENT_BEFORE_HEADER', () => buildPdf(onePage(), { junk: '#!/opt/run\n' })],
    ['behind the end', 'CONTENT_AFTER_END', () => Buffer.concat([buildPdf(onePage()), Buffer.from('PK\x03\x04')])],
  ])('is told apart from data %s of the file', async (_, code, make) => {
    expect((await factsOf(await workshop.write(make()))).problems.map((problem) => problem.code)).toEqual([code]);
  });

  const fieldOf = (name: string): [number: number, body: string] => {
    for (const [, number] of signed.toString('latin1').matchAll(/(\d+) 0 obj\s<<\/Type \/Annot/g)) {
      const body = bodyOf(signed, Number(number));
      if (body.includes(`(${name})`)) return [Number(number), body];
    }
    throw new Error(`There is no field ${name}.`);
  };
  const fileCodes = async (file: Buffer): Promise<readonly string[]> =>
    (await factsOf(await workshop.write(file))).problems.map(({ code }) => code);

  it('is missed when its field is emptied, leads elsewhere or is taken away', async () => {
    const [number, body] = fieldOf('Signature1');
    const [, other] = fieldOf('Signature2');
    const [value, otherValue] = [body, other].map((text) => /\/V \d+ 0 R/.exec(text)?.[0] ?? '');
    const form = Number(/(\d+) 0 obj\s<<\/Fields/.exec(signed.toString('latin1'))?.[1]);
    expect(await fileCodes(signed)).toEqual([]);
    expect(await fileCodes(append(signed, { 70: '(nobody)' }))).toEqual([]);
    expect(await fileCodes(append(signed, { [number]: body.replace(value ?? '', '') }))).toEqual(['SIGNATURE_REMOVED']);
    const elsewhere = body.replace(value ?? '', otherValue ?? '');
    expect(await fileCodes(append(signed, { [number]: elsewhere }))).toEqual(['SIGNATURE_REMOVED']);
    const without = bodyOf(signed, form).replace(`${number} 0 R`, '');
    expect(await fileCodes(append(signed, { [form]: without }))).toEqual(['SIGNATURE_REMOVED']);
    expect(await fileCodes(append(signed, { [form]: '<</Fields []>>' }))).toEqual(['SIGNATURE_REMOVED']);
  });

  it('breaks when something is put in front of the file', async () => {
    const { signatures } = await factsOf(await workshop.write(Buffer.concat([Buffer.from('%junk\n'), signed])));
    expect(signatures.map(({ problem }) => problem?.code)).toEqual(['HOLE_NOT_CONTENTS', 'HOLE_NOT_CONTENTS']);
  });
});
