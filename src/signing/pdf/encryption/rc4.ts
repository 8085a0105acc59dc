/** RC4 for old encrypted PDFs, because OpenSSL 3 no longer offers RC4. Encryption and decryption are the same. */
export function rc4(key: Uint8Array, data: Uint8Array): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, index) => index);
  const swap = (first: number, second: number): void => {
    const octet = state[first] ?? 0;
    state[first] = state[second] ?? 0;
    state[second] = octet;
  };
  for (let index = 0, other = 0; index < 256; index += 1) {
    other = (other + (state[index] ?? 0) + (key[index % key.length] ?? 0)) & 0xff;
    swap(index, other);
  }
  const output = Buffer.from(data);
  for (let position = 0, index = 0, other = 0; position < output.length; position += 1) {
    index = (index + 1) & 0xff;
    other = (other + (state[index] ?? 0)) & 0xff;
    swap(index, other);
    output[position] = (output[position] ?? 0) ^ (state[((state[index] ?? 0) + (state[other] ?? 0)) & 0xff] ?? 0);
  }
  return output;
}
