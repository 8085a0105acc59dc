import type { PdfKeys } from '../../src/signing/pdf/encryption/standard-security.ts';
import { findFirstPage } from '../../src/signing/pdf/reading/page-tree.ts';
import { PdfDocument } from '../../src/signing/pdf/reading/pdf-document.ts';
import { PdfReference } from '../../src/signing/pdf/syntax/values.ts';

/**
 * Changes forbidden by every signature, as revisions behind a signed file with a table or a stream as its newest
 * section.
 */

/** Numbers of the page tree's root, the first page and its content. */
async function findNumbers(
  path: string,
  keys: PdfKeys,
): Promise<readonly [tree: number, page: number, content: number]> {
  const document = await PdfDocument.open(path, keys);
  try {
    const tree = document.catalog.value.get('Pages');
    const page = findFirstPage(document.catalog.value, (value, holder) => document.locate(value, holder));
    const content = page.dictionary.get('Contents');
    if (!(tree instanceof PdfReference) || page.reference === undefined || !(content instanceof PdfReference)) {
      throw new TypeError('The base has another form than the attacks expect.');
    }
    return [tree.number, page.reference.number, content.number];
  } finally {
    await document.close();
  }
}

/** The attacks on a signed file; each changes the looks of the file. */
export async function hostileTwins(
  file: Buffer,
  path: string,
  keys: PdfKeys,
): Promise<readonly (readonly [attack: string, hostile: Buffer])[]> {
  const [tree, page, content] = await findNumbers(path, keys);
  const text = file.toString('latin1');
  const start = Number([...text.matchAll(/startxref\s+(\d+)/g)].at(-1)?.[1]);
  const size = Math.max(...[...text.matchAll(/\/Size (\d+)/g)].map((match) => Number(match[1])));
  const encrypt = /\/Encrypt \d+ 0 R/.exec(text)?.[0] ?? '';
  const identifiers = [...text.matchAll(/\/ID\s*\[[^\]]*\]/g)].at(-1)?.[0] ?? '';
  const root = [...text.matchAll(/\/Root (\d+ \d+ R)/g)].at(-1)?.[1] ?? '1 0 R';
  const isStream = !/^xref/.test(text.slice(start, start + 4));
  /** Appends objects as one revision, with a section of the same kind as the file's last. */
  const append = (objects: Readonly<Record<number, string>>, trailer = `/Root ${root}`): Buffer => {
    let body = '\n';
    const offsets: [number, number][] = [];
    for (const [number, syntax] of Object.entries(objects)) {
      offsets.push([Number(number), file.length + body.length]);
      body += `${number} 0 obj\n${syntax}\nendobj\n`;
    }
    const section = file.length + body.length;
    const common = `${trailer} /Prev ${start} ${identifiers} ${encrypt}`;
    if (isStream) {
      const all = [...offsets, [size, section] as [number, number]];
      const rows = all.map(([, offset]) => `01${offset.toString(16).padStart(8, '0')}00`).join('');
      const index = all.map(([number]) => `${number} 1`).join(' ');
      body += `${size} 0 obj\n<</Type /XRef /W [1 4 1] /Index [${index}] /Size ${size + 1} ${common} `;
      body += `/Filter /ASCIIHexDecode /Length ${rows.length + 1}>>\nstream\n${rows}>\nendstream\nendobj\n`;
    } else {
      const rows = offsets.map(([number, offset]) => `${number} 1\n${String(offset).padStart(10, '0')} 00000 n \n`);
      body += `xref\n${rows.join('')}trailer\n<</Size ${size} ${common}>>\n`;
    }
    return Buffer.concat([file, Buffer.from(`${body}startxref\n${section}\n%%EOF\n`, 'latin1')]);
  };
  const evil = (data: string): string => `<</Length ${data.length}>>\nstream\n${data}\nendstream`;
  return [
    ['other content of the page', append({ [content]: evil('BT /F1 24 Tf 72 720 Td (Pay 1000) Tj ET') })],
    [
      'another page',
      append({ [page]: `<</Type /Page /Parent ${tree} 0 R /Contents ${content} 0 R /MediaBox [0 0 99 99]>>` }),
    ],
    ['other pages', append({ [tree]: '<</Type /Pages /Kids [] /Count 0 /MediaBox [0 0 595 842]>>' })],
    ['bytes behind the end', Buffer.concat([file, Buffer.from('\n4 0 obj\n(x)\nendobj\n')])],
  ];
}
