/**
 * The payload of an age file (age-encryption.org/v1, "Payload"): chunks of 64 KiB, each sealed by ChaCha20-Poly1305
 * under a key of the file. Node's own cipher takes a small part of the time of a cipher in JavaScript.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Bytes of a chunk before it is sealed. */
const CHUNK = 64 * 1024;
const TAG = 16;
/** Bytes of the salt before the first chunk. */
const SALT = 16;

const keyOf = (fileKey: Uint8Array, salt: Uint8Array): Buffer =>
  Buffer.from(hkdfSync('sha256', fileKey, salt, 'payload', 32));

/** The number of the chunk in eleven bytes, and whether the chunk is the last. */
function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUIntBE(number, 5, 6);
  nonce[11] = isLast ? 1 : 0;
  return nonce;
}

/** The salt and the sealed chunks of `content`. */
export async function* sealPayload(
  fileKey: Uint8Array,
  content: AsyncIterable<Uint8Array>,
): AsyncGenerator<Buffer, void> {
  const salt = randomBytes(SALT);
  const key = keyOf(fileKey, salt);
  const seal = (chunk: Uint8Array, number: number, isLast: boolean): Buffer => {
    const cipher = createCipheriv('chacha20-poly1305', key, nonceOf(number, isLast), { authTagLength: TAG });
    return Buffer.concat([cipher.update(chunk), cipher.final(), cipher.getAuthTag()]);
  };
  yield salt;
  let number = 0;
  // A chunk is held back until the next byte comes, because the last chunk is sealed as such.
  let held: Buffer | undefined;
  for await (const chunk of chunksOf(content)) {
    if (held !== undefined) yield seal(held, number++, false);
    held = chunk;
  }
  yield seal(held ?? Buffer.alloc(0), number, true);
}

/**
 * The content of a payload; each chunk is authenticated before it is passed on. Throws for a changed, missing or
 * additional chunk.
 */
export async function* openPayload(
  fileKey: Uint8Array,
  payload: AsyncIterable<Uint8Array>,
): AsyncGenerator<Buffer, void> {
  let key: Buffer | undefined;
  let number = 0;
  let held: Buffer | undefined;
  const open = (chunk: Buffer, isLast: boolean): Buffer => {
    if (key === undefined || chunk.length < TAG) throw new Error('The payload is too short.');
    const decipher = createDecipheriv('chacha20-poly1305', key, nonceOf(number++, isLast), { authTagLength: TAG });
    decipher.setAuthTag(chunk.subarray(chunk.length - TAG));
    return Buffer.concat([decipher.update(chunk.subarray(0, chunk.length - TAG)), decipher.final()]);
  };
  for await (const part of chunksOf(payload, SALT, CHUNK + TAG)) {
    if (key === undefined) {
      if (part.length < SALT) throw new Error('The payload has no salt.');
      key = keyOf(fileKey, part);
      continue;
    }
    if (held !== undefined) yield open(held, false);
    held = part;
  }
  const last = open(held ?? Buffer.alloc(0), true);
  // Only an empty file ends with an empty chunk; elsewhere an empty chunk hides nothing, but has a second form.
  if (last.length === 0 && number > 1) throw new Error('The payload ends with an empty chunk.');
  yield last;
}

/** The bytes in parts of `size`, the first one of `first` bytes, and a shorter last part. */
async function* chunksOf(bytes: AsyncIterable<Uint8Array>, first = CHUNK, size = CHUNK): AsyncGenerator<Buffer, void> {
  let wanted = first;
  let gathered: Uint8Array[] = [];
  let length = 0;
  for await (let part of bytes) {
    while (length + part.length >= wanted) {
      const taken = wanted - length;
      yield Buffer.concat([...gathered, part.subarray(0, taken)]);
      part = part.subarray(taken);
      [gathered, length, wanted] = [[], 0, size];
    }
    if (part.length > 0) gathered.push(part);
    length += part.length;
  }
  if (length > 0) yield Buffer.concat(gathered);
}
