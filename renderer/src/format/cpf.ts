/** The digits of a text, at most eleven. */
export function cpfDigits(text: string): string {
  return text.replaceAll(/\D/g, '').slice(0, 11);
}

/** `52998224725` → `529.982.247-25`, also during typing. */
export function formatCpf(text: string): string {
  const digits = cpfDigits(text);
  const groups = [digits.slice(0, 3), digits.slice(3, 6), digits.slice(6, 9)].filter((group) => group !== '');
  const checkDigits = digits.slice(9);
  return groups.join('.') + (checkDigits === '' ? '' : `-${checkDigits}`);
}

/** Whether a text is a CPF: eleven digits, not all the same, with right check digits (modulo 11). */
export function isCpf(text: string): boolean {
  const digits = cpfDigits(text);
  if (digits.length !== 11 || /^(\d)\1{10}$/.test(digits)) return false;
  return [9, 10].every((length) => checkDigit(digits.slice(0, length)) === Number(digits[length]));
}

function checkDigit(digits: string): number {
  let sum = 0;
  for (let index = 0; index < digits.length; index++) sum += Number(digits[index]) * (digits.length + 1 - index);
  return ((sum * 10) % 11) % 10;
}
