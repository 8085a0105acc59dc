import { maskTaxpayerNumber } from '../../signing/index.ts';
import { maskNumbersInText } from '../certificates/index.ts';

/** CPF and CNPJ with their usual punctuation, and fourteen or eleven digits in a row. */
const taxpayerNumbers =
  /\b(?:\d{3}\.\d{3}\.\d{3}-\d{2}|[0-9A-Z]{2}\.[0-9A-Z]{3}\.[0-9A-Z]{3}\/[0-9A-Z]{4}-\d{2}|\d{14}|\d{11})\b/g;

/** A text of somebody else without whole taxpayer numbers. */
export function maskedText(text: string): string {
  return maskNumbersInText(text).replaceAll(taxpayerNumbers, (number) =>
    maskTaxpayerNumber(number.replaceAll(/[./-]/g, '')),
  );
}
