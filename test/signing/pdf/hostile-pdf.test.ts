import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readFile, rm } from 'node:fs/promises';
import { SigningError } from '../../../src/signing/errors.ts';
import { inspectPdf, verifyPdf } from '../../../src/signing/pdf/verification/verify-pdf.ts';
import { signPdf } from '../../../src/signing/pdf/signature/sign-pdf.ts';
import { appendRevision, buildPdf, emptySignatureField, onePage, withFields } from './build-pdf.ts';
import type { Objects } from './build-pdf.ts';
import { makeWithQpdf } from './oracles.ts';
import { measureWork } from './work-meter.ts';
import { SIGNING_TIME, Workshop } from './workshop.ts';

let workshop: Workshop;
beforeAll(async () => {
  workshop = await Workshop.open();
});
afterAll(() => workshop.close());

/** Units of the work budget; the reading of a document ends at 268 million. */
const MOST_WORK = 1e6;

const table = onePage();
const nested = (open: string, close: string, depth: number): string => open.repeat(depth) + close.repeat(depth);
const bomb = (): { dictionary: string; data: Buffer } => ({
  dictionary: '/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode',
  data: deflateSync(Buffer.alloc(80 * 1024 * 1024, 0x20), { level: 1 }),
});
/** A file claiming object 7 to be in an object stream, object 6. */
const inObjectStream = (stream: Objects[number]): Buffer => {
  const catalog = '<</Type /Catalog /Pages 2 0 R /AcroForm 7 0 R>>';
  const text = buildPdf({ ...table, 1: catalog, 6: stream }, { kind: 'stream' }).toString('latin1');
  return Buffer.from(appendCompressedEntry(text), 'latin1');
};

/** Appends an uncompressed cross-reference stream with a single entry: object 7 is in the object stream 6. */
function appendCompressedEntry(text: string): string {
  const previous = /startxref\s+(\d+)/.exec(text)?.[1] ?? '0';
  const dictionary = `/Type /XRef /W [1 4 2] /Index [7 1] /Size 9 /Root 1 0 R /Prev ${previous} /Length 7`;
  const section = `8 0 obj\n<<${dictionary}>>\nstream\n\x02\0\0\0\x06\0\0\nendstream\nendobj\n`;
  return `${text}${section}startxref\n${text.length}\n%%EOF\n`;
}

const ending = (section: string): Buffer => {
  const start = '%PDF-1.7\n1 0 obj\n<</Pages 2 0 R>>\nendobj\n';
  return Buffer.from(`${start}${section}\nstartxref\n${start.length}\n%%EOF\n`, 'latin1');
};

