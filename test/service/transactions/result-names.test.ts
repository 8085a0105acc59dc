import { describe, expect, it } from 'vitest';
import { resultFileName, type SignatureType } from '../../../src/service/signature-types/index.ts';

const rows: readonly (readonly [original: string, type: SignatureType, name: string])[] = [
  ['contract.PDF', 'PAdES', 'contract-signed.pdf'],
  ['note.txt', 'CMS-attached', 'note.txt.p7m'],
  ['note.txt', 'CAdES-detached', 'note.txt.p7s'],
  ['invoice-\u202Efdp.exe', 'CMS-attached', 'invoice-fdp.exe.p7m'],
  ['con\u200Btract\u2066.pdf\u2069', 'PAdES', 'contract-signed.pdf'],
  ['a\u00A0b\u0085.pdf', 'PAdES', 'a b-signed.pdf'],
  ['\u202E', 'PAdES', 'document-signed.pdf'],
  ['\u200B', 'CMS-detached', 'document.p7s'],
];

describe('resultFileName', () => {
  it.each(rows)('makes of %j as %s a name without unseen characters', (original, type, name) => {
    expect(resultFileName(original, type)).toBe(name);
  });
});
