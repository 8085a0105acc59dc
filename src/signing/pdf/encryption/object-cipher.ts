import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { rc4 } from './rc4.ts';
import type { ObjectCipher } from '../syntax/values.ts';

/** How strings or streams are encrypted: the crypt filter methods (ISO 32000-2 Table 25), and `none` for Identity. */
export type CryptMethod = 'none' | 'rc4' | 'aes-128' | 'aes-256';

export interface CryptMethods {
  readonly strings: CryptMethod;
  readonly streams: CryptMethod;
}

const BLOCK = 16;

/** Algorithm 1 and 1.A of ISO 32000-2 §7.6.3: the key of an object. */
function objectKey(fileKey: Buffer, method: CryptMethod, number: number, generation: number): Buffer {
  if (method === 'aes-256' || method === 'none') return fileKey;
  const suffix = Buffer.alloc(5);
  suffix.writeUIntLE(number % 0x1000000, 0, 3);
  suffix.writeUIntLE(generation % 0x10000, 3, 2);
  const hash = createHash('md5').update(fileKey).update(suffix);
  if (method === 'aes-128') hash.update('sAlT', 'latin1');
  return hash.digest().subarray(0, Math.min(BLOCK, fileKey.length + 5));
}

const aesName = (key: Buffer): string => (key.length === 32 ? 'aes-256-cbc' : 'aes-128-cbc');

function encryptAes(key: Buffer, plain: Uint8Array): Buffer {
  const vector = randomBytes(BLOCK);
  const cipher = createCipheriv(aesName(key), key, vector);
  return Buffer.concat([vector, cipher.update(plain), cipher.final()]);
}

/** Tolerates truncated or wrongly padded data, like other readers, and returns the decryptable part. */
function decryptAes(key: Buffer, stored: Uint8Array): Buffer {
  const length = stored.length - (stored.length % BLOCK);
  if (length < 2 * BLOCK) return Buffer.alloc(0);
  const decipher = createDecipheriv(aesName(key), key, stored.subarray(0, BLOCK)).setAutoPadding(false);
  const padded = Buffer.concat([decipher.update(stored.subarray(BLOCK, length)), decipher.final()]);
  const padding = padded.at(-1) ?? 0;
  return padding >= 1 && padding <= BLOCK ? padded.subarray(0, padded.length - padding) : padded;
}

function encrypt(method: CryptMethod, key: Buffer, plain: Uint8Array): Buffer {
  switch (method) {
    case 'none':
      return Buffer.from(plain);
    case 'rc4':
      return rc4(key, plain);
    case 'aes-128':
    case 'aes-256':
      return encryptAes(key, plain);
  }
}

function decrypt(method: CryptMethod, key: Buffer, stored: Uint8Array): Buffer {
  switch (method) {
    case 'none':
      return Buffer.from(stored);
    case 'rc4':
      return rc4(key, stored);
    case 'aes-128':
    case 'aes-256':
      return decryptAes(key, stored);
  }
}

/** The cipher of the object with this number and generation. */
export function createObjectCipher(
  fileKey: Buffer,
  methods: CryptMethods,
  number: number,
  generation: number,
): ObjectCipher {
  const stringKey = objectKey(fileKey, methods.strings, number, generation);
  const streamKey = objectKey(fileKey, methods.streams, number, generation);
  return {
    encryptString: (plain) => encrypt(methods.strings, stringKey, plain),
    decryptString: (stored) => decrypt(methods.strings, stringKey, stored),
    encryptStream: (plain) => encrypt(methods.streams, streamKey, plain),
    decryptStream: (stored) => decrypt(methods.streams, streamKey, stored),
  };
}
