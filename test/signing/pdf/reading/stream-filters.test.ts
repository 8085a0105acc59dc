import { brotliCompressSync, deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { decodeStream } from '../../../../src/signing/pdf/reading/stream-filters.ts';
import { PdfName, type PdfDictionary, type PdfValue } from '../../../../src/signing/pdf/syntax/values.ts';

const text = Buffer.from('An object stream. '.repeat(20));
const direct = (value: PdfValue | undefined): PdfValue => value ?? null;
const named = (...filters: readonly string[]): PdfDictionary =>
  new Map<string, PdfValue>([['Filter', filters.map((name) => new PdfName(name))]]);

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
    ['an unknown filter', 'FutureDecode', text, 'PDF_UNSUPPORTED'],
  ])('refuses %s', (_, filter, data, code) => {
    expect(() => decodeStream(data, named(filter), direct)).toThrow(expect.objectContaining({ code }));
  });
});
