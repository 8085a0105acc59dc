import { brotliCompressSync, deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { withBudget, type Amounts } from '../../../../src/signing/budget/budget.ts';
import { decodeStream } from '../../../../src/signing/pdf/reading/stream-filters.ts';
import { PdfName, type PdfDictionary, type PdfValue } from '../../../../src/signing/pdf/syntax/values.ts';

const text = Buffer.from('An object stream. '.repeat(20));
const direct = (value: PdfValue | undefined): PdfValue => value ?? null;
const named = (...filters: readonly string[]): PdfDictionary =>
  new Map<string, PdfValue>([['Filter', filters.map((name) => new PdfName(name))]]);

/** LZW naming each byte by its own code: the decoder's codes grow all the same. */
function lzwOf(words: Buffer, early: number): Buffer {
  let bits = '';
  let sequences = 0;
  const widthOf = (): number => Math.min(12, (258 + sequences + early).toString(2).length);
  const write = (code: number, width: number): void => {
    bits += code.toString(2).padStart(width, '0');
  };
  write(256, 9);
  for (const [index, word] of words.entries()) {
    write(word, Math.max(9, widthOf()));
    if (index > 0) sequences += 1;
  }
  write(257, Math.max(9, widthOf()));
  const whole = bits.padEnd(Math.ceil(bits.length / 8) * 8, '0');
  return Buffer.from(whole.match(/.{8}/g)!.map((byte) => Number.parseInt(byte, 2)));
}

describe('decodeStream', () => {
  it.each([
    ['Flate', named('FlateDecode'), deflateSync(text)],
    ['Brotli', named('BrotliDecode'), brotliCompressSync(text)],
    [
      'hexadecimal digits around Brotli',
      named('AHx', 'BrotliDecode'),
      Buffer.from(`${brotliCompressSync(text).toString('hex')}>`),
    ],
  ])('undoes %s', (_, dictionary, data) => {
    expect(decodeStream(data, dictionary, direct).equals(text)).toBe(true);
  });

  it.each([
    ['whole groups', '87cURD]j7B~>', 'Hello wo'],
    ['a short group at the end', '87cURD]i,"Ebo80~>', 'Hello World!'],
    ['white space between digits', '87cU\nRD]i, "Ebo 80 ~>', 'Hello World!'],
    ['a group of zeros, and no end', 'z87cUR', '\0\0\0\0Hell'],
    ['one byte', '5l~>', 'A'],
    ['nothing', '~>87cUR', ''],
  ])('undoes ASCII85 with %s', (_, data, expected) => {
    expect(decodeStream(Buffer.from(data), named('ASCII85Decode'), direct).toString('latin1')).toBe(expected);
  });

  it('undoes LZW', () => {
    // The example of ISO 32000-2 §7.4.4.2.
    const data = Buffer.from('800b6050220c0c8501', 'hex');
    const expected = Buffer.from([45, 45, 45, 45, 45, 65, 45, 45, 45, 66]);
    expect(decodeStream(data, named('LZWDecode'), direct)).toEqual(expected);
  });

  it.each([
    ['one code early', 1],
    ['when they have to', 0],
  ])('undoes LZW whose codes grow %s', (_, early) => {
    const words = Buffer.from(Array.from({ length: 1500 }, (_value, index) => (index * 7) % 251));
    const parameters = new Map<string, PdfValue>([['EarlyChange', early]]);
    const dictionary = new Map<string, PdfValue>([...named('LZW'), ['DecodeParms', [parameters]]]);
    expect(decodeStream(lzwOf(words, early), dictionary, direct).equals(words)).toBe(true);
  });

  it('undoes run lengths', () => {
    const data = Buffer.from('02666f6ffd6180ff', 'hex');
    expect(decodeStream(data, named('RunLengthDecode'), direct).toString()).toBe('fooaaaa');
  });

  it('rejects LZW beginning with a sequence', () => {
    expect(() => decodeStream(Buffer.from('ffffff', 'hex'), named('LZW'), direct)).toThrow('LZW');
  });

  it('undoes ASCII85 around Flate', () => {
    const words = deflateSync(text);
    const digits: string[] = [];
    for (let at = 0; at < words.length; at += 4) {
      const group = words.subarray(at, at + 4);
      let word = Buffer.concat([group, Buffer.alloc(4 - group.length)]).readUInt32BE();
      const five = Array.from({ length: 5 }, () => {
        const digit = String.fromCharCode(0x21 + (word % 85));
        word = Math.floor(word / 85);
        return digit;
      }).reverse();
      digits.push(five.slice(0, group.length + 1).join(''));
    }
    const data = Buffer.from(`${digits.join('')}~>`);
    expect(decodeStream(data, named('A85', 'Fl'), direct).equals(text)).toBe(true);
  });

  it.each([
    ['ASCII85', named('A85'), Buffer.from('z'.repeat(1000)), 4000],
    ['hexadecimal digits', named('AHx'), Buffer.from('00'.repeat(1000)), 1000],
    ['Flate', named('Fl'), deflateSync(Buffer.alloc(1000)), 1000],
    ['Brotli', named('BrotliDecode'), brotliCompressSync(Buffer.alloc(1000)), 1000],
  ])('counts the bytes of %s in the budget of the file', async (_, dictionary, data, count) => {
    const plenty: Amounts = { objects: 1e9, bytes: 1e9, candidates: 1e9, buffers: 1e12, time: 1e9 };
    const used = Promise.withResolvers<Amounts>();
    const decode = (): Promise<Buffer> => Promise.resolve(decodeStream(data, dictionary, direct));
    await withBudget(plenty, decode, used.resolve);
    expect((await used.promise).bytes).toBe(count);
    await expect(withBudget({ ...plenty, bytes: count - 1 }, decode)).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
  });

  it('undoes the predictor behind Brotli', () => {
    const rows = Buffer.from([2, 1, 2, 3, 2, 1, 1, 1]);
    const parameters = new Map<string, PdfValue>([
      ['Predictor', 12],
      ['Columns', 3],
    ]);
    const dictionary = new Map<string, PdfValue>([
      ['Filter', new PdfName('BrotliDecode')],
      ['DecodeParms', parameters],
    ]);
    expect([...decodeStream(brotliCompressSync(rows), dictionary, direct)]).toEqual([1, 2, 3, 2, 3, 4]);
  });

  it.each([
    ['Brotli that is none', 'BrotliDecode', Buffer.from('not Brotli'), 'PDF_MALFORMED'],
    ['Brotli of more than the limit', 'BrotliDecode', brotliCompressSync(Buffer.alloc(65 * 2 ** 20)), 'PDF_MALFORMED'],
    ['ASCII85 of more than the limit', 'A85', Buffer.alloc(17 * 2 ** 20, 'z'), 'PDF_MALFORMED'],
    ['ASCII85 with another character', 'A85', Buffer.from('87c{UR'), 'PDF_MALFORMED'],
    ['an unknown filter', 'FutureDecode', text, 'PDF_UNSUPPORTED'],
  ])('refuses %s', (_, filter, data, code) => {
    expect(() => decodeStream(data, named(filter), direct)).toThrow(expect.objectContaining({ code }));
  });
});
