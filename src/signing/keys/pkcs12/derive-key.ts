/**
 * Keys from passwords: the derivation of PKCS#12 (RFC 7292 Appendix B.2), PBKDF2 (RFC 8018 §5.2) and scrypt
 * (RFC 7914). All are asynchronous, and each announces its cost to the budget first.
 */
import { hash as digest, pbkdf2, scrypt, type ScryptOptions } from 'node:crypto';
import { setImmediate as letOthersRun } from 'node:timers/promises';
import { promisify } from 'node:util';
import { SigningError } from '../../errors.ts';
import { Tag, readSmallInteger, type DerElement } from '../../der/reader.ts';
import { HASH_LENGTH, HMACS, readAlgorithm, type AlgorithmIdentifier, type Pkcs12Hash } from './algorithms.ts';
import type { Pkcs12Budget } from './limits.ts';

const pbkdf2Async = promisify(pbkdf2);
const scryptAsync = promisify<Buffer, Buffer, number, ScryptOptions, Buffer>(scrypt);

const PBKDF2 = '1.2.840.113549.1.5.12';
const SCRYPT = '1.3.6.1.4.1.11591.4.11';
const SCRYPT_MAX_MEMORY = 128 * 1024 * 1024;
/** Number of rounds before the event loop runs other work: a few milliseconds on a slow machine. */
const ROUNDS_AT_ONCE = 2000;

/** The purpose of the derived bytes: the identifier byte of RFC 7292 Appendix B.3. */
export type Pkcs12KeyPurpose = 'key' | 'iv' | 'mac';
const PURPOSE_BYTE: Readonly<Record<Pkcs12KeyPurpose, number>> = { key: 1, iv: 2, mac: 3 };

/** Salt and rounds of the PKCS#12 derivation, with its hash. */
export interface Pkcs12Derivation {
  readonly hash: Pkcs12Hash;
  readonly salt: Buffer;
  readonly iterations: number;
}

/** Reads a number of rounds. Zero rounds mean a damaged file. */
export function readIterations(element: DerElement): number {
  const iterations = readSmallInteger(element, 'the iteration count');
  if (iterations === 0) throw new SigningError('PKCS12_MALFORMED', 'The PKCS#12 file has an iteration count of zero.');
  return iterations;
}

/** `source` repeated to the next multiple of `block` bytes; an empty source stays empty. */
function repeatToBlocks(source: Buffer, block: number): Buffer {
  const length = Math.ceil(source.length / block) * block;
  return source.length === 0 ? Buffer.alloc(0) : Buffer.alloc(length, source);
}

/** Adds `addend` + 1 to each block of `blocks`, modulo 2^(8·block) (RFC 7292 Appendix B.2, step 6C). */
function addToBlocks(blocks: Buffer, addend: Buffer): void {
  for (let start = 0; start < blocks.length; start += addend.length) {
    let carry = 1;
    for (let index = addend.length - 1; index >= 0; index--) {
      carry += (blocks[start + index] ?? 0) + (addend[index] ?? 0);
      blocks[start + index] = carry & 0xff;
      carry >>= 8;
    }
  }
}

async function hashRounds(hash: Pkcs12Hash, input: Buffer, rounds: number): Promise<Buffer> {
  let value = digest(hash, input, 'buffer');
  for (let round = 1; round < rounds; round++) {
    if (round % ROUNDS_AT_ONCE === 0) await letOthersRun();
    value = digest(hash, value, 'buffer');
  }
  return value;
}

/** `length` bytes by the derivation of PKCS#12 from a BMPString password (RFC 7292 Appendix B.2). */
export async function derivePkcs12Key(
  derivation: Pkcs12Derivation,
  password: Buffer,
  purpose: Pkcs12KeyPurpose,
  length: number,
  budget: Pkcs12Budget,
): Promise<Buffer> {
  const { hash, salt, iterations } = derivation;
  const block = hash === 'sha384' || hash === 'sha512' ? 128 : 64;
  budget.spendIterations(iterations * Math.ceil(length / HASH_LENGTH[hash]));
  const diversifier = Buffer.alloc(block, PURPOSE_BYTE[purpose]);
  const state = Buffer.concat([repeatToBlocks(salt, block), repeatToBlocks(password, block)]);
  const parts: Buffer[] = [];
  for (let produced = 0; produced < length;) {
    const part = await hashRounds(hash, Buffer.concat([diversifier, state]), iterations);
    parts.push(part);
    produced += part.length;
    addToBlocks(state, Buffer.alloc(block, part));
  }
  state.fill(0);
  return Buffer.concat(parts).subarray(0, length);
}

