/** Damaged copies of the documents of `test/interop`, for `npm run corpus -- --damage`. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writtenFiles } from '../interop/bases.ts';
import { peopleFiles } from '../interop/people-bases.ts';

const NOISE = Buffer.from(Array.from({ length: 5000 }, (_, place) => (place * 167 + (place >> 3)) % 256));
const HTTP = Buffer.from('HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\n\r\n');
const PAGE = Buffer.from('\n<!-- delivered by the gateway --></body></html>\n');

/** Replaces text in a file, in all places; bytes outside of ASCII stay. */
const replaced = (file: Buffer, what: RegExp, by: string): Buffer =>
  Buffer.from(file.toString('latin1').replace(what, by), 'latin1');

const upTo = (file: Buffer, word: string): Buffer => {
  const at = file.lastIndexOf(word);
  return at < 0 ? file : file.subarray(0, at);
};

/** The ways in which files get damaged on their way. A maker may leave a file as it is. */
export const damages: readonly (readonly [name: string, damage: (file: Buffer) => Buffer])[] = [
  ['cut at nine tenths', (file) => file.subarray(0, Math.floor(file.length * 0.9))],
  ['cut at three quarters', (file) => file.subarray(0, Math.floor(file.length * 0.75))],
  ['cut before the last object ends', (file) => upTo(file, 'endobj')],
  ['without startxref', (file) => upTo(file, 'startxref')],
  ['without its end mark', (file) => upTo(file, '%%EOF')],
  ['without its last byte', (file) => file.subarray(0, -1)],
  ['with a shifted table', (file) => Buffer.concat([file.subarray(0, 15), Buffer.from('% x\n'), file.subarray(15)])],
  ['with a wrong startxref', (file) => replaced(file, /startxref\s+\d+/g, 'startxref\n17')],
  ['with a table of zeros', (file) => replaced(file, /\d{10} (\d{5}) n/g, '0000000000 $1 n')],
  ['behind a head of HTTP', (file) => Buffer.concat([HTTP, file])],
  ['behind more bytes than readers skip', (file) => Buffer.concat([NOISE, Buffer.from('\n'), file])],
  ['in front of a page of a gateway', (file) => Buffer.concat([file, PAGE])],
  ['in front of many zero bytes', (file) => Buffer.concat([file, Buffer.alloc(5000)])],
  ['with stream lengths of zero', (file) => replaced(file, /\/Length \d+(?! \d+ R)/g, '/Length 0')],
  ['with stream lengths beyond the end', (file) => replaced(file, /\/Length \d+(?! \d+ R)/g, '/Length 99999999')],
  ['without stream lengths', (file) => replaced(file, /\/Length \d+(?: \d+ R)?/g, '')],
  ['without a header', (file) => file.subarray(file.indexOf('\n') + 1)],
  ['with a misspelled header', (file) => replaced(file, /^%PDF-/, '%PDF')],
  ['without its first 600 bytes', (file) => file.subarray(600)],
];

/** Writes a damaged copy of each base in each way, and answers their number. */
export async function writeDamaged(folder: string): Promise<number> {
  await mkdir(folder, { recursive: true });
  let written = 0;
  for (const [base, file] of [...writtenFiles(), ...peopleFiles()]) {
    for (const [name, damage] of damages) {
      const damaged = damage(file);
      if (damaged.equals(file)) continue;
      await writeFile(join(folder, `${base} ${name}.pdf`.replaceAll(/[^\w.-]+/g, '-')), damaged);
      written++;
    }
  }
  return written;
}
