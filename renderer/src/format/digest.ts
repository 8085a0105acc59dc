/** The usual name of a hash function: `SHA-256` for `sha256`. */
export function nameOfDigest(digest: string): string {
  return digest.toUpperCase().replace(/^SHA(?=\d{3})/, 'SHA-');
}
