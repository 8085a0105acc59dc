/** A hash as people know it: `SHA-256` for `sha256`. */
export function nameOfDigest(digest: string): string {
  return digest.toUpperCase().replace(/^SHA(?=\d)/, 'SHA-');
}
