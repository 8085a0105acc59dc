import { createHash, randomInt } from 'node:crypto';

/** How many an account gets. */
const count = 10;

/** Digits only, because the field for a code brings up the digits of a telephone. */
const length = 24;
const shape = new RegExp(`^\\d{${length}}$`);

/** Fresh recovery codes, `2749-0183-…`: 79 random bits each, so that a plain hash keeps them. */
export function newRecoveryCodes(): readonly string[] {
  return Array.from({ length: count }, () => {
    const digits = Array.from({ length }, () => randomInt(10)).join('');
    return digits.replaceAll(/(\d{4})(?=\d)/g, '$1-');
  });
}

/** SHA-256 of a recovery code as it is typed: spaces and hyphens do not matter. Undefined: it is none. */
export function recoveryHash(text: string): Buffer | undefined {
  const plain = text.replaceAll(/[\s-]/g, '');
  return shape.test(plain) ? createHash('sha256').update(`recovery code:${plain}`).digest() : undefined;
}