async function derivePbkdf2(
  parameters: DerElement,
  password: Buffer,
  length: number,
  budget: Pkcs12Budget,
): Promise<Buffer> {
  const salt = parameters.child(0, 'the salt of PBKDF2').expect(Tag.octetString, 'the salt of PBKDF2').content;
  const iterations = readIterations(parameters.child(1, 'the iteration count of PBKDF2'));
  const statedLength = parameters.children.slice(2).find((element) => element.tag === Tag.integer);
  checkLength(statedLength, length);
  const prf = parameters.find(Tag.sequence);
  const prfOid = prf === undefined ? undefined : readAlgorithm(prf, 'the hash of PBKDF2').oid;
  const hash = prfOid === undefined ? 'sha1' : HMACS.get(prfOid);
  if (hash === undefined) throw unsupported(`the hash ${prfOid ?? ''} in PBKDF2`);
  budget.spendIterations(iterations * Math.ceil(length / HASH_LENGTH[hash]));
  return pbkdf2Async(password, salt, iterations, length, hash);
}

async function deriveScrypt(
  parameters: DerElement,
  password: Buffer,
  length: number,
  budget: Pkcs12Budget,
): Promise<Buffer> {
  const salt = parameters.child(0, 'the salt of scrypt').expect(Tag.octetString, 'the salt of scrypt').content;
  const cost = readSmallInteger(parameters.child(1, 'the cost of scrypt'), 'the cost of scrypt');
  const blockSize = readSmallInteger(parameters.child(2, 'the block size of scrypt'), 'the block size of scrypt');
  const parallel = readSmallInteger(parameters.child(3, 'the parallelism of scrypt'), 'the parallelism of scrypt');
  checkLength(parameters.children[4], length);
  if (cost < 2 || !Number.isInteger(Math.log2(cost)) || blockSize === 0 || parallel === 0) {
    throw new SigningError('PKCS12_MALFORMED', 'The PKCS#12 file has impossible parameters for scrypt.');
  }
  if (128 * blockSize * (cost + parallel + 2) > SCRYPT_MAX_MEMORY) {
    const limit = SCRYPT_MAX_MEMORY / 1024 / 1024;
    throw unsupported(`more than ${limit} MiB of memory for scrypt, which is the limit`);
  }
  budget.spendIterations(cost * blockSize * parallel);
  const options = { N: cost, r: blockSize, p: parallel, maxmem: 2 * SCRYPT_MAX_MEMORY };
  return scryptAsync(password, salt, length, options);
}

function checkLength(stated: DerElement | undefined, length: number): void {
  if (stated !== undefined && readSmallInteger(stated, 'the key length') !== length) {
    throw new SigningError('PKCS12_MALFORMED', 'The PKCS#12 file states a key length that its cipher does not have.');
  }
}

function unsupported(what: string): SigningError {
  return new SigningError('PKCS12_UNSUPPORTED', `The PKCS#12 file uses ${what}.`);
}

/** Derives `length` bytes from a UTF-8 password with the file's key derivation function (RFC 8018 §6.2, §7.1). */
export async function deriveNamedKey(
  algorithm: AlgorithmIdentifier,
  password: Buffer,
  length: number,
  budget: Pkcs12Budget,
): Promise<Buffer> {
  const { oid, parameters } = algorithm;
  if (oid !== PBKDF2 && oid !== SCRYPT)
    throw unsupported(`the key derivation ${oid}, which this program does not read`);
  if (parameters === undefined) {
    throw new SigningError('PKCS12_MALFORMED', 'The PKCS#12 file has a key derivation without parameters.');
  }
  return (oid === PBKDF2 ? derivePbkdf2 : deriveScrypt)(parameters, password, length, budget);
}
