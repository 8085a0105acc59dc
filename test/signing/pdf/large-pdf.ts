import { randomBytes } from 'node:crypto';
import { open } from 'node:fs/promises';
import { buildPdf, onePage } from './build-pdf.ts';

const CHUNK = 1024 * 1024;

/**
 * Writes a PDF with a single stream of random bytes, as large as `megabytes` says, without holding the whole in memory.
 */
export async function writeLargePdf(path: string, megabytes: number): Promise<void> {
  const mark = '@';
  const page = '<</Type /Page /Parent 2 0 R>>';
  // The large object comes last, because then only the place of the cross-reference depends on its size.
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

/** Pages below one node of the tree. */
const FANOUT = 50;

/**
 * Writes a PDF of many pages, each with contents and a picture of `bytes` random bytes of its own, without holding the
 * whole in memory.
 *
 * @param fanout pages below one node of the tree
 */
export async function writeManyPages(path: string, pages: number, data: number, fanout = FANOUT): Promise<void> {
  const file = await open(path, 'wx');
  const picture = randomBytes(data);
  const offsets: number[] = [];
  let size = 0;
  let waiting: Buffer[] = [];
  let held = 0;
  const flush = async (): Promise<void> => {
    await file.write(Buffer.concat(waiting));
    [waiting, held] = [[], 0];
  };
  const put = async (part: string | Buffer): Promise<void> => {
    const bytes = typeof part === 'string' ? Buffer.from(part, 'latin1') : part;
    waiting.push(bytes);
    [size, held] = [size + bytes.length, held + bytes.length];
    if (held > CHUNK) await flush();
  };
  const object = async (number: number, ...parts: readonly (string | Buffer)[]): Promise<void> => {
    offsets[number] = size;
    await put(`${number} 0 obj\n`);
    for (const part of parts) await put(part);
    await put('\nendobj\n');
  };
  const nodes = Math.ceil(pages / fanout);
  const references = (count: number, first: number, step: number): string =>
    Array.from({ length: count }, (_, index) => `${first + index * step} 0 R`).join(' ');
  try {
    await put('%PDF-1.7\n');
    await object(1, '<</Type /Catalog /Pages 2 0 R>>');
    await object(2, `<</Type /Pages /Kids [${references(nodes, 3, 1)}] /Count ${pages}>>`);
    for (let node = 0; node < nodes; node += 1) {
      const count = Math.min(fanout, pages - node * fanout);
      const first = 3 + nodes + 3 * node * fanout;
      const kids = references(count, first, 3);
      await object(3 + node, `<</Type /Pages /Parent 2 0 R /Kids [${kids}] /Count ${count}>>`);
      for (let page = first; page < first + 3 * count; page += 3) {
        const resources = `/Contents ${page + 1} 0 R /Resources <</XObject <</P ${page + 2} 0 R>>>>`;
        await object(page, `<</Type /Page /Parent ${3 + node} 0 R /MediaBox [0 0 300 300] ${resources}>>`);
        await object(page + 1, '<</Length 5>>\nstream\n/P Do\nendstream');
        const form = `<</Type /XObject /Subtype /Form /BBox [0 0 300 300] /Length ${data}>>`;
        await object(page + 2, `${form}\nstream\n`, picture, '\nendstream');
      }
    }
    const start = size;
    await put(`xref\n0 ${offsets.length}\n0000000000 65535 f \n`);
    for (const offset of offsets.slice(1)) await put(`${String(offset).padStart(10, '0')} 00000 n \n`);
    await put(`trailer\n<</Size ${offsets.length} /Root 1 0 R>>\nstartxref\n${start}\n%%EOF\n`);
    await flush();
  } finally {
    await file.close();
  }
}
