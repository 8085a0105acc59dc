import { describe, expect, it } from 'vitest';
import { fitFileName } from '../../src/text/file-name.ts';

describe('fitFileName', () => {
  const rows: readonly (readonly [title: string, stem: string, ending: string, name: RegExp])[] = [
    ['leaves a name that fits', 'contrato', '-signed.pdf', /^contrato-signed\.pdf$/],
    ['leaves a name of exactly 255 bytes', 'a'.repeat(244), '-signed.pdf', /^a{244}-signed\.pdf$/],
    ['shortens one more byte', 'a'.repeat(245), '-signed.pdf', /^a{229}-signed\.pdf$/],
    ['keeps the extension before the ending', `${'a'.repeat(300)}.txt`, '.p7m', /^a+\.txt\.p7m$/],
    ['cuts no letter of several bytes in two', 'ã'.repeat(200), '.p7s', /^ã+\.p7s$/],
    ['cuts no letter from its accent', 'a\u0303'.repeat(200), '.p7s', /^(?:a\u0303)+\.p7s$/],
    ['cuts no emoji of several characters in two', '👩‍👩‍👧'.repeat(40), '.p7s', /^(?:👩‍👩‍👧)+\.p7s$/u],
    ['takes the end of a sentence for no extension', `${'a '.repeat(200)}. And so on`, '.p7s', /^[a ]+a\.p7s$/],
  ];
  it.each(rows)('%s', (_title, stem, ending, expected) => {
    const name = fitFileName(stem, ending);
    expect(name).toMatch(expected);
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
  });
});
