import { randomBytes } from 'node:crypto';

/** Crockford's alphabet: no letter looks or sounds like a digit. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/**
 * A fresh transaction control token: 26 characters of five random bits each, 130 in all. A capability: its holder may
 * query and download.
 */
export function newTcn(): string {
  return Array.from(randomBytes(26), (octet) => ALPHABET.charAt(octet & 31)).join('');
}
