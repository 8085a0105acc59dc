/** Password-based decryption: PBES2 (RFC 8018 §6.2) and the older schemes of PKCS#12 (RFC 7292 Appendix C). */
import { createDecipheriv, getCiphers } from 'node:crypto';
import { SigningError } from '../../errors.ts';
import { Tag } from '../../der/reader.ts';
import { readAlgorithm, type AlgorithmIdentifier } from './algorithms.ts';
import { deriveNamedKey, derivePkcs12Key, readIterations } from './derive-key.ts';
import type { Pkcs12Budget } from './limits.ts';
import type { Pkcs12Password } from './passwords.ts';

const PBES2 = '1.2.840.113549.1.5.13';

interface BlockCipher {
  readonly name: 'aes-128-cbc' | 'aes-192-cbc' | 'aes-256-cbc' | 'des-ede3-cbc' | 'rc2-cbc';
  /** Bytes of the derived key. */
  readonly keyLength: number;
  readonly ivLength: number;
}

/** Ciphers of PBES2 (RFC 8018 Appendix B.2). */
const PBES2_CIPHERS: ReadonlyMap<string, BlockCipher> = new Map([
  ['2.16.840.1.101.3.4.1.2', { name: 'aes-128-cbc', keyLength: 16, ivLength: 16 }],
  ['2.16.840.1.101.3.4.1.22', { name: 'aes-192-cbc', keyLength: 24, ivLength: 16 }],
  ['2.16.840.1.101.3.4.1.42', { name: 'aes-256-cbc', keyLength: 32, ivLength: 16 }],
  ['1.2.840.113549.3.7', { name: 'des-ede3-cbc', keyLength: 24, ivLength: 8 }],
]);

/** pbeWithSHAAnd3-KeyTripleDES-CBC, …2-Key…, pbeWithSHAAnd128BitRC2-CBC, …40BitRC2-CBC (RFC 7292 Appendix C). */
const LEGACY_CIPHERS: ReadonlyMap<string, BlockCipher> = new Map([
  ['1.2.840.113549.1.12.1.3', { name: 'des-ede3-cbc', keyLength: 24, ivLength: 8 }],
  ['1.2.840.113549.1.12.1.4', { name: 'des-ede3-cbc', keyLength: 16, ivLength: 8 }],
  ['1.2.840.113549.1.12.1.5', { name: 'rc2-cbc', keyLength: 16, ivLength: 8 }],
  ['1.2.840.113549.1.12.1.6', { name: 'rc2-cbc', keyLength: 5, ivLength: 8 }],
]);

const isBlocks = (data: Buffer, cipher: BlockCipher): boolean => data.length > 0 && data.length % cipher.ivLength === 0;

function decryptNatively(name: string, key: Buffer, iv: Buffer, data: Buffer): Buffer | undefined {
  const decipher = createDecipheriv(name, key, iv);
  const head = decipher.update(data);
  try {
    return Buffer.concat([head, decipher.final()]);
  } catch {
    return undefined;
  }
}

/** The plain text, or undefined for wrong padding, the sign of a wrong key. */
async function decryptBlocks(cipher: BlockCipher, key: Buffer, iv: Buffer, data: Buffer): Promise<Buffer | undefined> {
  if (cipher.name === 'rc2-cbc') {
    const { decryptRc2 } = await import('./forge-ciphers.ts');
    return decryptRc2(key, iv, data);
  }
  if (cipher.name !== 'des-ede3-cbc') return decryptNatively(cipher.name, key, iv, data);
  const fullKey = key.length === 16 ? Buffer.concat([key, key.subarray(0, 8)]) : key;
  if (getCiphers().includes(cipher.name)) return decryptNatively(cipher.name, fullKey, iv, data);
  const { decryptTripleDes } = await import('./forge-ciphers.ts');
  return decryptTripleDes(fullKey, iv, data);
}

