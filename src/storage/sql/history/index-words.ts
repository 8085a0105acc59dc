/** The words of a text: runs of letters and digits, in capital letters without accents. */
export function splitIntoWords(text: string): readonly string[] {
  const plain = text.normalize('NFD').replaceAll(/\p{M}/gu, '').toUpperCase();
  return [...new Set(plain.match(/[\p{L}\p{N}]+/gu))];
}

/** Hexadecimal digits of a hash that are indexed. */
export const HASH_DIGITS = 12;

/** The indexed beginning of a hash. */
export function entryOfHash(hash: string): string {
  return hash.slice(0, HASH_DIGITS).toUpperCase();
}
