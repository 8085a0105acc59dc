import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writePkcs12 } from '../../src/test-authority/index.ts';
import { personWith } from '../pki/identities.ts';
import { buildPdf, onePage } from '../signing/pdf/build-pdf.ts';
import { makeWorkplace, runSinete, type Workplace } from './run-sinete.ts';

/** A PDF claiming PDF/UA-1 without a structure: a signature cannot keep the standard. */
const untagged = buildPdf(
  onePage({
    1: '<</Type /Catalog /Pages 2 0 R /Metadata 30 0 R>>',
    30: { dictionary: '/Type /Metadata /Subtype /XML', data: '<pdfuaid:part>1</pdfuaid:part>' },
  }),
);

let place: Workplace;
beforeAll(async () => {
  place = await makeWorkplace();
  await mkdir(join(place.folder, 'more'));
  await writeFile(join(place.folder, 'ua.pdf'), untagged);
  await writeFile(join(place.folder, 'ana.p12'), await writePkcs12(await personWith({ name: 'ANA LIMA' }), 'segredo'));
  await writeFile(join(place.folder, 'password'), 'segredo\n', { mode: 0o600 });
  const added = await runSinete(place, ['certificates', 'add', 'ana.p12', '--password-file', 'password']);
  expect(added.code, added.stderr).toBe(0);
});
afterAll(() => place.remove());

describe('sinete sign of a PDF unable to keep its standard', () => {
  it('refuses with --keep-standard, else signs and tells the loss', async () => {
    const refused = await runSinete(place, ['sign', 'ua.pdf', '--keep-standard', '--approve-here']);
    expect([refused.code, refused.stdout]).toEqual([1, expect.stringContaining('DOCUMENT_STANDARD_LOST')]);
    const signed = await runSinete(place, ['sign', 'ua.pdf', '--approve-here']);
    expect([signed.code, signed.stdout]).toEqual([0, expect.stringContaining('The file claims PDF/UA-1')]);
    const json = await runSinete(place, ['sign', 'ua.pdf', '--approve-here', '--json', '--out', 'more']);
    expect(JSON.parse(json.stdout)).toMatchObject([
      { warnings: [{ code: 'FILE_NOT_TAGGED', standard: 'PDF/UA-1', kept: false }] },
    ]);
    const validated = await runSinete(place, ['validate', 'ua-signed.pdf', '--offline', '--json']);
    expect(validated.stdout).toContain('PDF/UA-1');
  });
});
