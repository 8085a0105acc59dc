import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { type ObjectCipher, nameOf, type PdfDictionary, type PdfValue } from '../syntax/values.ts';
import { malformed, unsupported } from '../syntax/pdf-error.ts';

/** RC4 for old encrypted PDFs, because OpenSSL 3 no longer offers RC4. Encryption and decryption are the same. */
export function rc4(key: Uint8Array, data: Uint8Array): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, index) => index);
  const swap = (first: number, second: number): void => {
    const byte = state[first] ?? 0;
    state[first] = state[second] ?? 0;
    state[second] = byte;
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

/** How strings or streams are encrypted: the crypt filter methods (ISO 32000-2 Table 25), and `none` for Identity. */
export type CryptMethod = 'none' | 'rc4' | 'aes-128' | 'aes-256' | 'aes-256-gcm';

export interface CryptMethods {
  readonly strings: CryptMethod;
  readonly streams: CryptMethod;
}

const BLOCK = 16;
/** Lengths of the nonce in front of the encrypted data and of the tag behind it, in bytes (ISO/TS 32003 §5). */
const NONCE = 12;
const TAG = 16;

/** Algorithm 1 and 1.A of ISO 32000-2 §7.6.3: the key of an object. */
function objectKey(fileKey: Buffer, method: CryptMethod, number: number, generation: number): Buffer {
  if (method === 'aes-256' || method === 'aes-256-gcm' || method === 'none') return fileKey;
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

function encryptGcm(key: Buffer, plain: Uint8Array): Buffer {
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** Nothing for data whose tag is wrong: the data are not those of the writer. */
function decryptGcm(key: Buffer, stored: Uint8Array): Buffer {
  if (stored.length < NONCE + TAG) return Buffer.alloc(0);
  const end = stored.length - TAG;
  const decipher = createDecipheriv('aes-256-gcm', key, stored.subarray(0, NONCE), { authTagLength: TAG });
  decipher.setAuthTag(stored.subarray(end));
  const plain = decipher.update(stored.subarray(NONCE, end));
  try {
    return Buffer.concat([plain, decipher.final()]);
  } catch {
    return Buffer.alloc(0);
  }
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
    case 'aes-256-gcm':
      return encryptGcm(key, plain);
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
    case 'aes-256-gcm':
      return decryptGcm(key, stored);
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

// Encryption methods of a PDF's strings and streams, independent of the key's owner.

/** The result of opening an encrypted PDF (ISO 32000-2 §7.6). */
export interface FileEncryption {
  readonly fileKey: Buffer;
  readonly methods: CryptMethods;
}

type Resolve = (value: PdfValue | undefined) => PdfValue;

function methodOf(name: string): CryptMethod {
  switch (name) {
    case 'None':
      return 'none';
    case 'V2':
      return 'rc4';
    case 'AESV2':
      return 'aes-128';
    case 'AESV3':
      return 'aes-256';
    case 'AESV4':
      return 'aes-256-gcm';
    default:
      unsupported(`The PDF is encrypted with the method "${name}", which is not supported.`);
  }
}

/** Crypt filters of V 4 to 6 (ISO 32000-2 §7.6.6, ISO/TS 32003); earlier versions use RC4 for everything. */
export function readMethods(dictionary: PdfDictionary, version: number, resolve: Resolve): CryptMethods {
  if (version < 4) return { strings: 'rc4', streams: 'rc4' };
  const filters = resolve(dictionary.get('CF'));
  const method = (key: string): CryptMethod => {
    const name = nameOf(resolve(dictionary.get(key))) ?? 'Identity';
    if (name === 'Identity') return 'none';
    const filter = filters instanceof Map ? resolve(filters.get(name)) : null;
    if (!(filter instanceof Map)) malformed(`its encryption names the filter "${name}", which it does not describe`);
    return methodOf(nameOf(resolve(filter.get('CFM'))) ?? 'None');
  };
  return { strings: method('StrF'), streams: method('StmF') };
}
