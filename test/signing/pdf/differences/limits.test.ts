import { deflateSync } from 'node:zlib';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SigningError } from '../../../../src/signing/errors.ts';
import { withPdfFacts } from '../../../../src/signing/pdf/differences/with-pdf-facts.ts';
import { buildPdf, onePage } from '../build-pdf.ts';
import type { Objects } from '../build-pdf.ts';
import { measureWork, type Work } from '../work-meter.ts';
import { Workshop } from '../workshop.ts';
import { append, appendTable, CONTRACT, CONTRACT_SHAPE, edited, factsOf } from './contract.ts';

let workshop: Workshop;
let signed: Buffer;
beforeAll(async () => {
  workshop = await Workshop.open();
  signed = await readFile((await workshop.sign(await workshop.write(buildPdf(CONTRACT, CONTRACT_SHAPE)))).path);
});
afterAll(() => workshop.close());

/** Units of the work budget; the reading of a document ends at 268 million. */
const MOST_WORK = 40e6;

/** Objects from `first` on, each made from the number of the next. */
function chain(first: number, count: number, link: (next: number) => string): Objects {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [first + index, link(first + index + 1)]));
}

const HOSTILE: readonly (readonly [string, (file: Buffer) => Buffer])[] = [
  ['sections that lead to each other', (file) => appendTable(file, '', {}, String(file.length))],
  ['pages in a circle', (file) => append(file, { 2: '<</Type /Pages /Kids [2 0 R 2 0 R 3 0 R] /Count 3>>' })],
  ['fields in a circle', (file) => append(file, { 6: '<</T (a) /FT /Tx /Kids [6 0 R 8 0 R 11 0 R]>>' })],
  [
    'fields that are too deep',
    (file) =>
      append(file, {
        ...edited(file, 11, '[', '[100 0 R '),
        ...chain(100, 500, (next) => `<</T (a) /Kids [${next} 0 R]>>`),
      }),
  ],
  [
    'appearances without end',
    (file) =>
      append(file, {
        ...edited(file, 6, '7 0 R', '100 0 R'),
        ...chain(100, 3000, (next) => `<</N ${next} 0 R /D ${next} 0 R /R 100 0 R>>`),
      }),
  ],
  [
    'appearances in a circle',
    (file) =>
      append(file, { ...edited(file, 6, '7 0 R', '100 0 R'), 100: '<</N 101 0 R>>', 101: '<</N 100 0 R /D 6 0 R>>' }),
  ],
  [
    'a store in a circle',
    (file) =>
      append(file, {
        ...edited(file, 1, '/Pages', '/DSS 100 0 R /Pages'),
        100: '<</Certs 101 0 R /VRI 100 0 R>>',
        101: '[100 0 R 101 0 R]',
      }),
  ],
  [
    'a store that inflates without end',
    (file) => {
      const bomb = { dictionary: '/Filter /FlateDecode', data: deflateSync(Buffer.alloc(60 * 2 ** 20), { level: 1 }) };
      const references = Array.from({ length: 20 }, (_, index) => `${100 + index} 0 R`).join(' ');
      return append(file, {
        ...edited(file, 1, '/Pages', `/DSS <</Certs [${references}]>> /Pages`),
        ...Object.fromEntries(Array.from({ length: 20 }, (_, index) => [100 + index, bomb])),
      });
    },
  ],
  [
    'arrays that are nested deeply',
    (file) => append(file, { ...edited(file, 1, '/Pages', '/X 100 0 R /Pages'), 100: '['.repeat(100_000) }),
  ],
  ['a hundred thousand annotations', (file) => append(file, { 18: `[${'9 0 R '.repeat(100_000)}]` })],
  ['a hundred thousand uses of one object', (file) => append(file, { 100: `[${'7 0 R '.repeat(100_000)}]`, 7: '(x)' })],
  [
    'twenty thousand changed objects',
    (file) =>
      append(file, {
        ...edited(file, 1, '/Pages', '/X 100 0 R /Pages'),
        ...chain(100, 20_000, (next) => `[${next} 0 R]`),
      }),
  ],
  [
    'a section that claims a million entries',
    (file) => {
      const data = deflateSync(Buffer.alloc(3_000_000));
      const body = `200 0 obj\n<</Type /XRef /W [1 1 1] /Index [0 1000000] /Size 1000000 /Root 1 0 R /Prev ${/startxref\s+(\d+)\s+%%EOF\s*$/.exec(file.toString('latin1'))![1]!} /Filter /FlateDecode /Length ${data.length}>>\nstream\n`;
      return Buffer.concat([
        file,
        Buffer.from(body),
        data,
        Buffer.from(`\nendstream\nendobj\nstartxref\n${file.length}\n%%EOF\n`),
      ]);
    },
  ],
];

describe('a signed PDF with a hostile revision', () => {
  it.each(HOSTILE)('ends in facts or an error after bounded work with %s', async (_, make) => {
    const path = await workshop.write(make(signed));
    const { answer: facts, units } = await measureWork(() =>
      factsOf(path).catch((error: unknown) => {
        if (!(error instanceof SigningError)) throw error;
        return undefined;
      }),
    );
    expect(units).toBeLessThan(MOST_WORK);
    for (const { fieldName, changesAllowed, changes } of facts?.signatures ?? []) {
      if (fieldName === 'Signature1') expect(changesAllowed && changes.length === 0).toBe(false);
    }
  });
});

describe('the facts about many signatures', () => {
  it('cost less than twenty times the reading of a file with one, and one pass over the file', async () => {
    const paths = [await workshop.write(buildPdf({ ...onePage(), 9: { dictionary: '', data: 'x'.repeat(2 ** 20) } }))];
    for (let count = 0; count < 10; count += 1) paths.push((await workshop.sign(paths.at(-1)!)).path);
    const measure = (path: string): Promise<Work<void>> =>
      measureWork(() =>
        withPdfFacts(path, {}, async ({ signatures }) => {
          for (const { digestOf } of signatures) await digestOf('sha256');
        }),
      );
    const [one, ten] = [paths[1]!, paths[10]!];
    const [workOfOne, workOfTen] = [await measure(one), await measure(ten)];
    expect(workOfTen.units).toBeLessThan(20 * workOfOne.units);
    expect(workOfTen.digested).toBeLessThan(1.1 * workOfOne.digested);
    const { signatures } = await factsOf(ten);
    expect(signatures.map(({ changesAllowed, revision }) => [changesAllowed, revision])).toEqual(
      signatures.map((_, index) => [true, index + 2]),
    );
  });
});
