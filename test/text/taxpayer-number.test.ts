import { describe, expect, it } from 'vitest';
import { maskEveryNumber } from '../../src/text/taxpayer-number.ts';

describe('an alias in a list', () => {
  it.each([
    ['the number behind a name', 'MARIA DA SILVA:52998224725', 'MARIA DA SILVA:***.982.247-**'],
    ['the number of the second certificate', 'MARIA:52998224725 (2)', 'MARIA:***.982.247-** (2)'],
    ['a number behind a name with wrong check digits', 'MARIA:12345678901', 'MARIA:***.456.789-**'],
    ['a company with letters in its number', 'PADARIA LTDA:12ABC34501DE35', 'PADARIA LTDA:**.ABC.345/****-**'],
    ['a CPF by itself', '52998224725', '***.982.247-**'],
    ['a CPF with punctuation in words', 'e-CPF 529.982.247-25 nova', 'e-CPF ***.982.247-** nova'],
    ['a CNPJ with punctuation', 'cert 11.222.333/0001-81', 'cert **.222.333/****-**'],
    ['both numbers', 'ANA:52998224725 11222333000181', 'ANA:***.982.247-** **.222.333/****-**'],
  ])('masks %s', (_title, alias, shown) => {
    expect(maskEveryNumber(alias)).toBe(shown);
  });

  it.each(['maria-a1', 'Token 123456789012', 'contrato 2026-11-23', `x52998224725`, 'a1b2c3d4e5f607182930', ''])(
    'leaves %j unchanged',
    (alias) => {
      expect(maskEveryNumber(alias)).toBe(alias);
    },
  );
});