async function* decryptPbes2(
  { parameters }: AlgorithmIdentifier,
  data: Buffer,
  password: Pkcs12Password,
  budget: Pkcs12Budget,
): AsyncGenerator<Buffer> {
  if (parameters === undefined) throw new SigningError('PKCS12_MALFORMED', 'PBES2 has no parameters.');
  const derivation = readAlgorithm(parameters.child(0, 'the key derivation'), 'the key derivation');
  const scheme = readAlgorithm(parameters.child(1, 'the cipher'), 'the cipher');
  const cipher = PBES2_CIPHERS.get(scheme.oid);
  if (cipher === undefined) throw unsupportedCipher(scheme.oid);
  const iv = scheme.parameters?.expect(Tag.octetString, 'the initialisation vector').content;
  if (iv?.length !== cipher.ivLength || !isBlocks(data, cipher)) throw damagedCipherText();
  for (const form of password.utf8Forms) {
    const key = await deriveNamedKey(derivation, form, cipher.keyLength, budget);
    const plain = await decryptBlocks(cipher, key, iv, data);
    key.fill(0);
    if (plain !== undefined) yield plain;
  }
}

async function* decryptLegacy(
  cipher: BlockCipher,
  { parameters }: AlgorithmIdentifier,
  data: Buffer,
  password: Pkcs12Password,
  budget: Pkcs12Budget,
): AsyncGenerator<Buffer> {
  if (parameters === undefined || !isBlocks(data, cipher)) throw damagedCipherText();
  const salt = parameters.child(0, 'the salt').expect(Tag.octetString, 'the salt').content;
  const derivation = { hash: 'sha1', salt, iterations: readIterations(parameters.child(1, 'the iterations')) } as const;
  for (const form of password.bmpForms) {
    const key = await derivePkcs12Key(derivation, form, 'key', cipher.keyLength, budget);
    const iv = await derivePkcs12Key(derivation, form, 'iv', cipher.ivLength, budget);
    const plain = await decryptBlocks(cipher, key, iv, data);
    key.fill(0);
    if (plain !== undefined) yield plain;
  }
}

/** pbeWithSHAAnd128BitRC4, …40BitRC4 (RFC 7292 Appendix C); pbeWithMD2AndDES-CBC to pbeWithSHA1AndRC2-CBC (RFC 8018 A.3). */
const UNREAD_CIPHERS: ReadonlyMap<string, string> = new Map([
  ['1.2.840.113549.1.12.1.1', 'RC4 (128 bits)'],
  ['1.2.840.113549.1.12.1.2', 'RC4 (40 bits)'],
  ['1.2.840.113549.1.5.1', 'DES (MD2)'],
  ['1.2.840.113549.1.5.3', 'DES (MD5)'],
  ['1.2.840.113549.1.5.4', 'RC2 (MD2)'],
  ['1.2.840.113549.1.5.6', 'RC2 (MD5)'],
  ['1.2.840.113549.1.5.10', 'DES (SHA-1)'],
  ['1.2.840.113549.1.5.11', 'RC2 (SHA-1)'],
]);

const unsupportedCipher = (oid: string): SigningError =>
  new SigningError(
    'PKCS12_UNSUPPORTED',
    `The PKCS#12 file is encrypted with ${UNREAD_CIPHERS.get(oid) ?? oid}, which this program does not read. ` +
      'Export the certificate again with AES or triple DES.',
  );

const damagedCipherText = (): SigningError =>
  new SigningError('PKCS12_MALFORMED', 'An encrypted part of the PKCS#12 file is damaged.');

/**
 * Possible plain texts of `data`: one for each form of the password that gives right padding, and none for a wrong
 * password. A form is tried when its plain text is asked for. Rejects with `PKCS12_UNSUPPORTED` for other ciphers, and `PKCS12_MALFORMED`, `DER_MALFORMED`.
 */
export function decryptWithPassword(
  algorithm: AlgorithmIdentifier,
  data: Buffer,
  password: Pkcs12Password,
  budget: Pkcs12Budget,
): AsyncGenerator<Buffer> {
  if (algorithm.oid === PBES2) return decryptPbes2(algorithm, data, password, budget);
  const cipher = LEGACY_CIPHERS.get(algorithm.oid);
  if (cipher === undefined) throw unsupportedCipher(algorithm.oid);
  return decryptLegacy(cipher, algorithm, data, password, budget);
}
