import { isCpf } from './cpf.ts';

/** Weights of the two check digits of a CNPJ, from the right. */
const cnpjWeights = [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2] as const;

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

/** `***.982.247-**` or `**.ABC.345/****-**`: enough to recognise the number, and too little to use the number. */
export function maskTaxpayer(text: string): string {
  const plain = taxpayerCharacters(text);
  if (/^\d{11}$/.test(plain)) return `***.${plain.slice(3, 6)}.${plain.slice(6, 9)}-**`;
  if (plain.length === 14) return `**.${plain.slice(2, 5)}.${plain.slice(5, 8)}/****-**`;
  return '***';
}

/** Whether a text is a CPF or a CNPJ with right check digits (modulo 11; letters count as in IN RFB 2.229/2024). */
export function isTaxpayerNumber(text: string): boolean {
  const plain = taxpayerCharacters(text);
  return plain.length === 11 ? /^\d+$/.test(plain) && isCpf(plain) : isCnpj(plain);
}

function isCnpj(plain: string): boolean {
  if (!/^[0-9A-Z]{12}\d{2}$/.test(plain) || /^0+$/.test(plain)) return false;
  return [12, 13].every((length) => cnpjCheckDigit(plain.slice(0, length)) === Number(plain[length]));
}

function cnpjCheckDigit(characters: string): number {
  const weights = cnpjWeights.slice(cnpjWeights.length - characters.length);
  const sum = weights.reduce((total, weight, index) => total + weight * (characters.charCodeAt(index) - 48), 0);
  const rest = sum % 11;
  return rest < 2 ? 0 : 11 - rest;
}
