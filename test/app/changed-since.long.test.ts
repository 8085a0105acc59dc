import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { appendRevision, buildPdf, onePage } from '../signing/pdf/build-pdf.ts';
import { bodyOf } from '../signing/pdf/differences/contract.ts';
import { makeWorkplace, runSinete, type Workplace } from './run-sinete.ts';

/** A signed PDF with an annotation over its page, on the command line. */

const PATIENCE = 300_000;

let place: Workplace;
const fileOf = (name: string): string => join(place.folder, name);
beforeAll(async () => {
  place = await makeWorkplace();
  const words = ['certificates', 'test-identity', '--name', 'Ana Lima', '--cpf', '111.444.777-35', '--json'];
  const made = await runSinete(place, words);
  const [{ alias }] = JSON.parse(made.stdout) as [{ alias: string }];
  await writeFile(fileOf('contract.pdf'), buildPdf(onePage()));
  const signed = await runSinete(place, ['sign', 'contract.pdf', '--certificate', alias, '--approve-here']);
  expect(signed.code, signed.stderr + signed.stdout).toBe(0);
  const file = await readFile(fileOf('contract-signed.pdf'));
  const page = bodyOf(file, 3).replace('/Annots [', '/Annots [60 0 R ');
  const text = '<</Type /Annot /Subtype /FreeText /Rect [0 700 300 740] /Contents (Pay 999999 EUR)>>';
  await writeFile(fileOf('covered.pdf'), appendRevision(file, { 3: page, 60: text }));
}, PATIENCE);
afterAll(() => place.remove());

it(
  'says the document was changed since, ends with 1 when told to, and writes the signed revision',
  async () => {
    const told = await runSinete(place, ['validate', 'covered.pdf', '--offline', '--extract-revision', '2']);
    expect(told.stdout).toContain('Revision 3, page 1: An annotation that can cover the page was added.');
    const [signed, extracted] = await Promise.all([
      readFile(fileOf('contract-signed.pdf')),
      readFile(fileOf('covered-revision-2.pdf')),
    ]);
    expect(extracted.equals(signed)).toBe(true);

    const strict = await runSinete(place, ['validate', 'covered.pdf', '--offline', '--strict-changes']);
    expect(strict.code).toBe(1);
    const missing = await runSinete(place, ['validate', 'covered.pdf', '--offline', '--extract-revision', '9']);
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('It has: 1, 2, 3.')]);
    const again = await runSinete(place, ['validate', 'covered.pdf', '--offline', '--extract-revision', '2']);
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('exists already')]);
  },
  PATIENCE,
);
