/** Seals what must be read again: one-time-password secrets, webhook secrets. Filled by the storage layer. */
export interface Sealer {
  /** `place` names where the value belongs (table, row, column), so that sealed values cannot be swapped. */
  seal(plaintext: Uint8Array, place: string): Promise<Buffer>;
  /** What `seal` was given. The caller wipes it. Rejects when the key or the content is another. */
  open(sealed: Uint8Array, place: string): Promise<Buffer>;
}
