/**
 * RSA over a hash that was computed elsewhere: the encodings of RFC 8017 §9 around OpenSSL's operations on the key,
 * because Node hashes every message itself.
 */
import {
  constants,
  createPrivateKey,
  createPublicKey,
  hash,
  privateEncrypt,
  publicDecrypt,
  randomBytes,
  type KeyObject,
} from 'node:crypto';
import { DIGEST_LENGTH, DIGEST_OIDS } from '../../algorithms/algorithms.ts';
import {
  derBitString,
  derInteger,
  derNull,
  derOctetString,
  derOid,
  derSequence,
  Oid,
  readDer,
} from '../../der/index.ts';
import { SigningError } from '../../errors.ts';
import type { DigestAlgorithm } from '../signer.ts';

/** DigestInfo with the parameters NULL (RFC 8017 §9.2). */
export const digestInfo = (digest: DigestAlgorithm, hashed: Uint8Array): Buffer =>
  derSequence(derSequence(derOid(DIGEST_OIDS[digest]), derNull()), derOctetString(hashed));

const modulusBits = (key: KeyObject): number => key.asymmetricKeyDetails?.modulusLength ?? 0;

/** EMSA-PKCS1-v1_5 (RFC 8017 §9.2). */
function pkcs1Encoding(digest: DigestAlgorithm, hashed: Uint8Array, length: number): Buffer {
  const info = digestInfo(digest, hashed);
  const fill = Buffer.alloc(length - info.length - 3, 0xff);
  return Buffer.concat([Buffer.of(0, 1), fill, Buffer.of(0), info]);
}

/** MGF1 (RFC 8017 §B.2.1). */
function mask(digest: DigestAlgorithm, seed: Buffer, length: number): Buffer {
  const parts: Buffer[] = [];
  for (let counter = 0; counter * DIGEST_LENGTH[digest] < length; counter++) {
    const number = Buffer.alloc(4);
    number.writeUInt32BE(counter);
    parts.push(hash(digest, Buffer.concat([seed, number]), 'buffer'));
  }
  return Buffer.concat(parts).subarray(0, length);
}

const xor = (one: Buffer, other: Buffer): Buffer => Buffer.from(one.map((byte, index) => byte ^ (other[index] ?? 0)));

/** H of EMSA-PSS: the hash of eight zero bytes, the message's hash and the salt (RFC 8017 §9.1.1, step 6). */
const saltedHash = (digest: DigestAlgorithm, hashed: Uint8Array, salt: Uint8Array): Buffer =>
  hash(digest, Buffer.concat([Buffer.alloc(8), hashed, salt]), 'buffer');

/** EMSA-PSS with a salt as long as the hash (RFC 8017 §9.1.1), behind zero bytes up to the length of the modulus. */
function pssEncoding(digest: DigestAlgorithm, hashed: Uint8Array, bits: number): Buffer {
  const length = Math.ceil((bits - 1) / 8);
  const salt = randomBytes(DIGEST_LENGTH[digest]);
  const salted = saltedHash(digest, hashed, salt);
  const block = Buffer.alloc(length - salted.length - 1);
  block[block.length - salt.length - 1] = 1;
  salt.copy(block, block.length - salt.length);
  const masked = xor(block, mask(digest, salted, block.length));
  masked[0] = (masked[0] ?? 0) & (0xff >> (8 * length - (bits - 1)));
  const zeros = Buffer.alloc(Math.ceil(bits / 8) - length);
  return Buffer.concat([zeros, masked, salted, Buffer.of(0xbc)]);
}

/** EMSA-PSS-VERIFY with a salt as long as the hash (RFC 8017 §9.1.2). */
function isPssEncoding(digest: DigestAlgorithm, hashed: Uint8Array, bits: number, encoded: Buffer): boolean {
  const length = Math.ceil((bits - 1) / 8);
  const size = DIGEST_LENGTH[digest];
  const zeros = encoded.subarray(0, encoded.length - length);
  const block = encoded.subarray(zeros.length, encoded.length - size - 1);
  const salted = encoded.subarray(encoded.length - size - 1, encoded.length - 1);
  const surplus = 8 * length - (bits - 1);
  if (zeros.some((byte) => byte !== 0) || encoded.at(-1) !== 0xbc || (block[0] ?? 0) >> (8 - surplus) !== 0)
    return false;
  const clear = xor(block, mask(digest, salted, block.length));
  clear[0] = (clear[0] ?? 0) & (0xff >> surplus);
  const start = clear.length - size - 1;
  if (clear.subarray(0, start).some((byte) => byte !== 0) || clear[start] !== 1) return false;
  return saltedHash(digest, hashed, clear.subarray(start + 1)).equals(salted);
}

const PLAIN_RSA = derSequence(derOid(Oid.rsaEncryption), derNull());

/**
 * The key without the restriction to PSS (RFC 4055 §3.3), for the bare operation. Throws `ALGORITHM_UNSUPPORTED` where
 * the restriction names another hash.
 */
function bareKey(key: KeyObject, digest: DigestAlgorithm): KeyObject {
  if (key.asymmetricKeyType !== 'rsa-pss') return key;
  const { hashAlgorithm, mgf1HashAlgorithm, saltLength = 0 } = key.asymmetricKeyDetails ?? {};
  const isOther = [hashAlgorithm, mgf1HashAlgorithm].some((name) => name !== undefined && name !== digest);
  if (isOther || saltLength > DIGEST_LENGTH[digest]) {
    throw new SigningError('ALGORITHM_UNSUPPORTED', `This key cannot sign with rsassa-pss and ${digest}.`);
  }
  if (key.type === 'public') {
    const bits = readDer(key.export({ type: 'spki', format: 'der' }))
      .child(1, 'the public key')
      .content.subarray(1);
    return createPublicKey({ key: derSequence(PLAIN_RSA, derBitString(bits)), type: 'spki', format: 'der' });
  }
  const der = key.export({ type: 'pkcs8', format: 'der' });
  const plain = derSequence(derInteger(0), PLAIN_RSA, derOctetString(readDer(der).child(2, 'the private key').content));
  try {
    return createPrivateKey({ key: plain, type: 'pkcs8', format: 'der' });
  } finally {
    der.fill(0);
    plain.fill(0);
  }
}

/** Signs a hash with PKCS#1 v1.5, or with PSS. Throws `ALGORITHM_UNSUPPORTED`. */
export function signHashWithRsa(key: KeyObject, hashed: Uint8Array, digest: DigestAlgorithm, isPss: boolean): Buffer {
  const bits = modulusBits(key);
  const encoded = isPss ? pssEncoding(digest, hashed, bits) : pkcs1Encoding(digest, hashed, Math.ceil(bits / 8));
  return privateEncrypt({ key: bareKey(key, digest), padding: constants.RSA_NO_PADDING }, encoded);
}

/** Verifies a signature over a hash; the encoding has to be exactly that of this core. */
export function verifyHashWithRsa(
  key: KeyObject,
  hashed: Uint8Array,
  digest: DigestAlgorithm,
  { isPss, signature }: { readonly isPss: boolean; readonly signature: Buffer },
): boolean {
  const bits = modulusBits(key);
  if (signature.length !== Math.ceil(bits / 8)) return false;
  let encoded: Buffer;
  try {
    encoded = publicDecrypt({ key: bareKey(key, digest), padding: constants.RSA_NO_PADDING }, signature);
  } catch {
    return false;
  }
  if (isPss) return isPssEncoding(digest, hashed, bits, encoded);
  return encoded.equals(pkcs1Encoding(digest, hashed, encoded.length));
}
