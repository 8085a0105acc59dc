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
