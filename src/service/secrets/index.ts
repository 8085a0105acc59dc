/** Seals values to be read again: one-time-password secrets, webhook secrets. Implemented by the storage layer. */
export interface Sealer {
  /** `place` names the value's place (table, row, column), so that sealed values cannot be swapped. */
  seal(plaintext: Uint8Array, place: string): Promise<Buffer>;
  /** The plain value, to be wiped by the caller. Rejects for another key or changed content. */
  open(sealed: Uint8Array, place: string): Promise<Buffer>;
}
