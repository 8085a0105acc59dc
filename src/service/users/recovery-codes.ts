import { createHash, randomBytes } from 'node:crypto';

/** How many an account gets. */
const count = 10;

/** Crockford's base 32: no letters that look like digits. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const length = 16;
const shape = new RegExp(`^[${alphabet}]{${length}}$`);

/** Fresh recovery codes, `7KQM-2D9X-…`: 80 random bits each, so that a plain hash keeps them. */
export function newRecoveryCodes(): readonly string[] {
  return Array.from({ length: count }, () => {
    const letters = Array.from(randomBytes(length), (octet) => alphabet[octet % alphabet.length] ?? '').join('');
    return letters.replaceAll(/(.{4})(?=.)/g, '$1-');
  });
}

/** SHA-256 of a recovery code as it is typed: letter case, spaces and hyphens do not matter. Undefined: it is none. */
export function recoveryHash(text: string): Buffer | undefined {
  const plain = text.replaceAll(/[\s-]/g, '').toUpperCase().replaceAll('O', '0').replaceAll(/[IL]/g, '1');
  return shape.test(plain) ? hashOf(plain) : undefined;
}

function hashOf(plain: string): Buffer {
  return createHash('sha256').update(`recovery code:${plain}`).digest();
}