const HOSTILE: readonly (readonly [string, string, () => Buffer])[] = [
  ['is empty', 'PDF_MALFORMED', () => Buffer.alloc(0)],
  ['is a text', 'PDF_MALFORMED', () => Buffer.from('Dear reader,\n'.repeat(1000))],
  ['is a header only', 'PDF_MALFORMED', () => Buffer.from('%PDF-1.7\n')],
  ['has a startxref outside', 'PDF_MALFORMED', () => Buffer.from('%PDF-1.7\nstartxref\n999999999999999\n%%EOF')],
  ['has a section that follows itself', 'PDF_MALFORMED', () => ending('xref\n0 0\ntrailer\n<</Root 1 0 R /Prev 41>>')],
  [
    'has an XRefStm that is the table',
    'PDF_MALFORMED',
    () => ending('xref\n0 0\ntrailer\n<</Root 1 0 R /XRefStm 41>>'),
  ],
  ['has a negative Prev', 'PDF_MALFORMED', () => ending('xref\n0 0\ntrailer\n<</Root 1 0 R /Prev -5>>')],
  [
    'has a table of a billion entries',
    'PDF_MALFORMED',
    () => ending('xref\n0 999999999\n0000000000 65535 f \ntrailer\n<</Root 1 0 R>>'),
  ],
  ['has a table without end', 'PDF_MALFORMED', () => ending(`xref\n${'0 0\n'.repeat(1_000_000)}`)],
  [
    'has a trailer that is nested deeply',
    'PDF_MALFORMED',
    () => ending(`xref\n0 0\ntrailer\n<</A ${nested('[', ']', 100_000)}>>`),
  ],
  ['has a trailer without end', 'PDF_MALFORMED', () => ending(`xref\n0 0\ntrailer\n<</A (${'('.repeat(1_000_000)}`)],
  [
    'has a stream with impossible widths',
    'PDF_MALFORMED',
    () => ending('9 0 obj\n<</Type /XRef /W [9 9 9] /Size 1 /Length 9>>\nstream\n'),
  ],
  [
    'has a stream with a huge Index',
    'PDF_MALFORMED',
    () =>
      ending(
        '9 0 obj\n<</Type /XRef /W [1 1 1] /Index [0 9007199254740991] /Root 1 0 R /Size 9007199254740991 /Length 30>>\nstream\n',
      ),
  ],
  [
    'has a stream that claims a huge length',
    'PDF_MALFORMED',
    () => ending('9 0 obj\n<</Type /XRef /W [1 1 1] /Size 1 /Length 9007199254740991>>\nstream\n'),
  ],
  ['has no catalog', 'PDF_MALFORMED', () => buildPdf({ 1: '(catalog)', 2: '<<>>' })],
  ['has a catalog that refers to itself', 'PDF_MALFORMED', () => buildPdf({ 1: '1 0 R' })],
  ['uses up the object numbers', 'PDF_MALFORMED', () => appendRevision(buildPdf(table), { 2147483640: 'null' })],
  ['has pages in a circle', 'PDF_UNSUPPORTED', () => buildPdf({ ...table, 2: '<</Type /Pages /Kids [2 0 R 2 0 R]>>' })],
  ['has a page tree that is too deep', 'PDF_MALFORMED', () => buildPdf(chain(2, (next) => `<</Kids [${next} 0 R]>>`))],
  [
    'has fields that are too deep',
    'PDF_MALFORMED',
    () =>
      buildPdf({
        ...chain(6, (next) => `<</T (a) /Kids [${next} 0 R]>>`),
        ...table,
        1: '<</Pages 2 0 R /AcroForm <</Fields [6 0 R]>>>>',
      }),
  ],
  ['has an object stream that inflates without end', 'PDF_MALFORMED', () => inObjectStream(bomb())],
  [
    'has an object stream with a huge N',
    'PDF_MALFORMED',
    () => inObjectStream({ dictionary: '/Type /ObjStm /N 4294967295 /First 4', data: '7 0 <<>>' }),
  ],
  [
    'has an object stream whose length is inside it',
    'PDF_MALFORMED',
    () => inObjectStream('<</Type /ObjStm /N 1 /First 4 /Length 7 0 R>>\nstream\n7 0 <<>>\nendstream'),
  ],
  [
    'has a predictor with huge rows',
    'PDF_MALFORMED',
    () =>
      inObjectStream({
        dictionary:
          '/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode /DecodeParms <</Predictor 12 /Columns 4294967295>>',
        data: deflateSync(Buffer.from('7 0 <<>>')),
      }),
  ],
  [
    'has an unknown filter',
    'PDF_UNSUPPORTED',
    () => inObjectStream({ dictionary: '/Type /ObjStm /N 1 /First 4 /Filter /FutureDecode', data: '7 0 <<>>' }),
  ],
  ['has an unknown encryption', 'PDF_ENCRYPTED', () => buildPdf(table, { trailer: '/Encrypt <</Filter /Secret>>' })],
  ['has an empty encryption', 'PDF_UNSUPPORTED', () => buildPdf(table, { trailer: '/Encrypt <</Filter /Standard>>' })],
  [
    'has an encryption without strings',
    'PDF_MALFORMED',
    () => buildPdf(table, { trailer: '/Encrypt <</Filter /Standard /V 5 /R 6>>' }),
  ],
];

/** A thousand objects, each made from the number of the next. */
function chain(first: number, link: (next: number) => string): Record<number, string> {
  const objects: Record<number, string> = { 1: `<</Type /Catalog /Pages ${first} 0 R>>` };
  for (let number = first; number < first + 1000; number += 1) objects[number] = link(number + 1);
  return objects;
}

describe('a hostile PDF', () => {
  it.each(HOSTILE)('is refused when the file %s', async (what, code, make) => {
    const path = await workshop.write(make());
    const { answer: refusal, units } = await measureWork(() => workshop.refusal(path));
    expect(units).toBeLessThan(what === 'has a table without end' ? 130e6 : MOST_WORK);
    expect(refusal).toBeInstanceOf(SigningError);
    expect(refusal.code, refusal.message).toBe(code);
  });

  it('may have form fields in a circle: these are passed over', async () => {
    const fields = { 6: '<</T (a) /Kids [7 0 R 6 0 R]>>', 7: '<</T (b) /FT /Sig /Kids [6 0 R 7 0 R]>>' };
    const { path } = await workshop.sign(await workshop.write(buildPdf(withFields(fields))));
    expect((await verifyPdf(path)).signatures).toMatchObject([{ outcome: 'intact' }]);
  });
});

