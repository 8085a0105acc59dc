import { createHash, randomInt } from 'node:crypto';

/** How many an account gets. */
const count = 10;

/** Digits only, because the field for a code brings up the digits of a telephone. */
const length = 24;
const shape = new RegExp(`^\\d{${length}}$`);

/** Fresh recovery codes, `2749-0183-…`: 79 random bits each, so a plain hash is enough for storing. */
export function newRecoveryCodes(): readonly string[] {
  return Array.from({ length: count }, () => {
    const digits = Array.from({ length }, () => randomInt(10)).join('');
    return digits.replaceAll(/(\d{4})(?=\d)/g, '$1-');
  });
}

/** SHA-256 of a typed recovery code, without spaces and hyphens. Undefined for another text. */
export function recoveryHash(text: string): Buffer | undefined {
  const plain = text.replaceAll(/[\s-]/g, '');
  return shape.test(plain) ? createHash('sha256').update(`recovery code:${plain}`).digest() : undefined;
}
