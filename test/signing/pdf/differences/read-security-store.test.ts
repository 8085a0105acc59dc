import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSecurityStore } from '../../../../src/signing/pdf/differences/read-security-store.ts';
import { readRevisions } from '../../../../src/signing/pdf/differences/revisions.ts';
import { PdfDocument } from '../../../../src/signing/pdf/reading/pdf-document.ts';
import { appendRevision, buildPdf, onePage } from '../build-pdf.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sinete-store-'));
});
afterAll(() => rm(folder, { recursive: true }));

const CATALOG = '<</Type /Catalog /Pages 2 0 R /DSS 6 0 R>>';
const stream = (data: string) => ({ dictionary: '', data });

/** The number of the revision of each OCSP response in the store. */
async function numbersIn(file: Buffer): Promise<Readonly<Record<string, number | undefined>>> {
  const path = join(folder, 'file.pdf');
  await writeFile(path, file);
  const document = await PdfDocument.open(path);
  try {
    const { store } = readSecurityStore(document, readRevisions(document));
    return Object.fromEntries(store?.ocspResponses.map((data) => [data.toString(), store.revisionOf?.(data)]) ?? []);
  } finally {
    await document.close();
  }
}

describe('readSecurityStore', () => {
  const first = appendRevision(buildPdf(onePage()), {
    1: CATALOG,
    6: '<</Type /DSS /OCSPs [7 0 R 8 0 R]>>',
    7: stream('answer'),
    8: stream('another answer'),
  });

  it('tells the revision first bringing the bytes into the store', async () => {
    const second = appendRevision(first, { 6: '<</Type /DSS /OCSPs [7 0 R 8 0 R 9 0 R]>>', 9: stream('newer') });
    expect(await numbersIn(second)).toEqual({ answer: 2, 'another answer': 2, newer: 3 });
  });

  it('finds the first revision of bytes written again later, as EU DSS does', async () => {
    const second = appendRevision(first, {
      6: '<</Type /DSS /OCSPs [7 0 R 9 0 R 10 0 R]>>',
      7: stream('answer'),
      9: stream('another answer'),
      10: stream('newer'),
    });
    expect(await numbersIn(second)).toEqual({ answer: 2, 'another answer': 2, newer: 3 });
  });

  it('does not take other bytes under the same number for the earlier ones', async () => {
    const second = appendRevision(first, { 7: stream('changed') });
    expect(await numbersIn(second)).toEqual({ changed: 3, 'another answer': 2 });
  });
});
