import { describe, expect, it } from 'vitest';
import { aliasFor, sentenceFor } from '../../../src/service/certificates/alias-sight.ts';

const alias = 'Maria Teste:52998224725';
const masked = 'Maria Teste:***.982.247-**';

describe('the alias of a certificate', () => {
  it.each([
    ['whole for a caller that may read names', 'whole', undefined, alias],
    ['whole for such a caller, whatever it sent', 'whole', 'other', alias],
    ['masked for another caller', 'masked', undefined, masked],
    ['as sent for a caller that sent it', 'masked', alias, alias],
    ['whole for a caller that sent it in other letters, with blanks', 'masked', ' MARIA TESTE:52998224725 ', alias],
    ['masked for a caller that sent another name', 'masked', 'Maria Teste', masked],
    ['masked for a caller that sent the masked form', 'masked', masked, masked],
    ['masked for a caller that sent nothing but blanks', 'masked', '  ', masked],
  ] as const)('is %s', (_which, sight, sent, seen) => {
    expect(aliasFor(sight, alias, sent)).toBe(seen);
  });
});

describe('a sentence about certificates', () => {
  it('has names only for a caller that may read them', () => {
    expect(sentenceFor('whole', 'with names', 'without')).toBe('with names');
    expect(sentenceFor('masked', 'with names', 'without')).toBe('without');
  });
});
