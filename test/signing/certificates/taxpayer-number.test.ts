import { describe, expect, it } from 'vitest';
import { isValidCnpj, isValidCpf, maskTaxpayerNumber, normalizeTaxpayerNumber } from '../../../src/signing/index.ts';

describe('isValidCpf', () => {
  it.each(['529.982.247-25', '52998224725', '111.444.777-35', ' 111444777 35 ', '100.000.001-08', '000.000.001-91'])(
    'accepts %s',
    (number) => {
      expect(isValidCpf(number)).toBe(true);
    },
  );

  it.each([
    '529.982.247-24',
    '52998224735',
    '111.111.111-11',
    '00000000000',
    '5299822472',
    '529982247255',
    '152998224725',
    '',
    'A2998224725',
    '10004938811',
  ])('refuses %s', (number) => {
    expect(isValidCpf(number)).toBe(false);
  });
});

describe('isValidCnpj', () => {
  it.each(['00.000.000/0001-91', '33.837.169/0001-50', '33837169000150', '12.ABC.345/01DE-35', '12abc34501de35'])(
    'accepts %s',
    (number) => {
      expect(isValidCnpj(number)).toBe(true);
    },
  );

  it.each([
    '00.000.000/0001-92',
    '12.ABC.345/01DE-36',
    '12.ABC.345/01DE-3F',
    '00000000000000',
    '1283716900015',
    '133837169000150',
    '338371690001500',
    '',
  ])('refuses %s', (number) => {
    expect(isValidCnpj(number)).toBe(false);
  });
});

describe('maskTaxpayerNumber', () => {
  it.each([
    ['529.982.247-25', '***.982.247-**'],
    ['12.ABC.345/01DE-35', '**.ABC.345/****-**'],
    ['anything else', '***'],
    ['123456789012', '***'],
    ['952998224725', '***'],
    ['133837169000150', '***'],
    ['338371690001500', '***'],
    ['', '***'],
  ])('shows of %s only %s', (number, masked) => {
    expect(maskTaxpayerNumber(number)).toBe(masked);
  });
});

describe('normalizeTaxpayerNumber', () => {
  it('takes punctuation away and letters up', () => {
    expect(normalizeTaxpayerNumber(' 12.abc.345/01de-35 ')).toBe('12ABC34501DE35');
  });
});
