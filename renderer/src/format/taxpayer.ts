import { isValidCnpj, isValidCpf } from '../../../src/text/taxpayer-number.ts';

/** The characters of a CPF or CNPJ without punctuation, at most fourteen. Letters of a CNPJ in upper case. */
export function taxpayerCharacters(text: string): string {
  return text
    .toUpperCase()
    .replaceAll(/[^0-9A-Z]/g, '')
    .slice(0, 14);
}

/**
 * `529.982.247-25` or `12.ABC.345/01DE-35`, also during typing: a CNPJ from its twelfth character or first letter on.
 */
export function formatTaxpayer(text: string): string {
  const plain = taxpayerCharacters(text);
  const isShort = /^\d{0,11}$/.test(plain);
  const cuts = isShort ? [3, 6, 9] : [2, 5, 8, 12];
  const marks = isShort ? ['.', '.', '-'] : ['.', '.', '/', '-'];
  let formatted = '';
  for (let index = 0; index < plain.length; index++) {
    formatted += (marks[cuts.indexOf(index)] ?? '') + (plain[index] ?? '');
  }
  return formatted;
}

/** True if a text is a CPF or a CNPJ with right check digits. */
export const isTaxpayerNumber = (text: string): boolean => isValidCpf(text) || isValidCnpj(text);
