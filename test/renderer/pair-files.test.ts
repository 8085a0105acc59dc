import { describe, expect, it } from 'vitest';
import { kindOf, pairFiles, type SortedFile } from '../../renderer/src/pages/validate/pair-files.ts';

const file = (name: string, kind: SortedFile['kind']): SortedFile => ({ name, kind });

describe('matching signatures with their documents', () => {
  it.each([
    ['a.pdf and a.pdf.p7s', [file('a.pdf', 'pdf'), file('a.pdf.p7s', 'signature')], [['a.pdf.p7s', 'a.pdf']], []],
    ['a.docx and a.p7s', [file('a.docx', 'other'), file('A.p7s', 'signature')], [['A.p7s', 'a.docx']], []],
    [
      'two that could be meant',
      [file('a.docx', 'other'), file('a.odt', 'other'), file('a.sig', 'signature')],
      [['a.sig', null]],
      ['a.docx', 'a.odt'],
    ],
    ['a PDF alone', [file('a.pdf', 'pdf')], [['a.pdf', null]], []],
    [
      'a .p7m, which holds its document',
      [file('a.txt', 'other'), file('a.txt.p7m', 'signature')],
      [['a.txt.p7m', null]],
      ['a.txt'],
    ],
    [
      'two signatures of one document',
      [file('a.txt', 'other'), file('a.txt.p7s', 'signature'), file('a.txt.sig', 'signature')],
      [
        ['a.txt.p7s', 'a.txt'],
        ['a.txt.sig', 'a.txt'],
      ],
      [],
    ],
  ] as const)('%s', (_name, files, pairs, rest) => {
    const found = pairFiles<SortedFile>(files);
    expect(found.pairs.map(({ signature, content }) => [signature.name, content?.name ?? null])).toEqual(pairs);
    expect(found.rest.map(({ name }) => name)).toEqual(rest);
  });

  it.each([
    ['x.bin', '%PDF-1.7', 'pdf'],
    ['x.p7s', '\u00ef\u00bb\u00bf%PDF-1.4', 'pdf'],
    ['x.bin', '0\u0080\u0006\u0009*\u0086H\u0086\u00f7\r\u0001\u0007\u0002\u00a0\u0080', 'signature'],
    ['x.pem', '-----BEGIN PKCS7-----\nMII', 'signature'],
    ['x.eml', 'Content-Type: application/pkcs7-mime; name=smime.p7m', 'signature'],
    ['x.p7s', 'anything', 'signature'],
    ['x.txt', 'anything', 'other'],
    ['x.p7m', '0\u0082 %PDF-1.7', 'signature'],
  ])('tells %s beginning with %j to be of the kind %s', (name, head, kind) => {
    expect(kindOf(name, Buffer.from(head, 'latin1'))).toBe(kind);
  });
});
