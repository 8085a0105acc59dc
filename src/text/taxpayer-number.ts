/**
 * CPF (persons) and CNPJ (companies): the taxpayer numbers of Brazil. Both are personal data here.
 * A CNPJ may hold letters in its first twelve places (IN RFB 2.229/2024), so neither is ever a JavaScript number.
 */

/** Upper case, without the usual punctuation and spaces; the remaining text is not checked. */
export function normalizeTaxpayerNumber(text: string): string {
  return text.replace(/[\s./-]/g, '').toUpperCase();
}

/** Sum of (character code − 48) × weight: digits count as themselves, `A` as 17 (IN RFB 2.229/2024, annex). */
function weightedSum(text: string, weights: readonly number[]): number {
  return weights.reduce((sum, weight, index) => sum + (text.charCodeAt(index) - 48) * weight, 0);
}

/** The check digit modulo 11: a remainder below 2 gives 0. */
function checkDigit(sum: number): string {
  const remainder = sum % 11;
  return remainder < 2 ? '0' : (11 - remainder).toString();
}

const CPF_WEIGHTS = [11, 10, 9, 8, 7, 6, 5, 4, 3, 2] as const;
const CNPJ_WEIGHTS = [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2] as const;

function hasCheckDigits(number: string, weights: readonly number[]): boolean {
  const first = checkDigit(weightedSum(number, weights.slice(1)));
  const second = checkDigit(weightedSum(number, weights));
  return number.endsWith(first + second);
}

/** Eleven digits with right check digits; eleven equal digits are never issued. Punctuation is ignored. */
export function isValidCpf(text: string): boolean {
  const number = normalizeTaxpayerNumber(text);
  return /^\d{11}$/.test(number) && !/^(\d)\1{10}$/.test(number) && hasCheckDigits(number, CPF_WEIGHTS);
}

/** Twelve digits or letters and two right check digits; fourteen zeros are never issued. Punctuation is ignored. */
export function isValidCnpj(text: string): boolean {
  const number = normalizeTaxpayerNumber(text);
  return /^[0-9A-Z]{12}\d{2}$/.test(number) && !/^0+$/.test(number) && hasCheckDigits(number, CNPJ_WEIGHTS);
}

/** For logs and messages: the middle of the number only, `***.982.247-**` or `**.ABC.345/****-**`; else `***`. */
export function maskTaxpayerNumber(text: string): string {
  const number = normalizeTaxpayerNumber(text);
  if (/^\d{11}$/.test(number)) return `***.${number.slice(3, 6)}.${number.slice(6, 9)}-**`;
  if (/^[0-9A-Z]{12}\d{2}$/.test(number)) return `**.${number.slice(2, 5)}.${number.slice(5, 8)}/****-**`;
  return '***';
}

/** A sentence with names of certificates, with their appended numbers masked: `NAME:NUMBER` (DOC-ICP-04 §7.1.4). */
export const maskNumbersInText = (text: string): string =>
  text.replaceAll(/:([0-9A-Z]{12}\d{2}|\d{11})\b/g, (_match, number: string) => `:${maskTaxpayerNumber(number)}`);

/** CPF and CNPJ with their usual punctuation, and fourteen or eleven digits in a row. */
const NUMBERS =
  /\b(?:\d{3}\.\d{3}\.\d{3}-\d{2}|[0-9A-Z]{2}\.[0-9A-Z]{3}\.[0-9A-Z]{3}\/[0-9A-Z]{4}-\d{2}|\d{14}|\d{11})\b/gi;

/** Masks every number with the form of a CPF or CNPJ, in foreign texts and in aliases. */
export const maskEveryNumber = (text: string): string =>
  maskNumbersInText(text).replaceAll(NUMBERS, maskTaxpayerNumber);
