import { randomBytes } from 'node:crypto';
import { open } from 'node:fs/promises';
import { buildPdf, onePage } from './build-pdf.ts';

const CHUNK = 1024 * 1024;

/** Writes a PDF with one stream of random octets, as large as `megabytes` says, without holding it in memory. */
export async function writeLargePdf(path: string, megabytes: number): Promise<void> {
  const mark = '@';
  const page = '<</Type /Page /Parent 2 0 R>>';
  // The large object comes last, so that only the place of the cross-reference depends on its size.
  const small = buildPdf({ ...onePage({ 3: page }), 6: { dictionary: '', data: mark } }).toString('latin1');
  const start = small.lastIndexOf(`${mark}\nendstream`);
  const head = small.slice(0, start).replace('/Length 1>>', `/Length ${String(megabytes * CHUNK)}>>`);
  const grown = head.length - start + megabytes * CHUNK - 1;
  const tail = small
    .slice(start + 1)
    .replace(/startxref\n(\d+)/, (_, offset: string) => `startxref\n${String(Number(offset) + grown)}`);
  const file = await open(path, 'wx');
  try {
    const chunk = randomBytes(CHUNK);
    await file.write(head, null, 'latin1');
    for (let index = 0; index < megabytes; index += 1) await file.write(chunk);
    await file.write(tail, null, 'latin1');
  } finally {
    await file.close();
  }
}