type Mutation =
  | { readonly kind: 'byte'; readonly at: number; readonly byte: number }
  | { readonly kind: 'cut' | 'double'; readonly at: number; readonly length: number }
  | { readonly kind: 'digits'; readonly at: number; readonly text: string };

const at = fc.double({ min: 0, max: 1, noNaN: true });
const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  fc.record({ kind: fc.constant('byte' as const), at, byte: fc.nat(255) }),
  fc.record({ kind: fc.constantFrom('cut' as const, 'double' as const), at, length: fc.nat(200) }),
  // Numbers and keywords are where structure is.
  fc.record({
    kind: fc.constant('digits' as const),
    at,
    text: fc.oneof(
      fc.nat(2 ** 31).map(String),
      fc.constantFrom('0', '-1', '1', '65535', '99999999999', '1 0 R', '7 0 R', '<<', '[', '(', 'null', '/Kids', '%'),
    ),
  }),
);

function mutate(original: Buffer, mutations: readonly Mutation[]): Buffer {
  let content = original;
  for (const change of mutations) {
    let position = Math.floor(change.at * content.length);
    switch (change.kind) {
      case 'byte':
        content = Buffer.from(content);
        content[position] = change.byte;
        break;
      case 'cut':
        content = Buffer.concat([content.subarray(0, position), content.subarray(position + change.length)]);
        break;
      case 'double':
        content = Buffer.concat([content.subarray(0, position + change.length), content.subarray(position)]);
        break;
      case 'digits': {
        while (position < content.length && !/\d/.test(String.fromCharCode(content[position] ?? 0))) position += 1;
        let end = position;
        while (end < content.length && /\d/.test(String.fromCharCode(content[end] ?? 0))) end += 1;
        content = Buffer.concat([content.subarray(0, position), Buffer.from(change.text), content.subarray(end)]);
        break;
      }
    }
  }
  return content;
}

/** The result of an action; undefined if the action rejects, always with a `SigningError`. */
async function attempt<Result>(action: Promise<Result>): Promise<Result | undefined> {
  try {
    return await action;
  } catch (error) {
    if (!(error instanceof SigningError)) throw error;
    return undefined;
  }
}

describe('a PDF damaged at random', () => {
  const sources: Buffer[] = [];
  beforeAll(async () => {
    const signed = await workshop.sign(await workshop.write(buildPdf(withFields({ 6: emptySignatureField('A') }))));
    const plain = await workshop.write(buildPdf(onePage()));
    const encrypted = workshop.newPath();
    await makeWithQpdf([
      '--object-streams=generate',
      '--encrypt',
      '',
      'owner',
      '128',
      '--use-aes=y',
      '--',
      plain,
      encrypted,
    ]);
    sources.push(
      buildPdf(onePage()),
      appendRevision(buildPdf(onePage()), { 4: { dictionary: '', data: 'q Q' } }),
      buildPdf(withFields({ 6: emptySignatureField('A') }), { kind: 'stream', compressed: [1, 2, 3, 5, 6] }),
      buildPdf(onePage(), { kind: 'hybrid', compressed: [2, 3, 5] }),
      await readFile(signed.path),
      await readFile(encrypted),
    );
  });

  it('is either refused with a SigningError or gets a valid signature', { timeout: 120_000 }, async () => {
    const property = fc.asyncProperty(
      fc.nat(sources.length - 1),
      fc.array(mutation, { minLength: 1, maxLength: 4 }),
      async (source, mutations) => {
        const path = await workshop.write(mutate(sources[source]!, mutations));
        const outputPath = workshop.newPath();
        await attempt(inspectPdf(path));
        await attempt(verifyPdf(path));
        const options = { subFilter: 'ETSI.CAdES.detached', signingTime: SIGNING_TIME } as const;
        const request = { inputPath: path, outputPath, signer: workshop.signers.pades, options };
        const signed = await attempt(signPdf(request));
        if (signed !== undefined) {
          const { signatures } = await verifyPdf(outputPath);
          expect(signatures.at(-1)).toMatchObject({ outcome: 'intact', coversWholeFile: true });
        }
        await Promise.all([rm(path), rm(outputPath, { force: true })]);
      },
    );
    await fc.assert(property, { numRuns: 1500 });
  });
});
